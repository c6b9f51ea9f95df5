"""What a record's absence may do: cards stay conserved, and no open verdict becomes a violation for nothing.

Removing a record may turn `undetermined` into a violation for one of three reasons only: the clause's breach is the
absence of that very act (no cut, no signal, no pick-up, no payoff ...); its amount is part of a sum (tips deposited,
chips put in the tray); or it was a card, without which the hand is another. Records that no clause misses, and the end
of the log, give no reason.
"""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_build import Log, findings, play

from verifier.domain.events import CardBurned, CardDealt
from verifier.domain.house import House
from verifier.engine.strategy import adventurous
from verifier.law.grouping import rounds_of

FEW = settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 10_000)
NO_REASON = {"round_started", "round_ended", "indicator_card", "dealer_shift"}


def seen_badly(seed: int) -> Log:
    log = play(seed, 1, strategy=adventurous)
    for record in random.Random(seed).sample(log.records, 4):
        record["p"] = 0.4
    return log


@settings(FEW, max_examples=25)
@given(seeds, st.integers(0, 8))
def test_every_card_dealt_is_in_one_hand_or_burned_whatever_is_missing(seed: int, dropped: int) -> None:
    log = play(seed, 2, strategy=adventurous)
    log.drop(*random.Random(seed).sample(log.records, dropped))
    for game in rounds_of(log.build().events, House()):
        burned = [card.dealt.id for _, card, _ in game.folded.burned]
        held = [card.dealt.id for hand in game.hands for card in hand.cards]
        lying = [card.dealt.id for card in game.dealer.cards]
        assert sorted(burned + held + lying) == sorted(card.id for card in game.of(CardDealt))
        assert len(game.folded.burned) + len(game.shoe_burns) == len(game.of(CardBurned))


@FEW
@given(seeds)
def test_records_that_no_clause_misses_turn_no_open_verdict_into_a_violation(seed: int) -> None:
    log = seen_badly(seed)
    log.drop(*[record for record in log.records if record["event"] in NO_REASON])
    assert findings(log.judge()) == []


@FEW
@given(seeds, st.integers(5, 60))
def test_a_log_seen_badly_that_breaks_off_accuses_nobody(seed: int, kept: int) -> None:
    log = seen_badly(seed)
    log.records = log.records[:kept]
    assert findings(log.judge()) == []
