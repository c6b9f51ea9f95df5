"""Finds the parts of a picture that changed. Only these are searched again; detections elsewhere stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.detection import Detection, without_doubles
from verifier.vision.geometry import Bounds

MARGIN: Final = 0.055
"""Share of the picture's width that is searched round what changed: a card, so that whatever moved lies in it whole."""
WHOLE: Final = 0.8
"""If more than this share of the picture changed, all of it is searched."""
TILES: Final = tuple(
    (width / 15, height / 17) for width, height in ((3, 7), (4, 8), (5, 9), (7, 9), (5, 15), (6, 17), (9, 14))
)
"""Sizes of what is searched, shares of the picture's width and height: few, because the network is built for each of
them. In a picture scaled to 960 x 540 they are multiples of the network's 32 pixels. Chosen on play of the simulator.
"""
CALL: Final = 0.05
"""What one run of the network costs besides its pixels, as a share of a whole picture's."""
EDGE: Final = 3.0
"""Pixels from the edge of what was searched within which an object counts as cut by it."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle in shares of the picture's width and height, 0..1."""

    x0: float
    y0: float
    x1: float
    y1: float

    def pixels(self, width: int, height: int) -> Bounds:
        """x0, y0, x1, y1 in a picture of that size.

        Regions of one size are of one size in pixels wherever they lie, an even one: halving it is exact, and quick.
        One that ends at the picture's edge reaches it; elsewhere an edge may lie a pixel off.
        """
        x0, x1 = _span(self.x0, self.x1, width)
        y0, y1 = _span(self.y0, self.y1, height)
        return x0, y0, x1, y1

    @property
    def area(self) -> float:
        return (self.x1 - self.x0) * (self.y1 - self.y0)


def _span(start: float, end: float, whole: int) -> tuple[int, int]:
    """Where shares of `whole` pixels begin and end; what they leave free is divided before and behind as they do."""
    length = 2 * round((end - start) * whole / 2)
    length = whole if length >= whole - 1 else length
    before = round((whole - length) * start / max(1 - (end - start), 1e-9))
    return before, before + length


ALL: Final = Region(0.0, 0.0, 1.0, 1.0)
WHOLE_PICTURE: Final = (ALL,)


def regions_of(changed: Picture) -> tuple[Region, ...]:
    """Return the regions to search for a mask (h, w) of changed pixels. Single changed pixels are noise where others
    changed.

    What moved in one place, with the margin round it, lies whole in one region. Each has the size of a tile.
    """
    calm = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    height, width = changed.shape
    margin = round(MARGIN * width)
    patches = cv2.dilate(calm if calm.any() else changed, np.ones((2 * margin + 1, 2 * margin + 1), np.uint8))
    outlines, _ = cv2.findContours(patches, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not outlines:
        return WHOLE_PICTURE
    boxes = [cv2.boundingRect(outline) for outline in reversed(outlines)]
    parts = [Region(x / width, y / height, (x + w) / width, (y + h) / height) for x, y, w, h in boxes]
    tiles = [tile(box) for box in _merged(parts)]
    return tuple(tiles) if sum(map(_cost, tiles)) <= WHOLE else WHOLE_PICTURE


def tile(box: Region) -> Region:
    """Return the smallest tile that holds a box, about its middle and within the picture; the picture where none
    does.
    """
    wide, high = box.x1 - box.x0, box.y1 - box.y0
    fitting = [(w, h) for w, h in TILES if w >= wide - 1e-9 and h >= high - 1e-9]
    if not fitting:
        return ALL
    w, h = min(fitting, key=lambda size: size[0] * size[1])
    x = min(max(0.0, (box.x0 + box.x1 - w) / 2), 1 - w)
    y = min(max(0.0, (box.y0 + box.y1 - h) / 2), 1 - h)
    return Region(x, y, x + w, y + h)


def _cost(region: Region) -> float:
    return CALL + region.area


def _merged(boxes: list[Region]) -> list[Region]:
    """Join two boxes wherever searching both at once is cheaper than one after the other."""
    for one, other in combinations(boxes, 2):
        both = Region(min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1))
        if _cost(tile(both)) <= _cost(tile(one)) + _cost(tile(other)):
            return _merged([*(box for box in boxes if box is not one and box is not other), both])
    return boxes


def complete(
    before: Sequence[Detection], now: Sequence[Detection], regions: Sequence[Region], size: tuple[int, int]
) -> list[Detection]:
    """All objects of a picture (w, h): those found whole in one of the regions now, and those known before elsewhere.

    What is cut by the edges of the regions is taken from before: nothing moved there. What lies off the regions is the
    very detection of before; what they touch is a copy, because something by it moved.
    """
    if tuple(regions) == WHOLE_PICTURE:
        return list(now)
    searched = [region.pixels(*size) for region in regions]
    kept = [
        replace(d) if any(_touches(d, bounds) for bounds in searched) else d
        for d in before
        if not any(whole_in(d, bounds, size) for bounds in searched)
    ]
    return without_doubles([*kept, *now])


def whole_in(seen: Detection, bounds: Bounds, size: tuple[int, int]) -> bool:
    """Tell whether an object lies in a part of a picture (w, h) and is not cut by its edges, unless the picture ends
    there.

    A card that is cut may be told for a whole one that ends a little beyond the edge.
    """
    x0, y0, x1, y1 = seen.extent
    return (
        (bounds[0] <= 0 or x0 >= bounds[0] + EDGE)
        and (bounds[1] <= 0 or y0 >= bounds[1] + EDGE)
        and (bounds[2] >= size[0] or x1 <= bounds[2] - EDGE)
        and (bounds[3] >= size[1] or y1 <= bounds[3] - EDGE)
    )


def _touches(seen: Detection, bounds: Bounds) -> bool:
    x0, y0, x1, y1 = seen.extent
    return x0 < bounds[2] and y0 < bounds[3] and x1 > bounds[0] and y1 > bounds[1]
