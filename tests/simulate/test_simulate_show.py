"""A show of cards: each lies apart from the others, in its order, and is there from its own moment on."""

from __future__ import annotations

import itertools
import math

import pytest

from verifier.simulate.show import DECK, EVERY_S, REST_S, card_show
from verifier.simulate.table import VIEW_MM, plan_table


def test_cards_come_one_after_the_other_and_lie_apart_within_view() -> None:
    show = card_show(plan_table(5), 3)
    assert show.duration == pytest.approx(len(DECK) * EVERY_S + REST_S)
    assert show.scene_at(0.0).cards == ()
    assert [len(show.scene_at(n * EVERY_S + 0.01).cards) for n in (1, 2, 52)] == [1, 2, 52]
    assert len(show.scene_at(EVERY_S / 2).hands) == 1
    last = show.scene_at(show.duration)
    assert last.hands == ()
    assert [one.card for one in last.cards] == list(DECK)
    assert len(set(DECK)) == 52
    for one, other in itertools.combinations(last.cards, 2):
        across, along = abs(one.xy[0] - other.xy[0]), abs(one.xy[1] - other.xy[1])
        assert across > 63 or along > 88
    for one in last.cards:
        assert math.hypot(31.5, 44) < VIEW_MM[0] / 2 - abs(one.xy[0])
        assert math.hypot(31.5, 44) < VIEW_MM[1] / 2 - abs(one.xy[1])


def test_chips_come_after_the_cards_and_lie_apart_from_them() -> None:
    show = card_show(plan_table(5), 3, DECK[:13], [100, 500], begin=1.5)
    counts = [
        (len(scene.cards), len(scene.chips)) for scene in map(show.scene_at, (1.4, 1.95, 1.5 + 13.5 * EVERY_S, 99.0))
    ]
    assert counts == [(0, 0), (1, 0), (13, 0), (13, 2)]
    for chip in show.chips:
        assert all(abs(chip.xy[1] - card.xy[1]) > 19.5 + 44 for card in show.cards)
