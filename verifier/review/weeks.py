"""Weeks, quarters and how long documents must be kept."""

from __future__ import annotations

import re
from datetime import date, timedelta

from verifier.domain.errors import BadInput
from verifier.formats.days import within_years

_WEEK = re.compile(r"^(\d{4})-W(\d{2})$")


def week_days(week: str) -> tuple[date, date]:
    """Monday and Sunday of an ISO week such as `2026-W47`; raises BadInput for anything else."""
    parts = _WEEK.match(week)
    try:
        if parts is None:
            raise ValueError
        monday = within_years(date.fromisocalendar(int(parts[1]), int(parts[2]), 1))
    except ValueError as error:
        raise BadInput(week, "is no week", "write it as year and ISO week, for example 2026-W47") from error
    return monday, monday + timedelta(days=6)


def week_of(day: str) -> str:
    """Return the ISO week of a day `2026-11-17`. Raises BadInput for anything else."""
    try:
        year, number, _ = date.fromisoformat(day).isocalendar()
    except ValueError as error:
        raise BadInput(day, "is no date", "write it as 2026-11-17") from error
    return f"{year}-W{number:02d}"


def plain_week(week: str) -> str:
    """Return a week with its days: `2026-W47, 16 November to 22 November`."""
    first, last = week_days(week)
    return f"{week}, {first.day} {first:%B} to {last.day} {last:%B}"


def quarter_of(day: date) -> str:
    """Return the calendar quarter of a day: `2026-Q4`."""
    return f"{day.year}-Q{(day.month - 1) // 3 + 1}"


def keep_until(activity: date) -> date:
    """Return the day until which review documents are kept: one year from the end of the activity's quarter.

    N.D. Admin. Code 99-01.3-08-16(1)(h).
    """
    last_month = ((activity.month - 1) // 3 + 1) * 3
    first_after = date(activity.year + last_month // 12, last_month % 12 + 1, 1)
    end = first_after - timedelta(days=1)
    return date(end.year + 1, end.month, end.day)
