"""Values as detectors write them: rounded places, and probabilities that fall short of the most they may be."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Point, Quad

_LEAST_P: Final = 0.4


def probability(rng: np.random.Generator, most: float, below: float) -> float:
    """Return a probability that lies `below` under `most` on average."""
    return round(max(_LEAST_P, most - float(rng.exponential(below))), 3)


def point_at(at: NDArray[np.float64]) -> Point:
    """Return a point in pixels, to a hundredth."""
    return (round(float(at[0]), 2), round(float(at[1]), 2))


def quad_at(corners: NDArray[np.float64]) -> Quad:
    """Four corners in pixels, to a hundredth."""
    a, b, c, d = (point_at(corner) for corner in corners)
    return (a, b, c, d)
