"""Lawful play breaks no clause, and each planted breach exactly its own, by the law's reading of the truth."""

from __future__ import annotations

from collections import Counter

import pytest

from verifier.domain import events
from verifier.domain.errors import BadInput
from verifier.domain.findings import Finding
from verifier.law.judge import judge
from verifier.simulate.deviations import STAGEABLE, agreeing
from verifier.simulate.perform import Performance, perform


def violations(performance: Performance) -> list[Finding]:
    return [finding for finding in judge(performance.events).findings if finding.verdict == "violation"]


@pytest.mark.parametrize("seed", range(8000, 8012))
def test_lawful_play_breaks_nothing_and_leaves_nothing_open(seed: int) -> None:
    """Whole shoes' worth of variety, no violation and nothing undetermined."""
    found = judge(perform(seed, rounds=5).events).findings
    assert [(one.clause, one.round, one.observed) for one in found] == []


@pytest.mark.parametrize("clause", STAGEABLE)
def test_a_planted_breach_breaks_exactly_its_clause(clause: str) -> None:
    performance = perform(9000, rounds=2, deviations=[clause])
    (planted,) = performance.deviations
    found = violations(performance)
    assert found
    assert [one.clause for one in found if clause not in (one.clause, *one.also)] == []
    near = [one for one in found if one.round in (planted.round, None) or planted.round is None]
    assert near
    assert 0.0 <= planted.t_start < planted.t_end <= performance.duration


def test_at_least_sixty_clauses_can_be_planted() -> None:
    assert len(STAGEABLE) >= 60


def test_many_breaches_in_one_shift_are_all_found() -> None:
    clauses = [
        "ND-08-11.16.a-fan-direction",
        "ND-08-10.2-left-hand-draw",
        "ND-08-07.3.b-fan-buyin",
        "ND-08-11.13-tap-push",
        "ND-08-11.18.b-equal-value",
        "ND-08-09.1-excess-returned",
    ]
    performance = perform(9100, rounds=8, deviations=clauses)
    said = {clause for one in violations(performance) for clause in (one.clause, *one.also)}
    assert {planted.clause for planted in performance.deviations} == {*clauses} <= said


def test_breaches_that_need_different_houses_are_refused() -> None:
    with pytest.raises(BadInput, match="tip_betting"):
        perform(1, deviations=["ND-08-09.2.a-tip-permitted", "ND-08-11.14-tip-wins"])


def test_clauses_that_need_another_house_than_those_before_them_are_left_out() -> None:
    wanted = ["ND-08-09.2.a-tip-permitted", "ND-08-11.14-tip-wins", "ND-08-11.13-tap-push"]
    assert agreeing(wanted) == ("ND-08-09.2.a-tip-permitted", "ND-08-11.13-tap-push")


def test_a_long_shift_has_shoes_dealers_cash_and_idle_time() -> None:
    performance = perform(77, rounds=1, minutes=40.0)
    log = performance.events.events
    names = Counter(event.name for event in log)
    assert performance.duration >= 40 * 60
    assert {event.shoe for event in log} >= {1, 2}
    assert len({event.dealer for event in log}) >= 2
    assert names["currency_spread"] and names["currency_dropped"] == names["currency_spread"]
    assert any(isinstance(event, events.IndicatorCard) and event.action == "appeared" for event in log)
    ends = sorted((event.t_start, event.t_end) for event in log)
    latest, longest = 0.0, 0.0
    for start, end in ends:
        longest, latest = max(longest, start - latest), max(latest, end)
    assert longest > 10.0
    assert violations(performance) == []
