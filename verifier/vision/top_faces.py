"""Whether the chip on top is the one that was there before a hand hid it: two chips of a colour lie turned otherwise.

A stack shows its top face alone, and a chip of the same colour put on it shows by nothing else. What a spot looks like
in plain view is kept; once something has hidden it, or came near, it is compared (normalised cross-correlation).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.detection import Detection
from verifier.vision.readers import chip_radius

SAME, OTHER = 0.95, 0.9
"""From the first correlation on two looks show one face, below the second two. One face has 0.98 and more, two of one
maker's and colour 0.87 at most (measured on four recordings, 160 and 80 pairs); what hides a part lies between."""
ENLARGED: Final = 2.0
SHARE, SHIFT = 0.9, 2.0
"""Half the side of what is compared, in radii; how far the middle that was found may be off, in pixels."""
SPOT: Final = 0.35
"""Middles nearer than this share of a radius are one spot."""
BESIDE: Final = 1.7
"""A chip nearer than so many radii covers some of another, or is covered by it."""
NEAR: Final = 6.0
"""A hand whose box comes as near as this, in pixels, may hide a part."""
SOON_SECONDS, RENEWED_SECONDS, KEPT_SECONDS = 0.5, 5.0, 120.0
"""While nothing comes near a spot is compared again after the first, then seldomer, to the second at last: an arm may
have lain over it, and light changes. It is remembered for the third."""
LASTS_SECONDS: Final = 0.3
"""A look unlike all of a spot's faces is ignored if it lasts less than this: a hand's shadow, an arm that passes."""
FACES: Final = 4
"""Faces remembered of a spot. Something that covered a part of the first for a while passes for another face."""


@dataclass(slots=True)
class Spot:
    """A place where a chip lies, or lay, with the faces that it showed, the last one first."""

    at: tuple[float, float]
    radius: float
    faces: list[tuple[int, Picture]]
    since: float
    """Since when it shows the last one."""
    t: float
    """When it was last compared."""
    hidden: bool = False
    unlike: tuple[float, Picture] | None = None
    """Since when it looks like none of its faces, and how it looked then."""


@dataclass(slots=True)
class TopFaces:
    """The spots of one recording. Pictures come in order of time."""

    spots: list[Spot] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def look(
        self, t: float, picture: Picture, chips: Sequence[Detection], hands: Sequence[Detection]
    ) -> list[int | None]:
        """Return the number of each chip's face in a picture (h, w, 3), whose chips and hands are given in pixels.

        One number at one spot is one face, another number surely another; None if nothing is known: the chip is
        partly hidden, or is to be seen once more.
        """
        self.spots = [spot for spot in self.spots if t - spot.t <= KEPT_SECONDS]
        boxes = [hand.extent for hand in hands]
        told: list[int | None] = []
        seen: set[int] = set()
        for chip in chips:
            spot = self._spot(chip)
            if spot is not None:
                seen.add(id(spot))
            told.append(self._told(t, picture, chip, spot, plain=_plain(chip, chips, boxes)))
        for spot in self.spots:
            spot.hidden = spot.hidden or (id(spot) not in seen and spot.t < t)
        return told

    def _spot(self, chip: Detection) -> Spot | None:
        reach = SPOT * chip_radius(chip)
        near = [(math.dist(spot.at, chip.centre), i) for i, spot in enumerate(self.spots)]
        off, index = min(near, default=(math.inf, 0))
        return self.spots[index] if off <= reach else None

    def _told(self, t: float, picture: Picture, chip: Detection, spot: Spot | None, *, plain: bool) -> int | None:
        if spot is None:
            if not plain:
                return None
            radius = chip_radius(chip)
            number = next(self._numbers)
            face = _cut(picture, chip.centre, SHARE * radius)
            self.spots.append(Spot(chip.centre, radius, [(number, face)], t, t))
            return number
        if not plain:
            spot.hidden = True
            return None
        if spot.hidden or t - spot.t >= min(RENEWED_SECONDS, max(SOON_SECONDS, spot.t - spot.since)):
            return self._compared(t, picture, chip, spot)
        return spot.faces[0][0]

    def _compared(self, t: float, picture: Picture, chip: Detection, spot: Spot) -> int | None:
        """Return the face that a spot shows, found among those it showed; tell another one only when two looks in turn
        agree.
        """
        face = _cut(picture, chip.centre, SHARE * spot.radius)
        around = _cut(picture, chip.centre, SHARE * spot.radius + SHIFT)
        current = spot.faces[0][0]
        scores = [likeness(known, around) for _, known in spot.faces]
        best = max(range(len(scores)), key=scores.__getitem__)
        if scores[best] >= SAME:
            number = spot.faces.pop(best)[0]
        elif scores[best] < OTHER and spot.unlike is not None and likeness(spot.unlike[1], around) >= SAME:
            if t - spot.unlike[0] < LASTS_SECONDS:
                return None
            number = next(self._numbers)
        else:
            spot.hidden, spot.unlike = True, (t, face) if scores[best] < OTHER else None
            return None
        if number != current:
            spot.since = t
        spot.faces = [(number, face), *spot.faces][:FACES]
        spot.at, spot.t, spot.hidden, spot.unlike = chip.centre, t, False, None
        return number


def likeness(face: Picture, around: Picture) -> float:
    """Return the highest normalised cross-correlation of a face (n, n, 3) with what a larger piece (m, m, 3) holds."""
    return float(cv2.matchTemplate(around, face, cv2.TM_CCOEFF_NORMED).max())


def _cut(picture: Picture, at: tuple[float, float], half: float) -> Picture:
    """Return the square (n, n, 3) round a place, `half` its side in pixels of the picture, ENLARGED."""
    side = 2 * round(half * ENLARGED) + 1
    middle = (side - 1) / 2
    matrix = np.array([[ENLARGED, 0, middle - ENLARGED * at[0]], [0, ENLARGED, middle - ENLARGED * at[1]]])
    return np.asarray(cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR), np.uint8)


def _plain(chip: Detection, chips: Sequence[Detection], hands: Sequence[tuple[float, float, float, float]]) -> bool:
    """Tell whether a chip lies in plain view: no hand near it, no chip over it or under it."""
    (x, y), radius = chip.centre, chip_radius(chip)
    reach = radius + NEAR
    if any(x0 - reach < x < x1 + reach and y0 - reach < y < y1 + reach for x0, y0, x1, y1 in hands):
        return False
    return not any(other is not chip and math.dist(other.centre, (x, y)) < BESIDE * radius for other in chips)
