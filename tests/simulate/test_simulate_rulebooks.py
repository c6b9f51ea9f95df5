"""Rounds played by the other rulebooks: lawful under them, and dealt in their order."""

from __future__ import annotations

import pytest

from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, CardRevealed, CardsMoved, PayoffPlaced, WagerCovered
from verifier.domain.rulebooks import Rulebook
from verifier.law.judge import judge
from verifier.simulate.perform import perform

OTHERS: tuple[Rulebook, ...] = ("house-manual", "wa-blackjack-a", "wa-blackjack-b")


@pytest.mark.parametrize("rulebook", OTHERS)
@pytest.mark.parametrize("seed", range(4))
def test_rounds_break_no_clause_of_their_rulebook(seed: int, rulebook: Rulebook) -> None:
    performance = perform(seed, 3, rulebook=rulebook)
    log = performance.events
    assert log.header.rulebook == performance.house.rulebook == rulebook
    assert not judge(log).findings


def test_under_the_manual_both_dealer_cards_are_dealt_down_and_the_first_is_turned() -> None:
    log = perform(3, 1, rulebook="house-manual").events
    own = [e for e in log.events if isinstance(e, CardDealt) and e.to == "dealer"][:2]
    turned = next(e for e in log.events if isinstance(e, CardRevealed))
    assert [card.face for card in own] == ["down", "down"]
    assert turned.t_start >= own[1].t_end


def test_who_banks_covers_each_wager_and_pays_with_the_cover() -> None:
    log = perform(2, 4, rulebook="wa-blackjack-b").events
    names = [type(event) for event in log.events]
    assert names.count(WagerCovered) >= 4 * 4
    assert {PayoffPlaced, CardsMoved} <= set(names)
    assert {event.dealer for event in log.events} == {"seat:5"}


def test_a_recording_ends_with_the_banker_s_shoe() -> None:
    log = perform(1, 30, rulebook="wa-blackjack-b").events
    rounds = {event.round for event in log.events if event.round}
    assert 3 <= len(rounds) < 10
    assert not judge(log).findings


def test_a_natural_that_was_paid_is_shown_to_be_no_tie_when_all_others_are_over() -> None:
    log = perform(682576, 5, spaces=2, rulebook="wa-blackjack-b").events
    natural = {event.round for event in log.events if isinstance(event, PayoffPlaced) and event.cents == 3750}
    turned = {event.round for event in log.events if isinstance(event, CardRevealed) and event.at == "dealer"}
    assert natural and natural <= turned
    assert not judge(log).findings


def test_the_last_round_of_a_shoe_has_cards_for_everybody() -> None:
    assert not judge(perform(330, 12, spaces=6, rulebook="wa-blackjack-b").events).findings


def test_breaches_are_planted_under_twenty_one_only() -> None:
    with pytest.raises(BadInput, match="not staged"):
        perform(1, 1, ["ND-08-11.2-no-pay-tie"], rulebook="house-manual")
