"""Days and moments that people write, within the years of these records: 0206 for 2026 is a slip."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final, TypeVar

YEARS: Final = range(1990, 2100)
"""Years of a record; the games began in 1981, and no record of before 1990 is kept (policy of this project)."""
_Moment = TypeVar("_Moment", date, datetime)


def read_day(text: str) -> date:
    """Return a day such as 2026-11-17. Raises ValueError for what is none, or in none of these years."""
    return within_years(date.fromisoformat(text))


def read_moment(text: str) -> datetime:
    """Return a moment such as 2026-11-17T21:00. Raises ValueError for what is none, or in none of these years."""
    return within_years(datetime.fromisoformat(text))


def within_years(when: _Moment) -> _Moment:
    """Return the day or moment as it is. Raises ValueError where it is in none of these years."""
    if when.year not in YEARS:
        raise ValueError(f"the year {when.year:04d} is not from {YEARS[0]} to {YEARS[-1]}")
    return when
