"""Pairs what was seen with what is there by overlap (intersection over union) of convex quads in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.train.labels import box_quad

MATCH_IOU: Final = 0.5
Floats = NDArray[np.float32]


def matched(seen: Sequence[Floats], truth: Sequence[Floats]) -> dict[int, int]:
    """Truth index to seen index for quads (4, 2), best overlap first, each used once, IoU from MATCH_IOU up."""
    table = overlaps(truth, seen)
    hits = [(float(table[i, j]), int(i), int(j)) for i, j in zip(*np.nonzero(table >= MATCH_IOU), strict=True)]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(hits, reverse=True):
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def unexplained(seen: Sequence[Floats], pairs: dict[int, int], doubtful: Sequence[Floats]) -> list[int]:
    """Those of `seen` that match neither a true thing (`pairs`) nor one that hardly shows."""
    used = set(pairs.values())
    rest = [j for j in range(len(seen)) if j not in used]
    near = set(matched([seen[j] for j in rest], doubtful).values())
    return [j for number, j in enumerate(rest) if number not in near]


def overlaps(one: Sequence[Floats], other: Sequence[Floats]) -> NDArray[np.float64]:
    """(n, m) overlap of each with each; only those whose bounds meet are computed exactly."""
    out = np.zeros((len(one), len(other)))
    if out.size:
        a, b = np.stack(one), np.stack(other)
        low = np.maximum(a.min(1)[:, None], b.min(1)[None])
        high = np.minimum(a.max(1)[:, None], b.max(1)[None])
        for i, j in zip(*np.nonzero((high > low).all(2)), strict=True):
            out[i, j] = overlap(one[i], other[j])
    return out


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads (4, 2)."""
    low, high = np.maximum(one.min(0), other.min(0)), np.minimum(one.max(0), other.max(0))
    if (high <= low).any():
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    whole = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared
    return float(shared / whole) if whole > 0 else 0.0


def as_quad(points: Sequence[Sequence[float]]) -> Floats:
    """Corners as (4, 2) float32."""
    return np.asarray(points, dtype=np.float32)


def circle_quad(centre: tuple[float, float], radius: float) -> Floats:
    """Return the square (4, 2) round a circle."""
    (x, y), r = centre, radius
    return box_quad((x - r, y - r, x + r, y + r))
