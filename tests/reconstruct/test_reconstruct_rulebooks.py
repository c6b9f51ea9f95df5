"""Lawful play by other rulebooks, performed and seen without faults, is reconstructed as it was played."""

from __future__ import annotations

from collections import Counter

import numpy as np

from verifier.domain.events import EventLog
from verifier.domain.observations import ObservationsHeader, VideoInfo
from verifier.domain.rulebooks import Rulebook
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.simulate.detections import noisy_observations
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera

RECORDING = ObservationsHeader(video=VideoInfo(name="play", sha256="0" * 64, width=1280, height=720))


def seen(performance: Performance) -> EventLog:
    """Return what is reconstructed of a performance that is observed without faults."""
    camera = Camera.sample(np.random.default_rng([performance.seed, 77]), (1280, 720), "easy")
    observed = list(noisy_observations(performance, camera, "faultless"))
    return reconstruct(observed, layout_for(performance.plan, camera), performance.house, RECORDING)


def stands(log: EventLog) -> Counter[tuple[int | None, str]]:
    """Count the stand signals by round and place."""
    signals = [one for one in log.events if one.name == "hand_signal" and one.meaning == "stand"]
    return Counter((one.round, str(one.at)) for one in signals)


def test_decisions_follow_the_turning_of_the_faceup_card_where_both_of_the_dealers_cards_were_dealt_down() -> None:
    """Where every hand stands, the first of the dealer's two cards that is turned does not end the decisions."""
    performance = perform(500_000, 4, spaces=2, rulebook="house-manual")
    assert stands(seen(performance)) == stands(performance.events)
    assert stands(performance.events)


def washington(rulebook: Rulebook) -> Performance:
    """Return one round."""
    return perform(500_001, 1, spaces=2, rulebook=rulebook)


def test_lawful_washington_play_is_not_accused_and_says_what_pixels_do_not_tell() -> None:
    """What a reading of pixels holds no record of is not assessed, with its reason, and is not a finding."""
    performance = washington("wa-blackjack-a")
    report = judge(seen(performance))
    assert report.findings == []
    why = {row.clause: row.why for row in report.clauses if row.verdict == "not_assessed"}
    assert why["WA-125.7-compare-totals"] == "the covers beside the wagers were not told apart from stakes and payoffs"
    assert why["WA-125.14-double-one-card"] == why["WA-125.7-compare-totals"], "a cover looks like a double"
    assert why["WA-125.8-cannot-cover-pass"] == "what the bank held is not in the log"
    assert why["WA-125.2-player-is-dealer-banker"] == "the log does not tell at which seat the dealer/banker sits"
    true = {row.clause for row in judge(performance.events).clauses if row.verdict == "pass"}
    assert {"WA-125.2-player-is-dealer-banker", "WA-125.4-match-wager"} <= true


def test_a_look_at_the_hole_card_that_proposal_b_asks_for_is_not_assessed_where_it_is_told_weakly() -> None:
    """A log that a person or the game wrote tells the look; a hand that lingers at the card only may."""
    performance = perform(500_002, 1, spaces=3, rulebook="wa-blackjack-b")
    clause = "WA-125.6-peek-shall-B"
    log = seen(performance)
    assert any(one.name == "hole_card_check" and one.weak for one in log.events)
    (row,) = [row for row in judge(log).clauses if row.clause == clause]
    assert row.verdict == "not_assessed"
    assert row.why == "no look at the hole card was seen surely: a hand that lingers there may look"
    (row,) = [row for row in judge(performance.events).clauses if row.clause == clause]
    assert row.verdict == "pass"
