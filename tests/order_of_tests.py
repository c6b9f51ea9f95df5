"""In which order the tests run, where several processes share them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import pytest


def spread(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests so that each process begins with its share of the files with marks, and goes on with others.

    pytest-xdist gives each process a stretch of the list, all of one length, and whoever is done takes from the others.
    """
    marked = [item for item in items if any(item.get_closest_marker(name) for name in ("slow", "browser", "cluster"))]
    long = set(marked)
    quick = [item for item in items if item not in long]
    stretches: list[list[pytest.Item]] = [[] for _ in range(processes)]
    for number, (_, together) in enumerate(groupby(marked, key=lambda item: item.path)):
        stretches[number % processes] += together
    left = len(items)
    for number, stretch in enumerate(stretches):
        size = left // (processes - number)
        more = max(0, size - len(stretch))
        stretch += quick[:more]
        del quick[:more]
        left -= len(stretch)
    return [*(item for stretch in stretches for item in stretch), *quick]
