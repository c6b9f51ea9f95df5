"""Whether the camera has moved: the table's print, rails and tray, followed from a reference picture to now.

Corners of the reference picture (Shi and Tomasi 1994) are followed into the picture of now with the pyramidal
Lucas-Kanade method (Bouguet 2001), there and back; a similarity is fitted to them with RANSAC. Where the view jumped
too far for that, ORB features (Rublee et al. 2011) are matched first. Cards, chips, hands and the burned-in clock are
masked; light is taken out by local normalisation. Noise is no texture: only corners that stay where they are from one
picture to the next make a reference. Where there are too few of them there is no answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from verifier.domain.layout import Layout
from verifier.domain.observations import Drift, View
from verifier.vision.decode import Picture
from verifier.vision.detector import Detection
from verifier.vision.geometry import Floats

WIDTH: Final = 480
"""Width in pixels at which the picture is compared."""
EVERY: Final = 5.0
AGAIN: Final = 1.0
"""Seconds of media time between measurements; after one that differs from the last, to confirm it."""
POINTS: Final = 160
LEAST: Final = 14
"""Corners followed; the least of them that must agree. Below, the answer is unknown."""
LEAST_SHARE: Final = 0.35
BACK: Final = 0.5
"""A corner followed there and back must return to within this many small pixels."""
FIT: Final = 0.8
"""Distance from the fitted move, in small pixels, within which a corner agrees with it."""
SPREAD: Final = 0.12
"""The agreeing corners must spread (standard deviation) over at least this share of the picture's width and height."""
RIM: Final = 33
"""Small pixels by which the mask of the table is grown, twice the reach: a moved table must still lie in it."""
STEADY: Final = 0.002
LARGE: Final = 0.08
"""Reach of a move (most moved corner, in picture widths) up to which it is none, and from which it is too large."""
AGREE: Final = 1.0
"""Two measurements say the same within this reach in small pixels."""
CLEAR: Final = 0.5
"""Share of the reference's number of corners that a picture must show, at this share of their usual strength at least,
to be called another view and not merely unclear."""

