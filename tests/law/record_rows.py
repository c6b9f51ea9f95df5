"""Rows of records for the law tests, and how a row of their tables is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from law_build import Log, findings, hand_out, row

from verifier.domain.findings import FindingsReport

DAY = "2026-11-02"
Rows = list[tuple[str, dict[str, Any]]]


def given(rows: Rows, **house: Any) -> Log:
    """A lawful log of one round with records, each a type and its fields (`on` is the row's own date)."""
    log = hand_out("Th 7d 9s Tc", {2: 1000}, **house)
    for kind, fields in rows:
        own = {name: value for name, value in fields.items() if name != "on"}
        log.add("record_entry", type=kind, date=fields.get("on"), fields=own, source="record")
    return log


def poh(**own: Any) -> tuple[str, dict[str, Any]]:
    base = {"site": "0123", "game": "twenty-one", "quarter": "2026Q3", "gross_proceeds": 1_000_000, "prizes": 800_000}
    return "percent_of_hold", {"on": "2026-10-05", **base, **own}


LOW = poh(prizes=950_000, percent_of_hold=5.0)
LOSS = poh(prizes=1_100_000)


def doc(week: int = 1, **own: Any) -> tuple[str, dict[str, Any]]:
    day = f"2026-10-{5 + 7 * (week - 1):02d}" if week < 4 else f"2026-11-{7 * (week - 4) + 2:02d}"
    base = {"table": "2", "week": week, "minutes": 60, "reviewer": "R7", "status": "final", "footage_date": day}
    return "review_document", {"on": day, **base, **own}


def weeks(*numbers: int, **own: Any) -> Rows:
    return [LOW, *(doc(n, **own) for n in numbers)]


def slip(kind: str, number: int = 101, **own: Any) -> tuple[str, dict[str, Any]]:
    base = {
        "number": number,
        "game": "21",
        "site": "0123",
        "time": f"{(number - 100) % 12 or 12}:15 p.m.",
        "table": "2",
        "chips": {"500": 20, "100": 50},
        "grand_total": 15000,
        "preparer_role": "cashier" if kind == "fill" else "dealer",
        "cashier_initials": "CC",
        "dealer_initials": "DD",
        "runner_initials": "RR",
        "original_kept": True,
    }
    return f"{kind}_slip", {"on": DAY, **base, **own}


def count(**own: Any) -> tuple[str, dict[str, Any]]:
    base = {
        "table": "2",
        "drop_box_number": "2",
        "counts": [50000, 50000],
        "initials": ["AA", "BB"],
        "dated": True,
        "counters": [{"name": "Ann", "role": "independent person"}, {"name": "Bob", "role": "gaming employee"}],
    }
    return "drop_count", {"on": DAY, **base, **own}


def daily(**own: Any) -> tuple[str, dict[str, Any]]:
    return "surveillance_log", {"on": DAY, "table": "2", "employee": "EE", "unobstructed": True, "clear": True, **own}


def broken(**own: Any) -> tuple[str, dict[str, Any]]:
    return daily(clear=False, deficiency="blurred", **own)


def sample(**own: Any) -> tuple[str, dict[str, Any]]:
    return "sample_submission", {"on": DAY, "table": "2", "submitted": "2026-10-20", "change_date": "2026-10-10", **own}


def disclosed(**own: Any) -> tuple[str, dict[str, Any]]:
    return "disclosure", {"on": DAY, **own}


def tournament(**own: Any) -> tuple[str, dict[str, Any]]:
    return "tournament", {"on": DAY, **own}


def other(kind: str, **own: Any) -> tuple[str, dict[str, Any]]:
    return "other", {"on": DAY, "kind": kind, **own}


def kit(**own: Any) -> tuple[str, dict[str, Any]]:
    return "equipment", {"on": DAY, **own}


RED = {"primary": "red", "secondary": "white", "spots": 6, "style": "solid"}
TEAM = [{"name": "Ann", "role": "dealer"}, {"name": "Bob", "role": "cashier"}]

Case = tuple[str, str, Rows]


def names(cases: list[Any]) -> list[str]:
    """Ids of the rows of a table."""
    return [f"{case[0]}-{case[1]}-{index}" for index, case in enumerate(cases)]


def judged(clause: str, verdict: str, rows: Rows, house: Mapping[str, Any] | None = None) -> FindingsReport:
    """Asserts the verdict that records lead to for a clause; a violation is also among the findings."""
    report = given(rows, **(house or {})).judge(date=DAY, table="2", site="0123", channels=["video", "records"])
    said = [(f.clause, f.observed) for f in report.findings]
    assert row(report, f"ND-08-{clause}") == verdict, said
    if verdict == "violation":
        assert any(f"ND-08-{clause}" in (f.clause, *f.also) for f in findings(report)), said
    return report
