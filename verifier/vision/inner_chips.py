"""Looks at the dealer's inner area at a larger scale between rounds: chips that are exchanged lie there on bare felt.

A green chip on green felt is hardly found at the scale at which the whole picture is searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from verifier.domain.layout import Layout
from verifier.recording.decode import Picture
from verifier.vision.detection import CHIP, WATCHING, Detection, Finder, without_doubles
from verifier.vision.geometry import Bounds
from verifier.vision.nearer import NEARER
from verifier.vision.regions import Region

RIM_MM: Final = 30.0
"""Millimetres about the inner area that are searched with it: no chip in it is cut."""


class InnerChips:
    """Finds more chips in the inner area of one recording; without a layout, none."""

    def __init__(self, finder: Finder, layout: Layout | None) -> None:
        self._finder = finder
        self._inner = np.asarray(layout.zones.inner, np.float32) if layout is not None else None
        self._dealer = np.asarray(layout.zones.dealer, np.float32) if layout is not None else None
        self._rim = RIM_MM * layout.scale if layout is not None else 0.0

    def with_them(
        self, picture: Picture, found: list[Detection], regions: Sequence[Region], long_side: int | None
    ) -> list[Detection]:
        """Return what was found in the picture (h, w, 3), and the chips of the inner area where one of the `regions`
        meets it.

        Not amid a round, when a card lies before the dealer, nor where the picture shows no more than `long_side` does.
        """
        longest = max(picture.shape[:2])
        if self._inner is None or long_side is None or long_side >= longest:
            return found
        if any(d.card and d.within(self._dealer) for d in found):
            return found
        bounds = self._bounds(picture)
        if not any(_meet(region.pixels(picture.shape[1], picture.shape[0]), bounds) for region in regions):
            return found
        side = min(longest, round(NEARER * long_side))
        ((_, near),) = self._finder.stream([(None, picture, [bounds])], side)
        return without_doubles([*found, *(d for d in near if d.kind == CHIP and d.within(self._inner))], WATCHING)

    def _bounds(self, picture: Picture) -> Bounds:
        height, width = picture.shape[:2]
        inner = self._inner if self._inner is not None else np.zeros((1, 2), np.float32)
        low = np.clip(np.floor(inner.min(axis=0) - self._rim), 0, (width - 1, height - 1)).astype(int)
        high = np.clip(np.ceil(inner.max(axis=0) + self._rim), low + 1, (width, height)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
