"""Cash, chips, players and tips at the table, judged from logs that were written from the text alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from law_build import Log, hand_out, named, opening, play_on, row
from reports import Keep

Case = tuple[str, str, Callable[[], Log]]
CARDS = "Th 8d 9s 9c"
TWO = "Th Tc 8d 9s 9d 9c"


# Buy-ins one after another, and in parts (06(1), 07(3)(b))


def buy(log: Log, space: int, worth: int, *, pushed: Sequence[int | None] = (), **spread: Any) -> None:
    log.add("currency_spread", **{"bills": {str(worth): 1}, "cents": worth, "face_down": True, **spread})
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_from_tray", cents=worth, hand="right")
    log.add("chips_fanned", owner="buy_in", at="inner", cents=worth)
    log.add("hands_clear", region="inner", duration=0.7)
    for part in pushed or (worth,):
        log.add("chips_pushed", at=f"space:{space}", cents=part, reason="buy_in")


def two_buyers(*dropped: int, goes_on: bool = True) -> Log:
    """Players at spaces 2 and 5 buy chips for 20.00 and 10.00; the cash is dropped when both have theirs."""
    log = hand_out(CARDS, {2: 1000})
    buy(log, 2, 2000)
    buy(log, 5, 1000)
    for cents in dropped:
        log.add("currency_dropped", what="currency", cents=cents)
    if goes_on:
        play_on(log, CARDS, {2: 1000})
    return log


def in_parts(*pushed: int | None, **spread: Any) -> Log:
    log = hand_out(CARDS, {2: 1000})
    buy(log, 2, 2000, pushed=pushed, **spread)
    log.add("currency_dropped", what="currency", cents=2000)
    play_on(log, CARDS, {2: 1000})
    return log


DROP, CASH, EQUAL = "07.3.b-cash-to-drop-last", "06.1-cash-only", "07.3.b-chips-equal-cash"
BUY_INS: list[Case] = [
    (DROP, "pass", lambda: two_buyers(3000)),
    (DROP, "pass", lambda: two_buyers(2000, 1000)),
    (DROP, "violation", lambda: two_buyers(1000)),
    (DROP, "violation", two_buyers),
    (DROP, "undetermined", lambda: two_buyers(goes_on=False)),
    (CASH, "pass", lambda: in_parts(1000, 1000)),
    (CASH, "violation", lambda: in_parts(2000, 1000)),
    (CASH, "undetermined", lambda: in_parts(1000, 1000, bills=None, cents=None)),
    (EQUAL, "pass", lambda: in_parts(1500, 500)),
    (EQUAL, "violation", lambda: in_parts(1500, 1000)),
    (EQUAL, "undetermined", lambda: in_parts(2000, cents=4000)),
    (EQUAL, "violation", lambda: in_parts(2000, cents=4000, bills={"1000": 4})),
]


# Chips received for exchange: one chip needs no fan (07(3)(c))


def exchange(cents: int | None, chips: dict[str, int] | None) -> Log:
    log = hand_out(CARDS, {2: 1000})
    log.add("chips_received", at="space:2", cents=cents, chips=chips)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_from_tray", cents=cents)
    log.add("chips_fanned", owner="exchange_out", at="inner", cents=cents)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_pushed", at="space:2", cents=cents, reason="exchange")
    log.add("chips_to_tray", cents=cents)
    return log


IN_LEFT = "07.3.c-exchange-in-left"
EXCHANGES: list[Case] = [
    (IN_LEFT, "pass", lambda: exchange(2500, {"2500": 1})),
    (IN_LEFT, "violation", lambda: exchange(2500, {"500": 5})),
    (IN_LEFT, "undetermined", lambda: exchange(2500, None)),
    (IN_LEFT, "violation", lambda: exchange(2000, None)),
]


# Who is at the table (08(3))


def comes_back(spaces: Sequence[int], leave: Sequence[int]) -> Log:
    """Players wager at two spaces whose arrival the log does not tell; some are left, and somebody comes to space 2."""
    log = opening(Log())
    play_on(log, TWO, dict.fromkeys(spaces, 1000))
    log.add("player_presence", phase="leave", spaces=list(leave))
    log.add("player_presence", phase="arrive", spaces=[2])
    play_on(log, CARDS, {2: 1000})
    return log


RETURNING = "08.3-returning-player"
PRESENT: list[Case] = [
    (RETURNING, "not_applicable", lambda: comes_back([2, 5], [2])),
    (RETURNING, "undetermined", lambda: comes_back([2, 3], [2])),
    (RETURNING, "violation", lambda: comes_back([2, 3], [2, 3])),
]


# A wager of the next round, and one above the maximum (09(1),(2))


def next_wager(space: int, after: dict[str, Any], round_two: str = CARDS) -> Log:
    """A wager for the next round comes to rest after a record of the first, in which space 5 is settled before 2."""
    log = hand_out(TWO, {2: 1000, 5: 1000})
    found = log.one(**after)
    log.insert_after(found, "wager_placed", kind="original", at=f"space:{space}", cents=1000, chips={"500": 2})
    stakes = {2: 1000, space: 1000} if round_two == TWO else {space: 1000}
    play_on(log, round_two, stakes)
    return log.drop(*log.all("wager_placed", round=2, at=f"space:{space}"))


def over(returned: int | None, plays: int) -> Log:
    """Of a wager of 30.00 so much goes back before the deal."""
    log = hand_out(CARDS, {2: plays})
    wager = log.change(log.one("wager_placed"), cents=3000, chips={"2500": 1, "500": 1}).one("wager_placed")
    log.insert_after(wager, "chips_returned", kind="original", at="space:2", cents=returned, reason="excess")
    return log


def added(fan: int, early: bool = False) -> Log:
    """A wager of 10.00 ties and stays; 5.00 are added for the next round, whose fan shows so much."""
    log = hand_out("Th Td 9s 9c", {2: 1000})
    placed = {"kind": "original", "at": "space:2", "cents": 500, "chips": {"500": 1}}
    play_on(log, CARDS, {2: fan})
    if early:
        log.drop(log.one("wager_placed", round=2))
        log.insert_after(log.one("push_tapped"), "wager_placed", **placed)
    return log if early else log.change(log.one("wager_placed", round=2), **placed)


PAID_5, PAID_2 = ({"event": "payoff_placed", "at": f"space:{space}"} for space in (5, 2))
LAST_CARD = {"event": "card_revealed", "card": "9c"}
UNCHANGED, BEFORE, EXCESS = (
    "09.2-no-change-after-first-card", "09.2-original-before-cards", "09.1-excess-returned",
)  # fmt: skip
WAGERS: list[Case] = [
    (UNCHANGED, "pass", lambda: next_wager(5, PAID_5, TWO)),
    (UNCHANGED, "pass", lambda: next_wager(2, PAID_2)),
    (UNCHANGED, "violation", lambda: next_wager(2, PAID_5)),
    (UNCHANGED, "pass", lambda: added(1500)),
    (UNCHANGED, "pass", lambda: added(1500, early=True)),
    (UNCHANGED, "pass", lambda: added(500)),
    (UNCHANGED, "violation", lambda: added(2000)),
    (BEFORE, "pass", lambda: next_wager(7, PAID_5, TWO)),
    (BEFORE, "violation", lambda: next_wager(7, LAST_CARD, TWO)),
    (EXCESS, "pass", lambda: over(500, 2500)),
    (EXCESS, "violation", lambda: over(600, 2400)),
    (EXCESS, "pass", lambda: over(None, 2500)),
]


@pytest.mark.parametrize(
    ("clause", "verdict", "make"), [*BUY_INS, *EXCHANGES, *PRESENT, *WAGERS],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]


# The cards of a hand that took even money, where no other was in play (09(2)(b))


@pytest.mark.parametrize(("picked_up", "verdict"), [(True, "pass"), (False, "violation")])
def test_cards_of_even_money_go_to_the_discard_holder(picked_up: bool, verdict: str) -> None:
    log = hand_out("Ah Ad Ks 9c 5c", {2: 1000}, "even_money")
    if not picked_up:
        log.drop(log.one("cards_collected", **{"from": "space:2"}))
    assert row(log.judge(), "ND-08-09.2.b-even-money-cards") == verdict


# Tips of a tie and of even money in the tip receptacle (09(2)(a),(b))


@pytest.mark.parametrize(
    ("cards", "decision", "clause"),
    [("Th Td 9s 9c", "", "09.2.a-tip-push"), ("Ah Ad Ks 9c 5c", "even_money", "09.2.b-even-money-tip-push")],
)
def test_a_deposited_tip_that_did_not_win_breaks_the_clause_of_its_hand(cards: str, decision: str, clause: str) -> None:
    log = hand_out(cards, {2: (1000, 200)}, decision)
    log.insert_after(log.all("cards_collected")[-1], "tip_deposited", cents=200)
    broken = named(log.judge())
    assert f"ND-08-{clause}" in broken
    assert "ND-08-09.2.a-tip-lose" not in broken
