"""The stills that show why an item passes or fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from verifier.domain.layout import Polygon
from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.review.sample_check.looking import Sample

_WIDTH: Final = 960
_MARK: Final = (60, 60, 255)
_BAR: Final = (40, 32, 28)
_FONT: Final = cv2.FontFace("sans")


class Stills:
    """Collects marked pictures by name, with the moments that they show (s of media time)."""

    def __init__(self) -> None:
        self.pictures: dict[str, Picture] = {}
        self.times: dict[str, float] = {}

    def add(self, name: str, sample: Sample, caption: str, marks: Sequence[Polygon | Box] = ()) -> str:
        """Keep a copy of a sample's picture with outlines and a caption under it; return its name."""
        self.times[name] = sample.t
        canvas = sample.picture.copy()
        for mark in marks:
            cv2.polylines(canvas, [_corners(mark)], True, _MARK, max(2, canvas.shape[1] // 500), cv2.LINE_AA)
        scale = _WIDTH / canvas.shape[1]
        if scale < 1:
            canvas = np.asarray(cv2.resize(canvas, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        self.pictures[name] = _captioned(canvas, caption)
        return name


def _corners(mark: Polygon | Box) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    if isinstance(mark, tuple):
        x0, y0, x1, y1 = mark
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64).round().astype(np.int32)
    return np.array(mark, np.float64).round().astype(np.int32)


def _captioned(canvas: Picture, caption: str) -> Picture:
    size = 18
    bar = np.full((size * 2, canvas.shape[1], 3), _BAR, np.uint8)
    cv2.putText(bar, caption, (10, size + 6), (255, 255, 255), _FONT, size)
    return np.asarray(np.vstack([canvas, bar]), np.uint8)
