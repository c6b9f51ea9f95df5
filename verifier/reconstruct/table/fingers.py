"""What a hand's 21 keypoints (MediaPipe's order, millimetres) tell of its fingers. Unsure keypoints are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from verifier.domain.observations import Keypoint
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.zones import Xy, distance

WRIST: Final = 0
FINGERS: Final = ((5, 6, 8), (9, 10, 12), (13, 14, 16), (17, 18, 20))
"""Knuckle, middle joint and tip of the index, middle, ring and little finger."""


def stretched(points: Sequence[Keypoint]) -> tuple[bool | None, ...]:
    """Tell whether index, middle, ring and little finger are stretched; None where a finger's keypoints are unsure."""
    return tuple(_stretched(points, joint, tip) for _, joint, tip in FINGERS)


def _stretched(points: Sequence[Keypoint], joint: int, tip: int) -> bool | None:
    if min(points[i][2] for i in (WRIST, joint, tip)) < par.SURE_POINT_P:
        return None
    wrist = points[WRIST][:2]
    return distance(points[tip][:2], wrist) > par.FINGER_STRETCHED * distance(points[joint][:2], wrist)


def fingertip(points: Sequence[Keypoint]) -> Xy | None:
    """Return the point that a hand touches with: the middle of its stretched fingers' tips; None where none is surely
    so.
    """
    tips = [points[tip] for (_, _, tip), out in zip(FINGERS, stretched(points), strict=True) if out]
    return centre(tips)


def centre(points: Sequence[Keypoint]) -> Xy | None:
    """Return the middle of the sure keypoints; None where there is none."""
    sure = [(x, y) for x, y, p in points if p >= par.SURE_POINT_P]
    if not sure:
        return None
    return sum(x for x, _ in sure) / len(sure), sum(y for _, y in sure) / len(sure)


def shows_two(points: Sequence[Keypoint]) -> bool | None:
    """Tell whether the index and middle fingers alone are stretched, whatever the thumb does; None where unsure."""
    index, middle, ring, little = stretched(points)
    if False in (index, middle) or True in (ring, little):
        return False
    return True if index and middle and ring is False and little is False else None
