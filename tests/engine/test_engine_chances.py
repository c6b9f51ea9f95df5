"""Outcomes weighted by how sure the reading of each card is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.engine.chances import UNREAD, dealer_chances, hand_chances, outcome_chances, rank_chances
from verifier.engine.outcomes import HandFacts, dealer_states, hand_states, possible_outcomes

RANKS = "A23456789TJQK"
cards = st.lists(
    st.dictionaries(st.sampled_from(RANKS), st.floats(0.05, 1.0), min_size=1, max_size=4).map(
        lambda d: {r: p / sum(d.values()) for r, p in d.items()}
    ),
    min_size=2,
    max_size=5,
)


def test_a_ten_is_four_times_as_probable_as_another_unread_card() -> None:
    chances = hand_chances([{"9": 1.0}, UNREAD])
    assert sum(p for state, p in chances.items() if state.total == 19) == pytest.approx(4 / 13)


def test_a_natural_needs_the_first_two_cards_and_no_split() -> None:
    ace_or_nine = {"A": 0.25, "9": 0.75}
    assert sum(p for s, p in hand_chances([{"K": 1.0}, ace_or_nine]).items() if s.natural) == 0.25
    assert not any(s.natural for s in hand_chances([{"K": 1.0}, ace_or_nine], split=True))


@pytest.mark.parametrize(
    ("rank", "posterior", "chances"),
    [
        ("K", None, {"K": 1.0}),
        (None, None, UNREAD),
        ("K", {"K": 0.7, "Q": 0.2}, {"K": 0.8, "Q": 0.2}),
        ("K", {"Q": 0.2}, {"K": 0.8, "Q": 0.2}),
    ],
)
def test_a_reading_and_its_posterior(rank: str | None, posterior: dict[str, float] | None, chances: object) -> None:
    assert rank_chances(rank, posterior) == pytest.approx(chances)


@given(cards, cards, st.booleans(), st.booleans())
def test_chances_add_up_and_agree_with_what_is_possible(
    hand: list[dict[str, float]], dealer: list[dict[str, float]], split: bool, doubled: bool
) -> None:
    facts = HandFacts(split=split, doubled=doubled)
    found = outcome_chances(hand_chances(hand, split=split), dealer_chances(dealer, 0), facts)
    assert sum(found.values()) == pytest.approx(1.0)
    slots = [[frozenset(card) for card in cards] for cards in (hand, dealer)]
    possible = possible_outcomes(hand_states(slots[0], split=split), dealer_states(slots[1], 0), facts)
    assert {o for o, p in found.items() if p > 0} == possible
