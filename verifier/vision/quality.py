"""How good a picture is: sharpness, exposure, what stands before the table, and whether the camera has moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import IO, Any, Final, Self, TypeVar

import cv2
import numpy as np

from verifier.domain.layout import Layout
from verifier.domain.observations import Exposure, Quality
from verifier.formats.arrays import arrays_in
from verifier.recording.decode import Picture
from verifier.vision.camera_move import Reference
from verifier.vision.detection import Detection
from verifier.vision.drift import DriftMeter
from verifier.vision.obstruction import BareTable, ObstructionMeter

DARK: Final = 12.0
"""A picture darker than this (mean luma 0..255) shows nothing."""
BLACK, WHITE = 16, 250
"""Luma at and below which, or at and above which, there is no detail left."""
GREY, COLOURED = 5.0, 14.0
"""Mean difference between a pixel's strongest and weakest colour: below GREY no colour, above COLOURED some."""
MEASURE_EVERY: Final = 1.0
_P = TypeVar("_P", Reference, BareTable)


@dataclass(frozen=True, slots=True, eq=False)
class Bearings:
    """What the beginning of a recording teaches the rest: where the camera looked, and the bare table."""

    reference: Reference | None
    table: BareTable | None

    def write(self, stream: IO[bytes]) -> None:
        """Write them as a NumPy archive of plain arrays."""
        parts = {"reference": self.reference, "table": self.table}
        named = {
            f"{name} {field.name}": getattr(part, field.name)
            for name, part in parts.items()
            if part is not None
            for field in fields(part)
        }
        np.savez_compressed(stream, allow_pickle=False, **named)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read back what `write` wrote. Raises one of `recording.timeline.DAMAGED` if it is no such file."""
        with arrays_in(path) as kept:
            names = set(kept.files)
            reference = _arrays(kept, "reference", Reference) if "reference picture" in names else None
            table = _arrays(kept, "table", BareTable) if "table picture" in names else None
        if reference is not None:
            reference = replace(reference, strength=float(reference.strength))
        return cls(reference, table)


def _arrays(kept: Any, name: str, kind: type[_P]) -> _P:
    return kind(**{field.name: kept[f"{name} {field.name}"] for field in fields(kind)})


class QualityMeter:
    """Measures the pictures of one recording, once a second; the bare table is learned as it goes."""

    def __init__(self, layout: Layout | None = None, bearings: Bearings | None = None) -> None:
        known = bearings or Bearings(None, None)
        self._drift, self._obstruction = DriftMeter(layout, known.reference), ObstructionMeter(layout, known.table)
        self._last: Quality | None = None
        self._measured = -1e9

    @property
    def bearings(self) -> Bearings:
        """What is known so far, for a later stretch of the same recording."""
        return Bearings(self._drift.reference, self._obstruction.table)

    def measure(self, t: float, picture: Picture, found: Sequence[Detection]) -> Quality:
        """Quality of the picture (h, w, 3) at media time `t`; between measurements the last one stands."""
        if self._last is None or t - self._measured >= MEASURE_EVERY - 1e-6:
            self._measured = t
            grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
            luma = float(cv2.mean(grey)[0])
            self._drift.measure(t, grey, found, clear=luma >= DARK)
            hidden = 1.0 if luma < DARK else self._obstruction.measure(picture, found, self._drift.drift)
            self._last = Quality(
                sharpness=round(sharpness(grey), 2),
                obstructed=round(hidden, 4),
                luma=round(luma, 2),
                exposure=exposure(grey),
                view=self._drift.view,
                drift=self._drift.drift,
            )
        return self._last


def colourfulness(picture: Picture) -> float:
    """Mean difference between a pixel's strongest and weakest colour, 0..255, of a picture (h, w, 3)."""
    return float((picture.max(axis=2) - picture.min(axis=2)).mean())


def of_table(picture: Picture, layout: Layout) -> Picture:
    """Return the part of a picture (h, w, 3) in which the layout's table lies; the whole where that is outside of
    it.
    """
    zones = [layout.zones.inner, layout.zones.dealer, *layout.areas.values()]
    points = np.concatenate([np.asarray(zone) for zone in zones])
    x0, y0 = np.maximum(points.min(axis=0), 0).astype(int)
    x1, y1 = points.max(axis=0).astype(int)
    shown = picture[y0:y1, x0:x1]
    return shown if shown.size else picture


def sharpness(grey: Picture) -> float:
    """Variance of the Laplacian of a grey picture (Pech-Pacheco et al. 2000)."""
    edges = cv2.Laplacian(grey, cv2.CV_16S)
    return cv2.norm(edges, cv2.NORM_L2SQR) / edges.size - cv2.mean(edges)[0] ** 2


def exposure(grey: Picture) -> Exposure:
    """Shares of a grey picture that are crushed to black and blown out to white."""
    some = np.ascontiguousarray(grey[::2, ::2])
    dark = cv2.countNonZero(cv2.inRange(some, 0, BLACK)) / some.size
    bright = cv2.countNonZero(cv2.inRange(some, WHITE, 255)) / some.size
    return Exposure(dark=round(dark, 4), bright=round(bright, 4))
