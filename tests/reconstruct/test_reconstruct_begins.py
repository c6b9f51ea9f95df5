"""Recordings that begin amid play, as a recorder's files do: what was before is unknown, and accuses nobody."""

from __future__ import annotations

import pytest
from msgspec import structs
from recon_scenes import card, chain, frames, hand
from recon_scenes import layout as small_table

from verifier.domain.house import House
from verifier.domain.observations import CardSeen, ObservationsHeader
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


@pytest.mark.parametrize(("p", "rounds"), [(0.62, 0), (0.95, 1)], ids=["a bill", "a card"])
def test_a_bill_that_a_player_holds_out_begins_no_round_though_it_is_read_for_a_card(p: float, rounds: int) -> None:
    def held(seconds: float, *cards: CardSeen):
        return frames(seconds, hands=[hand(600, 390), hand(600, 190, "player")], cards=list(cards))

    seen = chain(held(3.0), held(1.5, card(600, 300, "5", p=p)), held(8.0))
    log = reconstruct(seen, small_table(), House(), ObservationsHeader())
    assert sum(event.name == "round_started" for event in log.events) == rounds
