"""Tells whether a thing that is found again lies where it was read, and looks as it did then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.detection import Detection
from verifier.vision.geometry import Bounds, Floats

NEAR: Final = 0.06
"""Share of a thing's shorter side by which its corners may be found elsewhere: half of a card's margin in its crop."""
CELLS: Final = 12
"""Columns and rows of the small grey picture by which pixels are compared: a card's cells are 5 x 7 mm."""
STEP: Final = 9
"""Grey levels by which a cell must change to count, as in the motion gate. Of 4,418 cards found again where they were,
in two recordings, 70 in 100 differed by 6 or less in every cell."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadThing:
    """A thing when it was read: its middle and corners (4, 2), the part of the picture that holds it, that in small."""

    centre: tuple[float, float]
    quad: Floats
    bounds: Bounds
    small: Picture

    @classmethod
    def of(cls, found: Detection, picture: Picture) -> ReadThing:
        """Return a thing found in a picture (h, w, 3)."""
        limit = np.array([picture.shape[1], picture.shape[0]] * 2)
        x0, y0, x1, y1 = np.clip(np.round(found.extent), 0, limit).astype(int).tolist()
        x0, y0 = min(x0, picture.shape[1] - 1), min(y0, picture.shape[0] - 1)
        bounds = (x0, y0, max(x1, x0 + 1), max(y1, y0 + 1))
        return cls(found.centre, found.quad, bounds, _small(picture, bounds))

    def lasts(self, found: Detection, picture: Picture) -> bool:
        """Tell whether a thing found in a later picture (h, w, 3) lies here still and looks the same."""
        room = NEAR * min(found.box[2:4].tolist())
        (x, y), (was_x, was_y) = found.centre, self.centre
        if abs(x - was_x) > room or abs(y - was_y) > room:  # quicker than the corners, and tells of most
            return False
        if float(np.abs(self.quad - found.quad).max()) > room:
            return False
        return int(cv2.absdiff(_small(picture, self.bounds), self.small).max()) < STEP


def _small(picture: Picture, bounds: Bounds) -> Picture:
    """(CELLS, CELLS) grey: means of a part of a picture."""
    x0, y0, x1, y1 = bounds
    grey = cv2.cvtColor(picture[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (CELLS, CELLS), interpolation=cv2.INTER_AREA), np.uint8)
