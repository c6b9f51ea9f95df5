"""A dealer's card that was seen to lie only after the first hit began: it belongs to the deal all the same."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from verifier.domain.events import CardDealt
from verifier.law.manual.deal import initial_cards


def dealt(number: int, to: str, t0: float, t1: float) -> CardDealt:
    return CardDealt(
        id=f"c{number}", t_start=t0, t_end=t1, p=0.97, source="video", card="5h", to=to, face="up", seq=None
    )


@pytest.mark.parametrize(("begun", "order"), [(5.9, [1, 0, 1, 0]), (6.0, [1, 0, 1])])
def test_a_card_whose_record_begins_before_the_first_hit_belongs_to_the_deal(begun: float, order: list[int]) -> None:
    cards = [
        dealt(1, "space:1", 1.0, 1.5),
        dealt(2, "dealer", 2.0, 2.5),
        dealt(3, "space:1", 3.0, 3.5),
        dealt(4, "space:1", 6.0, 6.5),
        dealt(5, "dealer", begun, 7.0),
        dealt(6, "space:1", 8.0, 8.5),
    ]
    game: Any = SimpleNamespace(of=lambda kind: cards, folded=SimpleNamespace(burned=()))
    assert [to for to, _ in initial_cards(game)] == order
