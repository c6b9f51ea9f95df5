"""A chip has a chip's size, and a card a card's: what is too large or too small beside others is none."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from verifier.domain.observations import CardSeen, Rank
from verifier.vision.detection import CARD_DOWN, CARD_UP, CHIP, HAND, Detection
from verifier.vision.sizes import (
    LEAST_INSIDE,
    MOST_OF_CARD,
    MOST_OF_HAND,
    MOST_OF_WHOLE,
    PROPORTIONS,
    RIM,
    SURE,
    without_oversized_chips,
    without_parts_of_cards,
)

SIZE = (640, 480)


def thing(kind: str, width: float, height: float, *, p: float = 0.9, at: tuple[float, float] = (300, 200)) -> Detection:
    return Detection(kind, p, np.array([*at, width, height, 0.0], np.float32))


def kinds(*found: Detection) -> list[str]:
    return [d.kind for d in without_oversized_chips(found, SIZE)]


def chip(diameter: float) -> Detection:
    return thing(CHIP, diameter, diameter, at=(500, 300))


@pytest.mark.parametrize(("kind", "most"), [(HAND, MOST_OF_HAND), (CARD_UP, MOST_OF_CARD), (CARD_DOWN, MOST_OF_CARD)])
def test_a_chip_is_at_most_so_large(kind: str, most: float) -> None:
    measure = thing(kind, 60, 100)
    assert kinds(measure, chip(100 * most - 0.1)) == [kind, CHIP]
    assert kinds(measure, chip(100 * most + 0.1)) == [kind]


def test_without_hand_or_card_nobody_knows_the_size() -> None:
    assert kinds(chip(400)) == [CHIP]


def test_the_largest_hand_measures() -> None:
    assert kinds(thing(HAND, 60, 100), thing(HAND, 80, 200), chip(80)) == [HAND, HAND, CHIP]


def test_an_unsure_hand_measures_nothing() -> None:
    for p, left in ((SURE, [HAND]), (SURE - 0.01, [HAND, CHIP])):
        assert kinds(thing(HAND, 60, 100, p=p), chip(80)) == left


@pytest.mark.parametrize(("axis", "far"), list(product((0, 1), (False, True))))
def test_a_hand_that_the_rim_cuts_measures_nothing(axis: int, far: bool) -> None:
    for gap, left in ((RIM - 0.5, [HAND, CHIP]), (RIM + 0.5, [HAND])):
        at = [300.0, 200.0]
        half = (30.0, 50.0)[axis]
        at[axis] = SIZE[axis] - gap - half if far else gap + half
        assert kinds(thing(HAND, 60, 100, at=(at[0], at[1])), chip(80)) == left


def card(x: float, y: float, width: float, height: float, rank: Rank | None = None, p: float = 0.9) -> CardSeen:
    quad = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return CardSeen(id=None, face="up", p=p, quad=quad, rank=rank)


WHOLE = card(100, 100, 100, 140, "J", p=0.98)


def test_half_of_a_card_that_is_read_is_no_card() -> None:
    assert without_parts_of_cards([card(100, 170, 100, 70), WHOLE]) == [WHOLE]


def test_what_has_a_rank_of_its_own_stays() -> None:
    pair = [WHOLE, card(100, 170, 100, 70, "Q")]
    assert without_parts_of_cards(pair) == pair


def test_half_of_a_card_that_nobody_could_read_stays() -> None:
    pair = [card(100, 100, 100, 140), card(100, 170, 100, 70)]
    assert without_parts_of_cards(pair) == pair


def test_a_surer_box_is_no_part() -> None:
    for p, left in ((0.98, 1), (0.99, 2)):
        assert len(without_parts_of_cards([WHOLE, card(100, 170, 100, 70, p=p)])) == left


def test_a_card_that_lies_on_another_is_as_large() -> None:
    for share, left in ((MOST_OF_WHOLE - 0.01, 1), (MOST_OF_WHOLE + 0.01, 2)):
        assert len(without_parts_of_cards([WHOLE, card(100, 100, 100, 140 * share)])) == left


def test_a_strip_that_looks_out_below_a_card_is_another_card() -> None:
    for inside, left in ((LEAST_INSIDE + 0.01, 1), (LEAST_INSIDE - 0.01, 2)):
        assert len(without_parts_of_cards([WHOLE, card(100 - 50 * (1 - inside), 100, 50, 140)])) == left


@pytest.mark.parametrize("height", [100 * PROPORTIONS[0] - 1, 100 * PROPORTIONS[1] + 1])
def test_a_box_that_cannot_be_one_card_has_no_parts(height: float) -> None:
    """Two cards told as one box keep the box of the one that was found besides."""
    pair = [card(100, 100, 100, height, "J", p=0.98), card(100, 100, 100, 60)]
    assert without_parts_of_cards(pair) == pair
