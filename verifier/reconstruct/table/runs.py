"""Runs of times: stretches without a longer gap."""

from __future__ import annotations

from collections.abc import Sequence


def runs_of(times: Sequence[float], gap: float) -> list[tuple[float, float, int]]:
    """(first, last, number of times) of each run of ordered times that lie no farther apart than `gap`."""
    runs: list[list[float]] = []
    for t in times:
        if runs and t - runs[-1][-1] <= gap:
            runs[-1].append(t)
        else:
            runs.append([t])
    return [(run[0], run[-1], len(run)) for run in runs]
