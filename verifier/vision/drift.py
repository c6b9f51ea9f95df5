"""Whether the camera has moved: the table's print, rails and tray, followed from a reference picture to now.

Cards, chips, hands and the burned-in clock are masked. Noise is no texture: only corners that stay where they are from
one picture to the next make a reference. Where there are too few of them there is no answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from verifier.domain.layout import Layout
from verifier.domain.observations import Drift, View
from verifier.recording.decode import Picture
from verifier.vision.camera_move import (
    LEAST,
    UNMOVED,
    Move,
    Reference,
    compared,
    corners_of,
    followed,
    moved,
    normalised,
    strengths,
)
from verifier.vision.detection import Detection
from verifier.vision.geometry import Floats

WIDTH: Final = 480
"""Width in pixels at which the picture is compared."""
EVERY: Final = 5.0
AGAIN: Final = 1.0
"""Seconds of media time between measurements while the view is known, and while it is not. So a new view is known
within EVERY plus twice AGAIN, even if one of the pictures that show it is dark or covered."""
RETRIES: Final = 3
"""After so many measurements without an answer the next one comes later: those of blurred pictures cost most."""
RIM: Final = 33
"""Small pixels by which the mask of the table is grown, twice the reach: a moved table must still lie in it."""
STEADY: Final = 0.002
LARGE: Final = 0.08
"""Reach of a move (most moved corner, in picture widths) up to which it is none, and from which it is too large."""
AGREE: Final = 1.0
"""Two measurements agree if they differ by no more than this, in small pixels."""
CLEAR: Final = 0.5
"""Share of the reference's number of corners that a picture must show, at this share of their usual strength at least,
to be called another view and not merely unclear."""


class DriftMeter:
    """Follows the view through one recording: its first clear picture with enough corners is the reference.

    A stretch of a recording is given the `reference` that its beginning had.
    """

    def __init__(self, layout: Layout | None = None, reference: Reference | None = None) -> None:
        self._layout = layout
        self._first: Reference | None = None
        self.reference = reference
        self._due = -math.inf
        self._last: Floats | None = None
        self._misses = 0
        self._spoilt = 0
        self.drift: Drift | None = None
        self.view: View | None = None

    def measure(self, t: float, grey: Picture, found: Sequence[Detection], *, clear: bool = True) -> None:
        """Look at a whole grey picture (h, w) at media time `t` when it is time to, and set `drift` and `view`.

        `clear` is False if the picture cannot be trusted (dark, covered): then both become unknown.
        """
        if t < self._due:
            return
        self.drift, self.view = None, None
        told = clear and self._look(grey, found)
        self._spoilt = 0 if told else self._spoilt + 1
        self._due = t + (AGAIN if self.view is None and self._spoilt <= RETRIES else EVERY)

    def _look(self, grey: Picture, found: Sequence[Detection]) -> bool:
        """Tell whether the picture tells anything of the view; it need not be enough for an answer."""
        small, mask = self._prepared(grey, found)
        if self.reference is not None:
            return self._compare(small, mask, self.reference, (grey.shape[1], grey.shape[0]))
        self._begin(small, mask)
        return True

    def _begin(self, small: Picture, mask: Picture) -> None:
        """Look for a reference: corners that two pictures show at the same places."""
        move = None if self._first is None else followed(self._first, small, mask, UNMOVED)
        if self._first is not None and move is not None and len(move.agreed) >= 2 * LEAST:
            strength = strengths(self._first.picture, move.agreed)
            self.reference = replace(self._first, corners=move.agreed, strength=float(np.median(strength)))
        else:
            self._first = Reference(small, mask, corners_of(small, mask), 0.0)

    def _compare(self, small: Picture, mask: Picture, reference: Reference, size: tuple[int, int]) -> bool:
        """Take a move if the one before agrees with it. Unusable pictures between the two do not matter."""
        move = compared(reference, small, mask, self._last)
        if move is None:
            return self._missed(small, mask, reference)
        self._misses = 0
        known = self._last is not None and _apart(self._last, move.matrix, small.shape) <= AGREE
        self._last = move.matrix
        if known:
            self.drift = _drift(move, size, small.shape[1] / size[0])
            reach = self.drift.reach(size) / size[0]
            self.view = "lost" if reach > LARGE else "shifted" if reach > STEADY else "steady"
        return True

    def _missed(self, small: Picture, mask: Picture, reference: Reference) -> bool:
        """Nothing agrees: another view where the picture shows as much as the reference did, else unknown."""
        strong = strengths(small, corners_of(small, mask)) >= CLEAR * reference.strength
        shows = int(strong.sum()) >= CLEAR * len(reference.corners)
        self._misses = self._misses + 1 if shows else 0
        if self._misses >= 2:
            self.view, self._last = "lost", None
        return shows

    def _prepared(self, grey: Picture, found: Sequence[Detection]) -> tuple[Picture, Picture]:
        """Return the small normalised picture, and a mask (255) of where the table itself is to be seen."""
        height = max(1, round(grey.shape[0] * WIDTH / grey.shape[1]))
        small = np.asarray(cv2.resize(grey, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
        scale = WIDTH / grey.shape[1]
        mask = self._table(height, scale)
        quads = [seen.quad for seen in found]
        if self._layout is not None and self._layout.zones.clock is not None:
            quads.append(np.asarray(self._layout.zones.clock, np.float32))
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad * scale).astype(np.int32), 0)
        mask = np.asarray(cv2.erode(mask, np.ones((9, 9), np.uint8)), np.uint8)
        mask[:4], mask[-4:], mask[:, :4], mask[:, -4:] = 0, 0, 0, 0
        return normalised(small), mask

    def _table(self, height: int, scale: float) -> Picture:
        """Return a mask of the table, where a layout tells it: what lies around it is at another depth or no part of
        it.
        """
        if self._layout is None:
            return np.full((height, WIDTH), 255, np.uint8)
        zones, areas = self._layout.zones, self._layout.areas.values()
        parts = [zones.dealer, zones.inner, zones.shoe, zones.discard, zones.tray, *areas]
        points = np.concatenate([np.asarray(part, np.float32) * scale for part in parts if part is not None])
        mask = np.zeros((height, WIDTH), np.uint8)
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(points)[:, 0]).astype(np.int32), 255)
        return np.asarray(cv2.dilate(mask, np.ones((RIM, RIM), np.uint8)), np.uint8)


def _apart(one: Floats, other: Floats, shape: tuple[int, ...]) -> float:
    """How far apart two moves put the picture's corners, at most."""
    height, width = shape[:2]
    corners = np.asarray([(0, 0), (width, 0), (0, height), (width, height)], np.float32)
    return float(np.linalg.norm(moved(corners, one) - moved(corners, other), axis=1).max())


def _drift(move: Move, size: tuple[int, int], scale: float) -> Drift:
    """Return a move about the picture's middle, in pixels of the original frame."""
    matrix = move.matrix.astype(np.float64)
    middle = np.asarray(size, np.float64) * scale / 2
    shift = (matrix[:, :2] @ middle + matrix[:, 2] - middle) / scale
    p = min(0.99, 1.0 - math.exp(-len(move.agreed) * move.share / 6.0))
    return Drift(
        dx=round(float(shift[0]), 2),
        dy=round(float(shift[1]), 2),
        roll=round(math.degrees(math.atan2(matrix[1, 0], matrix[0, 0])), 3),
        scale=round(float(math.hypot(matrix[0, 0], matrix[1, 0])), 5),
        p=round(p, 3),
    )
