"""kill -9 at random moments of storing, exporting and a second review: the old or the new is there, nothing is lost.

`benchmarks/kill_anywhere.py` does the same more often.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from killing import kill_anywhere

KILLS = 9


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_and_falsifies_nothing(tmp_path: Path) -> None:
    met = kill_anywhere(tmp_path / "at", KILLS, seed=41)
    assert met.total() >= KILLS // 3, "some of them were in the middle"
