"""Runs of times, groups of things that hang together, and pairs of those that are nearest to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def runs_of(times: Sequence[float], gap: float) -> list[tuple[float, float, int]]:
    """(first, last, number of times) of each run of ordered times that lie no farther apart than `gap`."""
    runs: list[list[float]] = []
    for t in times:
        if runs and t - runs[-1][-1] <= gap:
            runs[-1].append(t)
        else:
            runs.append([t])
    return [(run[0], run[-1], len(run)) for run in runs]


def groups_of(items: Iterable[T], linked: Callable[[T, T], bool]) -> list[list[T]]:
    """Return the items in groups: each is in the group of any that it is linked to."""
    groups: list[list[T]] = []
    for item in items:
        mine, others = list[list[T]](), list[list[T]]()
        for group in groups:
            (mine if any(linked(item, other) for other in group) else others).append(group)
        groups = [*others, [*(one for group in mine for one in group), item]]
    return groups


def nearest_first(pairs: Iterable[tuple[float, int, int]]) -> dict[int, int]:
    """Return which of the second kind goes with each of the first; `pairs` have how far they are, and their indexes."""
    found: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in found and j not in found.values():
            found[i] = j
    return found