STAY: Final = np.eye(2, 3, dtype=np.float32)
STOP: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 15, 0.02)


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """What the view is compared with: the normalised picture (h, w) and its corners (n, 2) in small pixels.

    `strength` is the corners' usual one (the smaller eigenvalue of their gradients).
    """

    picture: Picture
    mask: Picture
    corners: Floats
    strength: float


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A similarity (2, 3) from reference to now, in small pixels; `agreed` corners (n, 2) and their share of all."""

    matrix: Floats
    share: float
    agreed: Floats


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
        self.drift: Drift | None = None
        self.view: View | None = None

    def measure(self, t: float, grey: Picture, found: Sequence[Detection], *, clear: bool = True) -> None:
        """Looks at a whole grey picture (h, w) at media time `t` when it is time to; sets `drift` and `view`.

        `clear` is False where the picture cannot be trusted (dark, covered): then both become unknown.
        """
        if t < self._due:
            return
        self._due = t + EVERY
        if not clear:
            self._unknown()
            return
        small, mask = self._prepared(grey, found)
        if self.reference is None:
            self._begin(t, small, mask)
        else:
            self._compare(t, small, mask, self.reference, (grey.shape[1], grey.shape[0]))

    def _begin(self, t: float, small: Picture, mask: Picture) -> None:
        """Looks for a reference: corners that two pictures show at the same places."""
        self._due = t + AGAIN
        move = None if self._first is None else _followed(self._first, small, mask, STAY)
        if self._first is not None and move is not None and len(move.agreed) >= 2 * LEAST:
            strength = _strengths(self._first.picture, move.agreed)
            self.reference = replace(self._first, corners=move.agreed, strength=float(np.median(strength)))
        else:
            self._first = Reference(small, mask, _corners(small, mask), 0.0)

    def _compare(self, t: float, small: Picture, mask: Picture, reference: Reference, size: tuple[int, int]) -> None:
        move = compared(reference, small, mask, self._last)
        if move is None:
            self._missed(t, small, mask, reference)
            return
        self._misses = 0
        known = self._last is not None and _apart(self._last, move.matrix, small.shape) <= AGREE
        self._last = move.matrix
        if not known:
            self._due = t + AGAIN
            self._unknown(keep=True)
            return
        self.drift = _drift(move, size, small.shape[1] / size[0])
        reach = self.drift.reach(size) / size[0]
        self.view = "lost" if reach > LARGE else "shifted" if reach > STEADY else "steady"

    def _missed(self, t: float, small: Picture, mask: Picture, reference: Reference) -> None:
        """Nothing agrees: another view where the picture shows as much as the reference did, else unknown."""
        strong = _strengths(small, _corners(small, mask)) >= CLEAR * reference.strength
        shows = int(strong.sum()) >= CLEAR * len(reference.corners)
        self._misses = self._misses + 1 if shows else 0
        self._unknown()
        if self._misses >= 2:
            self.view = "lost"
        elif shows:
            self._due = t + AGAIN

    def _unknown(self, *, keep: bool = False) -> None:
        self.drift, self.view = None, None
        if not keep:
            self._last = None

    def _prepared(self, grey: Picture, found: Sequence[Detection]) -> tuple[Picture, Picture]:
        """The small normalised picture, and a mask (255) of where the table itself is to be seen."""
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
        """A mask of the table, where a layout tells: what lies round it is at another depth or no part of it."""
        if self._layout is None:
            return np.full((height, WIDTH), 255, np.uint8)
        zones, spaces = self._layout.zones, self._layout.spaces.values()
        parts = [zones.dealer, zones.inner, zones.shoe, zones.discard, zones.tray, *(space.area for space in spaces)]
        points = np.concatenate([np.asarray(part, np.float32) * scale for part in parts if part is not None])
        mask = np.zeros((height, WIDTH), np.uint8)
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(points)[:, 0]).astype(np.int32), 255)
        return np.asarray(cv2.dilate(mask, np.ones((RIM, RIM), np.uint8)), np.uint8)


def normalised(grey: Picture) -> Picture:
    """A grey picture without its light: each pixel against the mean and spread around it; 128 is the mean."""
    values = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    mean = cv2.boxFilter(values, -1, (25, 25))
    spread = np.sqrt(np.maximum(cv2.boxFilter(values * values, -1, (25, 25)) - mean * mean, 0.0))
    return np.asarray(np.clip(128.0 + 45.0 * (values - mean) / (spread + 8.0), 0, 255), np.uint8)


def compared(reference: Reference, small: Picture, mask: Picture, last: Floats | None) -> Move | None:
    """The move from the reference to `small`; None where too little agrees to tell."""
    guesses = [last] if last is not None else []
    for guess in (*guesses, STAY):
        move = _followed(reference, small, mask, guess)
        if move is not None:
            return move
    jump = _matched(reference, small, mask)
    return None if jump is None else _followed(reference, small, mask, jump)


def _followed(reference: Reference, small: Picture, mask: Picture, guess: Floats) -> Move | None:
    start = reference.corners
    if len(start) < LEAST:
        return None
    ahead = np.asarray(_moved(start, guess), np.float32)
    there, found = _follow(reference.picture, small, start, ahead)
    inside = (found[:, 0] > 0) & _free(there, mask)
    start, there = start[inside], there[inside]
    if len(start) < LEAST:
        return None
    back, found = _follow(small, reference.picture, there, start)
    true = (found[:, 0] > 0) & (np.linalg.norm(back - start, axis=1) < BACK)
    return _fitted(start[true], there[true], FIT, int(inside.sum()))


def _follow(one: Picture, other: Picture, points: Floats, guess: Floats) -> tuple[Floats, Floats]:
    """Where (n, 2) points of one picture are in the other, looked for round `guess`, and whether each was found."""
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one,
        other,
        points,
        guess.copy(),
        winSize=(17, 17),
        maxLevel=3,
        criteria=STOP,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.asarray(there, np.float32), np.asarray(found, np.float32)


def _matched(reference: Reference, small: Picture, mask: Picture) -> Floats | None:
    """A coarse move by matching ORB features anywhere in the picture."""
    orb = cv2.ORB.create(600)
    before, words = orb.detectAndCompute(reference.picture, reference.mask)
    after, others = orb.detectAndCompute(small, mask)
    if words is None or others is None or len(after) < LEAST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(words, others, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
    start = np.asarray([before[one.queryIdx].pt for one in good], np.float32).reshape(-1, 2)
    there = np.asarray([after[one.trainIdx].pt for one in good], np.float32).reshape(-1, 2)
    move = _fitted(start, there, 2.5, 0)
    return None if move is None else move.matrix


def _fitted(start: Floats, there: Floats, reach: float, of: int) -> Move | None:
    """The similarity that most pairs agree on; None where they are few, close together, or of `of` a small share."""
    if len(start) < LEAST:
        return None
    matrix, agree = cv2.estimateAffinePartial2D(
        start, there, method=cv2.RANSAC, ransacReprojThreshold=reach, maxIters=500, confidence=0.995
    )
    if matrix is None:
        return None
    inliers = start[agree[:, 0] > 0]
    extent = start.max(0) - start.min(0)
    n = len(inliers)
    wide = n >= LEAST and bool((inliers.std(0) >= SPREAD * np.maximum(extent, 40.0)).all())
    if not wide or n < LEAST_SHARE * of or not 0.5 < float(np.linalg.norm(matrix[:, 0])) < 2.0:
        return None
    return Move(np.asarray(matrix, np.float32), n / max(of, n), np.asarray(inliers, np.float32))


def _corners(small: Picture, mask: Picture) -> Floats:
    found = cv2.goodFeaturesToTrack(small, POINTS, 0.03, 8, mask=mask, blockSize=5)
    return np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)


def _strengths(small: Picture, corners: Floats) -> Floats:
    """(n,) the smaller eigenvalue of the gradients at each corner."""
    strength = cv2.cornerMinEigenVal(small, 5)
    at = np.round(corners).astype(int)
    return np.asarray(strength[at[:, 1], at[:, 0]], np.float32)


def _free(points: Floats, mask: Picture) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether points lie in the picture and on nothing that is masked."""
    at = np.round(points).astype(int)
    height, width = mask.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
    clipped = np.clip(at, 0, (width - 1, height - 1))
    return np.asarray(inside & (mask[clipped[:, 1], clipped[:, 0]] > 0))


def _moved(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)


def _apart(one: Floats, other: Floats, shape: tuple[int, ...]) -> float:
    """How far apart two moves put the picture's corners, at most."""
    height, width = shape[:2]
    corners = np.asarray([(0, 0), (width, 0), (0, height), (width, height)], np.float32)
    return float(np.linalg.norm(_moved(corners, one) - _moved(corners, other), axis=1).max())


def _drift(move: Move, size: tuple[int, int], scale: float) -> Drift:
    """A move about the picture's middle, in pixels of the original frame."""
    matrix = move.matrix.astype(np.float64)
    middle = np.asarray(size, np.float64) * scale / 2
    shift = (matrix[:, :2] @ middle + matrix[:, 2] - middle) / scale
    p = min(0.99, 1.0 - math.exp(-len(move.agreed) * move.share / 6.0))
    return Drift(
        dx=round(float(shift[0]), 2), dy=round(float(shift[1]), 2),
        roll=round(math.degrees(math.atan2(matrix[1, 0], matrix[0, 0])), 3),
        scale=round(float(math.hypot(matrix[0, 0], matrix[1, 0])), 5), p=round(p, 3),
    )  # fmt: skip
