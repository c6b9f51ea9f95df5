"""Looks at chips that lie close at a larger scale: their number decides what was wagered and paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.sparse.csgraph import connected_components

from verifier.vision.geometry import Bounds, Floats

NEARER: Final = 4 / 3
"""The network gets such chips so many times larger than the rest, if the picture has enough pixels."""
WINDOW: Final = 256
"""Side in the network's pixels of the square that is looked at."""
RIM: Final = 0.06
"""Chips in this share of the square at each edge are not taken, because they may be cut."""
TOUCHING: Final = 1.25
"""Two chips lie close if their middles are at most so many diameters apart."""


def windows(centres: Floats, diameters: Floats, span: int, size: tuple[int, int]) -> list[Bounds]:
    """Squares of `span` pixels in a picture (w, h) about groups of chips (n, 2), (n,) that lie close; none for others.

    A group that lies in the square of one before gets no square of its own.
    """
    out: list[Bounds] = []
    for group in _groups(centres, diameters):
        low, high = centres[group].min(axis=0), centres[group].max(axis=0)
        if any(within(low, square) and within(high, square) for square in out):
            continue
        x, y = (
            int(min(max(0.0, (a + b) / 2 - span / 2), max(0, limit - span)))
            for a, b, limit in zip(low.tolist(), high.tolist(), size, strict=True)
        )
        out.append((x, y, min(x + span, size[0]), min(y + span, size[1])))
    return out


def within(point: Sequence[float] | Floats, square: Bounds) -> bool:
    """Tell whether a point lies in a square and not at its rim."""
    rim = RIM * (square[2] - square[0])
    x, y = float(point[0]), float(point[1])
    return square[0] + rim <= x <= square[2] - rim and square[1] + rim <= y <= square[3] - rim


def _groups(centres: Floats, diameters: Floats) -> list[list[int]]:
    """Numbers of the chips that lie close to one another, two and more together."""
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    close = apart <= TOUCHING * (diameters[:, None] + diameters[None]) / 2
    _, labels = connected_components(close, directed=False)
    groups = [np.flatnonzero(labels == label).tolist() for label in np.unique(labels)]
    return [group for group in groups if len(group) > 1]
