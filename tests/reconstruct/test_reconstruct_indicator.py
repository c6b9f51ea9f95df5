"""The indicator card that comes out of the shoe: seen beside it, or told by nothing."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from verifier.domain.events import IndicatorCard, Shuffle
from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.reconstruct.between.indicator import CutCards, without_needless
from verifier.reconstruct.scene import Drafts, event
from verifier.simulate.detections import noisy_observations
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera

ON_INDICATOR, ONLY_WHEN = "ND-08-08.2-reshuffle-on-indicator", "ND-08-08.2-reshuffle-only-when"
HERE = (200.0, 520.0)


Look = tuple[float, tuple[tuple[float, float], ...] | None]


def looked(*looks: Look) -> CutCards:
    cards = CutCards()
    for t, seen in looks:
        cards.add(t, seen)
    return cards


def test_a_card_that_came_and_stayed_appeared_between_two_looks() -> None:
    cards = looked((8.0, ()), (10.0, None), (12.0, (HERE,)), (14.0, (HERE,)), (16.0, ()), (18.0, ((203.0, 522.0),)))
    (card,) = cards.appeared(5.0, 30.0)
    assert isinstance(card, IndicatorCard)
    assert (card.t_start, card.t_end, card.action, card.weak) == (8.0, 12.0, "appeared", False)


@pytest.mark.parametrize(
    "looks",
    [
        [(8.0, ()), (10.0, (HERE,)), (12.0, (HERE,)), (14.0, ())],
        [(8.0, ()), *((t, ((20.0 * t, 520.0),)) for t in (10.0, 12.0, 14.0, 16.0))],
        [(float(t), (HERE,)) for t in range(0, 30, 2)],
        [(float(t), (HERE,)) for t in range(20, 30, 2)],
        [(float(t), None) for t in range(0, 30, 2)],
    ],
    ids=["for a moment", "carried about", "there before", "after the round", "nobody looked"],
)
def test_what_else_lies_there_is_no_indicator(looks: list[Look]) -> None:
    assert looked(*looks).appeared(5.0, 18.0) == []


def test_a_card_is_told_once() -> None:
    cards = looked((0.0, ()), *((float(t), (HERE,)) for t in range(10, 60, 2)))
    assert len(cards.appeared(5.0, 30.0)) == 1
    assert cards.appeared(40.0, 58.0) == []


def test_a_doubtful_record_goes_where_the_card_was_seen_since_the_shuffle() -> None:
    def shown(t: float, *, seen: bool) -> IndicatorCard:
        return event(IndicatorCard, t, t, 0.9 if seen else 0.3, action="appeared", occluded=not seen)

    def shuffle(t: float) -> Shuffle:
        return event(Shuffle, t, t + 5.0, 0.9, method="hand", scope="all")

    log: Drafts = [
        shown(10.0, seen=True),
        shown(20.0, seen=False),
        shuffle(20.0),
        shown(40.0, seen=False),
        shuffle(40.0),
    ]
    assert without_needless(log) == [log[0], log[2], log[3], log[4]]


@pytest.mark.parametrize("looked_for", [True, False], ids=["seen", "not looked for"])
def test_a_shoe_that_is_dealt_on_is_told_where_the_card_was_seen(looked_for: bool) -> None:
    played = perform(972005, 3, (ON_INDICATOR,), spaces=2)
    camera = Camera.sample(np.random.default_rng(1), (1280, 720), "easy")
    layout = layout_for(played.plan, camera)
    seen = noisy_observations(played, camera, "faultless")
    if not looked_for:
        seen = (msgspec.structs.replace(one, cut_cards=msgspec.UNSET) for one in seen)
    log = reconstruct(seen, layout, played.house, ObservationsHeader())
    found = {(one.clause, one.verdict) for one in judge(log).findings}
    assert ((ON_INDICATOR, "violation") in found) is looked_for
    assert (ON_INDICATOR, "undetermined") not in found
    assert ONLY_WHEN not in {clause for clause, verdict in found if verdict == "violation"}
