"""The layout's polygons in table millimetres, seen from the dealer: x to the dealer's right, y toward the dealer.

The map from pixels is a similarity (rotation by the dealer's side, scale of the layout; a mirrored picture is turned
back). A tilted or wide lens bends it by a few millimetres at the rim, which the tolerances of this room allow for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from verifier.domain.layout import CARD_MM, Layout, Polygon
from verifier.domain.observations import Drift
from verifier.reconstruct import parameters as par

Xy = tuple[float, float]


_POKER_CARDS = ("board", "burns", "muck")
"""Zones of a poker table in which cards lie."""
_TURNS = {"bottom": (1.0, 0.0), "top": (-1.0, 0.0), "left": (0.0, -1.0), "right": (0.0, 1.0)}


def distance(a: Xy, b: Xy) -> float:
    """Distance of two points in their own unit."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def inside(point: Xy, polygon: Sequence[Xy]) -> bool:
    """Tell whether `point` lies in `polygon` (even-odd rule)."""
    x, y = point
    result = False
    x0, y0 = polygon[-1]
    for x1, y1 in polygon:
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            result = not result
        x0, y0 = x1, y1
    return result


def depth(point: Xy, polygon: Sequence[Xy]) -> float:
    """How deep `point` lies in `polygon`, in their unit; below 0 how far it lies outside."""
    gap = min(_gap(point, a, b) for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    return gap if inside(point, polygon) else -gap


def _gap(point: Xy, a: Xy, b: Xy) -> float:
    """Distance of a point from the stretch between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square if square else 0.0
    share = min(1.0, max(0.0, along))
    return distance(point, (a[0] + share * dx, a[1] + share * dy))


def centre_of(points: Sequence[Xy]) -> Xy:
    """Mean of the points."""
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


class SpaceMap(Struct, frozen=True, kw_only=True):
    """One betting space in millimetres; spots that the layout leaves out are None.

    `drawn`: whether the layout has its wager spot. Where it has not, `wager` is the area's middle, which tells in what
    direction a player sits, but no chip that lies there is a wager.
    """

    number: int
    area: tuple[Xy, ...]
    wager: Xy
    drawn: bool = True
    cards: Xy
    tip: Xy | None
    insurance: Xy | None
    wager_zone: tuple[Xy, ...] | None = None
    insurance_zone: tuple[Xy, ...] | None = None
    """The outlines that the layout gives for both."""
    outward: Xy
    """Unit vector from the dealer to the player."""


class SeatMap(Struct, frozen=True, kw_only=True):
    """One seat of a poker table in millimetres. A spot that the layout leaves out is the area's middle; of the button
    it is None.
    """

    number: int
    area: tuple[Xy, ...]
    cards: Xy
    bets: Xy
    button: Xy | None


class TableMap(Struct, frozen=True, kw_only=True):
    """A layout in millimetres; build it with `TableMap.of`."""

    scale: float
    origin: Xy
    turn: Xy
    mirror: float = 1.0
    """-1 where the picture is mirrored: its spaces are numbered from what looks like the dealer's right."""
    zones: dict[str, tuple[Xy, ...]]
    spaces: dict[int, SpaceMap]
    seats: dict[int, SeatMap] = {}
    """The seats of a poker table."""

    @classmethod
    def of(cls, layout: Layout) -> TableMap:
        """Return the map of `layout`; its origin is the middle of the picture."""
        origin = (layout.image_size[0] / 2, layout.image_size[1] / 2)
        bare = cls(scale=layout.scale, origin=origin, turn=_TURNS[layout.dealer_side], zones={}, spaces={})
        bare = msgspec.structs.replace(bare, mirror=-1.0 if bare._mirrored(layout) else 1.0)
        zones = {
            name: bare._polygon(getattr(layout.zones, name))
            for name in layout.zones.__struct_fields__
            if getattr(layout.zones, name) is not None
        }
        dealer = centre_of(zones["inner"])
        spaces = {}
        for number, found in layout.spaces.items():
            area = bare._polygon(found.area)
            middle = centre_of(area)
            wager = centre_of(bare._polygon(found.wager)) if found.wager else middle
            cards = centre_of(bare._polygon(found.cards)) if found.cards else middle
            away = distance(wager, dealer) or 1.0
            spaces[number] = SpaceMap(
                number=number,
                area=area,
                wager=wager,
                drawn=found.wager is not None,
                cards=cards,
                tip=centre_of(bare._polygon(found.tip)) if found.tip else None,
                insurance=centre_of(bare._polygon(found.insurance)) if found.insurance else None,
                wager_zone=bare._polygon(found.wager) if found.wager else None,
                insurance_zone=bare._polygon(found.insurance) if found.insurance else None,
                outward=((wager[0] - dealer[0]) / away, (wager[1] - dealer[1]) / away),
            )
        return msgspec.structs.replace(bare, zones=zones, spaces=spaces, seats=bare._seats(layout))

    def mm(self, point: Xy) -> Xy:
        """Return a picture point (pixels) in table millimetres."""
        x, y = (point[0] - self.origin[0]) / self.scale, (point[1] - self.origin[1]) / self.scale
        cosine, sine = self.turn
        return (x * cosine - y * sine) * self.mirror, x * sine + y * cosine

    def drifted(self, drift: Drift) -> TableMap:
        """Return the same table seen by a camera that has moved: other pixels, the same millimetres."""
        turn = math.radians(drift.roll)
        cosine, sine = self.turn
        return msgspec.structs.replace(
            self,
            scale=self.scale * drift.scale,
            origin=(self.origin[0] + drift.dx, self.origin[1] + drift.dy),
            turn=(cosine * math.cos(turn) + sine * math.sin(turn), sine * math.cos(turn) - cosine * math.sin(turn)),
        )

    def _mirrored(self, layout: Layout) -> bool:
        """Tell whether the spaces, which count from the dealer's left, run to the left for one who looks from the
        dealer.
        """
        places = layout.seats or layout.spaces
        middles = [self.mm(centre_of(places[number].area)) for number in sorted(places)]
        if len(middles) < 2:
            return False
        (ax, ay), (bx, by) = self.mm(centre_of(layout.zones.inner)), centre_of(middles)
        (cx, cy), (dx, dy) = middles[0], middles[-1]
        return (bx - ax) * (dy - cy) - (by - ay) * (dx - cx) < 0.0

    def _seats(self, layout: Layout) -> dict[int, SeatMap]:
        found = {}
        for number, seat in (layout.seats or {}).items():
            area = self._polygon(seat.area)
            cards, bets, button = (
                self._polygon(spot) if spot else None for spot in (seat.cards, seat.bets, seat.button)
            )
            found[number] = SeatMap(
                number=number,
                area=area,
                cards=centre_of(cards or area),
                bets=centre_of(bets or area),
                button=centre_of(button) if button else None,
            )
        return found

    def _polygon(self, polygon: Polygon) -> tuple[Xy, ...]:
        return tuple(self.mm(point) for point in polygon)

    def within(self, point: Xy, *names: str) -> bool:
        """Tell whether `point` (mm) lies in one of the named zones; a zone that is missing holds nothing."""
        return any(inside(point, self.zones[name]) for name in names if name in self.zones)

    def near(self, point: Xy, name: str, reach: float) -> bool:
        """Tell whether `point` lies in the zone or within `reach` mm of its bounding box."""
        return self.gap(point, name) <= reach

    def gap(self, point: Xy, name: str) -> float:
        """Return how far `point` is from a zone's bounding box (mm): less than 0 within it, by how deep it lies there,
        and infinitely from a zone that is missing.
        """
        if name not in self.zones:
            return math.inf
        x0, y0, x1, y1 = box = bounds(self.zones[name])
        depth = min(point[0] - x0, x1 - point[0], point[1] - y0, y1 - point[1])
        return -depth if depth > 0.0 else box_distance(point, box)

    def card_place(self, xy: Xy) -> str | None:
        """Where a card at `xy` lies: `discard`, `shoe`, `space:N`, `dealer`, or None. At a poker table: `board`,
        `burns`, `muck`, `seat:N`, `dealer`, or None; what lies in none of them lies at one of the first three of which
        it covers a part.
        """
        if self.seats:
            return self._poker_place(xy)
        for name in ("discard", "shoe"):
            if self.near(xy, name, par.ZONE_EDGE_MM):
                return name
        spot = self.space_of_card(xy)
        if spot is not None:
            return f"space:{spot}"
        return "dealer" if self.within(xy, "dealer", "inner") else None

    def _poker_place(self, xy: Xy) -> str | None:
        for name in _POKER_CARDS:
            if self.near(xy, name, par.ZONE_EDGE_MM):
                return name
        seat = self.seat_at(xy)
        if seat is not None:
            return f"seat:{seat}"
        if self.within(xy, "dealer", "inner"):
            return "dealer"
        gaps = {name: box_distance(xy, bounds(self.zones[name])) for name in _POKER_CARDS if name in self.zones}
        beside = min(gaps, key=gaps.__getitem__, default=None)
        return beside if beside is not None and gaps[beside] <= CARD_MM[0] / 2 else None

    def seat_at(self, xy: Xy) -> int | None:
        """Return the number of the seat whose area holds a point."""
        return next((seat.number for seat in self.seats.values() if inside(xy, seat.area)), None)

    def space_of_card(self, xy: Xy) -> int | None:
        """Return the number of the space whose cards spot is nearest, if the card lies in its area or close to that
        spot.
        """
        if not self.spaces:
            return None
        best = min(self.spaces.values(), key=lambda s: distance(s.cards, xy))
        gap = distance(best.cards, xy)
        if inside(xy, best.area) or (gap < par.ZONE_NEAR_CARDS_MM and not self.within(xy, "dealer", "inner")):
            return best.number
        return next((s.number for s in self.spaces.values() if inside(xy, s.area)), None)

    def space_of_chip(self, xy: Xy) -> int | None:
        """Return the number of the space that a chip at `xy` belongs to: whose area holds it, else whose wager spot is
        near.
        """
        hits = [s for s in self.spaces.values() if inside(xy, s.area)] or [
            s for s in self.spaces.values() if distance(s.wager, xy) < par.ZONE_NEAR_CHIPS_MM
        ]
        return min(hits, key=lambda s: distance(s.wager, xy)).number if hits else None


def bounds(points: Iterable[Xy]) -> tuple[float, float, float, float]:
    """Axis-aligned bounding box (x0, y0, x1, y1)."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def box_distance(point: Xy, box: tuple[float, float, float, float]) -> float:
    """Distance from a point to a box, 0 inside."""
    dx = max(box[0] - point[0], 0.0, point[0] - box[2])
    dy = max(box[1] - point[1], 0.0, point[1] - box[3])
    return math.hypot(dx, dy)
