"""Cells of records in the forms that people type; what is ambiguous is refused with what to write instead."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

import pytest

from verifier.formats.record_cells import MOST_TEXT, CellError, read_cell
from verifier.formats.record_kinds import ColumnType

READ: list[tuple[ColumnType, Any, Any]] = [
    ("day", "2026-11-02", "2026-11-02"),
    ("day", "11/17/2026", "2026-11-17"),
    ("day", "17.11.2026", "2026-11-17"),
    ("day", "11/11/2026", "2026-11-11"),
    ("day", "Nov 2, 2026", "2026-11-02"),
    ("day", "2 November 2026", "2026-11-02"),
    ("day", datetime(2026, 11, 2, 0, 0), "2026-11-02"),
    ("day", date(2026, 11, 2), "2026-11-02"),
    ("day", "1990-01-01", "1990-01-01"),
    ("day", "2099-12-31", "2099-12-31"),
    ("time", "9:15 p.m.", "9:15 p.m."),
    ("time", "21:15", "21:15"),
    ("time", "9:15", "9:15"),
    ("time", "12:00 AM", "12:00 AM"),
    ("time", time(21, 15), "9:15 p.m."),
    ("time", time(0, 5), "12:05 a.m."),
    ("time", time(12, 0), "12:00 p.m."),
    ("money", "$1,234.50", 123450),
    ("money", "1234", 123400),
    ("money", 12.5, 1250),
    ("money", 12, 1200),
    ("money", 12.1 * 3, 3630),
    ("money", 1.0000009, 100),
    ("money", "0", 0),
    ("money", "100,000,000.00", 10_000_000_000),
    ("signed", "-12.50", -1250),
    ("signed", "($12.50)", -1250),
    ("count", "20", 20),
    ("count", 20.0, 20),
    ("count", "0", 0),
    ("number", "12.5", 12.5),
    ("percent", "9.5 %", "9.5 %"),
    ("percent", 9.5, "9.5"),
    ("flag", "Yes", True),
    ("flag", "n", False),
    ("flag", True, True),
    ("posted", "no", "no"),
    ("posted", True, "yes"),
    ("text", 101.0, "101"),
    ("text", " a  b ", "a b"),
    ("list", "AA; BB;", ["AA", "BB"]),
    ("list", ["AA", "BB"], ["AA", "BB"]),
    ("amounts", "20.00;30", [2000, 3000]),
    ("quarter", "Q3 2026", "2026Q3"),
    ("quarter", "2026-q3", "2026Q3"),
    ("money", "(blank)", ""),
    ("flag", "(Blank)", ""),
    ("text", "x" * MOST_TEXT, "x" * MOST_TEXT),
]

REFUSED: list[tuple[ColumnType, Any, str]] = [
    ("day", "11/02/2026", "either of two days"),
    ("day", "02.11.2026", "either of two days"),
    ("day", "13/13/2026", "no day of the calendar"),
    ("day", "2026-02-30", "no day of the calendar"),
    ("day", "11/17/26", "no day"),
    ("day", 46000, "no day"),
    ("day", "1989-12-31", "in no year"),
    ("day", "2100-01-01", "in no year"),
    ("time", "25:00", "no time"),
    ("time", "13:15 pm", "no time"),
    ("time", "0:15 pm", "no time"),
    ("time", "9.15", "no time"),
    ("money", "12,50", "no amount"),
    ("money", "1.234,50", "no amount"),
    ("money", "12.5", "no amount"),
    ("money", "1,23", "no amount"),
    ("money", "-5", "below zero"),
    ("money", 12.345, "whole cents"),
    ("money", True, "no amount"),
    ("money", "€5", "no amount"),
    ("money", "100,000,000.01", "more than any"),
    ("money", float("inf"), "whole cents"),
    ("money", float("nan"), "whole cents"),
    ("money", 1.00001, "whole cents"),
    ("signed", "(-5)", "no amount"),
    ("signed", "(5", "no amount"),
    ("count", "2.5", "no whole number"),
    ("count", "-1", "no whole number"),
    ("number", float("nan"), "too large"),
    ("number", "1e9", "no number"),
    ("flag", "maybe", "neither yes nor no"),
    ("flag", 1, "neither yes nor no"),
    ("quarter", "2026Q5", "no quarter"),
    ("text", "a\u200bb", "nobody sees"),
    ("text", "x" * (MOST_TEXT + 1), "501 letters"),
    ("text", datetime(2026, 11, 2), "is a date"),
]


@pytest.mark.parametrize(("kind", "typed", "read"), READ)
def test_a_cell_is_read_as_it_was_meant(kind: ColumnType, typed: Any, read: Any) -> None:
    assert read_cell(typed, kind) == read


@pytest.mark.parametrize(("kind", "typed", "why"), REFUSED)
def test_what_may_mean_two_things_or_nothing_is_refused(kind: ColumnType, typed: Any, why: str) -> None:
    with pytest.raises(CellError, match=why) as error:
        read_cell(typed, kind)
    assert error.value.remedy
