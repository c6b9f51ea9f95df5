"""A first drawing of a table's zones, found from the felt, and from the tray, shoe and discard holder on it."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Points = list[tuple[float, float]]
Drawing = dict[str, Points]
"""Name -> corners in pixels; `card` is a card's outline that gives the scale, `space 3` a betting space."""

_PLAN: Final = {
    "dealer": (0.42, 0.53, 0.68, 0.69),
    "inner": (0.28, 0.52, 0.67, 0.76),
    "tray": (0.30, 0.79, 0.66, 0.93),
    "shoe": (0.02, 0.72, 0.11, 0.92),
    "discard": (0.87, 0.70, 0.96, 0.90),
    "drop": (0.78, 0.81, 0.84, 0.92),
    "tip_receptacle": (0.70, 0.79, 0.76, 0.92),
    "table_number": (0.19, 0.84, 0.27, 0.92),
    "site_id": (0.12, 0.88, 0.18, 0.93),
    "card": (0.50, 0.56, 0.537, 0.64),
}
"""Where things usually lie, as shares of the felt's width and height (dealer at the bottom)."""
_ARC: Final = (0.50, 0.98, 0.47, 0.95)
"""Middle of the arc of spaces (x, y), and its inner and outer reach, as shares of half the width and of the height."""
_SPOT, _SPOT_SIZE = 0.80, 0.025
"""How far out on that arc a betting spot lies, and its radius as a share of the felt's width."""
_FELT_LEAST: Final = 0.15
_ISLAND_LEAST: Final = 0.004


def propose(picture: Picture, spaces: int) -> Drawing:
    """Zones for a BGR picture (height, width, 3) with `spaces` betting spaces; always a drawing, never certain."""
    felt = _felt(picture)
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = _bounds(felt) if felt is not None else (0.05 * width, 0.05 * height, 0.95 * width, 0.95 * height)
    drawing = {
        name: _box(a * (x1 - x0) + x0, b * (y1 - y0) + y0, c * (x1 - x0) + x0, d * (y1 - y0) + y0)
        for name, (a, b, c, d) in _PLAN.items()
    }
    drawing |= _spaces(spaces, (x0, y0, x1, y1))
    if felt is not None:
        drawing |= _islands(felt, (x0, y0, x1, y1))
    return {name: [inside(point, width, height) for point in points] for name, points in drawing.items()}


def _felt(picture: Picture) -> Mask | None:
    """Return the largest area of the most common colour of the picture's middle; None if it is too small for a
    felt.
    """
    height, width = picture.shape[:2]
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 3), cv2.COLOR_BGR2LAB).astype(np.float32)
    middle = lab[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4].reshape(-1, 3)
    commonest = np.median(middle[:, 1:], axis=0)
    near = np.hypot(*np.moveaxis(lab[..., 1:] - commonest, -1, 0)) < 14
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near.astype(np.uint8))
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest, cv2.CC_STAT_AREA] < _FELT_LEAST * height * width:
        return None
    return np.asarray(labels == largest, np.uint8)


def _bounds(felt: Mask) -> tuple[float, float, float, float]:
    ys, xs = np.nonzero(felt)
    x0, x1 = np.percentile(xs, (0.5, 99.5))
    y0, y1 = np.percentile(ys, (0.5, 99.5))
    return float(x0), float(y0), float(x1), float(y1)


def _spaces(count: int, felt: tuple[float, float, float, float]) -> Drawing:
    """Betting spaces as pieces of an arc, each with its wager spot, from the dealer's left to the right."""
    x0, _, x1, _ = felt
    inner, outer = _ARC[2:]
    found: Drawing = {}
    for number in range(1, count + 1):
        turns = [math.radians(172 - 164 * (number - 1 + share) / count) for share in (0.04, 0.5, 0.96)]
        rim = [(reach, turn) for reach, order in ((outer, turns), (inner, turns[::-1])) for turn in order]
        found[f"space {number}"] = [_on_arc(felt, reach, turn) for reach, turn in rim]
        found[f"space {number} wager"] = ring(_on_arc(felt, _SPOT, turns[1]), _SPOT_SIZE * (x1 - x0))
    return found


def _on_arc(felt: tuple[float, float, float, float], reach: float, turn: float) -> tuple[float, float]:
    x0, y0, x1, y1 = felt
    x = x0 + (x1 - x0) * (_ARC[0] + 0.5 * reach * math.cos(turn))
    return x, y0 + (y1 - y0) * (_ARC[1] - reach * math.sin(turn))


def ring(middle: tuple[float, float], radius: float) -> Points:
    """Return the outline of a circle, with eight corners."""
    turns = [math.tau * step / 8 for step in range(8)]
    return [
        (round(middle[0] + radius * math.cos(turn), 1), round(middle[1] + radius * math.sin(turn), 1)) for turn in turns
    ]


def _islands(felt: Mask, bounds: tuple[float, float, float, float]) -> Drawing:
    """Tray, shoe and discard holder, where things that are not felt lie at their places in the lower part."""
    x0, y0, x1, y1 = bounds
    contours, _ = cv2.findContours(felt, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hull = cv2.convexHull(np.vstack(contours))
    inside = np.zeros(felt.shape, np.uint8)
    cv2.fillConvexPoly(inside, hull, (1.0,))
    holes = cv2.morphologyEx((inside & (1 - felt)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(holes)
    found: Drawing = {}
    for index in sorted(range(1, count), key=lambda one: -int(stats[one, cv2.CC_STAT_AREA])):
        left, top, width, height, area = (int(value) for value in stats[index])
        x, y = (middles[index][0] - x0) / (x1 - x0), (middles[index][1] - y0) / (y1 - y0)
        if area < _ISLAND_LEAST * (x1 - x0) * (y1 - y0) or y < 0.6:
            continue
        name = "tray" if width > 2 * height and 0.2 < x < 0.8 else "shoe" if x < 0.2 else "discard" if x > 0.8 else None
        if name is not None and name not in found:
            found[name] = _box(left, top, left + width, top + height)
    return found


def _box(x0: float, y0: float, x1: float, y1: float) -> Points:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def inside(point: tuple[float, float], width: int, height: int) -> tuple[float, float]:
    """Return the point, or the nearest one to it in a picture of that size."""
    return round(min(max(point[0], 0.0), width), 1), round(min(max(point[1], 0.0), height), 1)
