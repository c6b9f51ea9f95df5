"""Cards found as one, how many is not known: what rests on the hand's cards is open, nothing is accused."""

from __future__ import annotations

import random

import pytest
from law_build import Log, hand_out, named, row

from verifier.domain.cards import RANKS, SUITS

DECK = [rank + suit for rank in RANKS for suit in SUITS]


def found_as_one(log: Log, place: str, further: int = 1) -> Log:
    """The log in which a hand's cards are told as `reconstruct` tells a fan that it takes for one card."""
    first, *others = log.all("card_dealt", to=place)
    log.change(first, card="??", several=True).drop(*others)
    for _ in range(further):
        log.insert_after(first, "card_dealt", card="??", to=place, face="up", seq=None, p=0.45, occluded=True)
    return log


def violations(log: Log) -> set[str]:
    return named(log.judge())


@pytest.mark.parametrize("decisions", ["", "hit", "hit hit hit", "stand"])
@pytest.mark.parametrize("place", ["space:2", "space:4"])
def test_no_lawful_round_is_accused_though_a_hand_was_found_as_one_card(place: str, decisions: str) -> None:
    for seed in range(12):
        log = hand_out(" ".join(random.Random(seed).sample(DECK, 22)), {2: 1000, 4: 500}, decisions)
        assert violations(found_as_one(log, place)) == set()


def test_without_the_weak_record_of_a_further_card_a_lawful_round_would_be_accused() -> None:
    cards, wagers = "2h Kd 6s 2c 9c Ts 3h 4h Kh Kc 9h 7h", {2: 1000, 4: 500}
    assert violations(found_as_one(hand_out(cards, wagers, "hit hit hit"), "space:2", further=0))
    assert not violations(found_as_one(hand_out(cards, wagers, "hit hit hit"), "space:2"))


def test_who_won_is_open_where_a_hand_was_not_counted() -> None:
    """Space 2 has 15 against 17, and is paid: a breach, and open where nobody knows its cards."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.change(log.one("card_dealt", card="9s"), card="5s", ranks=None)
    wins = "ND-08-11.12-highest-wins"
    assert row(log.judge(), wins) == "violation"
    assert row(found_as_one(log, "space:2").judge(), wins) == "undetermined"
