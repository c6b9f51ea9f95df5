"""The layout of a simulated table as a camera sees it: every zone and space projected to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.effects import clock_box
from verifier.simulate.render.fixtures import site_box
from verifier.simulate.render.look import Look
from verifier.simulate.render.order import CIRCLE
from verifier.simulate.render.painter import Rect, felt_edge
from verifier.simulate.table import CARD_MM, SpaceSpots, TablePlan

Floats = NDArray[np.float64]
Points = list[tuple[float, float]]
_CELL: Final = 4.0
_REACH: Final = 112.0
"""A space holds what lies within this distance (mm) of its spots and is no nearer to another space's."""
DEALER_RECT: Final = (-75.0, 48.0, 395.0, 212.0)
"""The dealer's cards, their growth to the right included, relative to dealer_cards at (0, 130)."""


def dealer_rect(plan: TablePlan) -> Rect:
    """Where the dealer's cards lie, millimetres."""
    dx, dy = plan.dealer_cards[0], plan.dealer_cards[1] - 130.0
    return (DEALER_RECT[0] + dx, DEALER_RECT[1] + dy, DEALER_RECT[2] + dx, DEALER_RECT[3] + dy)


def _corners(box: Rect) -> Floats:
    x0, y0, x1, y1 = box
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def _spine(spots: SpaceSpots) -> Floats:
    """Points round which a space's things lie: wager, double, payoff and its fan, tip, cards with growth and split."""
    (wx, wy), (cx, cy) = spots.wager, spots.cards
    points = [spots.wager, spots.tip, (wx + 45, wy), (wx + 85, wy), (wx, wy + 40), (wx + 40, wy + 50)]
    points += [spots.cards, (cx + 45, cy), (cx - 30, cy + 42), (cx - 60, cy + 84), spots.insurance]
    points += [(wx * share + cx * (1 - share), wy * share + cy * (1 - share)) for share in (0.33, 0.67)]
    return np.array(points)


def space_areas(plan: TablePlan) -> dict[int, Floats]:
    """(N, 2) outline of each space in table millimetres; no two overlap, and the dealer's cards are left out."""
    xs, ys = np.arange(-900.0, 901.0, _CELL), np.arange(-580.0, 461.0, _CELL)
    grid = np.stack(np.meshgrid(xs, ys), -1)
    numbers = sorted(plan.spaces)
    gaps = [
        np.min([np.hypot(grid[..., 0] - x, grid[..., 1] - y) for x, y in _spine(plan.spaces[n])], axis=0)
        for n in numbers
    ]
    owner = np.argmin(gaps, axis=0)
    near = np.min(gaps, axis=0) < _REACH
    for x0, y0, x1, y1 in (dealer_rect(plan), plan.tray, plan.shoe, plan.discard, plan.tip_receptacle, plan.drop):
        near &= ~((grid[..., 0] > x0) & (grid[..., 0] < x1) & (grid[..., 1] > y0) & (grid[..., 1] < y1))
    inside = np.zeros(near.shape, np.uint8)
    edge = (felt_edge(30.0) - (xs[0], ys[0])) / _CELL
    cv2.fillPoly(inside, [np.round(edge).astype(np.int32)], (1.0,))
    out: dict[int, Floats] = {}
    for index, number in enumerate(numbers):
        mask = ((owner == index) & near & (inside > 0)).astype(np.uint8)
        mask = np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        outline = cv2.approxPolyDP(max(contours, key=cv2.contourArea), 0.9, True).reshape(-1, 2)
        out[number] = outline * _CELL + (xs[0], ys[0])
    return out


def _cards_outline(spots: SpaceSpots) -> Floats:
    """Where a space's cards lie: the first card, three steps of growth and a second split hand."""
    half = np.array(CARD_MM) / 2 + 10.0
    at = [np.array(spots.cards) + move for move in ((0, 0), (-30, 42), (-60, 84), (75, 0))]
    points = np.vstack([centre + half * sign for centre in at for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), dtype=np.float64)


@dataclass(frozen=True)
class _Picture:
    """A camera's picture shown at `size` (width, height) pixels."""

    camera: Camera
    size: tuple[int, int]

    @property
    def grow(self) -> tuple[float, float]:
        """Pixels shown for a pixel of the camera's."""
        return (self.size[0] / self.camera.size[0], self.size[1] / self.camera.size[1])

    def outline(self, points: Floats) -> Points:
        """Return an outline in table millimetres as pixels, kept inside the picture."""
        out = np.clip(self.camera.project(points) * self.grow, 0, self.size)
        return [(round(float(x), 1), round(float(y), 1)) for x, y in out]

    def box(self, box: Rect) -> Points:
        """Return a rectangle in table millimetres as pixels, like `outline`."""
        return self.outline(_corners(box))

    def circle(self, at: tuple[float, float], radius: float) -> Points:
        """Return a circle in table millimetres as pixels, like `outline`."""
        return self.outline(CIRCLE[::2] * radius + at)


def layout_for(
    plan: TablePlan,
    camera: Camera,
    size: tuple[int, int] | None = None,
    site: str | None = None,
    table: str | None = None,
    name: str = "simulated table",
    look: Look | None = None,
    dealer_seat: str | None = None,
) -> Layout:
    """Return the layout of `plan` in the camera's picture; `look` tells where the clock stands (its style).

    `dealer_seat`: where the first dealer sits, if players deal.
    """
    picture = _Picture(camera, size or camera.size)
    areas = space_areas(plan)
    spaces = {number: _space(picture, spots, areas[number]) for number, spots in plan.spaces.items()}
    return Layout(
        version=1,
        image_size=picture.size,
        zones=_zones(picture, plan, look, with_site=bool(site)),
        spaces=spaces,
        name=name,
        site=site,
        table=table,
        dealer_seat=dealer_seat,
        pixels_per_mm=round(camera.pixels_per_mm * sum(picture.grow) / 2, 4),
    )


def _space(picture: _Picture, spots: SpaceSpots, area: Floats) -> SpaceZones:
    return SpaceZones(
        area=picture.outline(area),
        wager=picture.circle(spots.wager, 45.0),
        cards=picture.outline(_cards_outline(spots)),
        tip=picture.circle(spots.tip, 25.0),
        insurance=picture.circle(spots.insurance, 45.0),
    )


def _zones(picture: _Picture, plan: TablePlan, look: Look | None, *, with_site: bool) -> Zones:
    clock = clock_box(look.clock_style if look is not None else 0, picture.size)
    return Zones(
        dealer=picture.box(dealer_rect(plan)),
        inner=picture.box(plan.inner),
        shoe=picture.box(plan.shoe),
        discard=picture.box(plan.discard),
        tray=picture.box(plan.tray),
        drop=picture.box(plan.drop),
        table_number=picture.box(plan.table_number),
        site_id=picture.box(site_box(plan)) if with_site else None,
        clock=[(float(x), float(y)) for x, y in _corners(clock)],
        tip_receptacle=picture.box(plan.tip_receptacle),
    )
