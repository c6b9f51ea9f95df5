"""Long tests begin first in each process, whole files together, and no test is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from order_of_tests import spread


class Item:
    """What `spread` asks of a test: its file, and whether it has a mark."""

    def __init__(self, file: str, number: int, *, slow: bool = False) -> None:
        self.path, self.number, self.slow = Path(file), number, slow

    def get_closest_marker(self, name: str) -> object:
        return object() if self.slow and name == "slow" else None


@pytest.mark.parametrize("processes", [1, 2, 3, 4, 7])
def test_each_process_begins_with_its_share_of_the_long_files(processes: int) -> None:
    long = [Item(f"long{file}.py", number, slow=True) for file in range(5) for number in range(3)]
    quick = [Item(f"quick{file}.py", number) for file in range(9) for number in range(11)]
    items: list[Any] = [*quick[:50], *long, *quick[50:]]
    told = spread(items, processes)
    assert sorted(map(id, told)) == sorted(map(id, items))
    begin, files = 0, []
    for number in range(processes):
        size = (len(items) - begin) // (processes - number)
        slow = [item.slow for item in told[begin : begin + size]]
        assert slow == sorted(slow, reverse=True)
        files += [{item.path for item in told[begin : begin + size] if item.slow}]
        begin += size
    assert max(map(len, files)) - min(map(len, files)) <= 1
    assert sum(map(len, files)) == 5


def test_tests_without_marks_keep_their_places() -> None:
    items: list[Any] = [Item("quick.py", number) for number in range(10)]
    assert spread(items, 4) == items
