"""Reads burned-in and printed text with RapidOCR, whose package carries its models; it works without a network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Final, Protocol

import cv2
import numpy as np

from verifier.domain.layout import Polygon
from verifier.domain.observations import Box
from verifier.recording.decode import Picture

LINE_HEIGHT: Final = 48
LEAST_SCORE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, how sure it is (0..1) and where it stands (x0, y0, x1, y1 pixels of the picture given).

    `corners` are those of the line itself, which may be aslant, clockwise from where its text begins; empty: not told.
    """

    text: str
    score: float
    box: Box
    corners: tuple[tuple[float, float], ...] = ()


class LineReader(Protocol):
    """Anything that reads text; tests put a stand-in here."""

    def line(self, crop: Picture) -> str | None: ...

    def lines(self, picture: Picture) -> list[Line]: ...


class TextReader:
    """RapidOCR on OpenVINO; its networks load at the first use. Threads that share one wait for each other."""

    def __init__(self) -> None:
        self._alone = Lock()

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import EngineType, RapidOCR

        stages = {f"{stage}.engine_type": EngineType.OPENVINO for stage in ("Det", "Cls", "Rec")}
        return RapidOCR(params={**stages, "Global.log_level": "critical", "Global.use_cls": False})

    def line(self, crop: Picture) -> str | None:
        """Return the text of a crop that holds one line; None if it cannot be read."""
        if min(crop.shape[:2]) < 4:
            return None
        scale = LINE_HEIGHT / crop.shape[0]
        scaled = np.asarray(cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
        result = self._read(scaled, search=False)
        found = list(zip(result.txts or (), result.scores or (), strict=True))
        return next((str(text) for text, score in found if text and score >= LEAST_SCORE), None)

    def lines(self, picture: Picture) -> list[Line]:
        """All lines of text in a picture."""
        result = self._read(picture, search=True)
        if result.txts is None or result.boxes is None:
            return []
        return [
            Line(str(text), float(score), _around(box), tuple((float(x), float(y)) for x, y in box))
            for text, score, box in zip(result.txts, result.scores, result.boxes, strict=True)
            if score >= LEAST_SCORE
        ]

    def _read(self, picture: Picture, *, search: bool) -> Any:
        """Return what the engine reads in a picture that is one line of text, or in which it is to search for lines."""
        with self._alone:
            return self._engine(picture, use_det=search, use_cls=False, use_rec=True)


def _around(box: Any) -> Box:
    points = np.asarray(box, np.float64)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def box_crop(picture: Picture, box: Box) -> Picture:
    """Return the part of a picture inside a box, cut at the picture's edge."""
    height, width = picture.shape[:2]
    x0, x1 = (int(min(max(round(x), 0), width)) for x in (box[0], box[2]))
    y0, y1 = (int(min(max(round(y), 0), height)) for y in (box[1], box[3]))
    return np.ascontiguousarray(picture[y0:y1, x0:x1])


def box_of(zone: Polygon) -> Box:
    """Return the upright rectangle about a polygon."""
    x, y = [p[0] for p in zone], [p[1] for p in zone]
    return min(x), min(y), max(x), max(y)
