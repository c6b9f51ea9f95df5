"""How sure an area is, and what it says where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from verifier.zones.areas import ELSEWHERE_MM, OWN_LOOKS, SLANTED, Told, area_part
from verifier.zones.scale import SLANT_CARDS, SLANT_OFF, scales_at

SEEN = Told(looks=9, neighbours=[9, 9], off=5.0, scale=1.0, missing=None, outermost=False)


@pytest.mark.parametrize(
    ("told", "sure", "reason"),
    [
        (SEEN, True, "nearer to its spot"),
        (replace(SEEN, looks=OWN_LOOKS), True, "nearer to its spot"),
        (replace(SEEN, looks=OWN_LOOKS - 1), False, "placed as at the other spaces"),
        (replace(SEEN, neighbours=[OWN_LOOKS, 9]), True, "nearer to its spot"),
        (replace(SEEN, neighbours=[OWN_LOOKS - 1, 9]), False, "neighbour"),
        (replace(SEEN, off=ELSEWHERE_MM), True, "nearer to its spot"),
        (replace(SEEN, off=ELSEWHERE_MM + 1), False, "mm from the place that the other spaces suggest"),
        (replace(SEEN, scale=1 + SLANTED - 0.01), True, "nearer to its spot"),
        (replace(SEEN, scale=1 - SLANTED - 0.01), False, "-8% there"),
        (replace(SEEN, scale=1 + SLANTED + 0.01), False, "+8% there"),
        (replace(SEEN, missing="shoe", outermost=True), False, "the shoe was not found"),
        (replace(SEEN, outermost=True), True, "outer side has no neighbour"),
    ],
)
def test_an_area_says_why_it_is_not_sure(told: Told, sure: bool, reason: str) -> None:
    part = area_part(told, 0.99)
    assert part.sure == sure and reason in part.reason


def test_an_outermost_area_is_less_sure_than_one_between_neighbours() -> None:
    assert area_part(replace(SEEN, outermost=True), 0.99).confidence < area_part(SEEN, 0.99).confidence


def test_an_area_is_no_surer_than_its_spot() -> None:
    assert area_part(SEEN, 0.4).confidence == 0.4


def cards(count: int, slope: float) -> np.ndarray:
    """(count, 5) Boxes of cards on a row 800 pixels long, larger by `slope` from its one end to the other."""
    x = np.linspace(-400.0, 400.0, count)
    size = np.exp(slope * x / 800.0)
    return np.column_stack([x + 640.0, np.full(count, 360.0), 44.0 * size, 62.0 * size, np.zeros(count)])


@pytest.mark.parametrize(("count", "told"), [(SLANT_CARDS, True), (SLANT_CARDS - 1, False)])
def test_cards_tell_how_the_scale_changes(count: int, told: bool) -> None:
    scales = scales_at(cards(count, 0.2), np.array([(1040.0, 360.0), (240.0, 360.0)]))
    assert scales == pytest.approx((np.exp(0.1), np.exp(-0.1)) if told else (1.0, 1.0), abs=0.01)


def test_a_card_of_another_size_is_left_out() -> None:
    some = cards(40, 0.0)
    some[0, 2:4] *= np.exp(1.5 * SLANT_OFF)
    assert scales_at(some, np.array([(240.0, 360.0)])) == pytest.approx((1.0,), abs=1e-6)
