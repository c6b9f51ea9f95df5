"""Letters, numbers and suits of the second world: drawn as strokes of a pen and as outlines, without any font."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Stroke = list[tuple[float, float]]
FINE: Final = 200
"""Pixels of a glyph's height while it is drawn."""
SUITS: Final = "cdhs"


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Stroke:
    """Points of an ellipse's arc; angles in degrees, clockwise on screen from the right."""
    turn = np.radians(np.linspace(start, end, 25))
    return [(x + rx * float(np.cos(a)), y + ry * float(np.sin(a))) for a in turn]


def _strokes(rank: str, form: int) -> list[Stroke]:
    """Return the pen's strokes for a rank in a box 0.7 wide and 1 high; `form` 0 or 1 are two ways to write it."""
    plain: dict[str, list[Stroke]] = {
        "A": [[(0, 1), (0.35, 0), (0.7, 1)], [(0.13, 0.66), (0.57, 0.66)]],
        "2": [[*_arc(0.35, 0.3, 0.33, 0.3, 190, 375), (0, 1), (0.7, 1)]],
        "3": [[*_arc(0.33, 0.26, 0.3, 0.26, 200, 430)], [*_arc(0.33, 0.74, 0.36, 0.26, -80, 160)]],
        "4": [[(0.52, 1), (0.52, 0), (0, 0.7), (0.7, 0.7)]],
        "5": [[(0.64, 0), (0.1, 0), (0.06, 0.45), *_arc(0.33, 0.68, 0.36, 0.32, 220, 510)]],
        "6": [[*_arc(0.35, 0.5, 0.35, 0.5, 310, 180), *_arc(0.35, 0.68, 0.34, 0.32, 180, 540)]],
        "7": [[(0, 0), (0.7, 0), (0.25, 1)]],
        "8": [[*_arc(0.35, 0.25, 0.28, 0.25, 90, 450)], [*_arc(0.35, 0.75, 0.34, 0.25, -90, 270)]],
        "9": [[*_arc(0.35, 0.5, 0.35, 0.5, 130, 0), *_arc(0.35, 0.32, 0.34, 0.32, 0, 360)]],
        "T": [[(0.02, 0.12), (0.14, 0), (0.14, 1)], [*_arc(0.52, 0.5, 0.2, 0.5, 0, 360)]],
        "J": [[(0.55, 0), (0.55, 0.7), *_arc(0.28, 0.7, 0.27, 0.3, 0, 175)]],
        "Q": [[*_arc(0.35, 0.5, 0.35, 0.5, 0, 360)], [(0.4, 0.7), (0.72, 1.04)]],
        "K": [[(0.02, 0), (0.02, 1)], [(0.66, 0), (0.04, 0.6)], [(0.25, 0.42), (0.7, 1)]],
    }
    other: dict[str, list[Stroke]] = {
        "A": [[(0, 1), (0.3, 0), (0.4, 0), (0.7, 1)], [(0.1, 0.72), (0.6, 0.72)]],
        "2": [
            [(0.03, 0.28), *_arc(0.35, 0.28, 0.32, 0.28, 180, 380), (0.02, 0.95), (0.2, 0.9), (0.45, 1), (0.7, 0.93)]
        ],
        "3": [[(0.04, 0), (0.64, 0), (0.3, 0.4), *_arc(0.32, 0.7, 0.36, 0.3, -80, 160)]],
        "4": [[(0.4, 0), (0, 0.66), (0.7, 0.66)], [(0.5, 0.36), (0.5, 1)]],
        "5": [[(0.66, 0.02), (0.14, 0), (0.1, 0.42), *_arc(0.33, 0.7, 0.34, 0.3, 225, 490)]],
        "6": [[(0.52, 0), (0.1, 0.5), *_arc(0.35, 0.68, 0.33, 0.32, 190, 550)]],
        "7": [[(0, 0.12), (0, 0), (0.7, 0), (0.4, 0.45), (0.3, 1)]],
        "8": [[*_arc(0.35, 0.24, 0.24, 0.24, 90, 450)], [*_arc(0.35, 0.74, 0.35, 0.26, -90, 270)]],
        "9": [[(0.18, 1), (0.6, 0.5), *_arc(0.35, 0.32, 0.33, 0.32, 10, 370)]],
        "T": [[(0.1, 0), (0.1, 1)], [*_arc(0.5, 0.5, 0.22, 0.5, 0, 360)]],
        "J": [[(0.3, 0), (0.7, 0)], [(0.52, 0), (0.52, 0.72), *_arc(0.27, 0.72, 0.25, 0.28, 0, 190)]],
        "Q": [[*_arc(0.35, 0.46, 0.35, 0.46, 0, 360)], [(0.2, 0.78), (0.4, 0.74), (0.56, 1.02), (0.72, 0.96)]],
        "K": [[(0.04, 0), (0.04, 1)], [(0.68, 0.02), (0.08, 0.52), (0.68, 1)]],
    }
    return (other if form else plain)[rank]


