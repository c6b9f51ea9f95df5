"""Proposes a table's layout from a recording."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import MultiPolygon
from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle

from verifier.domain.errors import BadInput
from verifier.domain.layout import CARD_MM, Layout, Polygon, SpaceZones, Zones
from verifier.domain.observations import Box
from verifier.formats.layout import check_layout
from verifier.recording.probe import Probe, probe
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.vision.networks import Networks, load_networks
from verifier.vision.ocr import Line
from verifier.zones.areas import CHIP_MM, OWN_LOOKS, Space, Told, area_part, circle, outlines
from verifier.zones.cards import Cards, find_cards
from verifier.zones.felt import (
    Felt,
    beside,
    closed,
    find_felt,
    outer_outlines,
    patches,
    print_mask,
    printed_shapes,
    sharp_mask,
)
from verifier.zones.fixtures import Blob, blobs, find_fixtures, not_cloth
from verifier.zones.orientation import side_chances
from verifier.zones.proposal import Part, Proposal
from verifier.zones.resting import Rest, is_card, is_chip, leaving, rests
from verifier.zones.scale import Scale, find_scale, scales_at, whole_cards
from verifier.zones.signs import MIRRORED, Sign, clock_box, find_signs, readable, without_box
from verifier.zones.spots import (
    SPAN_MM,
    STRAIGHT_MM,
    Arc,
    Spot,
    broken_outlines,
    candidates,
    clearly_printed,
    find_arc,
    mended,
    played_patches,
    unclear,
    under_chips,
    with_outer,
    with_patches,
)
from verifier.zones.view import View
from verifier.zones.watch import OnProgress, Watched, watch

Floats = NDArray[np.float64]

SAME_CHIP_MM: Final = 12.0
"""Chips within this distance lie at one place."""
POINTS_MOST: Final = 48
"""Corners of a zone at most: more cannot be dragged."""
DEALER_BEFORE_MM: Final = 75.0
DEALER_HIGH_MM: Final = 82.0
DEALER_ROW_MM: Final = 395.0
"""The dealer's zone about the first card: room for a hand beside it, and for seven cards to its right."""
INNER_MM: Final = (30.0, 20.0, 110.0)
"""The inner table area: so much broader than the tray at each side, so far from it, and so far above the dealer's first
card's middle."""
CLOCK_LOOKS: Final = 5
"""Pictures in which the clock and the signs are read."""
ROW_MM: Final = 700.0
"""From a straight row of spots to where the dealer stands: an arm's length and a bit."""
COARSE: Final = 0.7
"""Confidence of a worn outline in a small picture: two in one of 640x360 were 19 and 25 mm off their places."""
ASSUMED: Final = Part(confidence=0.3, reason="assumed, not seen")
"""A zone that is placed by common use alone."""
NOT_FOUND: Final = Part(confidence=0.0, reason="not found: nothing of its size and shape stands out from the felt")
SURFACE_ROOM_MM: Final = 30.0
"""Areas reach so far over the felt's edge: things lie on the rail's foot, too."""


def _silent(share: float) -> None:
    """Ignore the progress."""


def propose(
    video: Path | Probe,
    *,
    spaces: int | None = None,
    reading: Reading = AS_TOLD,
    on_progress: OnProgress = _silent,
    networks: Networks | None = None,
) -> Proposal:
    """Propose a layout of the table that a recording shows, from its first ten minutes; nothing else is known of it.

    `spaces` (1..7) tells the number of betting spaces. `reading` is what a person tells of the file, which a `Probe`
    holds already. `networks` are models that were loaded before. `on_progress` is
    called with the share done, 0..1. Raises BadInput if the file is no usable video, or shows no table on which a
    betting spot can be proposed.
    """
    source = video if isinstance(video, Probe) else probe(video, reading, sha256=False)
    networks = networks or load_networks()
    watched = watch(source, networks, lambda share: on_progress(0.8 * share))
    found = _Finder(watched, networks, spaces, source.path).run()
    on_progress(1.0)
    seconds = watched.picture_looks[-1].t - watched.picture_looks[0].t
    size = (source.info.width, source.info.height)
    still = watched.clear if watched.grow == 1.0 else np.asarray(cv2.resize(watched.clear, size), np.uint8)
    layout = found.layout(size, watched.grow)
    check_layout(layout, source.path)
    return Proposal(
        layout=layout,
        parts=found.parts,
        still=still,
        mirrored=found.view.mirrored,
        looked=len(watched.picture_looks),
        seconds=round(seconds, 1),
    )


