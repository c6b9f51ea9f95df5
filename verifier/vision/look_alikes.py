"""Weighs an unsure reading of a chip with the readings of this table's chips that look like it.

A table's chips are of one maker under one light, and of each colour there are many. If a maker's white or the
light is rosy, the reader is unsure of each such chip alone, but sure of all together (a nearest-neighbour mean of the
readings' logarithms).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.crops import chip_crop
from verifier.vision.detection import Detection
from verifier.vision.evidence import FLOOR
from verifier.vision.geometry import Floats
from verifier.vision.readers import chip_radius

SURE: Final = 0.95
"""A reading with more than this is not weighed with others."""
MEMORY: Final = 3000
"""Readings remembered, the last ones: an hour or so of play."""
LEAST, MOST = 6, 60
"""So many similar chips are needed, and at most so many of the nearest ones count."""
ALIKE: Final = 6.0
"""Distance of median colours (CIE L*a*b* of eight bits, lightness by half) up to which two chips look alike."""
SELDOMER: Final = 4
"""One of so many sure readings is remembered, because most readings are sure."""
OWN: Final = 0.3
"""Weight of a chip's own reading beside the mean of the similar chips."""
_SIDE: Final = 16
WEIGHTS: Final = np.array([0.5, 1.0, 1.0])
"""Of lightness, and of the two hues, in that distance."""


def _ring() -> np.ndarray:
    """Return the face without the middle, where the value is printed, and without the edge of the square."""
    off = np.hypot(*(np.mgrid[:_SIDE, :_SIDE] - (_SIDE - 1) / 2))
    return np.asarray((off > 1.0) & (off < 5.7))


RING: Final = _ring()


class LookAlikes:
    """The readings of one table's chips. Pictures come in order of time."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = tuple(labels)
        self._colours = np.zeros((MEMORY, 3))
        self._logs = np.zeros((MEMORY, len(self._labels)))
        self._count, self._sure = 0, 0

    def weighed(
        self, picture: Picture, found: Sequence[Detection], readings: Sequence[Mapping[str, float]]
    ) -> list[Mapping[str, float]]:
        """Return the readings of chips in a picture (h, w, 3), unsure ones with those of the chips before that look
        alike.
        """
        told = []
        for chip, reading in zip(found, readings, strict=True):
            sure = max(reading.values()) >= SURE
            self._sure += sure
            if sure and self._sure % SELDOMER:
                told.append(reading)
                continue
            colour = median_colour(picture, chip)
            logs = np.array([math.log(max(FLOOR, reading.get(label, 0.0))) for label in self._labels])
            told.append(reading if sure else self._pooled(colour, logs) or reading)
            self._colours[self._count % MEMORY], self._logs[self._count % MEMORY] = colour, logs
            self._count += 1
        return told

    def _pooled(self, colour: Floats, logs: Floats) -> dict[str, float] | None:
        known = min(self._count, MEMORY)
        off = np.linalg.norm((self._colours[:known] - colour) * WEIGHTS, axis=1)
        near = np.argsort(off)[:MOST]
        near = near[off[near] <= ALIKE]
        if len(near) < LEAST:
            return None
        pooled = (self._logs[near].mean(axis=0) + OWN * logs) / (1 + OWN)
        powers = np.exp(pooled - pooled.max())
        return dict(zip(self._labels, map(float, powers / powers.sum()), strict=True))


def median_colour(picture: Picture, chip: Detection) -> Floats:
    """(3,) median L*a*b* of a chip's face round its middle."""
    crop = chip_crop(picture, chip.centre, chip_radius(chip), (_SIDE, _SIDE))
    return np.asarray(np.median(cv2.cvtColor(crop, cv2.COLOR_BGR2LAB)[RING], axis=0), np.float64)
