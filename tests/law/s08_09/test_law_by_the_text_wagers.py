"""Logs about wagers written from the text alone: limits, returned chips, the next round's bets; named by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, Record, chips, hand_out, named, row
from reports import Keep

CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
INSURED = "6h Tc Ad 5s 9c 7c Kh 9s"
"""Space 2 has 11 and may be insured against the dealer's ace; the dealer has 18."""
Case = tuple[str, str, Callable[[], Log]]


def too_much(back: int | None, at: str = "wager_placed", cards: str = CARDS, decision: str = "", **own: Any) -> Log:
    """Space 2 lays 30.00, of which something is given back; it plays for 25.00."""
    log = hand_out(cards, {2: 2500, 4: 700}, decision)
    log.change(log.one("wager_placed", at="space:2"), cents=3000, chips=chips(3000))
    given = log.all(at)[0 if at == "wager_placed" else 3]
    log.insert_after(given, "chips_returned", kind="original", at="space:2", cents=back, reason="excess", **own)
    return log


def told_twice() -> Log:
    """The dealer gives the excess back after the first card, and the log tells of the smaller stack as well."""
    log = too_much(500, "card_dealt")
    changed = {"cents_before": 3000, "cents_after": 2500, "by": "dealer"}
    log.insert_after(log.one("chips_returned"), "wager_changed", kind="original", at="space:2", **changed)
    return log


def given_by_mistake() -> Log:
    """2.00 of a lawful 10.00 go back before the cards, as an error."""
    log = hand_out(CARDS, {2: 800, 4: 700})
    placed = log.change(log.one("wager_placed", at="space:2"), cents=1000, chips=chips(1000)).one("wager_placed")
    log.insert_after(placed, "chips_returned", kind="original", at="space:2", cents=200, reason="error")
    return log


def next_bet(event: str, kind: str = "original", **own: Any) -> Log:
    """Space 2 was paid and bets on the next round while this one is not over yet."""
    log = hand_out(CARDS, {2: (1000, 200), 4: 700})
    log.insert_after(log.all("payoff_placed", kind="tip")[-1], event, kind=kind, at="space:2", **own)
    return log


def raised() -> Log:
    """Chips are added after the hole card was turned and before the hand is paid."""
    log = hand_out(CARDS, {2: 1000, 4: 700})
    added = {"cents_before": 1000, "cents_after": 2000, "by": "player"}
    log.insert_after(log.one("card_revealed"), "wager_changed", kind="original", at="space:2", **added)
    return log


EXCESS, UNCHANGED, RANGE = "09.1-excess-returned", "09.2-no-change-after-first-card", "09.1-range-1-25"
PLACED: dict[str, Any] = {"cents": 2500, "chips": {"2500": 1}}
CHANGED: dict[str, Any] = {"cents_before": 1000, "cents_after": 2500, "by": "player"}
LIMITS: list[Case] = [
    (EXCESS, "not_applicable", lambda: hand_out(CARDS, {2: 2500, 4: 700})),
    (EXCESS, "pass", lambda: too_much(500)),
    (EXCESS, "violation", lambda: too_much(400)),
    (EXCESS, "violation", lambda: too_much(600)),
    (EXCESS, "pass", lambda: too_much(None)),
    (EXCESS, "undetermined", lambda: too_much(500, p=0.4)),
    (EXCESS, "pass", told_twice),
    (RANGE, "pass", told_twice),
    ("09.2.d-double-amount", "pass", lambda: too_much(500, cards="6h Tc 6d 5s 9c Tc Kh 9s", decision="double")),
    ("09.2.b-insurance-half", "pass", lambda: too_much(500, cards=INSURED, decision="insurance")),
    (UNCHANGED, "pass", given_by_mistake),
    (UNCHANGED, "pass", lambda: next_bet("wager_placed", **PLACED)),
    (RANGE, "pass", lambda: next_bet("wager_placed", **PLACED)),
    (UNCHANGED, "pass", lambda: next_bet("wager_changed", **CHANGED)),
    ("09.2.a-one-tip", "pass", lambda: next_bet("wager_placed", "tip", cents=100)),
    ("09.2.a-tip-win", "pass", lambda: next_bet("wager_placed", "tip", cents=100)),
    (UNCHANGED, "violation", raised),
]


# Tips and insurance


def tipped(cents: int, most: int | None, top: int = 2500) -> Log:
    return hand_out("Th 8d 9s 9c", {2: (1000, cents)}, tip_bet_max=most, table_limits={"min": 100, "max": top})


def tie(deposited: int | None = None) -> Log:
    """The hand ties the dealer; its tip is left, or goes to the receptacle."""
    log = hand_out("Th 9d 9s Tc", {2: (1000, 200)})
    if deposited is not None:
        log.insert_after(log.all("cards_collected")[-1], "tip_deposited", cents=deposited)
    return log


def insured(late: bool = False, allowed: bool | None = True, cards: str = INSURED) -> Log:
    log = hand_out(cards, {2: 1000, 4: 700}, "insurance hit")
    if late:
        log.move_after(log.one("wager_moved", kind="insurance"), log.one("card_dealt", card="Kh"))
    log.house["insurance_allowed"] = allowed
    return log


def natural_paid(cents: int) -> Log:
    """A natural of 10.00 is paid against an ace, before the hole card is known, where even money is adopted."""
    log = hand_out("Ah 9d Ad Ks 3c 7c 6c", {2: 1000, 4: 500}, "even_money hit")
    records: list[Record] = [*log.all("payoff_placed", at="space:2"), *log.all("chips_fanned", owner="payoff")[:1]]
    for record in (*records, log.all("chips_from_tray")[0]):
        log.change(record, cents=cents, chips=chips(cents))
    return log


TIP_RANGE, TIED, MOVED, ONLY_ACE = (
    "09.2.a-tip-range", "09.2.a-tip-push", "09.2.b-insurance-reposition", "09.2.b-insurance-only-ace"
)  # fmt: skip
EVEN = "09.2.b-even-money-pay"
OTHERS: list[Case] = [
    (TIP_RANGE, "pass", lambda: tipped(1500, None)),
    (TIP_RANGE, "violation", lambda: tipped(1500, None, top=1000)),
    (TIP_RANGE, "violation", lambda: tipped(1500, 2500, top=1000)),
    (TIP_RANGE, "violation", lambda: tipped(550, 500)),
    (TIED, "pass", tie),
    (TIED, "violation", lambda: tie(200)),
    (MOVED, "pass", insured),
    (MOVED, "violation", lambda: insured(late=True)),
    (ONLY_ACE, "pass", insured),
    (ONLY_ACE, "violation", lambda: insured(allowed=False)),
    (ONLY_ACE, "undetermined", lambda: insured(allowed=None)),
    (EVEN, "pass", lambda: natural_paid(1000)),
    (EVEN, "violation", lambda: natural_paid(900)),
    (EVEN, "not_applicable", lambda: natural_paid(1500)),
    ("11.11-natural-not-early", "violation", lambda: natural_paid(1500)),
]


ALL = [*LIMITS, *OTHERS]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, named(report) | named(report, "undetermined")


def test_whether_insurance_is_permitted_is_not_asked_of_a_recording() -> None:
    assert row(insured(allowed=None).judge(video="0" * 64), f"ND-08-{ONLY_ACE}") == "not_assessed"
