"""Logs about the deal and the hole card written from the text alone; named by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, hand_out, named, play_on, row
from reports import Keep

CARDS = "Th Jd 8s 9c 7h Td"
STAKES = {2: 1000, 4: 700}
Case = tuple[str, str, Callable[[], Log]]


def turned(early: bool, how: str = "turned", **house: Any) -> Log:
    """Space 4 hits; the hole card is turned when all have decided, or after the deal."""
    log = hand_out("Th 2d 8s 9c 7h Td Kc", STAKES, "stand hit", **house)
    if early:
        hole = log.one("card_revealed")
        log.move_after(hole, log.one("card_dealt", to="dealer", face="down"))
        log.change(hole, how=how)
    return log


def two_methods(first: str, second: str, told: str | None = None) -> Log:
    """A round by each of two dealing methods at a site whose method is configured, or is not."""
    log = hand_out(CARDS, STAKES, dealing_method=first)
    log.house["dealing_method"] = second
    play_on(log, CARDS, STAKES)
    log.house["dealing_method"] = told
    return log


def covering(nth: int, **own: Any) -> Log:
    """A card of space 2 covers half of the one before, or of nothing."""
    log = hand_out("Th Jd 8s 9c 7h Td", STAKES)
    return log.change(log.all("card_dealt", to="space:2")[nth], overlap=0.5, **own)


def four_hands() -> Log:
    return hand_out("8h 6d 8s Tc 8c 8d Kh 9d Ts 2h 9s", {2: 1000}, "split split split")


def fifth_split() -> Log:
    """A hand that was split already is split once more."""
    log = four_hands()
    moved = {"from": "space:2", "to": "space:2/1"}
    log.insert_after(log.all("cards_moved")[-1], "cards_moved", kind="split", **moved)
    return log


PEEK, METHOD, OVERLAP, FOUR = "10.1.a-no-peek", "10.1-one-method", "10.2-card-overlap", "09.2.c-four-hands"
HOLE, NO_HOLE, READER = "hole_card_no_peek", "no_hole_card", "hole_card_reader"
ALL: list[Case] = [
    (PEEK, "pass", lambda: turned(early=False)),
    (PEEK, "violation", lambda: turned(early=True)),
    (PEEK, "pass", lambda: turned(early=True, how="exposed_error")),
    (PEEK, "not_applicable", lambda: turned(early=True, dealing_method=READER)),
    (METHOD, "violation", lambda: two_methods(HOLE, NO_HOLE)),
    (METHOD, "violation", lambda: two_methods(NO_HOLE, HOLE)),
    (METHOD, "not_applicable", lambda: two_methods(HOLE, HOLE)),
    (METHOD, "not_applicable", lambda: two_methods(NO_HOLE, NO_HOLE)),
    (METHOD, "violation", lambda: two_methods(HOLE, NO_HOLE, told=HOLE)),
    (OVERLAP, "violation", lambda: covering(1)),
    (OVERLAP, "not_assessed", lambda: covering(0)),
    (FOUR, "pass", four_hands),
    (FOUR, "violation", fifth_split),
]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, named(report) | named(report, "undetermined")


def test_a_recording_without_a_configured_method_may_miss_one_hole_card() -> None:
    assert row(two_methods(HOLE, NO_HOLE).judge(video="0" * 64), f"ND-08-{METHOD}") == "undetermined"
