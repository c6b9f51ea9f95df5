"""How far a picture has moved against another: a similarity transform on which tracked corners agree.

Corners of the reference picture (Shi and Tomasi 1994) are followed into the picture of now with the pyramidal
Lucas-Kanade method (Bouguet 2001), there and back; a similarity is fitted to them with RANSAC. Where the view jumped
too far for that, ORB features (Rublee et al. 2011) are matched first. Light is taken out by local normalisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.geometry import Floats

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
UNMOVED: Final = np.eye(2, 3, dtype=np.float32)
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


def normalised(grey: Picture) -> Picture:
    """Return a grey picture without its light: each pixel relative to mean and spread around it; 128 is the mean."""
    values = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    mean = cv2.boxFilter(values, -1, (25, 25))
    spread = np.sqrt(np.maximum(cv2.boxFilter(values * values, -1, (25, 25)) - mean * mean, 0.0))
    return np.asarray(np.clip(128.0 + 45.0 * (values - mean) / (spread + 8.0), 0, 255), np.uint8)


def compared(reference: Reference, small: Picture, mask: Picture, last: Floats | None) -> Move | None:
    """Return the move from the reference to `small`; None if too few corners agree."""
    guesses = [last] if last is not None else []
    for guess in (*guesses, UNMOVED):
        move = followed(reference, small, mask, guess)
        if move is not None:
            return move
    jump = _matched(reference, small, mask)
    return None if jump is None else followed(reference, small, mask, jump)


def followed(reference: Reference, small: Picture, mask: Picture, guess: Floats) -> Move | None:
    """Return the move from the reference to `small` that its corners take, looked for round `guess` (2, 3)."""
    start = reference.corners
    if len(start) < LEAST:
        return None
    ahead = np.asarray(moved(start, guess), np.float32)
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
    """Return a coarse move by matching ORB features anywhere in the picture."""
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
    """Return the similarity that most pairs agree on; None if the pairs are few, close together, or a small share of
    `of`.
    """
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


def corners_of(small: Picture, mask: Picture) -> Floats:
    """(n, 2) corners of a normalised picture where the mask lets them be, at most POINTS."""
    found = cv2.goodFeaturesToTrack(small, POINTS, 0.03, 8, mask=mask, blockSize=5)
    return np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)


def strengths(small: Picture, corners: Floats) -> Floats:
    """(n,) the smaller eigenvalue of the gradients at each corner."""
    strength = cv2.cornerMinEigenVal(small, 5)
    at = np.round(corners).astype(int)
    return np.asarray(strength[at[:, 1], at[:, 0]], np.float32)


def _free(points: Floats, mask: Picture) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Tell whether points lie in the picture and on nothing that is masked."""
    at = np.round(points).astype(int)
    height, width = mask.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
    clipped = np.clip(at, 0, (width - 1, height - 1))
    return np.asarray(inside & (mask[clipped[:, 1], clipped[:, 0]] > 0))


def moved(points: Floats, matrix: Floats) -> Floats:
    """(n, 2) points after a similarity (2, 3)."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)
