"""What an employee saw, from a CSV file."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec

from verifier.domain.errors import BadInput
from verifier.formats.days import read_moment
from verifier.formats.tables import read_table
from verifier.review.documents.daily import Check

COLUMNS = Check.__struct_fields__
_YES_NO = ("recorder", "clock", "unobstructed", "cards", "chips", "currency")
_WORDS = {"yes": True, "y": True, "no": False, "n": False, "": None}


def read_checks(path: Path) -> list[Check]:
    """One line for each table; the column `table` is needed, the others may be missing or empty.

    Raises BadInput with line and column for what cannot be understood.
    """
    names, rows = read_table(path, ("table",))
    unknown = sorted(set(names) - set(COLUMNS))
    if unknown:
        raise BadInput(path, f"has an unknown column {unknown[0]}", f"columns are {', '.join(COLUMNS)}")
    return [check_of(path, where, row) for where, row in rows]


def check_of(path: Path | str, where: str, row: dict[str, str]) -> Check:
    """Read the check of one line, whose columns are text. Raises BadInput with line and column."""
    values: dict[str, object] = dict(row)
    if not values["table"]:
        raise BadInput(path, "table is empty", "fill it in", where=where)
    for name in _YES_NO:
        word = str(values.get(name, "")).lower()
        if word not in _WORDS:
            raise BadInput(path, f"{name} is {word!r}", "write yes or no, or leave it empty", where=where)
        values[name] = _WORDS[word]
    values["active_hours"] = _hours(path, str(values.get("active_hours", "")), where)
    for name in ("first_seen", "repaired"):
        _moment(path, name, str(values.get(name, "")), where)
    values["game"] = str(values.get("game") or "twenty-one").lower()
    return msgspec.convert(values, Check)


def _hours(path: Path | str, text: str, where: str) -> float | None:
    if not text:
        return None
    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 <= hours < 1e5:
        raise BadInput(path, f"active_hours is {text!r}", "write hours such as 12.5", where=where)
    return hours


def _moment(path: Path | str, name: str, text: str, where: str) -> None:
    try:
        moment = read_moment(text) if text else None
    except ValueError as error:
        raise BadInput(path, f"{name} is {text!r}", "write it as 2026-11-17T21:30", where=where) from error
    if moment is not None and moment.tzinfo is not None:
        raise BadInput(path, f"{name} has a time zone", "write the site's own time without one", where=where)
