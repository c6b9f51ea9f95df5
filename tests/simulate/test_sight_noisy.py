"""Noisy observations: the faults that detectors are known for, at rates like those measured, the same for one seed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from verifier.simulate.annotate import annotate_shares
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera
from verifier.simulate.sight import LEVELS, Level, noisy_observations

CAMERA = Camera.straight((1280, 720))


@pytest.fixture(scope="module")
def played() -> Performance:
    return perform(3, rounds=1, spaces=4, shuffle=False, shift_change=False)


def missed_cards(played: Performance, level: Level, *, least: float = 0.6) -> float:
    """Share of well visible cards that are not seen where they lie, over several seeds."""
    absent = there = 0
    for seen in (seen for seed in range(4) for seen in noisy_observations(played, CAMERA, level, seed=seed)):
        truth, _ = annotate_shares(played.scene_at(seen.t), CAMERA)
        for card in truth.cards:
            if (card.visible or 0.0) >= least:
                x, y = card.quad[0]
                there += 1
                absent += not any(abs(x - c.quad[0][0]) < 15 and abs(y - c.quad[0][1]) < 15 for c in seen.cards)
    return absent / there


def test_same_seed_gives_the_same_observations(played: Performance) -> None:
    first, second = (list(noisy_observations(played, CAMERA, "hard", seed=4)) for _ in range(2))
    assert first == second
    assert first != list(noisy_observations(played, CAMERA, "hard", seed=5))


def test_a_hard_picture_hides_more_than_an_easy_one(played: Performance) -> None:
    easy, hard = missed_cards(played, "easy"), missed_cards(played, "hard")
    assert 0.0 < easy < hard < 0.2


def test_idle_time_is_looked_at_seldom() -> None:
    played = perform(3, rounds=1, spaces=3, shuffle=False, shift_change=False)
    times = [seen.t for seen in noisy_observations(played, CAMERA, "easy")]
    moving = sum(b - a < 0.2 for a, b in pairwise(times))
    assert moving > len(times) / 2
    assert max(b - a for a, b in pairwise(times)) < 2.6


def test_a_misread_card_stays_misread_while_it_rests(played: Performance) -> None:
    """What a resting card is taken for is one answer of its track, not a new one at every look."""
    answers: dict[int, Counter[str]] = {}
    for seen in noisy_observations(played, CAMERA, "hard"):
        for card in seen.cards:
            if card.rank is not None and card.id is not None:
                answers.setdefault(card.id, Counter())[card.rank] += 1
    steady = [count for count in answers.values() if sum(count.values()) >= 10]
    assert steady
    assert sum(max(count.values()) / sum(count.values()) > 0.9 for count in steady) >= 0.9 * len(steady)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_observations_are_those_of_the_format(played: Performance, level: Level) -> None:
    for seen in noisy_observations(played, CAMERA, level):
        for card in seen.cards:
            assert 0.3 <= card.p <= 1.0
            assert card.visible is None
            assert card.ranks is None or sum(card.ranks.values()) <= 1.001
