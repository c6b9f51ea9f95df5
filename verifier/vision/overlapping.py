"""How many cards lie at a found box: a network sees more than the box, and its count is held against what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from verifier.vision.geometry import Floats

MOST: Final = 4
"""The highest count that the network tells: so many cards or more."""
FOUND: Final = 0.03
"""Another found card counts if it shares as much with a box, as a share of the smaller of both.

The network was taught cards that share a tenth. Less is asked for here: a box that is a little off still counts.
"""


def shared(one: Floats, other: Floats) -> float:
    """Return what two boxes (4, 2) have in common, as a share of the smaller of both."""
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    common = float(cv2.intersectConvexConvex(a, b)[0])
    return common / max(1e-6, min(float(cv2.contourArea(a)), float(cv2.contourArea(b))))


def found_at(quad: Floats, quads: Sequence[Floats]) -> int:
    """Return how many of the boxes of cards found face up lie at one of them, itself included."""
    return sum(shared(quad, other) >= FOUND for other in quads)


def more_than(counts: Mapping[str, float], found: int) -> float:
    """Return the probability that more cards lie there than were found, of the probabilities of 1 .. MOST."""
    return sum(p for number, p in counts.items() if int(number) > found)
