"""Which card of a deal came in which turn: the same answer as a search through all ways, in a time that is bounded."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from poker_scenes import card_dwell

from verifier.reconstruct import parameters as par
from verifier.reconstruct.poker.card_dwells import CardDwell
from verifier.reconstruct.poker.ordering import dealt_in_order, seat_number

WINDOW = st.tuples(st.one_of(st.just(-math.inf), st.integers(0, 12)), st.integers(0, 12))


def came(seat: int, early: float, rest: float) -> CardDwell:
    """A card of a seat that came between two times."""
    card = card_dwell("seat:1", max(early, rest))
    return structs.replace(card, place=f"seat:{seat}", early=min(early, rest), faced=True)


def through_all_ways(
    slots: Sequence[int], left: Mapping[int, Sequence[CardDwell]], last: float = -math.inf
) -> list[CardDwell] | None:
    """Return the first way in which the cards may have come in these turns, of all; None where there is none."""
    if not slots:
        return []
    seat, step = slots[0], last + par.POKER_ORDER_STEP_S
    for card in sorted(left[seat], key=lambda one: (max(one.early, step), one.rest)):
        others = {**left, seat: [one for one in left[seat] if one is not card]}
        t = max(card.early, step)
        rest = through_all_ways(slots[1:], others, t) if t <= card.rest else None
        if rest is not None:
            return [card, *rest]
    return None


def searched(cards: Sequence[CardDwell]) -> list[CardDwell] | None:
    """Return the cards in turn from the seat seen first of those with which all may have come so."""
    by_seat: dict[int, list[CardDwell]] = {}
    for card in sorted(cards, key=lambda card: card.rest):
        by_seat.setdefault(seat_number(card.place), []).append(card)
    seats = sorted(by_seat)
    ways = sorted((seats[i:] + seats[:i] for i in range(len(seats))), key=lambda way: by_seat[way[0]][0].rest)
    most = max(map(len, by_seat.values()))
    for way in ways:
        slots = [seat for turn in range(most) for seat in way if turn < len(by_seat[seat])]
        turn = through_all_ways(slots, by_seat)
        if turn is not None:
            return turn
    return None


@settings(max_examples=300)
@given(st.lists(st.lists(WINDOW, min_size=1, max_size=3), min_size=1, max_size=3))
def test_the_order_is_that_of_a_search_through_all_ways(seats: list[list[tuple[float, int]]]) -> None:
    cards = [came(seat, *window) for seat, own in enumerate(seats, 1) for window in own]
    turn = searched(cards)
    told = [card for _, card, _ in dealt_in_order(cards)]
    expected = turn if turn is not None else sorted(cards, key=lambda card: card.rest)
    assert [id(card) for card in told] == [id(card) for card in expected]


def full_table(seed: int) -> list[CardDwell]:
    """Seven cards to each of ten seats, each known to have come within up to a minute; a few seem to come late."""
    rng = random.Random(seed)
    width, cards = rng.choice([1, 4, 10, 30]), []
    for index, seat in enumerate([*range(1, 11)] * 7):
        t = 10 + 0.5 * index
        early, rest = t - rng.random() * width, t + rng.random() * width
        late = rng.random() < rng.choice([0.0, 0.03])
        cards.append(came(seat, early, rest + late))
        if late:
            cards[-1] = structs.replace(cards[-1], early=rest)
    return cards


@pytest.mark.parametrize("seed", [9, 68])
def test_a_full_table_whose_cards_were_hardly_seen_is_told_soon(seed: int) -> None:
    """A search through the ways in which these cards may have come took 15 and 25 seconds."""
    cards = full_table(seed)
    begun = time.process_time()
    assert len(dealt_in_order(cards)) == len(cards)
    assert time.process_time() - begun < 2.0


@pytest.mark.parametrize(("order", "beats", "told"), [((2, 3, 1), (2, 3, 3.2), 1), ((2, 3, 1), (2, 3, 4), 2)])
def test_two_cards_within_half_a_beat_did_not_both_come_then(
    order: tuple[int, ...], beats: tuple[float, ...], told: int
) -> None:
    """Seat 1 is due first. A card of seat 1 that shows in a beat of its own came out of turn."""
    cards = [card_dwell("seat:1", 10.0 + t, late=0.2) for t in (*beats, 5, 6, 7, 8, 9, 10)]
    cards = [structs.replace(c, place=f"seat:{s}") for c, s in zip(cards, (*order, *(1, 2, 3) * 2), strict=True)]
    deal = dealt_in_order(cards, ["seat:1", "seat:2", "seat:3"])
    assert seat_number(deal[0].card.place) == told
    assert [one.sure for one in deal].count(False) == (told == 1)
