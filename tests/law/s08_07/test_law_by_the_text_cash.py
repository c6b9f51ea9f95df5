"""Logs about buy-ins, slips and readings of the picture written from the text alone; named by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, chips, hand_out, named, play_on, row
from reports import Keep

CARDS = "Th Jd 8s 9c 7h Td"
STAKES = {2: 1000, 4: 700}
Case = tuple[str, str, Callable[[], Log]]


def spread(log: Log, cents: int, **own: Any) -> None:
    log.add("currency_spread", **{"bills": {"2000": cents // 2000}, "cents": cents, "face_down": True, **own})
    log.add("hands_clear", region="inner", duration=0.7)


def given(log: Log, cents: int, lots: int = 1, fanned: bool = True, space: int = 2, **own: Any) -> None:
    """Chips are taken, fanned and pushed."""
    log.add("chips_from_tray", **{"cents": cents, "chips": chips(cents), "hand": "right", **own})
    if fanned:
        log.add("chips_fanned", owner="buy_in", at="inner", cents=cents, chips=chips(cents))
        log.add("hands_clear", region="inner", duration=0.7)
    for _ in range(lots):
        log.add("chips_pushed", at=f"space:{space}", cents=cents // lots, reason="buy_in")


def bought(act: Callable[[Log], None], dropped: int) -> Log:
    log = hand_out(CARDS, STAKES)
    act(log)
    log.add("currency_dropped", what="currency", cents=dropped)
    play_on(log, CARDS, STAKES)
    return log


def together(first: int = 2000, second: int = 4000, dropped: int = 6000) -> Log:
    """Two players' cash is spread before either is given chips, and dropped at once."""

    def act(log: Log) -> None:
        spread(log, 2000)
        spread(log, 4000)
        given(log, first)
        given(log, second, space=4)

    return bought(act, dropped)


def spread_anew(pushed: int) -> Log:
    """One player's cash is spread, and some of it once more with the rest."""

    def act(log: Log) -> None:
        spread(log, 2000)
        spread(log, 4000)
        given(log, pushed)

    return bought(act, 4000)


def in_lots(lots: int, pushed: int = 4000) -> Log:
    """The chips of one buy-in are pushed in several lots."""

    def act(log: Log) -> None:
        spread(log, 4000)
        given(log, pushed, lots)

    return bought(act, 4000)


def one_more_push() -> Log:
    """The chips for the cash are pushed, and then chips for nothing."""

    def act(log: Log) -> None:
        spread(log, 4000)
        given(log, 4000)
        log.add("chips_pushed", at="space:2", cents=500, reason="buy_in")

    return bought(act, 4000)


def unfanned(count: dict[str, int] | None) -> Log:
    """Chips for 25.00 are pushed without a fan."""

    def act(log: Log) -> None:
        spread(log, 2500, bills={"2000": 1, "500": 1})
        given(log, 2500, fanned=False, chips=count)

    return bought(act, 2500)


def two_values() -> Log:
    """The bills that were read and the sum that was noted are not the same."""

    def act(log: Log) -> None:
        spread(log, 2000, bills={"2000": 2})
        given(log, 2000)

    return bought(act, 2000)


def fills(forms: int, direction: str = "fill") -> Log:
    """Two fills, and as many forms dropped after them."""
    log = hand_out(CARDS, STAKES)
    for _ in range(2):
        log.add("tray_transfer", direction=direction, cents=10000)
    for _ in range(forms):
        log.add("currency_dropped", what="form")
    return log


def reading(what: str, text: str | None, **own: Any) -> Log:
    log = hand_out(CARDS, STAKES)
    log.add("overlay_read", what=what, text=text, **own)
    return log


def pushed_as(reason: str, space: int) -> Log:
    """Between two rounds chips are pushed to a space, for a reason that the record names; spaces 2 and 4 wagered."""
    log = hand_out(CARDS, STAKES)
    log.add("chips_pushed", at=f"space:{space}", cents=2500, reason=reason)
    play_on(log, CARDS, STAKES)
    return log


CASH_ONLY, EQUAL, DROP, FAN = (
    "06.1-cash-only", "07.3.b-chips-equal-cash", "07.3.b-cash-to-drop-last", "07.3.b-fan-buyin"
)  # fmt: skip
FORM, NUMBER, CLOCK = "05.6-dealer-verifies-fill", "02.1-table-number", "04.1.a-time-date-overlay"
ALL: list[Case] = [
    (DROP, "pass", together),
    (DROP, "violation", lambda: together(dropped=4000)),
    (EQUAL, "pass", together),
    (EQUAL, "violation", lambda: together(second=5000)),
    (EQUAL, "violation", lambda: together(first=4000)),
    (EQUAL, "violation", lambda: together(3000, 3000)),
    (EQUAL, "pass", lambda: spread_anew(4000)),
    (EQUAL, "violation", lambda: spread_anew(5000)),
    (CASH_ONLY, "pass", together),
    (CASH_ONLY, "pass", lambda: in_lots(2)),
    (CASH_ONLY, "violation", lambda: in_lots(2, pushed=8000)),
    (CASH_ONLY, "violation", one_more_push),
    *(
        (CASH_ONLY, "violation", lambda r=reason: pushed_as(r, 6))
        for reason in ("settlement", "win", "error", "return")
    ),
    *((CASH_ONLY, "pass", lambda r=reason: pushed_as(r, 2)) for reason in ("settlement", "win", "error", "return")),
    (CASH_ONLY, "pass", lambda: pushed_as("colour_up", 6)),
    (EQUAL, "pass", lambda: in_lots(2)),
    (FAN, "violation", lambda: unfanned({"500": 5})),
    (FAN, "violation", lambda: unfanned(None)),
    (FAN, "pass", lambda: unfanned({"2500": 1})),
    (EQUAL, "undetermined", two_values),
    (FORM, "pass", lambda: fills(2)),
    (FORM, "undetermined", lambda: fills(1)),
    ("05.4-credit-original", "undetermined", lambda: fills(1, "credit")),
    (NUMBER, "pass", lambda: reading("table_number", "Table 2")),
    (NUMBER, "violation", lambda: reading("table_number", "3")),
    (NUMBER, "undetermined", lambda: reading("table_number", "3", occluded=True)),
    (NUMBER, "undetermined", lambda: reading("table_number", None)),
    (CLOCK, "pass", lambda: reading("clock", "2026-11-02 20:00:00")),
    (CLOCK, "undetermined", lambda: reading("clock", None)),
    (CLOCK, "violation", lambda: reading("clock", "")),
]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge(table="2")
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, named(report) | named(report, "undetermined")
