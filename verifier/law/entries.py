"""Rows of external records (`record_entry`) as the checks read them: by kind, with values of a known type.

A field that is absent or null is unknown; one that is empty (`""`, `[]`, `{}`) or false was seen to be empty
(docs/formats.md: unknown is null or left out). Money is whole cents; text such as `$1,234.50` is dollars.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from verifier.domain.events import RecordEntry
from verifier.law.lazy import lazy

_YES: Final = frozenset({"yes", "y", "true", "1", "ok", "passed", "approved", "satisfactory", "posted"})
_NO: Final = frozenset({
    "no", "n", "false", "0", "none", "not ok", "failed", "rejected", "unsatisfactory", "missing", "not approved",
    "not satisfactory", "denied", "deficient",
})  # fmt: skip
YEARS: Final = range(1900, 2200)
"""Days outside are misread (policy of this project)."""
MOST: Final = 1e15
"""Numbers beyond are misread (policy of this project)."""
_MONEY: Final = re.compile(r"^-?\$?\s*-?[\d,]+(\.\d{1,2})?$")


@dataclass(frozen=True, eq=False)
class Entry:
    """One row of a record; `kind` is its type, or `fields.kind` (or `record`) of a row of type `other`."""

    event: RecordEntry

    @lazy
    def fields(self) -> Mapping[str, object]:
        """Return the row's fields by plain names: lower case, words joined by `_`."""
        return {plain(name): value for name, value in (self.event.fields or {}).items()}

    @lazy
    def kind(self) -> str:
        named = next((self.fields[k] for k in ("kind", "type", "record", "subject") if self.fields.get(k)), None)
        return plain(named) if self.event.type == "other" and isinstance(named, str) else plain(self.event.type)

    @lazy
    def day(self) -> date | None:
        """Return the row's own date, else its `date` field."""
        return as_date(self.event.date) or self.date("date", "day", "activity_date")

    def get(self, *names: str) -> object:
        """Return the first of these fields that is known; None where none is."""
        for name in names:
            value = self.fields.get(name)
            if value is not None:
                return value
        return None

    def told(self, *names: str) -> bool | None:
        """Tell whether something stands there: None where no such field is known, False where it is empty or false."""
        values = [self.fields[name] for name in names if self.fields.get(name) is not None]
        if not values:
            return None
        return any(not (value is False or value in ("", [], {})) for value in values)

    def flag(self, *names: str) -> bool | None:
        """Return a field as yes or no; None where it is neither or not known."""
        return as_flag(self.get(*names))

    def date(self, *names: str) -> date | None:
        return as_date(self.get(*names))

    def moment(self, *names: str) -> datetime | None:
        return as_moment(self.get(*names))

    def number(self, *names: str) -> float | None:
        return as_number(self.get(*names))

    def cents(self, *names: str) -> int | None:
        """Money in cents; also under the name with `_cents`."""
        return as_cents(self.get(*names, *(f"{name}_cents" for name in names)))

    def text(self, *names: str) -> str | None:
        """Text in lower case with single blanks; numbers as text; None where not known."""
        value = self.get(*names)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return " ".join(str(value).lower().split())

    def words(self, *names: str) -> str | None:
        """Text in lower case, with blanks for `_` and `-`: `shift manager`; None where not known."""
        text = self.text(*names)
        return None if text is None else " ".join(re.split(r"[\s_-]+", text)).strip()

    def names(self, *names: str) -> tuple[str, ...] | None:
        """Names of people or things, from a list or text with commas; None where not known."""
        value = self.get(*names)
        if isinstance(value, str):
            return tuple(part.strip() for part in re.split(r"[,;/&]", value) if part.strip())
        if isinstance(value, Mapping):
            return tuple(str(name) for name in value)
        if isinstance(value, Sequence):
            return tuple(_name(item) for item in value if _name(item))
        return None

    @property
    def where(self) -> str | None:
        """The table that the row is about, by its bare name."""
        return table_name(self.text("table", "table_number", "table_id", "table_no"))

    @property
    def site(self) -> str | None:
        """The site that the row names, by its bare name."""
        return table_name(self.text("site", "site_id"))


