"""The indicator card where nobody looked for it: the hand that takes it from beside the shoe tells that it was out."""

from __future__ import annotations

import pytest
from recon_scenes import chain, frames, hand, layout

from verifier.domain.events import Shuffle
from verifier.reconstruct.between.handled import indicator_appeared
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.scene import Between, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

REST, PASSING, BESIDE, SHOE = (400.0, 640.0), (300.0, 600.0), (215.0, 560.0), (100.0, 640.0)
AWAY = (REST, PASSING, BESIDE, BESIDE, PASSING, REST, REST)
FETCHING = (PASSING, BESIDE, SHOE, SHOE, SHOE, SHOE, BESIDE, PASSING, REST)


def before_a_shuffle(*way: tuple[float, float], played: bool = True) -> Between:
    """What a left hand does until the cards are mixed."""
    log, table = HandLog(), TableMap.of(layout())
    for seen in chain(
        frames(1.0, hands=[hand(*REST, side="left")]), *(frames(0.14, hands=[hand(*at, side="left")]) for at in way)
    ):
        log.add(detections_of(seen, table, Body.of(table)))
    return Between(table=table, hands=log, backs=(), played=played, start=0.0, end=20.0)


@pytest.mark.parametrize(
    ("way", "weak"),
    [((*AWAY, *FETCHING), False), ((REST, *FETCHING), True), ((*AWAY, REST), True), ((*FETCHING, *AWAY), True)],
    ids=["taken away", "only fetched", "no cards fetched", "afterwards"],
)
def test_the_card_was_out_where_a_hand_takes_it_from_beside_the_shoe_before_the_cards_are_fetched(
    way: tuple[tuple[float, float], ...], weak: bool
) -> None:
    between = before_a_shuffle(*way)
    (card,) = indicator_appeared(between, event(Shuffle, 5.0, 9.0, 0.9, method="hand", scope=None))
    assert card.weak == weak


def test_before_play_no_card_had_come_out() -> None:
    between = before_a_shuffle(*AWAY, *FETCHING, played=False)
    assert indicator_appeared(between, event(Shuffle, 5.0, 9.0, 0.9, method="hand", scope=None)) == []
