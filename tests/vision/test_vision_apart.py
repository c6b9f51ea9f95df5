"""How far the boxes that pass for one card lie apart: those of a card that lies alone are alike."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.vision.detection import LEAST_BOXES, MIN_P, Detection, with_apart, without_doubles
from verifier.vision.seen import CardEvidence, card_seen


def found(kind: str, *places: float, p: float = 0.9) -> list[Detection]:
    """Boxes of upright cards, 40 pixels wide, at places along a line."""
    return [
        Detection(kind, p - 0.001 * i, np.array([x, 100.0, 40.0, 56.0, 0.0], np.float32)) for i, x in enumerate(places)
    ]


def apart(boxes: list[Detection]) -> list[float]:
    return [d.apart for d in with_apart(without_doubles(boxes), boxes)]


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((100.0, 100.4, 99.6), pytest.approx(0.01, abs=1e-6)),
        ((100.0, 108.0, 104.0, 96.0), pytest.approx(0.129, abs=0.001)),
        ((100.0, 108.0), 0.0),
        ((100.0,), 0.0),
    ],
    ids=["one card", "cards that lie close", "too few boxes", "one box"],
)
def test_boxes_of_one_card_lie_together(places: tuple[float, ...], told: float) -> None:
    assert len(places) >= LEAST_BOXES or told == 0.0
    assert apart(found("card_up", *places)) == [told]


def test_another_card_is_no_box_of_this_one() -> None:
    assert apart(found("card_up", 100.0, 100.0, 100.0, 140.0, 140.0, 140.0)) == [0.0, 0.0]


def test_each_of_two_that_overlap_has_its_own_boxes() -> None:
    boxes = found("card_up", 100.0, 120.0, 100.4, 120.4, 99.6, 119.6)
    assert np.ptp([d.box[0] for d in without_doubles(boxes)]) == pytest.approx(20.0)
    assert apart(boxes) == [pytest.approx(0.01, abs=1e-6)] * 2


def test_faint_boxes_and_other_things_tell_nothing() -> None:
    lone = found("card_up", 100.0, 100.0, 100.0)
    assert apart([*lone, *found("card_up", 110.0, 90.0, p=MIN_P - 0.01)])[0] == 0.0
    assert apart([*lone, *found("hand", 110.0, 90.0, 110.0)])[0] == 0.0
    assert set(apart(found("chip", 100.0, 108.0, 104.0, 96.0))) == {0.0}


def test_an_observation_carries_it() -> None:
    boxes = found("card_up", 100.0, 108.0, 104.0, 96.0)
    (card,) = with_apart(without_doubles(boxes), boxes)
    assert card_seen(card, 1, CardEvidence()).apart == round(card.apart, 3)
    assert card_seen(boxes[0], 1, CardEvidence()).apart is None
