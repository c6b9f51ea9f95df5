"""The layout of a simulated table as a camera sees it: every zone and space projected to pixels."""

from __future__ import annotations

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


def layout_for(
    plan: TablePlan,
    camera: Camera,
    size: tuple[int, int] | None = None,
    site: str | None = None,
    table: str | None = None,
    name: str = "simulated table",
    look: Look | None = None,
) -> Layout:
    """The layout of `plan` in the camera's picture; `look` tells where the clock stands (its style)."""
    width, height = size or camera.size
    grow = (width / camera.size[0], height / camera.size[1])

    def pixels(points: Floats) -> Points:
        out = np.clip(camera.project(points) * grow, 0, (width, height))
        return [(round(float(x), 1), round(float(y), 1)) for x, y in out]

    def circle(at: tuple[float, float], radius: float) -> Points:
        return pixels(CIRCLE[::2] * radius + at)

    areas = space_areas(plan)
    spaces = {
        number: SpaceZones(
            area=pixels(areas[number]),
            wager=circle(spots.wager, 45.0),
            cards=pixels(_cards_outline(spots)),
            tip=circle(spots.tip, 25.0),
            insurance=circle(spots.insurance, 45.0),
        )
        for number, spots in plan.spaces.items()
    }
    clock = clock_box(look.clock_style if look is not None else 0, (width, height))
    zones = Zones(
        dealer=pixels(_corners(dealer_rect(plan))),
        inner=pixels(_corners(plan.inner)),
        shoe=pixels(_corners(plan.shoe)),
        discard=pixels(_corners(plan.discard)),
        tray=pixels(_corners(plan.tray)),
        drop=pixels(_corners(plan.drop)),
        table_number=pixels(_corners(plan.table_number)),
        site_id=pixels(_corners(site_box(plan))) if site else None,
        clock=[(float(x), float(y)) for x, y in _corners(clock)],
        tip_receptacle=pixels(_corners(plan.tip_receptacle)),
    )
    scale = round(camera.pixels_per_mm * (grow[0] + grow[1]) / 2, 4)
    return Layout(
        version=1,
        image_size=(width, height),
        zones=zones,
        spaces=spaces,
        name=name,
        site=site,
        table=table,
        pixels_per_mm=scale,
    )
