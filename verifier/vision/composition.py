"""Which face each card is, given what a reader says of each and how many of each face a deck holds.

An assignment problem: of all ways to name the cards that the composition allows the likeliest one is taken, and a name
is as sure as that way is likelier than the best one without it.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Floats = NDArray[np.float64]
STRANGE: Final = 1e-3
"""Probability that a thing read as a card is none of the deck's: a joker, a card shown twice, a false one. A name that
the reader holds for less likely is not given."""
NEVER: Final = 1e6


def named(logs: Floats, most: int) -> list[tuple[int | None, float]]:
    """For each card its face and the probability of it, at most `most` cards of a face.

    `logs` (cards, faces) are logarithms of probabilities. None: likelier none of the faces, with that probability.
    """
    count, faces = logs.shape
    if not count:
        return []
    costs = np.full((count, faces * most + count), NEVER)
    costs[:, : faces * most] = np.repeat(-logs, most, axis=1)
    costs[np.arange(count), faces * most + np.arange(count)] = -math.log(STRANGE)
    chosen = linear_sum_assignment(costs)[1]
    least = float(costs[np.arange(count), chosen].sum())
    out: list[tuple[int | None, float]] = []
    for card, column in enumerate(chosen):
        face = int(column) // most if column < faces * most else None
        forbidden = slice(face * most, (face + 1) * most) if face is not None else slice(column, column + 1)
        before = costs[card, forbidden].copy()
        costs[card, forbidden] = NEVER
        other = float(costs[linear_sum_assignment(costs)].sum())
        costs[card, forbidden] = before
        out.append((face, 1.0 / (1.0 + math.exp(-min(700.0, max(0.0, other - least))))))
    return out


def most_of_each(cards: int, faces: int = 52) -> int:
    """How often a face may occur among `cards` dealt from full shoes: three standard deviations above its share."""
    share = cards / faces
    return max(1, math.ceil(share + 3 * math.sqrt(share)))
