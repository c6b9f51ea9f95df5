"""Recordings that begin amid play, as a recorder's files do: what was before is unknown, and accuses nobody."""

from __future__ import annotations

import pytest
from msgspec import structs

from verifier.domain.observations import ObservationsHeader
from verifier.formats.events import read_events, write_events
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera
from verifier.simulate.truth_observations import truth_observations

EVERY = 5.0


@pytest.mark.parametrize("seed", [694_200, 694_201])
def test_a_recording_may_begin_at_any_moment_of_lawful_play(tmp_path, seed):
    performance = perform(seed, rounds=1, spaces=3)
    camera = Camera.straight((1280, 720))
    layout = layout_for(performance.plan, camera, site="0001", table="1")
    seen = list(truth_observations(performance, camera))
    begin = EVERY
    while begin < seen[-1].t - EVERY:
        later = [structs.replace(one, t=round(one.t - begin, 3)) for one in seen if one.t >= begin]
        log = reconstruct(later, layout, performance.house, ObservationsHeader())
        write_events(tmp_path / "log.events.jsonl", log)
        assert read_events(tmp_path / "log.events.jsonl") == log
        assert [(begin, one.observed) for one in judge(log).findings if one.verdict == "violation"] == []
        begin += EVERY
