"""Observations of other makers: cards alone, without suits, on broken tracks, through cameras that stand askew."""

from __future__ import annotations

import random

import numpy as np
import pytest
from annotated import annotated
from msgspec import structs

from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.simulate.detections import LEVELS, noisy_observations
from verifier.simulate.detections.foreign import bare, foreign
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera


def cards(events):
    """What was dealt where, by rank, in order of place."""
    return sorted((event.to, event.card[0]) for event in events if event.name == "card_dealt")


@pytest.mark.parametrize("spaces", range(2, 8))
def test_lawful_play_told_by_its_cards_alone_breaks_nothing(spaces):
    performance = perform(694_000 + spaces, rounds=1, spaces=spaces, shift_change=False)
    camera = Camera.sample(np.random.default_rng(spaces), (1280, 720), "normal")
    layout = bare(layout_for(performance.plan, camera, site="0001", table="1"))
    seen = annotated(performance, camera, random.Random(spaces))
    log = reconstruct(seen, layout, performance.house, ObservationsHeader())
    assert cards(log.events) == cards(performance.events.events)
    assert [one.observed for one in judge(log).findings if one.verdict == "violation"] == []


@pytest.mark.parametrize("spaces", (2, 5, 7))
def test_another_detectors_faults_do_not_change_what_was_dealt(spaces):
    """Misses, broken tracks and a knocked camera; no second rank to doubt by, so none is misread here."""
    performance = perform(694_100 + spaces, rounds=1, spaces=spaces, shift_change=False, shuffle=False)
    camera = Camera.sample(np.random.default_rng(40 + spaces), (1280, 720), "hard")
    layout = bare(layout_for(performance.plan, camera, site="0001", table="1"))
    noise = structs.replace(LEVELS["typical"], misread=0.0)
    log = reconstruct(
        foreign(noisy_observations(performance, camera, noise)), layout, performance.house, ObservationsHeader()
    )
    assert cards(log.events) == cards(performance.events.events)
    assert [one.observed for one in judge(log).findings if one.verdict == "violation"] == []


def test_a_breach_that_cards_alone_show_is_found():
    clause = "ND-08-11.10.g-stand-17"
    performance = perform(694_011, 1, (clause,), spaces=3)
    camera = Camera.straight((1280, 720))
    layout = bare(layout_for(performance.plan, camera, site="0001", table="1"))
    log = reconstruct(annotated(performance, camera, random.Random(1)), layout, performance.house, ObservationsHeader())
    assert clause in {one.clause for one in judge(log).findings if one.verdict == "violation"}


def without_hands(seen):
    return structs.replace(seen, hands=[])


def hands_of_unknown_side(seen):
    hands = [
        structs.replace(hand, side="unknown", facing="unknown", fingers=None, keypoints=None) for hand in seen.hands
    ]
    return structs.replace(seen, hands=hands)


def without_chips(seen):
    return structs.replace(seen, chips=[])


@pytest.mark.parametrize("stripped", (without_hands, hands_of_unknown_side, without_chips))
def test_what_a_detector_does_not_tell_accuses_nobody(stripped):
    """Hits, stands and a dealer's leaving, lawful, where no hand is seen, or not which side of it, or no chip."""
    performance = perform(695_901, rounds=1, spaces=3, shift_change=True)
    camera = Camera.straight((1280, 720))
    layout = layout_for(performance.plan, camera, site="0001", table="1")
    noise = structs.replace(LEVELS["typical"], misread=0.0)
    seen = (stripped(one) for one in noisy_observations(performance, camera, noise))
    log = reconstruct(seen, layout, performance.house, ObservationsHeader())
    assert cards(log.events) == cards(performance.events.events)
    assert [one.observed for one in judge(log).findings if one.verdict == "violation"] == []
