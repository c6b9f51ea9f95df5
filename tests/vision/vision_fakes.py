"""Numbered pictures, and stand-ins for the detector, the readers and OCR."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numbered import SIZE, number_of, picture_at

from verifier.vision.detection import Detection
from verifier.vision.geometry import Bounds
from verifier.vision.ocr import Line
from verifier.vision.readers import CardReading, HandReading
from verifier.vision.regions import whole_in

__all__ = ["SIZE", "number_of", "picture_at"]


def detection(kind: str, x: float, y: float, w: float, h: float, p: float = 0.9, angle: float = 0.0) -> Detection:
    return Detection(kind, p, np.array([x, y, w, h, angle], np.float32))


class Squares:
    """A stand-in finder: the white square of `picture_at` is a card."""

    def __init__(self, p: float = 0.9) -> None:
        self.p = p

    def detect(self, picture: np.ndarray, long_side: int | None = None) -> list[Detection]:
        rows, columns = np.nonzero(picture[:150].min(axis=2) > 180)
        if len(rows) == 0:
            return []
        x0, x1, y0, y1 = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        return [detection("card_up", (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, self.p)]

    def stream(
        self, pictures: Iterable[tuple[object, np.ndarray, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[object, list[Detection]]]:
        for key, picture, parts in pictures:
            masked = np.zeros_like(picture)
            for x0, y0, x1, y1 in parts:
                masked[y0:y1, x0:x1] = picture[y0:y1, x0:x1]
            size = (picture.shape[1], picture.shape[0])
            yield key, [d for d in self.detect(masked) if any(whole_in(d, part, size) for part in parts)]


class Kings:
    """A stand-in for the readers: each card is the king of hearts, each chip red, each hand the dealer's left."""

    def cards(self, picture: np.ndarray, found: Sequence[np.ndarray]) -> list[CardReading]:
        return [CardReading({"K": 0.9, "Q": 0.1}, {"h": 0.95, "d": 0.05}, 0.02) for _ in found]

    def counts(self, picture: np.ndarray, quads: Sequence[np.ndarray]) -> list[Mapping[str, float]]:
        return [{"1": 1.0} for _ in quads]

    def chips(self, picture: np.ndarray, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        return [{"red": 0.9, "pink": 0.1} for _ in found]

    def hands(self, picture: np.ndarray, found: Sequence[Detection]) -> list[HandReading]:
        reading = HandReading(
            side={"left": 0.9, "right": 0.1},
            facing={"back": 0.8, "palm": 0.1, "edge": 0.1},
            fingers={str(n): 0.9 if n == 5 else 0.02 for n in range(6)},
            owner={"dealer": 0.9, "player": 0.1},
        )
        return [reading for _ in found]


class NoText:
    """A stand-in for OCR that reads nothing."""

    def line(self, crop: np.ndarray) -> str | None:
        return None

    def lines(self, picture: np.ndarray) -> list[Line]:
        return []


def write_card(folder: Path, name: str, **facts: object) -> None:
    (folder / f"{name}.json").write_text(json.dumps(facts), encoding="utf-8")
