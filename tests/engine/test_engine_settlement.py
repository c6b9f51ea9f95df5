"""Settlement as a table: each row is named by the clause it comes from."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.domain.cards import RANKS
from verifier.engine.outcomes import (
    DealerState,
    HandFacts,
    HandState,
    bust_timing,
    dealer_state,
    dealer_states,
    hand_state,
    hand_states,
    outcome,
    possible_outcomes,
)
from verifier.engine.settlement import Stakes, settle_hand, settle_insurance
from verifier.engine.totals import ANY_RANK

PLAIN = HandFacts()
SPLIT, DOUBLED = HandFacts(split=True), HandFacts(doubled=True)
W, T = Stakes(original=1000, tip=200), "tip"

ROWS = [
    # clause, hand, dealer (up first), facts, stakes, outcome, wager delta, tip delta, returned
    ("11.6-plain-bust", "T9K", "6T9", PLAIN, W, "bust", -1000, -200, 0),
    ("11.6-plain-bust-even-if-dealer-natural", "T9K", "AK", PLAIN, W, "bust", -1000, -200, 0),
    ("11.7-split-bust-low-card", "8K5", "6T", SPLIT, Stakes(split=1000), "bust", -1000, 0, 0),
    ("11.7-doubled-bust", "65K2", "7T", DOUBLED, Stakes(original=500, double=500, tip=100, tip_double=100), "bust",
     -1000, -200, 0),
    ("10.b-held-bust-no-natural", "8K5", "T9", SPLIT, Stakes(split=1000), "bust", -1000, 0, 0),
    ("10.e-held-split-bust-dealer-natural", "8K5", "TA", SPLIT, Stakes(split=1000, tip=100), "natural_loss", 0, -100,
     1000),
    ("10.e-held-hand-0-bust-dealer-natural", "8K5", "TA", SPLIT, Stakes(original=1000), "natural_loss", -1000, 0, 0),
    ("10.e-doubled-dealer-natural", "65T", "AT", DOUBLED, Stakes(original=700, double=700, tip=50, tip_double=50),
     "natural_loss", -700, -50, 750),
    ("10.d-dealer-natural-beats-21", "777", "AQ", PLAIN, W, "natural_loss", -1000, -200, 0),
    ("10.d-both-natural", "AK", "JA", PLAIN, W, "natural_push", 0, 0, 0),
    ("10.d-doubled-natural-pushes-double-returned", "AK5", "JA", DOUBLED, Stakes(original=700, double=700),
     "natural_push", 0, 0, 700),
    ("09.2.c-split-21-no-natural-loses-to-natural", "AK", "AJ", SPLIT, Stakes(original=1000), "natural_loss", -1000,
     0, 0),
    ("09.2.c-split-21-pays-even", "AK", "9T", SPLIT, Stakes(split=1000), "win", 1000, 0, 0),
    ("11.11-natural-pays-3-2", "AK", "9T", PLAIN, W, "natural", 1500, 200, 0),
    ("11.11-natural-odd-dollar", "AK", "9T", PLAIN, Stakes(original=700), "natural", 1050, 0, 0),
    ("11.11-natural-beats-21-of-three", "AK", "77 7".replace(" ", ""), PLAIN, W, "natural", 1500, 200, 0),
    ("11.11-doubled-natural-is-ordinary", "AK9", "9T", DOUBLED, Stakes(original=700, double=700), "win", 1400, 0, 0),
    ("11.12-win", "T9", "98", PLAIN, W, "win", 1000, 200, 0),
    ("11.12-tie", "T9", "9T", PLAIN, W, "push", 0, 0, 0),
    ("11.12-lose", "T8", "9T", PLAIN, W, "lose", -1000, -200, 0),
    ("10.h-dealer-bust-pays", "T2", "T69", PLAIN, W, "win", 1000, 200, 0),
    ("11.12-21-ties-21-of-three", "777", "T65", PLAIN, W, "push", 0, 0, 0),
    ("09.2.b-even-money", "AK", "AK", HandFacts(even_money=True), W, "even_money", 1000, 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "dealer", "facts", "stakes", "result", "delta", "tip", "returned"),
    [row[1:] for row in ROWS],
    ids=[row[0] for row in ROWS],
)
def test_settlement(hand, dealer, facts, stakes, result, delta, tip, returned):
    settled = settle_hand(hand_state(hand, split=facts.split), dealer_state(dealer, dealer[0]), facts, stakes)
    assert settled.outcome == result
    assert (settled.delta, settled.tip_delta, settled.returned) == (delta, tip, returned)


@pytest.mark.parametrize(
    ("dealer", "delta"),
    [("AK", 1000), ("A9", -500), ("TA", -500)],
    ids=["10.c-insurance-pays-2-1", "10.a-insurance-lost", "09.2.b-insurance-only-ace"],
)
def test_insurance(dealer, delta):
    assert settle_insurance(500, dealer_state(dealer, dealer[0])).delta == delta


@pytest.mark.parametrize(
    ("up", "facts", "reader", "timing"),
    [
        ("low", PLAIN, False, "at_once"),
        ("ace", PLAIN, False, "at_once"),
        ("low", SPLIT, False, "at_once"),
        ("ten", SPLIT, False, "held"),
        ("ace", DOUBLED, False, "held"),
        ("ace", HandFacts(insured=True), False, "held"),
        ("ten", SPLIT, True, "at_once"),
    ],
    ids=["11.6-low", "11.6-ace", "11.7", "11.8-split", "11.8-double", "11.8-insured", "11.8-reader-gap"],
)
def test_bust_timing(up, facts, reader, timing):
    assert bust_timing(up, facts, reader=reader) == timing


RANK = st.sampled_from(RANKS)
SLOTS = st.lists(st.frozensets(RANK, min_size=1, max_size=3), min_size=2, max_size=4)
FACTS = st.sampled_from([PLAIN, SPLIT, DOUBLED])


@given(SLOTS, SLOTS, st.sampled_from([0, 1]), FACTS)
def test_possible_outcomes_are_those_of_every_reading(hand, dealer, up, facts):
    every = {
        outcome(hand_state(h, split=facts.split), dealer_state(d, d[up]), facts)
        for h in product(*hand)
        for d in product(*dealer)
    }
    assert possible_outcomes(hand_states(hand, split=facts.split), dealer_states(dealer, up), facts) == every


def test_unread_dealer_card_leaves_the_outcome_open():
    hands = hand_states([frozenset("T"), frozenset("9")])
    dealers = dealer_states([frozenset("T"), ANY_RANK])
    assert possible_outcomes(hands, dealers, PLAIN) == {"win", "push", "lose", "natural_loss"}


def test_an_unread_card_cannot_make_a_bust_uncertain():
    hands = hand_states([frozenset("T"), frozenset("9"), frozenset("K")])
    dealers = dealer_states([frozenset("T"), ANY_RANK])
    settled = {settle_hand(hand, dealer, PLAIN, Stakes(original=500)).delta for hand in hands for dealer in dealers}
    assert settled == {-500}


@given(st.integers(4, 31), st.integers(17, 26), st.integers(1, 25), FACTS)
def test_no_more_than_the_stake_is_lost_or_paid(total, dealer, dollars, facts):
    stakes = Stakes(original=dollars * 100, double=dollars * 100 if facts.doubled else 0, tip=100)
    settled = settle_hand(HandState(total), DealerState("low", dealer), facts, stakes)
    assert abs(settled.delta) in (0, stakes.wager)
    assert settled.tip_delta in (-100, 0, 100)
