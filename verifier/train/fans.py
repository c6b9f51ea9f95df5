"""Fanned rows of chips: which there are, and whether exactly their chips were found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import ChipSeen

NEAREST, FARTHEST = 0.3, 0.95
"""Distance of neighbours in a row, in diameters: they overlap, but are no stack."""
BEND: Final = 0.2
"""Diameters that a chip of a row may lie off the row's line."""
MOST: Final = 5
Circle = tuple[float, float, float]
"""Centre and radius."""


def rows(chips: Sequence[Circle]) -> list[list[int]]:
    """Numbers of the chips of each fanned row of 2 to MOST: straight, each overlapping the next, touching no others."""
    if not chips:
        return []
    table = np.asarray(chips, dtype=np.float64)
    near = _neighbours(table)
    return [group for group in _groups(near) if 2 <= len(group) <= MOST and _is_row(table[group])]


def exact(row: Sequence[int], chips: Sequence[Circle], seen: Sequence[Circle]) -> bool:
    """Tell whether as many chips were seen in the row as it has: those that lie nearest to a chip of it, within a
    radius.
    """
    if not seen:
        return False
    true, found = np.asarray(chips, dtype=np.float64), np.asarray(seen, dtype=np.float64)
    away = np.hypot(*(found[:, None, :2] - true[None, :, :2]).transpose(2, 0, 1))
    nearest = away.argmin(1)
    within = away.min(1) <= true[nearest, 2]
    return int((within & np.isin(nearest, row)).sum()) == len(row)


def circles(chips: Sequence[ChipSeen]) -> list[Circle]:
    """Centres and radii of chips."""
    return [(*chip.center, chip.radius) for chip in chips]


def _neighbours(table: NDArray[np.float64]) -> NDArray[np.bool_]:
    away = np.hypot(*(table[:, None, :2] - table[None, :, :2]).transpose(2, 0, 1))
    across = table[:, None, 2] + table[None, :, 2]
    near = away <= FARTHEST * across
    np.fill_diagonal(near, False)
    return np.asarray(near)


def _groups(near: NDArray[np.bool_]) -> list[list[int]]:
    left, out = set(range(len(near))), []
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = {int(j) for i in edge for j in np.flatnonzero(near[i])} - group
        left -= group
        out.append(sorted(group))
    return out


def _is_row(table: NDArray[np.float64]) -> bool:
    middle = table[:, :2].mean(0)
    _, _, axes = np.linalg.svd(table[:, :2] - middle)
    along, off = (table[:, :2] - middle) @ axes.T[:, 0], (table[:, :2] - middle) @ axes.T[:, 1]
    across = 2 * float(table[:, 2].mean())
    steps = np.diff(np.sort(along))
    return bool(np.abs(off).max() <= BEND * across and steps.min() >= NEAREST * across)
