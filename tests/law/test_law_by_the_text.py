"""Logs that were written from the text alone: each clause kept, broken, and not to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, hand_out, row

CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
Case = tuple[str, str, Callable[[], Log]]


def plain(**house: Any) -> Log:
    return hand_out(CARDS, {2: 1000, 4: 700}, **house)


# Tips


def tip(late: bool, **own: Any) -> Log:
    """A winning tip that lay before the cards, or came to lie after the first ones."""
    log = hand_out("Th Jd 8s 9c 7h Td", {2: (1000, 100), 4: 700})
    placed = log.one("wager_placed", kind="tip")
    if late:
        log.move_after(placed, log.all("card_dealt")[3])
    return log.change(placed, **own)


TIPS: list[Case] = [
    ("09.2-no-change-after-first-card", "pass", lambda: tip(late=False)),
    ("09.2-no-change-after-first-card", "violation", lambda: tip(late=True)),
    ("09.2-no-change-after-first-card", "undetermined", lambda: tip(late=True, p=0.4)),
]


# A look at the hole card


def peek(after: str, stands: bool = True, **own: Any) -> Log:
    """The dealer looks under the hole card after the last of some records; without `stands` nobody signals."""
    log = plain()
    log.insert_after(log.all(after)[-1], "hole_card_check", how="peek", **own)
    return log if stands else log.drop(*log.all("hand_signal"))


PEEKS: list[Case] = [
    ("10.1.a-no-peek", "pass", lambda: peek("hand_signal")),
    ("10.1.a-no-peek", "violation", lambda: peek("card_dealt")),
    ("10.1.a-no-peek", "undetermined", lambda: peek("card_dealt", stands=False)),
    ("10.1.a-no-peek", "undetermined", lambda: peek("card_dealt", p=0.4)),
]


# Even money


def even_money(late: str | None = None, card: dict[str, Any] | None = None, turned: bool = True) -> Log:
    """Space 2 takes even money; the event `late` follows only after space 4 was dealt another card."""
    log = hand_out("Ah 9d Ad Ks 3c 7c 6c", {2: 1000, 4: 500}, "even_money hit")
    drawn = log.change(log.one("card_dealt", card="6c"), **card or {}).one("card_dealt", to="space:4", seq=7)
    if late == "payoff_placed":
        log.move_after(log.one("payoff_placed", at="space:2"), drawn)
    if late:
        log.move_after(log.one("cards_collected", **{"from": "space:2"}), drawn)
    return log if turned else log.drop(*log.all("card_revealed"))


EVEN_MONEY: list[Case] = [
    ("09.2.b-even-money-pay", "pass", even_money),
    ("09.2.b-even-money-pay", "violation", lambda: even_money("payoff_placed")),
    ("09.2.b-even-money-pay", "undetermined", lambda: even_money("payoff_placed", {"p": 0.4})),
    ("09.2.b-even-money-pay", "undetermined", lambda: even_money("payoff_placed", turned=False)),
    ("09.2.b-even-money-cards", "pass", even_money),
    ("09.2.b-even-money-cards", "violation", lambda: even_money("cards_collected")),
    ("09.2.b-even-money-cards", "undetermined", lambda: even_money("cards_collected", {"p": 0.4})),
]


ALL = [*TIPS, *PEEKS, *EVEN_MONEY]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log]) -> None:
    report = make().judge()
    assert row(report, f"ND-08-{clause}") == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]
