"""Whole rounds of the simulator, seen perfectly and seen badly, against what truly happened."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from verifier.domain.events import EventLog
from verifier.domain.observations import ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render.camera import Camera
from verifier.simulate.truth_observations import Noise, truth_observations

NOT_LOOKED_FOR = {"indicator_card", "cut", "view_check"}
CAMERA = Camera.straight((640, 360))


@pytest.fixture(scope="module")
def performance():
    return perform(5, rounds=1, spaces=3, shift_change=False, shuffle=True)


def counts(events, names=None):
    """Events by kind, place and what they say."""
    return Counter(
        (
            e.name,
            *(
                str(getattr(e, field, ""))
                for field in ("card", "to", "at", "from_", "kind", "meaning", "owner", "region")
            ),
        )
        for e in events
        if e.name not in NOT_LOOKED_FOR
    )


def log_of(performance, noise=None):
    layout = layout_for(performance.plan, CAMERA, site="0001", table="1")
    seen = list(truth_observations(performance, CAMERA, hz=7.5, noise=noise))
    return reconstruct(seen, layout, performance.house, ObservationsHeader()), seen, layout


def test_a_lawful_round_is_told_as_it_happened(performance):
    truth = counts(performance.events.events)
    log, _, _ = log_of(performance)
    assert counts(log.events) == truth
    money = [(e.at, e.cents, e.set_sizes) for e in log.events if e.name == "chips_fanned"]
    assert money == [(e.at, e.cents, e.set_sizes) for e in performance.events.events if e.name == "chips_fanned"]


def breaches(log):
    """Clauses that the log's findings call broken, judged as a recording's."""
    header = msgspec.structs.replace(log.header, video="0" * 64)
    return {f.clause for f in judge(EventLog(header, log.events)).findings if f.verdict == "violation"}


def test_lawful_play_seen_without_faults_accuses_nobody(performance):
    assert breaches(log_of(performance)[0]) == set()


def test_a_planted_breach_seen_without_faults_is_found_alone():
    planted = perform(5, 1, ("ND-08-11.4-hand-signal-hit",), spaces=3, shift_change=False, shuffle=False)
    assert [one.clause for one in planted.deviations] == ["ND-08-11.4-hand-signal-hit"]
    assert breaches(log_of(planted)[0]) == {"ND-08-11.4-hand-signal-hit"}


def test_a_poor_detector_loses_little(performance):
    truth = counts(performance.events.events)
    log, _, _ = log_of(performance, Noise(missed=0.06, jitter=0.6))
    found = counts(log.events)
    assert sum((truth & found).values()) >= 0.95 * sum(truth.values())
    assert sum((found - truth).values()) <= 0.05 * sum(truth.values())


def test_a_recording_cut_within_the_round_ends_without_its_end(performance):
    _, seen, layout = log_of(performance)
    middle = next(e for e in reversed(performance.events.events) if e.name == "hand_signal").t_end
    cut = [observation for observation in seen if observation.t < middle]
    events = reconstruct(cut, layout, performance.house, ObservationsHeader()).events
    names = Counter(e.name for e in events)
    assert names["round_started"] == 1
    assert names["round_ended"] == 0
    assert not any(e.name == "cards_collected" and e.from_ == "dealer" for e in events)


def test_half_dollars_that_are_coins_are_worth_fifty_cents_where_the_site_has_them():
    tipped = perform(11, rounds=2, spaces=4, shift_change=False, shuffle=True)
    house = msgspec.structs.replace(tipped.house, fifty_cent_piece="us_half_dollar")
    played = perform(11, rounds=2, house=house, spaces=4, shift_change=False, shuffle=True)
    layout = layout_for(played.plan, CAMERA, site="0001", table="1")
    seen = [
        msgspec.structs.replace(one, chips=[msgspec.structs.replace(chip, cents=None) for chip in one.chips])
        for one in truth_observations(played, CAMERA, hz=7.5)
    ]
    assert any(chip.colour == "other" for one in seen for chip in one.chips)
    with_coins, without = (halves(reconstruct(seen, layout, at, ObservationsHeader())) for at in (house, tipped.house))
    assert with_coins == halves(played.events) != [] and without == []


def halves(log):
    """Where and how often half dollars were spread."""
    fans = (e for e in log.events if e.name == "chips_fanned" and e.chips)
    return [(e.at, e.owner, e.chips["50"]) for e in fans if "50" in e.chips]
