"""Which face each card is, given what a reader says of each and how many of each face a deck holds.

This is an assignment problem. Of all ways to name the cards that the composition allows, the likeliest one is taken.
A name is the surer, the likelier that way is than the best way without this name.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Floats = NDArray[np.float64]
STRANGE: Final = 1e-3
"""Probability that a thing read as a card is not of the deck: a joker, a card shown twice, a false positive. A name
that the reader holds for less likely is not given."""
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
    columns = linear_sum_assignment(costs)[1]
    chosen = np.where(columns < faces * most, columns // most, faces)
    costs = np.hstack([-logs, np.full((count, 1), -math.log(STRANGE))])
    apart = _apart(costs, chosen, most)
    moves = costs - costs[np.arange(count), chosen][:, None] + apart[:, chosen].T
    moves[np.arange(count), chosen] = np.inf
    return [
        (int(face) if face < faces else None, 1.0 / (1.0 + math.exp(-min(700.0, max(0.0, float(least))))))
        for face, least in zip(chosen, moves.min(axis=1), strict=True)
    ]


def _apart(costs: Floats, chosen: NDArray[np.int64], most: int) -> Floats:
    """(faces + 1, faces + 1) what it costs at least that a face has one card more and another face one card less.

    `costs` (cards, faces + 1) are those of all names, the last one for none of the faces; `chosen` (cards,) is the
    cheapest way to give them. Cards move from face to face, by the shortest path (Floyd and Warshall).
    """
    nodes = costs.shape[1]
    apart = np.full((nodes, nodes), np.inf)
    for face in range(nodes):
        those = chosen == face
        if those.any():
            apart[face] = np.minimum(apart[face], (costs[those] - costs[those, face][:, None]).min(axis=0))
            apart[-1, face] = min(apart[-1, face], 0.0)  # one card less needs none in its place
        if those.sum() < most:
            apart[face, -1] = min(apart[face, -1], 0.0)  # there is room for one card more
    np.fill_diagonal(apart, 0.0)
    for by in range(nodes):
        apart = np.minimum(apart, apart[:, by, None] + apart[by])
    return apart


def most_of_each(cards: int, faces: int = 52) -> int:
    """How often a face may occur among `cards` dealt from full shoes: three standard deviations above its share."""
    share = cards / faces
    return max(1, math.ceil(share + 3 * math.sqrt(share)))