@dataclass(frozen=True)
class _Found:
    """What was found, in pixels of the pictures looked at."""

    view: View
    zones: Mapping[str, Floats]
    spaces: Sequence[Mapping[str, Floats]]
    parts: dict[str, Part]
    site: str | None
    table: str | None

    def layout(self, size: tuple[int, int], grow: float) -> Layout:
        """Return the layout in the recording's own pixels (`size`), each `grow` of a pixel here."""
        frame = rectangle(0, 0, *size)

        def polygon(points: Floats) -> Polygon:
            return _tidy(Shape(points * grow), frame)

        zones = {name: polygon(points) for name, points in self.zones.items()}
        spaces = {
            number: SpaceZones(**{name: polygon(points) for name, points in parts.items()})
            for number, parts in enumerate(self.spaces, start=1)
        }
        return Layout(
            version=1,
            image_size=size,
            zones=Zones(**zones),
            spaces=spaces,
            site=self.site,
            table=self.table,
            name=f"{self.site or 'unknown site'} table {self.table or 'unknown'}",
            dealer_side=self.view.side,
            pixels_per_mm=round(self.view.scale * grow, 4),
        )


def _tidy(shape: Shape, frame: Shape) -> Polygon:
    """Return the outline inside the picture, without crossings, of few corners."""
    inside = shape.buffer(0).intersection(frame)
    if isinstance(inside, MultiPolygon):
        inside = max(inside.geoms, key=lambda part: part.area)
    tolerance = 0.5
    while len(inside.exterior.coords) > POINTS_MOST + 1:
        inside, tolerance = inside.simplify(tolerance), 1.5 * tolerance
    return [(round(float(x), 1), round(float(y), 1)) for x, y in list(inside.exterior.coords)[:-1]]


