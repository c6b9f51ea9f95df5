"""Oriented boxes and quads in picture coordinates (x right, y down, pixels), and suppression of double detections."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_EPS: Final = 1e-7
SURE: Final = 0.7
"""Share of a better box's score that one much like it needs to count beside it; fitted on frames of training tables."""


Box = tuple[float, float, float, float]
Bounds = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels: a part of a picture."""


def corners(x: float, y: float, w: float, h: float, angle: float) -> Floats:
    """Corners (4, 2), clockwise, of a box by centre, width, height and angle (radians, clockwise on screen).

    The first two corners span a short side, so that cards begin at one of their two like ends.
    """
    if w > h:
        w, h, angle = h, w, angle + math.pi / 2
    cos, sin = math.cos(angle), math.sin(angle)
    ax, ay = w / 2 * cos, w / 2 * sin
    bx, by = -h / 2 * sin, h / 2 * cos
    points = (
        (x - ax - bx, y - ay - by),
        (x + ax - bx, y + ay - by),
        (x + ax + bx, y + ay + by),
        (x - ax + bx, y - ay + by),
    )
    return np.array(points, np.float32)


def upright(x: float, y: float, w: float, h: float, angle: float) -> Box:
    """x0, y0, x1, y1 of a box of a thing that was labelled axis-aligned: the angle is snapped to 90s."""
    if abs(math.sin(angle)) > math.sqrt(0.5):
        w, h = h, w
    return x - w / 2, y - h / 2, x + w / 2, y + h / 2


def extent(x: float, y: float, w: float, h: float, angle: float) -> Box:
    """x0, y0, x1, y1 that hold a box as it lies."""
    cos, sin = abs(math.cos(angle)) / 2, abs(math.sin(angle)) / 2
    half_w, half_h = w * cos + h * sin, w * sin + h * cos
    return x - half_w, y - half_h, x + half_w, y + half_h


def _covariance(boxes: Floats) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    a, b = boxes[:, 2] ** 2 / 12, boxes[:, 3] ** 2 / 12
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    return a * cos**2 + b * sin**2, a * sin**2 + b * cos**2, (a - b) * cos * sin


def likeness(one: Floats, many: Floats) -> Floats:
    """(n, 5), (m, 5) -> (n, m) probabilistic IoU 0..1 of oriented boxes (Llerena et al. 2021, arXiv 2106.06072)."""
    a1, b1, c1 = (value[:, None] for value in _covariance(one))
    a2, b2, c2 = (value[None, :] for value in _covariance(many))
    dx, dy = one[:, 0][:, None] - many[:, 0][None, :], one[:, 1][:, None] - many[:, 1][None, :]
    a, b, c = a1 + a2, b1 + b2, c1 + c2
    spread = np.maximum(a * b - c * c, _EPS)
    mahalanobis = (a * dy**2 + b * dx**2 - 2 * c * dx * dy) / spread / 4
    dets = np.sqrt(np.maximum(a1 * b1 - c1 * c1, 0) * np.maximum(a2 * b2 - c2 * c2, 0))
    bhattacharyya = mahalanobis + 0.5 * np.log(spread / (4 * dets + _EPS) + _EPS)
    hellinger = np.sqrt(1 - np.exp(-np.clip(bhattacharyya, _EPS, 100)) + _EPS)
    return np.asarray(1 - hellinger, np.float32)


def any_near(boxes: Floats, alike: float) -> bool:
    """Tell whether two of the boxes lie near enough for a likeness of `alike`, whatever their shapes.

    The Mahalanobis part of their Bhattacharyya distance alone must not exceed the most that this likeness allows; it is
    least where both have their longer sides along the line between their centres. A hundredth more, for rounding.
    """
    reach = 1.01 * 4 * -math.log(1 - (1 - alike) ** 2) / 12
    spans = [(x, y, max(w, h) ** 2 * reach) for x, y, w, h, _ in boxes.tolist()]
    return any((x - u) ** 2 + (y - v) ** 2 <= a + b for (x, y, a), (u, v, b) in combinations(spans, 2))


def suppress(boxes: Floats, scores: Floats, alike: float, same: float | None = None) -> NDArray[np.intp]:
    """Return the indices of the boxes kept, best first: a box too like a better one is a double of it.

    With a likeness of `same` (by default `alike`) or more two boxes are one object whatever their scores. From `alike`
    up a box stands beside the better one only if its score is SURE of the better one's or more, rising to all of it.
    """
    same = max(alike, same or alike)
    order = np.argsort(-scores, kind="stable")
    if not any_near(boxes, alike):
        return order
    like, sorted_scores = likeness(boxes[order], boxes[order]), scores[order]
    if np.count_nonzero(like >= alike) == len(order):  # each is like itself alone
        return order
    kept: list[int] = []
    gone = np.zeros(len(order), bool)
    for i in range(len(order)):
        if not gone[i]:
            kept.append(i)
            needed = SURE + (1 - SURE) * (like[i] - alike) / max(same - alike, _EPS)
            gone |= (like[i] >= same) | ((like[i] >= alike) & (sorted_scores < needed * sorted_scores[i]))
    return np.asarray(order[kept], np.intp)


def area(quad: Floats) -> float:
    """Area of a polygon (n, 2)."""
    x, y = quad[:, 0], quad[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def proportions(quad: Floats) -> float:
    """Longest side over shortest side of a quad (4, 2); a side of less than a pixel counts as one."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(sides.max() / max(1.0, sides.min()))


def share_inside(part: Floats, whole: Floats) -> float:
    """Share of the convex polygon `part` (n, 2) that lies inside the convex polygon `whole`."""
    shared, _ = cv2.intersectConvexConvex(np.asarray(part, np.float32), np.asarray(whole, np.float32))
    return float(shared) / max(area(part), _EPS)
