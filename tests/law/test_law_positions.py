"""Clauses about where a thing lies within its space: judged where a record tells it, as before where none does."""

from __future__ import annotations

from typing import Any

import pytest
from law_build import Log, findings, hand_out, named, row

DRAWN = ("Th 6d 9s Tc 2d", {2: (1000, 200)}, "")
INSURED = ("Th Ad 9s Kc", {2: 1000}, "insurance")
DOUBLED = ("5h 7d 6s Tc Th", {2: 1000}, "double")
SPLIT = ("8h 7d 8s Tc Td 9d", {2: 1000}, "split stand stand")
LINE = "ND-08-09.2.b-insurance-line"
PLACES: tuple[tuple[str, tuple[Any, ...], dict[str, Any], str], ...] = (
    ("ND-08-09.2.a-tip-position", DRAWN, {"event": "wager_placed", "kind": "tip"}, "lower_left"),
    ("ND-08-09.2.d-double-vertical", DOUBLED, {"event": "wager_placed", "kind": "double"}, "vertical"),
    (LINE, INSURED, {"event": "wager_placed", "kind": "insurance"}, "insurance_line"),
    ("ND-08-09.2.c-split-wager-horizontal", SPLIT, {"event": "wager_placed", "kind": "split"}, "horizontal"),
    ("ND-08-11.3.a-split-side-by-side", SPLIT, {"event": "cards_moved", "kind": "split"}, "side_by_side"),
    ("ND-08-11.10.f-hit-position", DRAWN, {"event": "card_dealt", "card": "2d"}, "right"),
    ("ND-08-11.16.a-payoff-beside", DRAWN, {"event": "payoff_placed", "kind": "original"}, "beside"),
)


def log_of(play: tuple[Any, ...]) -> Log:
    cards, stakes, decisions = play
    return hand_out(cards, stakes, decisions)


def told(play: tuple[Any, ...], which: dict[str, Any], **own: Any) -> Log:
    """A round in which one record tells where the thing lies."""
    log = log_of(play)
    return log.change(log.one(which["event"], **{k: v for k, v in which.items() if k != "event"}), **own)


@pytest.mark.parametrize(("clause", "play", "which", "word"), PLACES, ids=[one[0] for one in PLACES])
def test_a_place_is_judged_by_what_its_record_tells(
    clause: str, play: tuple[Any, ...], which: dict[str, Any], word: str
) -> None:
    def verdict(**own: Any) -> str:
        return row(told(play, which, **own).judge(), clause)

    assert verdict() == "not_assessed"
    assert verdict(position=word) == "pass"
    assert verdict(position=word, position_p=0.5) == "pass"
    assert verdict(position=word, position_p=0.49) == "undetermined"
    assert verdict(position="elsewhere", position_p=0.89) == "undetermined"
    assert verdict(position="elsewhere", position_p=0.9) == "violation"
    assert verdict(position="elsewhere") == "violation"
    assert verdict(position="elsewhere", occluded=True) == "undetermined"
    assert verdict(position="elsewhere", p=0.49) == "undetermined"


@pytest.mark.parametrize(("clause", "play", "which", "word"), PLACES, ids=[one[0] for one in PLACES])
def test_nothing_else_changes_where_a_place_is_told(
    clause: str, play: tuple[Any, ...], which: dict[str, Any], word: str
) -> None:
    assert named(told(play, which, position="elsewhere", position_p=0.95).judge()) == {clause}
    assert findings(told(play, which, position=word, position_p=0.95).judge()) == []


def test_a_finding_is_no_surer_than_the_place() -> None:
    (one,) = findings(told(*PLACES[0][1:3], position="elsewhere", position_p=0.93).judge())
    assert one.p == 0.93
    (open_one,) = findings(told(*PLACES[0][1:3], position="elsewhere", position_p=0.7).judge(), "undetermined")
    assert open_one.p == 0.7
    (against,) = findings(told(*PLACES[0][1:3], position="lower_left", position_p=0.4).judge(), "undetermined")
    assert against.p == 0.6


def test_where_places_are_told_a_thing_that_was_not_there_does_not_apply() -> None:
    payoff = PLACES[-1]
    log = told(payoff[1], payoff[2], position="beside")
    assert row(log.judge(), LINE) == "not_applicable"
    assert row(log.judge(), "ND-08-11.10.f-hit-position") == "not_assessed"


def test_an_insurance_of_which_no_place_is_told_is_not_assessed_whatever_else_is_told() -> None:
    log = log_of(INSURED)
    log.change(log.one("payoff_placed"), position="beside")
    report = log.judge()
    assert row(report, LINE) == "not_assessed"
    why = next(one.why for one in report.clauses if one.clause == LINE)
    assert why == "the log holds no position of insurance"


def test_without_surveillance_a_payoff_s_place_binds_nobody() -> None:
    clause, play, which, _ = PLACES[-1]
    log = told(play, which, position="elsewhere")
    log.house["video_surveillance"] = "absent"
    assert row(log.judge(), clause) in ("not_applicable", "not_assessed")
