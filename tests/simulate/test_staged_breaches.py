"""Breaches that are staged together break what was planted and nothing else, by the law's reading of the truth."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace
from typing import Any

import pytest

from verifier.domain import events
from verifier.domain.cards import Card
from verifier.domain.errors import BadInput
from verifier.law.judge import judge
from verifier.simulate.deviations import STAGEABLE, agreeing
from verifier.simulate.perform import Performance, perform
from verifier.simulate.play.plants.taking import natural_unpaid_until_drawn
from verifier.simulate.play.steps import Pay, Reveal


def broken_besides(performance: Performance) -> list[tuple[str, int | None, str]]:
    """Violations that are no planted breach, and planted breaches that are no violation."""
    planted = {deviation.clause for deviation in performance.deviations}
    found = [finding for finding in judge(performance.events).findings if finding.verdict == "violation"]
    said = {clause for finding in found for clause in (finding.clause, *finding.also)}
    others = [(one.clause, one.round, one.observed) for one in found if not planted & {one.clause, *one.also}]
    return others + [(clause, None, "not found") for clause in sorted(planted - said)]


def left_lying(performance: Performance) -> list[Any]:
    """Cards, chips and notes that nobody has taken when the recording ends."""
    stage = performance._stage
    return [body for body in (*stage.cards, *stage.chips, *stage.bills) if not math.isfinite(body.gone)]


@pytest.mark.parametrize("seed", range(24))
def test_breaches_staged_together_break_exactly_their_clauses(seed: int) -> None:
    rng = random.Random(seed)
    wanted = agreeing(rng.sample(STAGEABLE, 2))
    performance = perform(seed, rounds=4, deviations=wanted, spaces=rng.randint(4, 7))
    assert {deviation.clause for deviation in performance.deviations} == {*wanted}
    assert broken_besides(performance) == []
    assert left_lying(performance) == []


CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("all players bust, so that none is left for the dealer's turn",
     {"seed": 161408, "rounds": 2, "spaces": 4, "deviations": ["ND-08-11.6-bust-cards-discard"]}),
    ("insurance still lies when the late bust is taken",
     {"seed": 26257, "rounds": 2, "spaces": 6, "deviations": [
         "ND-08-09.2.d-double-amount", "ND-08-11.6-bust-collect-now", "ND-08-11.10.g-stand-17"]}),
    ("a bust that is held aside is taken before the late one",
     {"seed": 445007, "rounds": 1, "spaces": 6, "deviations": ["ND-08-11.6-bust-collect-now"]}),
    ("insurance still lies when the dealer's second card comes too soon",
     {"seed": 652938, "rounds": 3, "spaces": 5, "shift_change": False, "deviations": [
         "ND-08-10.1.b-no-second-card-early"]}),
    ("a burn that was forgotten is not made up for by the next dealer's",
     {"seed": 154652, "rounds": 1, "spaces": 2, "deviations": ["ND-08-08.3-burn-first-card"]}),
    ("hand by hand, a held bust's cards are taken up before the next one's chips",
     {"seed": 527054, "rounds": 1, "spaces": 6, "shift_change": True, "deviations": [
         "ND-08-11.8-bust-hold-chips", "ND-08-08.1-offer-cut"]}),
    ("chips are exchanged and then tips",
     {"seed": 371440, "rounds": 1, "spaces": 2, "deviations": [
         "ND-08-07.3.c-exchange-order", "ND-08-11.18.b-show-hands"]}),
    ("chips that are given away right after an exchange belong to it",
     {"seed": 792069, "rounds": 1, "spaces": 7, "shift_change": True, "deviations": [
         "ND-08-07.3.c-exchange-in-left", "ND-08-06.1-cash-only"]}),
    ("a split's stake equals the wager as it was before a chip went",
     {"seed": 789357, "rounds": 1, "spaces": 3, "shift_change": True, "deviations": [
         "ND-08-11.2-no-remove-chip", "ND-08-09.2.c-split-wager-equal"]}),
    ("an insured bust may be held",
     {"seed": 950415, "rounds": 1, "spaces": 2, "shift_change": True, "deviations": [
         "ND-08-11.6-bust-collect-now", "ND-08-10.3.b-reader-no-natural"]}),
    ("tips are moved with hands that are paid later",
     {"seed": 107031, "rounds": 2, "spaces": 6, "shift_change": False, "deviations": [
         "ND-08-11.16.a-tip-reposition", "ND-08-10.1.c-order", "ND-08-11.16.b-tips-after-hands"]}),
    ("a table that was left is a ground to reshuffle",
     {"seed": 407406, "rounds": 2, "spaces": 3, "shuffle": True, "deviations": [
         "ND-08-03.4-unattended-tray", "ND-08-08.2-reshuffle-only-when"]}),
    ("a hit card that lies face down breaks another clause, too",
     {"seed": 295418, "rounds": 2, "spaces": 4, "deviations": [
         "ND-08-07.3.c-exchange-hands-clear-out", "ND-08-10.1-players-faceup"]}),
    ("a tip that was doubled alone is not doubled again with the wager",
     {"seed": 372535, "rounds": 2, "spaces": 5, "deviations": ["ND-08-09.2.d-tip-double-requires-double"]}),
    ("a wager that changes after insurance was measured by it",
     {"seed": 797433, "rounds": 2, "spaces": 4, "deviations": [
         "ND-08-10.3.b-reader-no-natural", "ND-08-11.16.b-tip-right-hand", "ND-08-09.2-no-change-after-first-card"]}),
    ("half of a half-dollar is no chip, so that it is not insured",
     {"seed": 827298, "rounds": 1, "spaces": 4, "deviations": [
         "ND-08-09.2.b-no-tip-insurance", "ND-08-12.11-fifty-cent-wager"]}),
    ("tips that are fanned after all hands cannot be paid before the last",
     {"seed": 21407, "rounds": 4, "spaces": 4, "shift_change": True, "deviations": [
         "ND-08-11.16.b-tips-after-hands", "ND-08-09.2.c-right-hand-first"]}),
    ("against a ten, a doubled bust lets the dealer go on",
     {"seed": 112903, "rounds": 3, "spaces": 2, "shift_change": False, "deviations": [
         "ND-08-11.9-all-bust-end-high", "ND-08-10.3.b-reader-no-natural", "ND-08-07.3.c-exchange-order"]}),
    ("nobody is served after all are over 21",
     {"seed": 796206, "rounds": 4, "spaces": 2, "deviations": [
         "ND-08-11.8-bust-tip-lost", "ND-08-11.6-bust-collect-now"]}),
)  # fmt: skip


@pytest.mark.parametrize(("what", "play"), CASES, ids=[what for what, _ in CASES])
def test_a_breach_brings_no_other_with_it(what: str, play: dict[str, Any]) -> None:
    assert broken_besides(perform(**play)) == []


@pytest.mark.parametrize(("paid", "soon"), [(("space:4", "space:3"), False), (("space:3", "space:4"), True)])
def test_a_natural_is_not_paid_too_soon_before_one_at_its_right(paid: tuple[str, str], soon: bool) -> None:
    pays = [Pay(at=at, payoffs={}, clause="planted before" if at == "space:4" else None) for at in paid]
    writer: Any = SimpleNamespace(
        steps=[Reveal(card=Card("4", "c")), *pays], outcomes=dict.fromkeys(paid, "natural"), no_hole=False, up_low=False
    )
    assert natural_unpaid_until_drawn(writer, "ND-08-11.11-natural-not-early") is soon


@pytest.mark.parametrize("clause", ["ND-08-11.10.d-natural-collect", "ND-08-10.3.a-reader-natural-collect"])
def test_a_wager_that_is_spared_is_planted_where_it_lies(clause: str) -> None:
    performance = perform(75, rounds=2, deviations=[clause], spaces=5)
    (planted,) = performance.deviations
    found = [one for one in judge(performance.events).findings if clause in (one.clause, *one.also)]
    assert [one.at for one in found] == [planted.at]


def test_only_the_planted_change_of_dealers_lacks_its_burn() -> None:
    clauses = ["ND-08-11.12-tie-push", "ND-08-11.18.a-then-take-receptacle", "ND-08-08.3-new-dealer-burn"]
    performance = perform(455713, rounds=3, spaces=2, deviations=clauses)
    assert sorted(deviation.clause for deviation in performance.deviations) == sorted(clauses)
    assert broken_besides(performance) == []


@pytest.mark.parametrize("clause", ["ND-08-08.2-reshuffle-on-indicator", "ND-08-08.3-new-dealer-burn"])
def test_a_breach_that_shows_in_the_next_round_needs_two(clause: str) -> None:
    with pytest.raises(BadInput, match="more rounds"):
        perform(3, rounds=1, deviations=[clause])
    assert broken_besides(perform(3, rounds=2, deviations=[clause], spaces=2)) == []


def test_the_indicator_card_appears_within_a_round() -> None:
    log = perform(534604, rounds=1, spaces=5, minutes=10.3, shift_change=True).events.events
    shown = [event for event in log if isinstance(event, events.IndicatorCard) and event.action == "appeared"]
    first = {event.round: event.t_end for event in reversed(log) if isinstance(event, events.RoundStarted)}
    assert shown
    assert all(event.t_start > first[event.round] for event in shown)
