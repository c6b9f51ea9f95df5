"""A chip has a chip's size: what is too large beside a hand or a card of the same picture is none."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from verifier.vision.detection import CARD_DOWN, CARD_UP, CHIP, HAND, Detection
from verifier.vision.sizes import MOST_OF_CARD, MOST_OF_HAND, RIM, SURE, without_oversized_chips

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
