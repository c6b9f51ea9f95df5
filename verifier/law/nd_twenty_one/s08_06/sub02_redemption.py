"""Redemption of chips and tips (99-01.3-08-06(2), (3))."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from verifier.law import say
from verifier.law.entries import Entry, as_date, as_moment
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

AT_VALUE = "ND-08-06.2-redeem-at-value"
DISCONTINUED = "ND-08-06.2-discontinued-30-days"
TIPS_CASH = "ND-08-06.2-tips-cash-on-hand"
TIPS_BEFORE = "ND-08-06.3-redeem-before-leaving"


@session_check(AT_VALUE, DISCONTINUED, TIPS_CASH, TIPS_BEFORE, reads=("redemption", "tip_redemption", "discontinued"))
def redeemed(session: Session) -> Iterator[Instance]:
    """Chips are redeemed at their value, tips through cash on hand before the dealer leaves."""
    for entry in session.records.of("redemption"):
        value, paid = entry.cents("value", "chips_value", "sold_for"), entry.cents("paid", "cash_paid", "redeemed_for")
        if value is not None and paid is not None and entry.flag("unlawful", "unlawfully_obtained") is not True:
            yield of_row(
                AT_VALUE,
                value == paid,
                entry,
                expected=say.that("chips are redeemed at their value, {value}", value=say.cents(value)),
                observed=say.that("{paid} was paid", paid=say.cents(paid)),
            )
    for entry in session.records.of("discontinued", "discontinued_game"):
        ended = entry.date("discontinued", "discontinued_on", "date") or entry.day
        until = entry.date("redeemed_until", "redemption_until", "until")
        due = ended + timedelta(days=session.figures.redemption_days) if ended else None
        never = entry.told("redeemed_until", "redemption_until", "until", "redeemed") is False
        yield of_row(
            DISCONTINUED,
            until >= due if until and due else (False if never else None),
            entry,
            expected=say.that("chips are redeemed until {due}", due=say.day(due)),
            observed="they were not" if never else say.that("they were until {until}", until=say.day(until)),
        )
    for entry in session.records.of("tip_redemption"):
        yield from _tips(entry)


def _tips(entry: Entry) -> Iterator[Instance]:
    through = entry.words("through", "source", "paid_from")
    if through is not None:
        yield of_row(
            TIPS_CASH,
            ("cash on hand" in through and not through.startswith("not")) or through == "cash",
            entry,
            expected="tips are redeemed through cash on hand",
            observed=say.that("they were redeemed through {through}", through=through),
        )
    at, left = entry.get("redeemed_at", "time", "at"), entry.get("left_at", "left", "shift_end")
    told = False if entry.told("redeemed_at") is False else entry.flag("before_leaving", "redeemed")
    timed = not_after(at, left)
    if timed is not None or told is not None:
        yield of_row(
            TIPS_BEFORE,
            told if timed is None else timed,
            entry,
            expected="tips are redeemed before leaving the site",
            observed="they were redeemed afterwards" if timed is False else "they were not redeemed",
        )


def not_after(first: object, second: object) -> bool | None:
    """Tell whether one moment of a record is no later than another; None where their days do not tell.

    Where both name their zone it counts, else both are the time of the site's clocks.
    """
    one, two = _moment(first), _moment(second)
    if one is None or two is None:
        days = as_date(first), as_date(second)
        return None if days[0] is None or days[1] is None or days[0] == days[1] else days[0] < days[1]
    if one.tzinfo is None or two.tzinfo is None:
        return one.replace(tzinfo=None) <= two.replace(tzinfo=None)
    return one <= two


def _moment(value: object) -> datetime | None:
    """Return a date and time with its zone; None for a day alone."""
    if as_moment(value) is None or not isinstance(value, str):
        return None
    return datetime.fromisoformat(value.strip())
