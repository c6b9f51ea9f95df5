"""How good a picture is: sharpness, exposure, what stands before the table, and whether the camera has moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from verifier.domain.layout import Layout
from verifier.domain.observations import Exposure, Quality
from verifier.vision.decode import Picture
from verifier.vision.detector import HAND, Detection
from verifier.vision.drift import DriftMeter
from verifier.vision.geometry import Floats

SMALL: Final = (96, 54)
CHANGED: Final = 28
"""Grey levels by which a place must differ from the bare table to be hidden."""
LEARN: Final = 0.2
LEARN_HIDDEN: Final = 0.03
"""Share by which a measurement moves the remembered table, where it looks bare and where it looks hidden."""
DARK: Final = 12.0
"""A picture darker than this (mean luma 0..255) shows nothing."""
BLACK, WHITE = 16, 250
"""Luma at and below which, or at and above which, there is no detail left."""
MEASURE_EVERY: Final = 1.0


class QualityMeter:
    """Measures the pictures of one recording, once a second; the bare table is learned as it goes."""

    def __init__(self, layout: Layout | None = None) -> None:
        self._layout = layout
        self._drift = DriftMeter(layout)
        self._table: Floats | None = None
        self._mask: Picture | None = None
        self._last: Quality | None = None
        self._measured = -1e9

    def measure(self, t: float, picture: Picture, found: Sequence[Detection]) -> Quality:
        """Quality of the picture (h, w, 3) at media time `t`; between measurements the last one stands."""
        if self._last is None or t - self._measured >= MEASURE_EVERY - 1e-6:
            self._measured = t
            grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
            luma = float(grey.mean())
            hidden = 1.0 if luma < DARK else self._hidden(grey, found)
            self._drift.measure(t, grey, found, clear=luma >= DARK)
            self._last = Quality(
                sharpness=round(sharpness(grey), 2), obstructed=round(hidden, 4), luma=round(luma, 2),
                exposure=exposure(grey), view=self._drift.view, drift=self._drift.drift,
            )  # fmt: skip
        return self._last

    def _hidden(self, grey: Picture, found: Sequence[Detection]) -> float:
        small = np.asarray(cv2.resize(grey, SMALL, interpolation=cv2.INTER_AREA), np.float32)
        if self._table is None or self._mask is None:
            self._mask = self._table_mask(grey.shape[1], grey.shape[0])
            self._table = small
            return 0.0
        changed = (np.abs(small - self._table) > CHANGED) & (self._mask > 0)
        changed &= _things(found, grey.shape[1], grey.shape[0]) == 0
        rate = np.where(changed, LEARN_HIDDEN, LEARN).astype(np.float32)
        self._table = self._table + rate * (small - self._table)
        return float(changed.sum()) / max(1, int(np.count_nonzero(self._mask)))

    def _table_mask(self, width: int, height: int) -> Picture:
        mask = np.full((SMALL[1], SMALL[0]), 255, np.uint8)
        if self._layout is None:
            return mask
        zones = [self._layout.zones.inner, *(space.area for space in self._layout.spaces.values())]
        points = np.concatenate([np.asarray(zone, np.float32) for zone in zones])
        mask[:] = 0
        cv2.fillConvexPoly(mask, _scaled(cv2.convexHull(points)[:, 0], width, height), 255)
        return mask


def _things(found: Sequence[Detection], width: int, height: int) -> Picture:
    """A mask of what belongs on the table: cards and chips."""
    mask = np.zeros((SMALL[1], SMALL[0]), np.uint8)
    for seen in found:
        if seen.kind != HAND:
            cv2.fillConvexPoly(mask, _scaled(seen.quad, width, height), 255)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)


def _scaled(points: object, width: int, height: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round(np.asarray(points, np.float32) * (SMALL[0] / width, SMALL[1] / height)).astype(np.int32)


def sharpness(grey: Picture) -> float:
    """Variance of the Laplacian of a grey picture (Pech-Pacheco et al. 2000)."""
    edges = cv2.Laplacian(grey, cv2.CV_16S)
    _, spread = cv2.meanStdDev(edges)
    return float(np.asarray(spread).item() ** 2)


def exposure(grey: Picture) -> Exposure:
    """Shares of a grey picture that are crushed to black and blown out to white."""
    some = np.ascontiguousarray(grey[::2, ::2])
    dark = cv2.countNonZero(cv2.inRange(some, 0, BLACK)) / some.size
    bright = cv2.countNonZero(cv2.inRange(some, WHITE, 255)) / some.size
    return Exposure(dark=round(dark, 4), bright=round(bright, 4))
