"""Poker logs that end amid a hand: whether the pot was awarded is open, and nobody is accused."""

from __future__ import annotations

import pytest
from poker_script import CALLED, RIVER, judged, verdict, violations


@pytest.mark.parametrize(
    ("script", "open_"),
    [
        (CALLED, True),
        (f"{RIVER}; show 1 9s 9d; show 2 Qs Jc; show 3 7c 2d", True),
        (f"{RIVER}; show 1 9s 9d; show 2 Qs Jc; show 3 7c 2d; award 1 300", False),
    ],
    ids=["amid the betting", "after the showdown", "with the award"],
)
def test_a_pot_that_was_not_awarded_when_the_log_ended_is_open(script: str, open_: bool) -> None:
    report = judged(script)
    assert not violations(report)
    assert (verdict(report, "26-dealer-awards") == "undetermined") is open_
