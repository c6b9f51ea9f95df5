"""The part of a picture that changed: only that is searched again, and what was found elsewhere stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.vision.decode import Picture
from verifier.vision.detector import HAND, Detection, without_doubles

MARGIN: Final = 0.055
"""Share of the picture's width that is searched round what changed: a card, so that whatever moved lies in it whole."""
GRID: Final = 8
"""A region's sides are eighths of the picture, so that the network meets few sizes."""
WHOLE: Final = 0.8
"""Where more than this share of the picture changed, all of it is searched."""
EDGE: Final = 3.0


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle in shares of the picture's width and height, 0..1."""

    x0: float
    y0: float
    x1: float
    y1: float

    def pixels(self, width: int, height: int) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in a picture of that size."""
        return round(self.x0 * width), round(self.y0 * height), round(self.x1 * width), round(self.y1 * height)

    @property
    def area(self) -> float:
        return (self.x1 - self.x0) * (self.y1 - self.y0)


ALL: Final = Region(0.0, 0.0, 1.0, 1.0)


def region_of(changed: Picture) -> Region:
    """The region to search for a mask (h, w) of changed pixels; single changed pixels are noise where others are."""
    calm = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    rows, columns = np.nonzero(calm if calm.any() else changed)
    if len(rows) == 0:
        return ALL
    height, width = changed.shape
    aspect = width / height
    x0, x1 = _snapped(columns.min() / width - MARGIN, (columns.max() + 1) / width + MARGIN)
    y0, y1 = _snapped(rows.min() / height - MARGIN * aspect, (rows.max() + 1) / height + MARGIN * aspect)
    region = Region(x0, y0, x1, y1)
    return region if region.area <= WHOLE else ALL


def _snapped(low: float, high: float) -> tuple[float, float]:
    """Widens a stretch to a whole number of eighths, within 0..1."""
    low, high = max(0.0, low), min(1.0, high)
    side = min(1.0, np.ceil((high - low) * GRID - 1e-6) / GRID)
    start = float(np.clip((low + high - side) / 2, 0.0, 1.0 - side))
    return start, start + float(side)


def complete(
    before: Sequence[Detection], now: Sequence[Detection], region: Region, size: tuple[int, int]
) -> list[Detection]:
    """All objects of a picture (w, h): those found in the region now, and those known before outside of it.

    What is cut by the region's edge is taken from before: nothing moved there.
    """
    if region == ALL:
        return list(now)
    inner = _inner(region, size)
    kept = [d for d in before if not _inside(d, inner)]
    return without_doubles([*kept, *(d for d in now if _inside(d, inner))])


def _inner(region: Region, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The region less a rim, except where it ends with the picture."""
    x0, y0, x1, y1 = region.pixels(*size)
    far = 1e6
    return (
        x0 + EDGE if x0 > 0 else -far,
        y0 + EDGE if y0 > 0 else -far,
        x1 - EDGE if x1 < size[0] else far,
        y1 - EDGE if y1 < size[1] else far,
    )


def _inside(seen: Detection, inner: tuple[float, float, float, float]) -> bool:
    if seen.kind == HAND:
        x0, y0, x1, y1 = seen.upright
    else:
        (x0, y0), (x1, y1) = seen.quad.min(axis=0).tolist(), seen.quad.max(axis=0).tolist()
    return bool(x0 >= inner[0] and y0 >= inner[1] and x1 <= inner[2] and y1 <= inner[3])