@cache
def glyph(rank: str, form: int, weight: float, width: float, slant: float, serif: bool, contrast: float) -> Mask:
    """Return a rank's mask, FINE high. `weight` is the pen's breadth in heights, `width` and `slant` in heights.

    `contrast` below 1 makes upright strokes bolder than level ones. `serif` puts feet on the ends.
    """
    strokes = _strokes(rank, form)
    pen = max(1, round(weight * FINE))
    edge = pen + 4
    across = contrast
    mask = np.zeros((FINE + 2 * edge, round(0.7 * FINE * across) + 2 * edge + 10), np.uint8)
    inner = FINE - pen
    for stroke in strokes:
        points = np.array(stroke) * [across * FINE - pen / 2, inner] + [edge, edge + pen / 2]
        line = np.round(points).astype(np.int32)
        cv2.polylines(mask, [line], False, (255.0,), pen, cv2.LINE_AA)
        if serif:
            for end, away in ((points[0], points[1]), (points[-1], points[-2])):
                if abs(end[1] - away[1]) > abs(end[0] - away[0]) * 0.6:
                    half = np.array([pen * 1.1, 0])
                    foot = [np.round(end - half).astype(np.int32), np.round(end + half).astype(np.int32)]
                    cv2.line(mask, foot[0].tolist(), foot[1].tolist(), (255.0,), max(2, pen // 2), cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    mask = mask[y : y + h, x : x + w]
    wide = max(8, round(w / across * width))
    mask = np.asarray(cv2.resize(mask, (wide, FINE), interpolation=cv2.INTER_AREA), np.uint8)
    if slant:
        lean = round(abs(slant) * FINE)
        shear = np.array([[1, -slant, max(0.0, slant) * FINE], [0, 1, 0]], np.float64)
        mask = np.asarray(cv2.warpAffine(mask, shear, (wide + lean, FINE)), np.uint8)
    return mask


def _heart(bulge: float) -> Floats:
    t = np.linspace(0, 2 * np.pi, 80)
    x = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** (3 - bulge)
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 17
    y = (y - y.min()) / (y.max() - y.min()) * 2 - 1
    return np.stack([x, y], 1)


def _diamond(bulge: float) -> Floats:
    t = np.linspace(0, 1, 12)
    side = np.stack([t, -((1 - t) ** (1 + 0.5 * bulge))], 1)
    quarter = np.vstack([side])
    half = np.vstack([quarter, quarter[::-1] * [1, -1]])
    return np.vstack([half, (half * [-1, 1])[::-1]])


def _stem(top: float, waist: float, foot: float) -> Floats:
    t = np.linspace(0, 1, 12)
    x = waist + (foot - waist) * t**2
    y = top + (1 - top) * t
    right = np.stack([x, y], 1)
    return np.vstack([right, (right * [-1, 1])[::-1]])


def _spade(bulge: float) -> list[Floats]:
    body = _heart(bulge) * [1, -0.82] + [0, -0.18]
    return [body, _stem(0.2, 0.05, 0.32 + 0.15 * bulge)]


def _club(bulge: float) -> list[Floats]:
    r = 0.44 + 0.07 * bulge
    ring = np.array(_arc(0, 0, r, r, 0, 360))
    return [
        ring + np.array([0, r - 1]),
        ring + np.array([r - 1, 0.14]),
        ring + np.array([1 - r, 0.14]),
        ring * 0.5,
        _stem(0.0, 0.06, 0.3 + 0.2 * bulge),
    ]


_SHAPES: Final[dict[str, Callable[[float], list[Floats]]]] = {
    "h": lambda bulge: [_heart(bulge)],
    "d": lambda bulge: [_diamond(bulge)],
    "s": _spade,
    "c": _club,
}


@cache
def suit_mask(suit: str, bulge: float, width: float) -> Mask:
    """Return a suit's mask, FINE high; `bulge` 0..1 changes its form, `width` is in heights."""
    wide = round(FINE * width)
    mask = np.zeros((FINE, wide), np.uint8)
    for shape in _SHAPES[suit](bulge):
        points = (shape * [0.49, 0.49] + 0.5) * [wide, FINE]
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], (255.0,), cv2.LINE_AA, 4)
    return mask


def stamp(
    image: NDArray[np.uint8], mask: Mask, at: tuple[float, float], height: float, ink: Floats, turned: bool = False
) -> None:
    """Lay a mask `height` pixels high on a BGR picture about `at`, in place; `turned` upside down."""
    h = max(2, round(height))
    w = max(2, round(mask.shape[1] * height / mask.shape[0]))
    small = np.asarray(cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    if turned:
        small = small[::-1, ::-1]
    x0, y0 = round(at[0] - w / 2), round(at[1] - h / 2)
    x1, y1 = max(0, x0), max(0, y0)
    x2, y2 = min(image.shape[1], x0 + w), min(image.shape[0], y0 + h)
    if x2 <= x1 or y2 <= y1:
        return
    cover = small[y1 - y0 : y2 - y0, x1 - x0 : x2 - x0, None].astype(np.float32) / 255
    below = image[y1:y2, x1:x2].astype(np.float32)
    image[y1:y2, x1:x2] = np.round(below + cover * (np.asarray(ink, np.float32) - below)).astype(np.uint8)
