"""Weeks of records, by the calendar or by their number, and whether they run on (99-01.3-08-01(3), 04(8))."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, timedelta
from itertools import pairwise

from verifier.law.entries import Entry, as_date
from verifier.law.rows import by

_NAMES = ("week", "week_start", "week_of", "week_ending")


def monday_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def week_of(entry: Entry) -> date | None:
    """Return the Monday of the week that a row is about."""
    given = entry.get(*_NAMES)
    day = as_date(given)
    if day is None and isinstance(given, str) and "W" in given.upper():
        year, _, number = given.upper().partition("W")
        try:
            return date.fromisocalendar(int(year.strip(" -")), int(number), 1)
        except ValueError:
            return None
    if day is None and given is None:
        day = entry.day
    return monday_of(day) if day else None


def week_number(entry: Entry) -> int | None:
    """Return the number of a week in the plan, from `3`, `week 3` or `3 of 6`."""
    found = re.match(r"^(?:week )?(\d{1,2})(?: of \d+)?$", entry.text("week_number", "week_no", "week") or "")
    return int(found[1]) if found else None


def unbroken(weeks: list[date], wanted: int, today: date | None) -> bool | None:
    """Tell whether weeks (Mondays, in order) run on for as long as wanted; None while they still may."""
    if not weeks:
        return None
    run = 1
    for before, after in pairwise(weeks):
        if (after - before).days != 7:
            return run >= wanted
        run += 1
    if run >= wanted:
        return True
    return by(today, weeks[0] + timedelta(weeks=wanted, days=7))


def numbered(weeks: Collection[int], wanted: int, overdue: bool) -> bool | None:
    """Weeks by their number in the plan: a number left out below the highest is a gap, any other once time is up."""
    if not weeks:
        return None
    if set(weeks) >= set(range(1, wanted + 1)):
        return True
    return False if overdue or set(range(1, max(weeks) + 1)) - set(weeks) else None
