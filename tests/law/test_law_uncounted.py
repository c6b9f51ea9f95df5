"""A stack seen from above that was never spread: a detector's log does not ask what nobody could count."""

from __future__ import annotations

from law_build import Log, hand_out, named

RANGE = "ND-08-09.1-range-1-25"
RECORDING = "0" * 64


def at_the_limit(seen: int) -> Log:
    """Space 2 loses a stack whose top shows `seen` cents."""
    log = hand_out("Th Jd 8s 7c 7h Td", {2: 2500, 4: 700})
    log.change(log.one("wager_placed", at="space:2"), cents=seen, lower_bound=True)
    return log


def test_a_stack_that_shows_the_limit_is_open_in_an_annotated_log_only() -> None:
    assert RANGE in named(at_the_limit(2500).judge(), "undetermined")
    assert RANGE not in named(at_the_limit(2500).judge(video=RECORDING), "undetermined")


def test_a_stack_that_shows_more_than_the_limit_is_a_breach_in_either() -> None:
    for video in (None, RECORDING):
        assert "ND-08-09.1-excess-returned" in named(at_the_limit(3000).judge(video=video))