@dataclass(frozen=True, eq=False)
class Records:
    """All rows of records in a log, by kind. `today` is the latest day that the log knows of."""

    entries: tuple[Entry, ...]
    play_date: date | None

    @lazy
    def _by_kind(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.kind, []).append(entry)
        return found

    def of(self, *kinds: str) -> list[Entry]:
        """Rows of these kinds in the order of the log."""
        if len(kinds) == 1:
            return self._by_kind.get(kinds[0], [])
        return [entry for entry in self.entries if entry.kind in kinds]

    @lazy
    def today(self) -> date | None:
        days = [self.play_date, *(entry.day for entry in self.entries)]
        return max((day for day in days if day is not None), default=None)


def records_of(events: Iterable[RecordEntry], play_date: str | None) -> Records:
    """Return the records of a log played on `play_date` (ISO)."""
    return Records(tuple(Entry(event) for event in events), as_date(play_date))


def table_name(text: str | None) -> str | None:
    """Return a table's number or name without leading zeros and without the word before it: `2` for `Table 02`."""
    if text is None:
        return None
    bare = re.sub(r"^(table|site|tbl|no|number|id|drop box|box)\b[\s.:#]*", "", text.strip().lower())
    return bare.lstrip("0#: ") or bare


def plain(name: str) -> str:
    """`Chip bank (cashier)` as `chip_bank_cashier`."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def as_flag(value: object) -> bool | None:
    """Return a value as True or False; None for what is neither."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    return True if text in _YES else (False if text in _NO else None)


def as_date(value: object) -> date | None:
    """Return the day of an ISO date or date and time; None for a year that no record of play has."""
    if not isinstance(value, str):
        return None
    try:
        day = date.fromisoformat(value.strip()[:10])
    except ValueError:
        return None
    return day if day.year in YEARS else None


def as_moment(value: object) -> datetime | None:
    """Return a value as a date and time, without its zone."""
    if not isinstance(value, str) or len(value) < 16:
        return None
    try:
        moment = datetime.fromisoformat(value.strip()).replace(tzinfo=None)
    except ValueError:
        return None
    return moment if moment.year in YEARS else None


def as_number(value: object) -> float | None:
    """Return a finite number, also from text such as `9.5 %`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < MOST else None
    if isinstance(value, str):
        try:
            return as_number(float(value.strip().rstrip("%").strip()))
        except ValueError:
            return None
    return None


def as_cents(value: object) -> int | None:
    """Cents from whole cents, or from text or a fraction in dollars."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str) and _MONEY.match(value.strip()):
        dollars = as_number(re.sub(r"[$,\s]", "", value))
        return None if dollars is None else round(dollars * 100)
    number = None if isinstance(value, str) else as_number(value)
    if number is None:
        return None
    if isinstance(value, int):
        return value
    return int(number) if number.is_integer() else round(number * 100)


_QUARTER: Final = re.compile(r"^(\d{4})\D*q([1-4])$|^q([1-4])\D*(\d{4})$", re.IGNORECASE)


def quarter_end(value: object) -> date | None:
    """Last day of a quarter given as `2026Q3`, `Q3 2026` or any day in it."""
    if not isinstance(value, str):
        return None
    named = _QUARTER.match(value.strip())
    if named:
        year, quarter = int(named[1] or named[4]), int(named[2] or named[3])
    else:
        day = as_date(value)
        if day is None:
            return None
        year, quarter = day.year, (day.month - 1) // 3 + 1
    if year not in YEARS:
        return None
    first_after = date(year + quarter // 4, quarter % 4 * 3 + 1, 1)
    return first_after - timedelta(days=1)


def years_after(day: date, years: int) -> date:
    """Return the same day some years later, or the last day of February where that year has no such day."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def _name(item: object) -> str:
    if isinstance(item, Mapping):
        item = next((item[key] for key in ("name", "id", "person", "initials", "player") if item.get(key)), "")
    return "" if item is None else str(item).strip()
