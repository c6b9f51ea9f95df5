"""The cells of records in the forms that people type: days, times, money, yes and no. What is ambiguous is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime, time
from typing import Final

from verifier.domain.money import MAX_CENTS
from verifier.domain.names import is_hidden
from verifier.formats.days import YEARS
from verifier.formats.record_kinds import ColumnType
from verifier.formats.wording import printable

BLANK: Final = "(blank)"
"""A cell that says that the paper's field was seen to be empty. An empty cell says nothing."""
MOST_TEXT: Final = 500
HAIR: Final = 1e-4
"""Cents by which a spreadsheet's sum may miss whole cents: a double of a hundred million dollars is off by 1.5e-6."""
_DOLLARS: Final = re.compile(r"(?P<minus>-?)\$?(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<cents>\d{2}))?")
_ISO: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_SLASHED: Final = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_NAMED: Final = ("%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%d %b %Y", "%d %B %Y")
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?\s*(?:([ap])\.?\s?m\.?)?", re.IGNORECASE)
_YES: Final = frozenset({"yes", "y", "true"})
_NO: Final = frozenset({"no", "n", "false"})
_QUARTER: Final = re.compile(r"(?P<y1>\d{4})\s*-?\s*q(?P<q1>[1-4])|q(?P<q2>[1-4])\s*-?\s*(?P<y2>\d{4})", re.IGNORECASE)


class CellError(ValueError):
    """A cell that cannot be read: what is wrong, and how to write it."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause, self.remedy = cause, remedy


def read_cell(value: object, kind: ColumnType) -> object:
    """Return a cell as the law reads it (docs/law-records.md). It may be text, or of a spreadsheet's or JSON's own
    type.

    Money becomes whole cents; a number is dollars, as in a spreadsheet. Raises CellError.
    """
    if isinstance(value, str) and value.strip().lower() == BLANK:
        return ""
    return _READERS[kind](value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime | date):
        raise CellError("is a date, expected text", "format the cell as text")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = " ".join(str(value).split())
    if any(map(is_hidden, text)):
        raise CellError("holds letters that nobody sees", "type it again")
    if len(text) > MOST_TEXT:
        raise CellError(f"has {len(text)} letters", f"say it in {MOST_TEXT}")
    return text


def _day(value: object) -> str:
    if isinstance(value, datetime | date):
        return _in_years(value.date() if isinstance(value, datetime) else value)
    text = _text(value)
    iso, slashed = _ISO.fullmatch(text), _SLASHED.fullmatch(text)
    try:
        if iso:
            return _in_years(date(*map(int, iso.groups())))
        if slashed:
            return _in_years(_slashed(*map(int, slashed.groups())))
    except CellError:
        raise
    except ValueError:
        raise CellError(f"{_shown(text)} is no day of the calendar", "correct it") from None
    for form in _NAMED:
        try:
            return _in_years(datetime.strptime(text, form).date())
        except CellError:
            raise
        except ValueError:
            continue
    raise CellError(f"{_shown(text)} is no day", "write it as 2026-11-17")


def _slashed(first: int, second: int, year: int) -> date:
    """`11/17/2026` or `17.11.2026`; raises CellError where either of the two may be the month."""
    if first != second and first <= 12 and second <= 12:
        cause = f"{first}/{second}/{year} may be either of two days"
        raise CellError(cause, f"write {year}-{first:02d}-{second:02d} or {year}-{second:02d}-{first:02d}")
    return date(year, second, first) if first > 12 else date(year, first, second)


def _in_years(day: date) -> str:
    if day.year not in YEARS:
        raise CellError(f"{day.isoformat()} is in no year of these records", "correct the year")
    return day.isoformat()


def _time(value: object) -> str:
    """Text stays as it was typed, for the law asks for a.m. or p.m.; a spreadsheet's time is told with it."""
    if isinstance(value, datetime):
        value = value.time()
    if isinstance(value, time):
        return f"{(value.hour - 1) % 12 + 1}:{value.minute:02d} {'p.m.' if value.hour >= 12 else 'a.m.'}"
    text = _text(value)
    found = _TIME.fullmatch(text)
    if not found or int(found[2]) > 59 or int(found[1]) > (12 if found[3] else 23) or (found[3] and int(found[1]) < 1):
        raise CellError(f"{_shown(text)} is no time", "write it as 9:15 p.m. or 21:15")
    return text


def _signed(value: object) -> int:
    if isinstance(value, bool | datetime | date | time):
        raise CellError("is no amount of dollars", "write it as 1234.50")
    if isinstance(value, int | float):
        if not math.isfinite(value) or abs(value * 100 - round(value * 100)) > HAIR:
            raise CellError(f"{value} is no amount of whole cents", "write it as 1234.50")
        return _within(round(value * 100))
    text = _text(value)
    found = _DOLLARS.fullmatch(text.removeprefix("(").removesuffix(")") if text.startswith("(") else text)
    if not found or text.startswith("(") != text.endswith(")") or (text.startswith("(") and found["minus"]):
        raise CellError(f"{_shown(text)} is no amount of dollars", "write it as 1234.50 or 1,234.50")
    cents = int(found["whole"].replace(",", "")) * 100 + int(found["cents"] or 0)
    return _within(-cents if found["minus"] or text.startswith("(") else cents)


def _within(cents: int) -> int:
    if abs(cents) > MAX_CENTS:
        raise CellError("is more than any amount of a site", "correct it")
    return cents


def _money(value: object) -> int:
    cents = _signed(value)
    if cents < 0:
        raise CellError("is below zero", "give an amount of 0 or more")
    return cents


def _count(value: object) -> int:
    number = _number(value)
    if number < 0 or number != int(number):
        raise CellError(f"{number:g} is no whole number", "give a whole number of 0 or more")
    return int(number)


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
    else:
        text = _text(value)
        if not re.fullmatch(r"-?\d{1,9}(?:\.\d{1,6})?", text):
            raise CellError(f"{_shown(text)} is no number", "write it as 12 or 12.5")
        number = float(text)
    if not abs(number) < 1e9:
        raise CellError("is too large a number", "correct it")
    return int(number) if number.is_integer() else number


def _percent(value: object) -> str:
    """Text as `12.3 %`, so that its last digit is kept. A spreadsheet's bare number tells its own."""
    text = _text(value).removesuffix("%").strip()
    return f"{text} %" if isinstance(value, str) and value.strip().endswith("%") else str(_number(text))


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    text = _text(value).lower()
    if text in _YES or text in _NO:
        return text in _YES
    raise CellError(f"{_shown(text)} is neither yes nor no", "write yes or no")


def _list(value: object) -> list[str]:
    parts = value if isinstance(value, list) else _text(value).split(";")
    return [part for part in map(_text, parts) if part]


def _amounts(value: object) -> list[int]:
    if isinstance(value, str | list):
        return [_money(part) for part in _list(value)]
    return [_money(value)]


def _quarter(value: object) -> str:
    text = _text(value)
    found = _QUARTER.fullmatch(text)
    if not found:
        raise CellError(f"{_shown(text)} is no quarter", "write it as 2026Q3")
    return f"{found['y1'] or found['y2']}Q{found['q1'] or found['q2']}"


def _shown(text: str) -> str:
    return repr(printable(text))


_READERS: Final[dict[ColumnType, Callable[[object], object]]] = {
    "text": _text,
    "day": _day,
    "time": _time,
    "money": _money,
    "signed": _signed,
    "count": _count,
    "number": _number,
    "percent": _percent,
    "flag": _flag,
    "posted": _text,
    "list": _list,
    "amounts": _amounts,
    "quarter": _quarter,
}
