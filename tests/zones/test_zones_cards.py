"""Where the cards of each space lie: the first cards of hands, at about one place before every spot."""

from __future__ import annotations

import math

import numpy as np
import pytest
from zones_fakes import SCALE, SIZE, picture_look

from verifier.zones.areas import NEXT_CARD, OWN_LOOKS
from verifier.zones.cards import NEXT_ROOM_MM, OWN_MM, REST_LOOKS, Cards, _first_of_hands, find_cards
from verifier.zones.view import View

VIEW = View(SIZE, "bottom", False, SCALE)
CENTRE = np.array([0.0, 300.0])
TURNS = [math.radians(turn) for turn in (-66, -44, -22, 0, 22, 44, 66)]
OUT = np.array([(math.sin(turn), -math.cos(turn)) for turn in TURNS])
SPOTS = CENTRE + 690.0 * OUT
FIRST = CENTRE + 520.0 * OUT


def hand(number: int, cards: int = 2) -> list[np.ndarray]:
    """The cards of the space at place `number` (from 0), each on the lower left quarter of the one before it."""
    return [FIRST[number] + step * NEXT_CARD for step in range(cards)]


def seen(*pictures: list[np.ndarray]) -> Cards:
    looks = [picture_look(2.0 * i, cards=[tuple(at) for at in VIEW.px(cards)]) for i, cards in enumerate(pictures)]
    return find_cards(looks, VIEW, SPOTS, CENTRE, OUT)


def test_long_hands_beside_an_empty_space_are_not_its_own() -> None:
    """Third and fourth cards of the second space lie nearer to the first space's cards than its own first card does."""
    found = seen(*[[card for number in range(1, 7) for card in hand(number, 4)]] * 9)
    assert found.looks[0] == 0
    assert found.first == pytest.approx(FIRST, abs=6.0)


@pytest.mark.parametrize("empty", range(7))
def test_every_space_has_its_own_cards(empty: int) -> None:
    found = seen(*[[card for number in range(7) if number != empty for card in hand(number, 3)]] * 9)
    assert [looks > 0 for looks in found.looks] == [number != empty for number in range(7)]
    assert found.first == pytest.approx(FIRST, abs=6.0)


@pytest.mark.parametrize(("off", "next_one"), [(NEXT_ROOM_MM - 1, True), (NEXT_ROOM_MM + 1, False)])
def test_a_next_card_lies_on_the_lower_left_quarter(off: float, next_one: bool) -> None:
    two = np.array([FIRST[3], FIRST[3] + NEXT_CARD + (0.0, off)])
    assert len(_first_of_hands(two)) == (1 if next_one else 2)


@pytest.mark.parametrize(("looks", "own"), [(OWN_LOOKS, True), (OWN_LOOKS - 1, False)])
def test_a_space_s_own_place_counts_from_some_looks_on(looks: int, own: bool) -> None:
    moved = FIRST[3] + (30.0, 0.0)
    others = [FIRST[number] for number in (0, 1, 2, 4, 5, 6)]
    found = seen(*[[*others, moved]] * looks, *[others] * 12)
    assert found.looks[3] == looks
    assert (math.dist(found.first[3], moved) < 1.0) == own
    assert (found.off[3] > 25.0) == own


@pytest.mark.parametrize(("looks", "rests"), [(REST_LOOKS, True), (REST_LOOKS - 1, False)])
def test_a_card_on_its_way_rests_nowhere(looks: int, rests: bool) -> None:
    others = [FIRST[number] for number in (0, 1, 2, 4, 5, 6)]
    found = seen(*[[*others, FIRST[3]]] * looks, *[others] * 12)
    assert (found.looks[3] > 0) == rests


@pytest.mark.parametrize(("looks", "there"), [(OWN_LOOKS, True), (OWN_LOOKS - 1, False)])
def test_no_fixture_stands_where_a_space_s_cards_rest(looks: int, there: bool) -> None:
    """A long hand of an outermost space, seen in most pictures, looks like a shoe at the dealer's left."""
    found = seen(*[hand(0, 4)] * looks)
    assert found.hold(found.first[0] + 2 * NEXT_CARD) == there
    assert not found.hold(found.first[0] - (300.0, 0.0))
    assert not found.hold(found.first[3])


@pytest.mark.parametrize(("off", "own"), [(OWN_MM - 8, True), (OWN_MM + 8, False)])
def test_what_lies_far_from_where_the_others_tell_is_no_first_card(off: float, own: bool) -> None:
    others = [FIRST[number] for number in (0, 1, 2, 4, 5, 6)]
    found = seen(*[[*others, FIRST[3] - (0.0, off)]] * 9)
    assert (found.looks[3] > 0) == own
