"""Logs that begin or end amid an act: what they do not show is open, and accuses nobody."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from law_build import Log, findings, hand_out, named, play, row
from manual_build import Manual
from washington_build import Washington

from verifier.domain.findings import FindingsReport

TIE = "Th 7d 7s Tc"
MONEY = ("payoff_placed", "chips_collected")


def ended(log: Log, last: dict[str, object]) -> Log:
    """The log up to a record."""
    log.records = [r for r in log.records if r["t_end"] <= last["t_end"]]
    return log


def ended_amid_a_round(log: Log, seed: int) -> Log:
    """The log up to some record between the first card of a round and its last stake that moves."""
    own = [r for r in log.records if r["round"] == 2]
    first = next(i for i, r in enumerate(own) if r["event"] == "card_dealt")
    moved = [i for i, r in enumerate(own) if r["event"] in MONEY and r["kind"] in ("original", "split")]
    return ended(log, own[random.Random(seed).randint(first, max(first, max(moved, default=first) - 1))])


def by_the_manual(seed: int) -> FindingsReport:
    table = Manual(seed=seed).opening().play().play()
    ended_amid_a_round(table.log, seed)
    return table.judge()


def in_washington(seed: int) -> FindingsReport:
    table = Washington("ab"[seed % 2], seed=seed).opening().play().play()
    ended_amid_a_round(table.log, seed)
    return table.judge()


def in_north_dakota(seed: int) -> FindingsReport:
    return ended_amid_a_round(play(seed, 2), seed).judge()


@pytest.mark.parametrize("judged", [in_north_dakota, by_the_manual, in_washington])
@pytest.mark.parametrize("seed", range(501, 507))
def test_a_round_that_the_log_ends_amid_is_open_and_accuses_nobody(
    judged: Callable[[int], FindingsReport], seed: int
) -> None:
    report = judged(seed)
    assert not named(report)
    assert {finding.round for finding in findings(report, "undetermined")} == {2}


def test_what_the_end_of_the_log_leaves_open_in_one_round_is_one_finding() -> None:
    log = hand_out("Th 9h 7d 6s 9c Tc 8d", {2: 1000, 5: 1000}, "hit")
    report = ended(log, log.all("card_dealt", to="space:2")[2]).judge()
    told = [f for f in findings(report, "undetermined") if "it may still have followed" in f.observed]
    assert len(told) == 1
    assert {"ND-08-11.6-bust-collect-now", "ND-08-11.6-bust-cards-discard"} <= {told[0].clause, *told[0].also}


def test_a_tip_exchange_that_the_log_ends_amid_is_open() -> None:
    log = hand_out(TIE, {2: 1000})
    for step in ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out"):
        log.add("tip_exchange", step=step, cents=2000)
    assert named(log.judge(), "undetermined") == {"ND-08-11.18.b-tray-then-receptacle"}
    log.add("hands_clear", region="inner", duration=1.0)
    for step in ("to_tray", "to_receptacle"):
        log.add("tip_exchange", step=step, cents=2000)
    assert not named(log.judge(), "undetermined")


def test_a_hand_of_the_manual_that_is_left_lying_breaks_its_pick_up() -> None:
    table = Manual().play("Th 7d 9s Tc", {2: 1000}, {})
    left, dealers = table.log.all("cards_collected")
    table.log.drop(left).change(dealers, order=1)
    assert "HM-shoe.9-right-ccw" in named(table.judge())


@pytest.mark.parametrize(("bank", "verdict"), [(500, "pass"), (None, "undetermined"), (20000, "violation")])
def test_a_wager_covered_in_part_is_matched_only_by_a_bank_that_had_no_more(bank: int | None, verdict: str) -> None:
    table = Washington("a", bank=20000).opening().play("Th 7d 9s Tc", {1: 1000}, {})
    log = table.log
    covered = log.change(log.one("bank_changed"), cents=bank).one("wager_covered")
    _ = log.change(covered, cents=500).insert_after(
        covered, "chips_returned", kind="original", at="space:1", cents=500, reason="excess"
    )
    log.change(log.one("payoff_placed"), cents=500)
    assert row(table.judge(), "WA-125.4-match-wager") == verdict


@pytest.mark.parametrize(
    ("table", "clause"),
    [(Manual().play(), "HM-play.1-win"), (Washington("a").opening().play(), "WA-125.7-compare-totals")],
    ids=["manual", "Washington"],
)
def test_a_deal_that_the_log_ends_amid_leaves_its_hands_open(table: Manual | Washington, clause: str) -> None:
    ended(table.log, table.log.one("card_dealt"))
    assert row(table.judge(), clause) == "undetermined"
