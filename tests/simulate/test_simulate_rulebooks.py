"""Rounds played by the other rulebooks: lawful under them, and dealt in their order."""

from __future__ import annotations

from collections import Counter

import pytest

from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, CardRevealed, CardsMoved, PayoffPlaced, WagerCovered
from verifier.domain.rulebooks import Rulebook
from verifier.domain.shared_play import SHARED_PLAY
from verifier.law.catalogue import by_id
from verifier.law.judge import judge
from verifier.simulate.deviations import acts_of, canonical
from verifier.simulate.perform import perform
from verifier.simulate.play import surrender

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
    paid = Counter((e.round, e.at, e.kind) for e in log.events if isinstance(e, PayoffPlaced))
    natural = {key[0] for key, payoffs in paid.items() if payoffs > 1}
    turned = {event.round for event in log.events if isinstance(event, CardRevealed) and event.at == "dealer"}
    assert natural and natural <= turned
    assert not judge(log).findings


def test_the_last_round_of_a_shoe_has_cards_for_everybody() -> None:
    assert not judge(perform(330, 12, spaces=6, rulebook="wa-blackjack-b").events).findings


MANUAL_ACTS = {a: c for a, c in acts_of("house-manual").items() if a in SHARED_PLAY["house-manual"]}


@pytest.mark.parametrize("act", MANUAL_ACTS)
def test_a_breach_of_shared_play_breaks_the_clause_of_the_manual(act: str) -> None:
    performance = perform(5, 3, [act], spaces=5, rulebook="house-manual")
    (planted,) = performance.deviations
    found = judge(performance.events).findings
    assert planted.clause == MANUAL_ACTS[act] == SHARED_PLAY["house-manual"][act]
    assert found
    assert {one.verdict for one in found} == {"violation"}
    assert all(planted.clause in (one.clause, *one.also) for one in found)


def test_twenty_clauses_of_the_manual_can_be_broken_and_are_in_its_catalogue() -> None:
    broken = {*MANUAL_ACTS.values()}
    assert len(broken) >= 20
    assert {*SHARED_PLAY["house-manual"].values()} <= {*by_id("house-manual")}
    assert {*SHARED_PLAY["house-manual"]} <= {*by_id("nd-twenty-one")}


@pytest.mark.parametrize("clause", sorted({*MANUAL_ACTS.values()}))
def test_a_breach_is_named_by_the_clause_of_the_manual_too(clause: str) -> None:
    assert MANUAL_ACTS[canonical(clause, "house-manual")] == clause


def test_a_breach_is_planted_by_its_own_clause() -> None:
    performance = perform(5, 1, ["HM-shoe.3-burn"], rulebook="house-manual")
    assert [one.clause for one in performance.deviations] == ["HM-shoe.3-burn"]
    assert [one.clause for one in judge(performance.events).findings] == ["HM-shoe.3-burn"]


@pytest.mark.parametrize("clause", acts_of("wa-blackjack-b").values())
def test_a_breach_where_a_player_banks_is_found_in_the_true_log_and_nothing_else_is(clause: str) -> None:
    performance = perform(7, 2, [clause], spaces=4, rulebook="wa-blackjack-b")
    assert [one.clause for one in performance.deviations] == [clause]
    found = judge(performance.events).findings
    assert found
    assert all(one.verdict == "violation" and clause in (one.clause, *one.also) for one in found)


def test_the_look_at_the_hole_card_can_be_left_out_under_proposal_b_alone() -> None:
    assert "WA-125.6-peek-shall-B" in acts_of("wa-blackjack-b")
    assert "WA-125.6-peek-shall-B" not in acts_of("wa-blackjack-a")


def test_a_breach_of_another_rulebook_is_refused_where_a_player_banks() -> None:
    with pytest.raises(BadInput, match="cannot be staged under wa-blackjack-a"):
        perform(1, 1, ["ND-08-11.12-tie-push"], rulebook="wa-blackjack-a")


@pytest.mark.parametrize("clause", surrender.NEEDS)
def test_a_surrender_that_the_manual_forbids_is_found_in_the_true_log(clause: str) -> None:
    performance = perform(3, 2, [clause], spaces=5, rulebook="house-manual")
    found = judge(performance.events).findings
    assert {one.verdict for one in found} == {"violation"}
    assert all(clause in (one.clause, *one.also) for one in found)


def test_a_bust_that_is_taken_late_breaks_no_clause_of_the_manual() -> None:
    """The manual does not say when the cards of a bust are taken up, so that no such breach is planted under it."""
    with pytest.raises(BadInput, match="cannot be staged under house-manual"):
        perform(5, 1, ["ND-08-11.6-bust-cards-discard"], rulebook="house-manual")


def test_a_breach_that_a_rulebook_does_not_share_is_refused_with_those_that_it_does() -> None:
    with pytest.raises(BadInput, match=r"cannot be staged under house-manual; use one of HM-conduct\.a-no-handling"):
        perform(1, 1, ["ND-08-11.13-tap-push"], rulebook="house-manual")
    with pytest.raises(BadInput, match=r"HM-shoe\.3-burn cannot be staged under nd-twenty-one"):
        perform(1, 1, ["HM-shoe.3-burn"])
