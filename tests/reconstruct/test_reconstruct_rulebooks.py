"""Lawful play by other rulebooks, performed and seen without faults, is reconstructed as it was played."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from verifier.domain.events import ChipsReturned, DealerShift, EventLog
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
    layout = layout_for(performance.plan, camera, dealer_seat=performance.dealer_seat)
    return reconstruct(observed, layout, performance.house, RECORDING)


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


def test_lawful_washington_play_is_seen_and_passes() -> None:
    """What was wagered, covered, paid and turned down is judged; what the bank held is not, and says why."""
    performance = washington("wa-blackjack-a")
    report = judge(seen(performance))
    assert report.findings == []
    verdicts = {row.clause: row.verdict for row in report.clauses}
    passed = ("4-match-wager", "4-only-covered-dealt", "7-compare-totals", "2-player-is-dealer-banker")
    assert {verdicts[f"WA-125.{name}"] for name in passed} == {"pass"}
    why = {row.clause: row.why for row in report.clauses if row.verdict == "not_assessed"}
    assert why["WA-125.8-cannot-cover-pass"] == "what the bank held is not in the log"
    assert why["WA-125.6-freeze-short-bank"] == why["WA-125.8-cannot-cover-pass"]


def test_covers_and_payoffs_are_reconstructed_as_they_were_laid() -> None:
    performance = washington("wa-blackjack-b")
    true, told = performance.events, seen(performance)
    for name in ("wager_covered", "payoff_placed", "cards_moved"):
        laid = [Counter((o.round, getattr(o, "at", "")) for o in log.events if o.name == name) for log in (true, told)]
        assert laid[0] == laid[1]


@pytest.mark.parametrize("clause", ["4-only-covered-dealt", "5-tie-recover", "7-bust-turn-down", "6-peek-shall-B"])
def test_a_breach_is_found_from_what_was_seen(clause: str) -> None:
    performance = perform(500_003, 1, [f"WA-125.{clause}"], spaces=3, rulebook="wa-blackjack-b")
    log = seen(performance)
    found = {(one.clause, one.verdict) for one in judge(log).findings}
    if clause == "6-peek-shall-B":  # no look was seen in the whole log, so that looks may not show
        assert found == set()
    else:
        assert found == {(f"WA-125.{clause}", "violation")}


def test_the_dealer_who_comes_after_the_bank_has_passed_is_another() -> None:
    clause = "WA-125.12-one-shoe"
    kept = perform(500_004, 2, [clause], spaces=2, rulebook="wa-blackjack-b")
    assert clause in {one.clause for one in judge(seen(kept)).findings}
    passed = perform(9, 4, spaces=2, rulebook="wa-blackjack-b")
    assert len(dealers(passed)) == 2
    log = seen(passed)
    assert [one.phase for one in log.events if isinstance(one, DealerShift)] == ["end", "start"]
    assert clause not in {one.clause for one in judge(log).findings}


def dealers(performance: Performance) -> set[str | None]:
    """Return who deals cards."""
    return {one.dealer for one in performance.events.events if one.name == "card_dealt"}


def test_a_surrender_is_told_by_the_chips_that_are_pushed_back() -> None:
    performance = perform(5, 1, ["HM-play.5-surrender-option"], spaces=4, rulebook="house-manual")
    log = seen(performance)
    told = [(one.at, one.kind, one.reason) for one in log.events if isinstance(one, ChipsReturned)]
    true = [(o.at, o.kind, o.reason) for o in performance.events.events if isinstance(o, ChipsReturned)]
    assert told == true
    assert "HM-play.5-surrender-option" in {one.clause for one in judge(log).findings}
