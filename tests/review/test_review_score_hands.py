"""Scoring of what verdicts rest on: hands right in value, and amounts right where chips were fanned."""

from __future__ import annotations

import pytest

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, ChipsFanned
from verifier.review.score_hands import Right, amounts_right, hands_right


def dealt(card: str, to: str = "space:1", game: int = 1, face: str = "up") -> AnyEvent:
    return CardDealt(
        id="e00001", t_start=1.0, t_end=2.0, p=1.0, source="video", round=game, card=card, to=to, face=face, seq=None
    )  # type: ignore[arg-type]


def turned(card: str) -> AnyEvent:
    return CardRevealed(
        id="e00002", t_start=5.0, t_end=6.0, p=1.0, source="video", round=1, card=card, at="dealer", how="turned"
    )


def fan(cents: int | None, t: float = 10.0, owner: str = "wager") -> AnyEvent:
    return ChipsFanned(
        id="e00003", t_start=t - 0.5, t_end=t, p=1.0, source="video", owner=owner, at="space:1", cents=cents
    )  # type: ignore[arg-type]


TRUE = [dealt("Kh"), dealt("5d"), dealt("??", "dealer", face="down"), turned("9c")]


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ([dealt("5s"), dealt("Qc", "space:1/0"), turned("9h")], 2),
        ([dealt("Kh"), dealt("6d"), turned("9c")], 1),
        ([dealt("Kh"), dealt("5d"), dealt("5d"), turned("9c")], 1),
        ([dealt("Kh", game=2), dealt("5d", game=2)], 0),
    ],
    ids=["suits and order do not matter", "a misread card", "a card too many", "in another round"],
)
def test_a_hand_is_right_where_its_cards_have_the_same_values(found: list[AnyEvent], right: int) -> None:
    assert hands_right(TRUE, found) == Right(right, 2)


@pytest.mark.parametrize(
    ("found", "right"),
    [(fan(700), 1), (fan(700, t=13.0), 0), (fan(None), 0), (fan(800), 0), (fan(700, owner="payoff"), 0)],
    ids=["the same", "too late", "not stated", "another amount", "another stack"],
)
def test_an_amount_is_right_where_a_fan_of_that_stack_states_it(found: AnyEvent, right: int) -> None:
    assert amounts_right([fan(700), fan(500, owner="tip")], [found], 2.0) == Right(right, 1)


def test_one_fan_answers_for_one_only() -> None:
    assert amounts_right([fan(700), fan(700, t=10.5)], [fan(700)], 2.0) == Right(1, 2)
