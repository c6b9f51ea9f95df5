"""Random hands with one thing wrong: the clause is found in the right hand, in logs of several spellings."""

from __future__ import annotations

import copy
import random

import pytest
from poker_deviations import DEVIATIONS
from poker_play import table_of

FUNCTIONS = {f.__name__: (f, [c for c, fs in DEVIATIONS.items() if f in fs]) for fs in DEVIATIONS.values() for f in fs}
EVERYWHERE = [
    "no_shuffle", "no_cut", "player_cuts", "card_twice", "out_of_a_shoe", "second_card", "shuffled_in_the_hand",
    "spread_not_shuffled", "inspected_not_spread", "two_seats_swapped", "exposed_and_kept",
    "exposed_and_replaced_at_once", "no_burn", "two_burns", "checks_facing_a_bet", "short_call", "bet_taken_back",
    "folded_hand_wins", "loser_gets_the_pot", "winner_with_too_many_cards", "last_player_passed_over",
    "all_in_hand_mucked", "conceded_and_won", "empty_seat_dealt", "awarded_too_early",
]  # fmt: skip


@pytest.fixture(scope="module")
def tables():
    return [table_of(seed, hands=2) for seed in range(40, 56)]


@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_deviation_is_found_in_its_hand(name: str, tables) -> None:
    function, clauses = FUNCTIONS[name]
    tried = 0
    for seed, base in enumerate(tables):
        table = copy.deepcopy(base)
        number = function(table, random.Random(seed))
        if number is None or tried >= 3:
            continue
        tried += 1
        found = [f for f in table.judge().findings if f.verdict == "violation" and f.round == number]
        named = {clause for f in found for clause in (f.clause, *f.also)}
        assert set(clauses) <= named, (seed, table.variant, table.game, [(f.clause, f.observed) for f in found])
    assert tried
