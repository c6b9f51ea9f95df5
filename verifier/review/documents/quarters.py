"""Calendar quarters, and until when documents of them are kept."""

from __future__ import annotations

import re
from datetime import date, timedelta

from verifier.domain.errors import BadInput
from verifier.formats.days import YEARS

_QUARTER = re.compile(r"^(\d{4})-Q([1-4])$")


def quarter_days(quarter: str) -> tuple[date, date]:
    """First and last day of `2026-Q4`; raises BadInput for anything else."""
    parts = _QUARTER.match(quarter)
    if parts is None or int(parts[1]) not in YEARS:
        raise BadInput(quarter, "is no quarter", "write it as 2026-Q4")
    first = date(int(parts[1]), 3 * int(parts[2]) - 2, 1)
    return first, _quarter_end(first)


def quarter_before(day: date) -> str:
    """Return the quarter before the one of a day."""
    last = date(day.year, (day.month - 1) // 3 * 3 + 1, 1) - timedelta(days=1)
    return f"{last.year}-Q{(last.month - 1) // 3 + 1}"


def kept_years(day: date, years: int) -> date:
    """Return the last day of keeping: `years` years from the end of the day's quarter."""
    end = _quarter_end(day)
    return date(end.year + years, end.month, end.day)


def _quarter_end(day: date) -> date:
    month = ((day.month - 1) // 3 + 1) * 3
    return date(day.year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