class _Finder:
    """Finds one thing after the other; what was found first helps to find the rest."""

    def __init__(self, watched: Watched, networks: Networks, count: int | None, video: Path) -> None:
        self._watched, self._networks, self._count, self._video = watched, networks, count, video
        self._parts: dict[str, Part] = {}
        self._doubts: tuple[str, ...] = ()

    def run(self) -> _Found:
        watched = self._watched
        felt = find_felt(watched.clear)
        scale = find_scale(watched.picture_looks, felt, watched.size)
        arc = self._arc(felt, scale)
        if felt is None or arc is None:
            raise BadInput(
                self._video,
                f"shows no table with betting spots in its first {watched.picture_looks[-1].t / 60:.1f} minutes",
                "check that it is the right recording, or draw the zones in the dashboard",
            )
        self._parts["scale"] = scale.part
        view = self._view(arc, felt, scale)
        clock = self._clock()
        view, lines = self._lines(view, without_box(watched.clear, clock))
        corners = None if clock is None else np.array(_corners(clock))
        return self._zones(view, arc, felt, lines, corners)

    def _arc(self, felt: Felt | None, scale: Scale) -> Arc | None:
        if felt is None:
            return None
        size = scale.pixels_per_mm
        strokes = print_mask(self._watched.clear, felt.surface, size)
        chips = rests(self._watched.picture_looks, is_chip, SAME_CHIP_MM * size)
        cards = leaving(
            rests(self._watched.picture_looks, is_card, SAME_CHIP_MM * size), len(self._watched.picture_looks)
        )
        covered = under_chips(chips, felt.surface.shape, size)
        shapes = printed_shapes(strokes, felt, size, SPAN_MM, covered)
        worn = printed_shapes(closed(strokes, size), felt, size, SPAN_MM, covered)
        shapes = beside(shapes, [replace(shape, gaps=True) for shape in worn])
        sharp = sharp_mask(self._watched.clear, felt.surface, size)
        outer = beside(*(outer_outlines(mask, felt, size, SPAN_MM, covered) for mask in (sharp, strokes)))
        shapes = with_outer(shapes, outer, chips)
        if not clearly_printed(shapes, chips):
            filled = patches(not_cloth(self._watched.clear, felt), felt, size, SPAN_MM, covered)
            shapes = with_patches(shapes, played_patches(beside(filled, unclear(outer)), chips))
        arc = find_arc(candidates(shapes, chips, cards, size), size, self._count)
        broken = broken_outlines(arc, strokes, felt, size, covered) if arc is not None else []
        if broken:
            arc = find_arc(candidates(mended(shapes, broken, size), chips, cards, size), size, self._count)
        self._doubts = () if arc is None else tuple(doubts_of(arc, chips))
        return arc

    def _view(self, arc: Arc, felt: Felt, scale: Scale) -> View:
        odds = side_chances(arc, felt, self._watched.picture_looks, self._watched.size, scale.pixels_per_mm)
        side = max(odds, key=lambda one: odds[one])
        reason = "the spots' arc, the cards before it, the felt's straight edge and the dealer's hands agree"
        if odds[side] < 0.9:
            reason = "the spots are not sure or lie in a row, and cards, felt and hands do not show the side clearly"
        self._parts["dealer side"] = Part(confidence=odds[side], reason=reason)
        return View(self._watched.size, side, False, scale.pixels_per_mm)

    def _clock(self) -> Box | None:
        pictures = self._watched.pictures
        some = [pictures[i] for i in np.unique(np.linspace(0, len(pictures) - 1, CLOCK_LOOKS).round().astype(int))]
        box, looks = clock_box(some, self._networks.text)
        if box is None:
            reason = "no date and time were read at the top or the bottom of the picture"
            self._parts["clock"] = Part(confidence=0.0, reason=reason)
            return None
        share = looks / len(some)
        self._parts["clock"] = Part(confidence=share, reason=f"read in {looks} of {len(some)} pictures")
        return box

    def _lines(self, view: View, picture: NDArray[np.uint8]) -> tuple[View, list[Line]]:
        """Return what is written on the table, and the view; the writing shows whether the view is mirrored."""
        other = replace(view, mirrored=True)
        plain, turned = (self._networks.text.lines(one.upright(picture)) for one in (view, other))
        here, there = readable(plain), readable(turned)
        mirrored = there > MIRRORED * here and there > 4
        most, least = max(here, there), min(here, there)
        if most < 4:
            part = Part(confidence=0.7, reason="nothing is written large enough to tell; taken as not mirrored")
        else:
            part = Part(confidence=0.99 if most > MIRRORED * least else 0.6, reason="told by what is written")
        self._parts["direction"] = part
        return (other, turned) if mirrored else (view, plain)

    def _zones(self, view: View, arc: Arc, felt: Felt, lines: list[Line], clock: Floats | None) -> _Found:
        scale = view.scale
        middles = np.array([spot.middle for spot in arc.spots])
        spots = view.mm(middles)
        order = np.argsort(spots[:, 0])
        spots = spots[order]
        centre, out = row_of(arc, view, spots)
        cards = find_cards(self._watched.picture_looks, view, spots, centre, out)
        box = None if clock is None else (*clock.min(axis=0), *clock.max(axis=0))
        upright = view.upright(without_box(self._watched.clear, box))
        turned = Felt(view.upright(felt.cloth), view.upright(felt.surface), view.upright(felt.coloured))
        dealer = self._dealer(cards, spots, centre)
        row, middle = self._row_and_middle(view, dealer, centre)
        shown = None if clock is None else view.to_upright(clock)
        there = None if shown is None else (*shown.min(axis=0), *shown.max(axis=0))
        found = blobs(upright, turned, scale, row, lines, there)
        things = [one for one in found if not cards.hold(view.mm(view.from_upright([one.middle]))[0])]
        fixtures = find_fixtures(things, lines, scale, middle)
        zones: dict[str, Floats] = {name: view.from_upright(one.corners) for name, one in fixtures.items()}
        for name in ("tray", "shoe", "discard", "tip_receptacle", "drop"):
            self._parts[name] = fixtures[name].part if name in fixtures else NOT_FOUND
        signs = self._signs(view, lines, things, zones, box)
        zones["dealer"], zones["inner"] = self._inner(view, dealer, zones.get("tray"))
        if clock is not None:
            zones["clock"] = clock
        spaces = self._spaces(view, arc, order, spots, centre, cards, dealer, felt, zones)
        return _Found(view, zones, spaces, self._parts, signs.get("site"), signs.get("table"))

    @staticmethod
    def _row_and_middle(view: View, dealer: Floats, centre: Floats) -> tuple[float, float]:
        """Row of the upright picture below which fixtures stand, and the column before which the dealer stands."""
        below, before = view.to_upright(view.px(np.array([dealer + np.array([0.0, 0.3 * CARD_MM[1]]), centre])))
        return float(below[1]), float(before[0])

    def _dealer(self, cards: Cards, spots: Floats, centre: Floats) -> Floats:
        if cards.dealer is not None:
            sure = min(0.95, 0.4 + 0.15 * cards.dealer_looks)
            self._parts["dealer"] = Part(confidence=sure, reason=f"cards rested there in {cards.dealer_looks} pictures")
            return cards.dealer
        self._parts["dealer"] = Part(confidence=0.3, reason="no card was seen to rest before the dealer")
        far = float(np.median(np.hypot(*(spots - centre).T)))
        return np.asarray(centre - np.array([0.0, 0.25 * far]))

    def _inner(self, view: View, dealer: Floats, tray: Floats | None) -> tuple[Floats, Floats]:
        x, y = dealer
        own = (x - DEALER_BEFORE_MM, y - DEALER_HIGH_MM, x + DEALER_ROW_MM, y + DEALER_HIGH_MM)
        if tray is None:
            inner = (x - 350.0, y - INNER_MM[2], x + 350.0, y + 150.0)
            self._parts["inner"] = Part(confidence=0.4, reason="no tray was found before which it would lie")
        else:
            points = view.mm(tray)
            side, gap, above = INNER_MM
            inner = (points[:, 0].min() - side, y - above, points[:, 0].max() + side, points[:, 1].min() - gap)
            self._parts["inner"] = Part(
                confidence=min(0.9, self._parts["dealer"].confidence), reason="between tray and print"
            )
        return view.px(_corners(own)), view.px(_corners(inner))

    def _signs(
        self, view: View, lines: Sequence[Line], things: Sequence[Blob], zones: dict[str, Floats], clock: Box | None
    ) -> dict[str, str]:
        pictures = self._watched.pictures
        places = np.unique(np.linspace(0, len(pictures) - 1, CLOCK_LOOKS).round().astype(int))
        shown = [self._watched.clear, *(pictures[place] for place in places)]
        some = [view.upright(without_box(picture, clock)) for picture in shown]
        found = find_signs(some, lines, self._networks.text, grow=self._watched.grow)
        for name, zone in (("site", "site_id"), ("table", "table_number")):
            sign = found.get(name)
            if sign is None:
                self._parts[name] = self._parts[zone] = Part(
                    confidence=0.0,
                    reason=f"no sign was read that says {name.upper()}: it may lie under the burned-in clock",
                )
                continue
            self._parts[name] = Part(
                confidence=sign.share, reason=f"reads {sign.text} in {sign.share:.0%} of the looks"
            )
            self._parts[zone] = Part(confidence=0.95, reason="the sign that was read")
            zones[zone] = view.from_upright(_plaque(sign, things))
        return {name: sign.text for name, sign in found.items()}

    def _spaces(
        self,
        view: View,
        arc: Arc,
        order: NDArray[np.intp],
        spots: Floats,
        centre: Floats,
        cards: Cards,
        dealer: Floats,
        felt: Felt,
        zones: Mapping[str, Floats],
    ) -> list[dict[str, Floats]]:
        insured = _insurance(cards.first, centre, dealer)
        spaces = [Space(*three) for three in zip(spots, cards.first, insured, strict=True)]
        contour, _ = cv2.findContours(felt.surface, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        hull = Shape(view.mm(max(contour, key=cv2.contourArea).reshape(-1, 2))).buffer(SURFACE_ROOM_MM)
        without = [view.mm(zones[name]) for name in ("dealer", "tray", "shoe", "discard") if name in zones]
        areas = outlines(spaces, without, np.array(hull.exterior.coords))
        scales = scales_at(whole_cards(self._watched.picture_looks), view.px(spots))
        likely = [1 / (1 + math.exp(-arc.spots[index].odds)) for index in order]
        out = []
        for number, (space, area, sure, index) in enumerate(zip(spaces, areas, likely, order, strict=True), start=1):
            spot = arc.spots[index]
            radius = max(0.75 * CHIP_MM, 0.5 * spot.shape.sides[1] / view.scale) if spot.shape else 1.15 * CHIP_MM
            self._tell_space(number, spot, sure, cards.looks[number - 1])
            told = self._told(
                number, cards, float(scales[number - 1]), float(area[:, 1].max(initial=-math.inf) - dealer[1])
            )
            self._parts[f"space {number}"] = area_part(told, sure)
            parts = {
                "area": area if len(area) >= 3 else circle(space.wager, 2 * CHIP_MM),
                "wager": circle(space.wager, radius),
                "cards": space.cards_outline(),
                "tip": circle(space.tip, 0.65 * CHIP_MM),
                "insurance": circle(space.insurance, 1.15 * CHIP_MM),
            }
            out.append({name: view.px(points) for name, points in parts.items()})
        self._parts["spaces"] = number_part(arc, self._count, self._doubts)
        return out

    def _tell_space(self, number: int, spot: Spot, sure: float, looks: int) -> None:
        self._parts[f"space {number} wager"] = wager_part(spot, sure, enlarged=self._watched.grow < 1.0)
        cards = Part(confidence=0.95, reason=f"cards rested there in {looks} pictures")
        if looks < OWN_LOOKS:
            cards = Part(
                confidence=0.6, reason="no card was seen to rest there often enough: placed as at the other spaces"
            )
        self._parts[f"space {number} cards"] = cards
        for name in ("tip", "insurance"):
            self._parts[f"space {number} {name}"] = ASSUMED

    def _told(self, number: int, cards: Cards, scale: float, beyond: float) -> Told:
        """Return what the area of a space rests on; it reaches `beyond` mm past the dealer's cards, where fixtures
        stand.
        """
        count = len(cards.looks)
        beside = {1: ("shoe",), count: ("discard",)} if count > 1 else {1: ("shoe", "discard")}
        missing = [name for name in beside.get(number, ()) if not self._parts[name].confidence and beyond > 0]
        return Told(
            looks=cards.looks[number - 1],
            neighbours=[cards.looks[n - 1] for n in (number - 1, number + 1) if 1 <= n <= count],
            off=cards.off[number - 1],
            scale=scale,
            missing=missing[0] if missing else None,
            outermost=number in (1, count),
        )


def row_of(arc: Arc, view: View, spots: Floats) -> tuple[Floats, Floats]:
    """(2,) Before which place the dealer stands, and (n, 2) the direction from there to each of (n, 2) `spots`.

    Both are table millimetres. The dealer stands at the middle of a bent arc. Before a straight row all directions are
    alike, and the place is an arm's length from the row's middle.
    """
    middle = spots.mean(axis=0)
    along = spots[-1] - spots[0]
    length = float(np.hypot(*along))
    inward = np.array([-along[1], along[0]]) / length if length else np.array([0.0, 1.0])
    centre = view.mm([arc.centre])[0]
    if arc.radius and arc.radius <= STRAIGHT_MM * view.scale and (centre - middle) @ inward > 0:
        out = spots - centre
        return centre, np.asarray(out / np.maximum(1e-6, np.hypot(*out.T))[:, None])
    return np.asarray(middle + ROW_MM * inward), np.tile(-inward, (len(spots), 1))


def wager_part(spot: Spot, sure: float, *, enlarged: bool) -> Part:
    """Return how sure a wager spot is. `sure` (0..1): it is one. `enlarged`: the picture was too small for print."""
    why = "no print: chips rested there" if spot.shape is None else "a printed outline"
    played = f"chips rested in it in {spot.chips} looks" if spot.chips else "no chip was seen to rest in it"
    if enlarged and spot.shape is not None and spot.shape.gaps:
        return Part(confidence=min(sure, COARSE), reason="its line is worn, and too small in the picture to place it")
    return Part(confidence=sure, reason=f"{why}; {played}")


def doubts_of(arc: Arc, chips: Sequence[Rest]) -> list[str]:
    """Return the reasons for doubting the number of spots: where chips rested, uneven gaps, too few spots."""
    number = len(arc.spots)
    doubts = {
        "chips rested where one more spot would stand: one may be missing": arc.played_beyond(chips),
        "chips rested in none of them: something else may be printed like spots": arc.unplayed(chips),
        "the gaps in the row of spots are not even: one may be missing, or one too many": not arc.even,
        f"only {number} spots were found": number < 3,
    }
    return [reason for reason, holds in doubts.items() if holds]


def number_part(arc: Arc, told: int | None, doubts: Sequence[str]) -> Part:
    """Return how sure the number of spots is; `told` comes from a person or is None, `doubts` from `doubts_of`."""
    number = len(arc.spots)
    if told is not None:
        reason = "as given" if number == told else f"{told} were given, {number} were found"
        return Part(confidence=1.0 if number == told else 0.2, reason=reason)
    sure = 1 / (1 + math.exp(-arc.margin))
    if doubts:
        return Part(confidence=min(0.5, sure), reason=doubts[0])
    part = Part(confidence=sure, reason=f"{number} spots alike on an arc")
    return part if part.sure else Part(confidence=sure, reason="another number of spots is nearly as likely")


def _corners(box: Sequence[float]) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = box
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _plaque(sign: Sign, things: Sequence[Blob]) -> Floats:
    """Return the sign's own outline, else the writing with a margin."""
    x0, y0, x1, y1 = sign.box
    middle = Line(sign.text, 1.0, sign.box)
    for thing in things:
        if thing.holds(middle) and thing.across < 2.5 * (x1 - x0) and thing.along < 6 * (y1 - y0):
            return thing.corners
    pad = 0.6 * (y1 - y0)
    return np.array(_corners((x0 - pad, y0 - pad, x1 + pad, y1 + pad)))


def _insurance(first: Floats, centre: Floats, dealer: Floats) -> Floats:
    """Return the places of insurance: half way from each space's cards to the dealer's."""
    off = first - centre
    far = np.hypot(*off.T)
    own = float(np.hypot(*(dealer - centre)))
    return np.asarray(centre + off * (0.5 * (far + own) / np.maximum(1e-6, far))[:, None])
