"""What a log of the other rulebooks does not tell, or tells weakly: never a pass with nothing said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, named, opening, play_on, row
from manual_build import Manual
from washington_build import Washington

from verifier.domain.findings import FindingsReport

Change = Callable[[Any], object]
STAND = {"space:1": "stand", "space:2": "stand"}
WIN = "Th 7d 9s Tc"


def washington(version: str, cards: str, change: Change, **own: Any) -> FindingsReport:
    """A round of one wager at space 1."""
    table = Washington(version).opening().play(cards, {1: 1000}, STAND, **own)
    change(table.log)
    report: FindingsReport = table.judge()
    return report


def manual(cards: str, change: Change, choices: dict[str, str] | None = None) -> FindingsReport:
    """A round of wagers at the spaces 2 and 5."""
    table = Manual().opening().play(cards, {2: 1000, 5: 1000}, choices or {"space:2": "stand", "space:5": "stand"})
    change(table.log)
    report: FindingsReport = table.judge()
    return report


@pytest.mark.parametrize("version", ["a", "b"])
def test_where_the_blank_card_went_is_not_told(version: str) -> None:
    report = washington(version, WIN, lambda log: log.change(log.one("indicator_card"), cards_remaining=None))
    assert row(report, "WA-125.9-blank-card") == "not_assessed"
    assert not report.findings


def test_nobody_looked_and_the_dealers_card_was_not_read() -> None:
    report = washington("b", WIN, lambda log: log.change(log.one("card_dealt", card="7d"), card="??"))
    assert row(report, "WA-125.6-peek-shall-B") == "undetermined"


def test_what_was_paid_suits_a_natural_and_the_card_may_be_another() -> None:
    doubt = {"K": 0.55, "9": 0.44}
    report = washington("b", "Ah 7d Kh Tc", lambda log: log.change(log.one("card_dealt", card="Kh"), ranks=doubt))
    assert "WA-125.5-natural-pays-1.5" in named(report, "undetermined")


@pytest.mark.parametrize(("p", "verdict"), [(0.4, "undetermined"), (0.99, "violation")])
def test_the_hole_card_was_turned_early_and_again_in_its_turn(p: float, verdict: str) -> None:
    def turned(log: Any) -> None:
        _ = log.insert_after(
            log.one("hand_signal", at="space:2"), "card_revealed", card="Tc", at="dealer", how="turned", p=p
        )

    assert row(manual("Th 8h 7d 9s 8c Tc", turned), "HM-shoe.8-hole-last") == verdict


def test_a_hand_was_given_up_and_the_dealers_hole_card_was_not_read() -> None:
    def unread(log: Any) -> None:
        log.change(log.all("card_revealed")[-1], card="??")

    report = manual("Th 9h Ad 6s 9c 9d", unread, {"space:2": "surrender", "space:5": "stand"})
    assert row(report, "HM-def.7-no-surrender-bj") == "undetermined"


@pytest.mark.parametrize(("stopped", "verdict"), [(True, "undetermined"), (False, "violation")])
def test_the_recording_stopped_before_the_cash_of_a_buy_in_was_dropped(stopped: bool, verdict: str) -> None:
    log = opening(Log())
    play_on(log, WIN, {2: 1000})
    bills: dict[str, Any] = {"bills": {"2000": 1}, "cents": 2000, "face_down": True, "perpendicular": True}
    log.add("currency_spread", **bills)
    log.add("chips_from_tray", cents=2000, hand="right")
    log.add("chips_pushed", at="space:2", cents=2000, reason="buy_in")
    pushed = log.now
    if stopped:
        log.add("recording_segment", start=0.0, end=pushed)
        log.add("recording_segment", start=pushed + 30.0, end=900.0)
    play_on(log, "Td 7h 9h Ts", {2: 1000})
    assert row(log.judge(), "ND-08-07.3.b-cash-to-drop-last") == verdict
