"""Breaches and lawful play that once were missed or accused though the observations show them: simulated, no pixels."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.domain.findings import Finding
from verifier.domain.observations import ObservationsHeader, VideoInfo
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.simulate.detections import noisy_observations
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera

HEADER = ObservationsHeader(video=VideoInfo(name="play without pixels", sha256="0" * 64, width=1280, height=720))


def found(seed: int, clause: str, spaces: int) -> list[Finding]:
    """The findings of a round with one breach, seen without the detectors' faults."""
    played = perform(seed, 1, (clause,), spaces=spaces)
    camera = Camera.sample(np.random.default_rng([seed, 77]), (1280, 720), "easy")
    layout = layout_for(played.plan, camera, site=played.site, table=played.table)
    log = reconstruct(noisy_observations(played, camera, "faultless"), layout, played.house, HEADER)
    return judge(log).findings


def verdicts(seed: int, clause: str, spaces: int) -> dict[str, str]:
    """Their verdicts by clause."""
    return {one.clause: one.verdict for one in found(seed, clause, spaces)}


@pytest.mark.parametrize(
    ("clause", "seed", "spaces"),
    [
        ("ND-08-08.3-burn-not-shown", 721022, 2),
        ("ND-08-09.2.a-one-tip", 721029, 2),
        ("ND-08-10.2-left-hand-draw", 721059, 4),
        ("ND-08-11.10.a-one-hand-sweep", 721071, 2),
        ("ND-08-11.2-no-card-touch", 721121, 6),
        ("ND-08-11.18.b-hands-away", 721116, 3),
        ("ND-08-11.16-hand-by-hand", 721094, 2),
        ("ND-08-11.16.b-tip-right-hand", 721108, 6),
        ("ND-08-11.16.a-hands-away", 721099, 5),
        ("ND-08-03.4-unattended-tray", 721000, 3),
        ("ND-08-11.18.a-then-take-receptacle", 721113, 3),
        ("ND-08-11.10.e-void-split-double", 721076, 6),
        ("ND-08-12.14-exposed-hole", 721004, 3),
    ],
)
def test_a_breach_that_shows_is_found_and_nothing_else(clause: str, seed: int, spaces: int) -> None:
    assert verdicts(seed, clause, spaces) == {clause: "violation"}


def test_a_hand_that_lingers_at_the_hole_card_is_no_more_than_a_doubt() -> None:
    assert verdicts(721053, "ND-08-10.1.a-no-peek", 2) == {"ND-08-10.1.a-no-peek": "undetermined"}


def test_hands_that_leave_the_tips_between_two_payoffs_and_again_after_them_are_clear_in_the_end() -> None:
    assert verdicts(730079, "ND-08-11.10.g-soft18-21", 4) == {"ND-08-11.10.g-soft18-21": "violation"}


def test_a_second_tip_like_the_first_is_no_more_than_a_doubt() -> None:
    assert verdicts(730029, "ND-08-09.2.a-one-tip", 2) == {"ND-08-09.2.a-one-tip": "undetermined"}


def test_insurance_first_seen_as_the_dealer_lays_it_hides_no_gesture_of_its_player() -> None:
    clause = "ND-08-09.2.b-insurance-only-ace"
    assert verdicts(721038, clause, 2) == {clause: "violation"}


def test_a_chip_taken_from_a_wager_is_told_from_one_put_on_it() -> None:
    clause = "ND-08-09.2-no-change-after-first-card"
    finding = next(one for one in found(721122, "ND-08-11.2-no-remove-chip", 5) if one.clause == clause)
    assert finding.verdict == "violation"
    assert "ND-08-11.2-no-remove-chip" in finding.also


def test_a_tip_paid_under_a_hand_that_stays_is_paid_and_the_hand_did_not_leave_it() -> None:
    clause = "ND-08-11.16.b-tip-hands-away"
    told = verdicts(721107, clause, 3)
    assert told[clause] == "violation"
    assert {one for one, verdict in told.items() if verdict == "violation"} == {clause}
