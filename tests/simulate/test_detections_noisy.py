"""Noisy observations: the faults that detectors are known for, at rates like those measured, the same for one seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest
from msgspec import UNSET

from verifier.domain.observations import BillSeen, CardSeen, Observation
from verifier.simulate.annotate import annotate_shares
from verifier.simulate.detections import LEVELS, Level, noisy_observations
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera

Look = Callable[..., list[Observation]]
CAMERA = Camera.straight((1280, 720))


@pytest.fixture(scope="module")
def played() -> Performance:
    return perform(3, rounds=1, spaces=3, shuffle=False, shift_change=False)


@pytest.fixture(scope="module")
def look(played: Performance) -> Look:
    """What is seen of the round at a level with a seed; each is looked at once for all tests."""
    return cache(lambda level, seed=0: list(noisy_observations(played, CAMERA, level, seed=seed)))


@pytest.fixture(scope="module")
def cards_at(played: Performance) -> Callable[[float], list[CardSeen]]:
    """The cards as they truly lie at a moment."""
    return cache(lambda t: annotate_shares(played.scene_at(t), CAMERA)[0].cards)


def test_same_seed_gives_the_same_observations(played: Performance, look: Look) -> None:
    assert list(noisy_observations(played, CAMERA, "hard", seed=2)) == look("hard", 2)
    assert look("hard", 2) != look("hard", 3)


def test_faults_hide_some_cards_and_without_faults_none_is_hidden(
    look: Look, cards_at: Callable[[float], list[CardSeen]]
) -> None:
    """Of well visible cards, the share that is not seen where they lie, over several seeds."""

    def missed(level: Level) -> float:
        absent = there = 0
        for seen in (seen for seed in range(4) for seen in look(level, seed)):
            for x, y in (card.quad[0] for card in cards_at(seen.t) if (card.visible or 0.0) >= 0.6):
                there += 1
                absent += not any(abs(x - c.quad[0][0]) < 15 and abs(y - c.quad[0][1]) < 15 for c in seen.cards)
        return absent / there

    assert missed("faultless") == 0.0 < missed("hard") < 0.1


def test_idle_time_is_looked_at_seldom(look: Look) -> None:
    times = [seen.t for seen in look("easy")]
    moving = sum(b - a < 0.2 for a, b in pairwise(times))
    assert moving > len(times) / 2
    assert max(b - a for a, b in pairwise(times)) < 2.6


def test_a_misread_card_stays_misread_while_it_rests(look: Look) -> None:
    """What a resting card is taken for is one answer of its track, not a new one at every look."""
    answers: dict[int, Counter[str]] = {}
    for seen in look("hard"):
        for card in seen.cards:
            if card.rank is not None and card.id is not None:
                answers.setdefault(card.id, Counter())[card.rank] += 1
    steady = [count for count in answers.values() if sum(count.values()) >= 10]
    assert steady
    assert sum(max(count.values()) / sum(count.values()) > 0.9 for count in steady) >= 0.9 * len(steady)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_observations_are_those_of_the_format(look: Look, level: Level) -> None:
    for seen in look(level):
        for card in seen.cards:
            assert 0.3 <= card.p <= 1.0
            assert card.visible is None
            assert card.ranks is None or sum(card.ranks.values()) <= 1.001


def test_bills_pass_for_cards_now_and_then_and_without_faults_never() -> None:
    bought = perform(5, rounds=1, spaces=3, deviations=["ND-08-07.3.b-fan-buyin"], shift_change=False)
    lying = [event for event in bought.events.events if event.name in ("currency_spread", "currency_dropped")]
    since, until = lying[0].t_start, lying[-1].t_start

    def passing(level: Level) -> list[int]:
        """Cards told by each look while bills lie and no cards do."""
        shown = [seen for seed in range(6) for seen in noisy_observations(bought, CAMERA, level, seed=seed)]
        return [len(seen.cards) for seen in shown if since < seen.t < until and not bought.scene_at(seen.t).cards]

    assert sum(passing("faultless")) == 0
    told = passing("typical")
    assert 0.05 < sum(count > 0 for count in told) / len(told) < 0.5


def test_bills_are_looked_for_now_and_then_and_read_with_doubt() -> None:
    bought = perform(5, rounds=1, spaces=3, deviations=["ND-08-07.3.b-fan-buyin"], shift_change=False)
    lying = [event for event in bought.events.events if event.name in ("currency_spread", "currency_dropped")]
    since, until = lying[0].t_end + 0.5, lying[-1].t_start - 3.0

    def looks(level: Level) -> list[list[BillSeen]]:
        """What each look tells while the bills lie spread."""
        seen = noisy_observations(bought, CAMERA, level, seed=2)
        return [one.bills for one in seen if since < one.t < until and one.bills is not UNSET]

    assert len(looks("typical")) >= 3
    assert max(sum(bill.cents or 0 for bill in told) for told in looks("faultless")) == lying[0].cents
    readings = [bill.values[str(bill.cents)] for told in looks("typical") for bill in told]
    assert max(readings) < 1.0
