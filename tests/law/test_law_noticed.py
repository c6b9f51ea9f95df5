"""Logs for changes of the checks that a mutation run (`benchmarks/law_mutations.py`) found unnoticed; by clause."""

from __future__ import annotations

import msgspec
import pytest
from law_build import Log, findings, hand_out, row
from manual_build import Manual

from verifier.domain.events import ChipsReturned, ViewCheck, WagerPlaced
from verifier.law.hands import Stake
from verifier.law.nd_twenty_one.s08_04.sub01_view import TURNED, UPRIGHT, orientation
from verifier.law.nd_twenty_one.s08_04.sub07_records import ALL_SITES, TRACK
from verifier.law.nd_twenty_one.s08_15.sub00_tournaments import CASH_OUT
from verifier.law.poker.ranking import _ranked

STEPS = ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out", "to_tray", "to_receptacle")


def exchanged(told_by: dict[str, str | None]) -> Log:
    """A tip exchange; a step of `told_by` is told by a fan of that owner alone, or not at all."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    for step in STEPS:
        owner = told_by.get(step, step)
        if owner == step:
            log.add("tip_exchange", step=step, cents=500)
        elif owner is not None:
            log.add("chips_fanned", owner=owner, at="inner", cents=500, kind="tip")
    return log


@pytest.mark.parametrize(
    ("clause", "told_by", "verdict"),
    [
        ("fan-exchanged-only", {}, "pass"),
        ("fan-exchanged-only", {"fanned_in": "tip_exchange_in"}, "pass"),
        ("fan-exchanged-only", {"fanned_in": "tip_exchange_out"}, "violation"),
        ("fan-exchanged-only", {"fanned_in": None}, "violation"),
        ("place-right", {"fanned_out": "tip_exchange_out"}, "pass"),
        ("place-right", {"fanned_out": "tip_exchange_in"}, "violation"),
        ("place-right", {"fanned_out": None}, "violation"),
    ],
)
def test_a_fan_of_exchanged_tips_tells_the_step(clause: str, told_by: dict[str, str | None], verdict: str) -> None:
    assert row(exchanged(told_by).judge(), f"ND-08-11.18.b-{clause}") == verdict


@pytest.mark.parametrize(("after", "verdict"), [(-1.0, "pass"), (0.29, "pass"), (0.31, "violation")])
def test_the_manual_turns_the_first_card_before_a_player_decides(after: float, verdict: str) -> None:
    """A signal may begin 0.3 s before the card lies open."""
    log = Manual().play("Th 9c 8d 9d Td 7h", {2: 1000, 5: 500}, {"space:2": "stand", "space:5": "stand"}).log
    turned = log.one("card_revealed", at="dealer")
    act = min(r["t_start"] for r in log.all("hand_signal"))
    log.change(turned, t_start=round(act + after - 0.2, 3), t_end=round(act + after, 3))
    assert row(log.judge(rulebook="house-manual"), "HM-shoe.4-order") == verdict


def stake(placed: int, *returned: tuple[int, str]) -> Stake:
    common = {"t_start": 1.0, "t_end": 2.0, "p": 0.99, "source": "video", "at": "space:2", "kind": "original"}
    back = tuple(
        msgspec.convert({"id": f"r{n}", "cents": cents, "reason": reason, **common}, ChipsReturned)
        for n, (cents, reason) in enumerate(returned)
    )
    return Stake((msgspec.convert({"id": "w", "cents": placed, **common}, WagerPlaced),), (), back)


@pytest.mark.parametrize(
    ("returned", "given_back"),
    [([(500, "excess")], True), ([(499, "excess")], False), ([(500, "void")], False), ([], False)],
)
def test_a_wager_that_went_back_whole_is_no_wager(returned: list[tuple[int, str]], given_back: bool) -> None:
    assert stake(500, *returned).given_back == given_back


@pytest.mark.parametrize(
    ("degrees", "right"),
    [
        (UPRIGHT, True),
        (-UPRIGHT, True),
        (360 - UPRIGHT, True),
        (UPRIGHT + 0.5, None),
        (TURNED - 0.5, None),
        (TURNED, False),
    ],
)
def test_a_picture_is_upright_within_its_bound_either_way(degrees: float, right: bool | None) -> None:
    check = ViewCheck(id="v", t_start=0.0, t_end=1.0, p=1.0, source="video", orientation=degrees)
    assert orientation(check) is right


KINDS = [
    (["Kh Qd Js Tc 8h"], ["Ah Ad 2s 3c 4h"]),
    (["Kh Kd Qs Jc Th"], ["Ah Ad 2s 2c 3h"]),
    (["Kh Kd Qs Qc Jh"], ["Ah Ad As 2c 3h"]),
    (["Kh Kd Ks Qc Jh"], ["Ah 2d 3s 4c 5h"]),
    (["Kh Qd Js Tc 9h"], ["Ah 2h 3h 4h 6h"]),
    (["Kh Qh Jh Th 8h"], ["Ah Ad As 2c 2h"]),
    (["Kh Kd Ks Qc Qh"], ["Ah Ad As Ac 2h"]),
    (["Kh Kd Ks Kc Qh"], ["Ah 2h 3h 4h 5h"]),
]


@pytest.mark.parametrize(("worst", "best"), KINDS)
def test_the_worst_of_a_kind_is_lower_than_the_best_of_the_next_kind(worst: list[str], best: list[str]) -> None:
    """The ranking of (1) turned round: no pair, a pair, two pairs and so on to the straight flush."""
    low, high = (_ranked(tuple(one.split())) for one in (*worst, *best))
    assert low is not None and high is not None and low > high


@pytest.mark.parametrize(("told", "verdict"), [(True, "violation"), (False, "pass")])
def test_a_tournament_in_which_somebody_cashed_out_early(told: bool, verdict: str) -> None:
    log = Log()
    log.add("record_entry", type="tournament", fields={"early_cash_out": told})
    assert row(log.judge(channels=["records"]), CASH_OUT) == verdict


def test_a_roster_that_names_no_site_tells_nothing_of_the_sites_of_a_dealer() -> None:
    log = Log()
    log.add("record_entry", type="percent_of_hold", fields={"dealer": "D1", "sites": ["0123"], "share": 0.2})
    log.add("record_entry", type="roster", fields={"dealers": ["D1"]})
    report = log.judge(channels=["records"], site=None)
    assert row(report, TRACK) == "pass" and row(report, ALL_SITES) != "violation"


@pytest.mark.parametrize(("begins", "verdict"), [(-0.3, "pass"), (0.3, "violation")])
def test_a_showing_that_began_before_the_dealer_had_left_counts(begins: float, verdict: str) -> None:
    """The hands are shown as the dealer leaves; the record of the showing ends after that of the leaving."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    end = log.add("dealer_shift", phase="end", how="face")
    shown = dict.fromkeys(("left_palm", "left_back", "right_palm", "right_back", "fingers_extended"), True)
    log.add("hands_shown", **shown, duration=1.0)
    log.change(log.records[-1], t_start=round(end["t_end"] + begins, 3), t_end=round(end["t_end"] + 1.0, 3))
    assert row(log.judge(), "ND-08-11.18.a-show-hands") == verdict


def test_one_card_of_the_dealer_turned_too_late_is_one_incident() -> None:
    """By the manual both lie face down. Of one turned after the decisions nobody knows which one it was."""
    log = Manual().play("Th 9c 8d 9d Td 7h", {2: 1000, 5: 500}, {"space:2": "stand", "space:5": "stand"}).log
    log.drop(log.all("card_revealed", at="dealer")[0])
    told = findings(log.judge(rulebook="house-manual"))
    assert [(f.clause, f.also) for f in told] == [("HM-shoe.4-order", ["HM-shoe.8-hole-last"])]
