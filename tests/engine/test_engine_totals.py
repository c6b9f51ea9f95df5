from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.domain.cards import RANKS
from verifier.engine.totals import (
    ANY_RANK,
    Total,
    hand_total,
    is_natural,
    is_pair,
    may_be_natural,
    plausible_ranks,
    points,
    possible_totals,
)

RANK = st.sampled_from(RANKS)


def brute_force(ranks):
    """Best of all ways to count each ace: the highest total not above 21, else the lowest."""
    ways = {sum(way) for way in product(*[(1, 11) if r == "A" else (points(r),) for r in ranks])}
    return max((w for w in ways if w <= 21), default=min(ways))


@pytest.mark.parametrize(
    ("ranks", "best", "soft"),
    [
        ("", 0, False),
        ("AT", 21, True),
        ("AA", 12, True),
        ("A6", 17, True),
        ("A6T", 17, False),
        ("A24", 17, True),
        ("9T3", 22, False),
        ("AAAAAAAAAAA", 21, True),
        ("TJ", 20, False),
        ("A5K5", 21, False),
    ],
)
def test_08_01_1_card_values(ranks, best, soft):
    assert hand_total(ranks) == Total(best, soft)


@given(st.lists(RANK, min_size=1, max_size=9))
def test_total_is_the_best_way_to_count(ranks):
    total = hand_total(ranks)
    assert total.best == brute_force(ranks)
    assert total.soft == (total.best != sum(points(r) for r in ranks))


@given(st.lists(st.frozensets(RANK, min_size=1, max_size=3), min_size=1, max_size=5))
def test_possible_totals_are_those_of_every_reading(slots):
    assert possible_totals(slots) == {hand_total(reading) for reading in product(*slots)}


def test_no_possible_rank_gives_no_total():
    assert possible_totals([{"A"}, set()]) == frozenset()


@pytest.mark.parametrize(
    ("ranks", "natural"),
    [("AK", True), ("TA", True), ("A9", False), ("AA", False), ("TT", False), ("A55", False), ("A", False)],
)
def test_natural_is_an_ace_and_a_ten_count_in_two_cards(ranks, natural):
    assert is_natural(ranks) is natural


def test_an_unread_card_leaves_a_natural_open():
    assert may_be_natural(({"A"}, ANY_RANK)) == {True, False}
    assert may_be_natural(({"5"}, ANY_RANK)) == {False}
    assert may_be_natural(({"A"}, ANY_RANK, {"2"})) == {False}


@pytest.mark.parametrize(("pair", "splits"), [("88", True), ("TK", True), ("AA", True), ("9T", False), ("A2", False)])
def test_08_09_2_c_split_eligible(pair, splits):
    assert is_pair(*pair) is splits


@pytest.mark.parametrize(
    ("rank", "posterior", "expected"),
    [
        ("K", None, {"K"}),
        (None, None, ANY_RANK),
        ("K", {"K": 0.97, "Q": 0.02, "J": 0.001}, {"K", "Q"}),
        (None, {"8": 0.55, "3": 0.45}, {"8", "3"}),
        (None, {"8": 0.3}, ANY_RANK),
        ("K", {"Q": 0.9}, {"K", "Q"}),
    ],
)
def test_ranks_that_a_reading_leaves_open(rank, posterior, expected):
    assert plausible_ranks(rank, posterior) == expected


def test_a_certain_reading_has_no_alternatives():
    assert plausible_ranks("K", {"K": 0.98, "Q": 0.02}, certain=0.95) == {"K"}


def test_no_rank_is_refused():
    with pytest.raises(ValueError, match="no rank"):
        hand_total(["A", "1"])
