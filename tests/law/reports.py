"""Whole reports of the tests' logs, kept as text (`reports/`): who changes a check sees what else it changes.

`hold` compares a report with the kept one. `VERIFIER_WRITE_REPORTS=1 python -m pytest -n 0 tests/law/test_law_cases.py`
(or the file of the other tests) writes those of now instead; `git diff` then shows what to read before it is committed.
A kept report has a line for each finding, and the clauses that are judged otherwise than in a plain lawful play.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from verifier.domain.findings import Finding, FindingsReport

Keep = Callable[[FindingsReport], None]
FOLDER = Path(__file__).parent / "reports"
WRITE = "VERIFIER_WRITE_REPORTS"
JUDGED = ("pass", "violation", "undetermined")


def told(report: FindingsReport, plain: FindingsReport | None = None) -> str:
    """A report in lines: its findings, and by verdict the clauses that have it here (+) or in `plain` (-) only."""
    lines = [_line(finding) for finding in report.findings]
    for verdict in JUDGED:
        here, there = _clauses(report, verdict), _clauses(plain, verdict) if plain else set()
        signed = [*(f"+{clause}" for clause in here - there), *(f"-{clause}" for clause in there - here)]
        if signed:
            lines.append(f"{verdict}: {' '.join(sorted(signed, key=lambda one: (one[1:], one)))}")
    return "\n".join(lines)


def whole(report: FindingsReport, plain: FindingsReport | None = None) -> str:
    """All clauses with their verdict, the number of instances and the reason; only those that `plain` has otherwise."""
    known = set(_rows(plain)) if plain else set()
    return "\n".join(line for line in _rows(report) if line not in known)


def _rows(report: FindingsReport) -> list[str]:
    return [f"{r.clause}: {r.verdict} {r.checked}{f' ({r.why})' if r.why else ''}" for r in report.clauses]


def _clauses(report: FindingsReport, verdict: str) -> set[str]:
    return {row.clause for row in report.clauses if row.verdict == verdict}


def _line(one: Finding) -> str:
    also = f" (also {' '.join(sorted(one.also))})" if one.also else ""
    brief = f" | {one.brief}" if isinstance(one.brief, str) else ""
    where = f"round {one.round}, {one.at}, {one.t_start}-{one.t_end} s, {one.p:.2f}, {' '.join(one.events)}"
    return f"{one.verdict} {one.severity} {one.clause}{also}: {where}: {one.expected} | {one.observed}{brief}"


@cache
def kept(group: str) -> dict[str, str]:
    """The kept reports of a group by title."""
    path = FOLDER / f"{group}.txt"
    parts = path.read_text(encoding="utf-8").split("\n## ")[1:] if path.is_file() else []
    return {title: text.strip() for title, _, text in (part.partition("\n") for part in parts)}


def hold(group: str, title: str, report: FindingsReport, plain: FindingsReport | None = None) -> None:
    """Compare a report with the kept one of that title; write it instead where that is asked for."""
    hold_text(group, title, told(report, plain))


def hold_text(group: str, title: str, now: str) -> None:
    """Compare a text with the kept one of that title; write it instead where that is asked for."""
    if os.environ.get(WRITE):
        kept(group)[title] = now
        _write(group)
        return
    remedy = f"run `{WRITE}=1 python -m pytest -n 0 FILE` and read what changed"
    if title not in kept(group):
        pytest.fail(f"no report is kept in reports/{group}.txt: {remedy}")
    if kept(group)[title] != now:
        pytest.fail(f"kept in reports/{group}.txt:\n{kept(group)[title]}\nnow:\n{now}\n{remedy}")


def hold_titles(group: str, titles: Iterable[str]) -> None:
    """Fail where a kept report belongs to no test any more; take it out where reports are written."""
    gone = set(kept(group)) - set(titles)
    if os.environ.get(WRITE):
        for title in gone:
            del kept(group)[title]
        _write(group)
    elif gone:
        pytest.fail(f"reports/{group}.txt keeps reports of no test: {sorted(gone)}")


def numbered(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of a table, each with the number that it has among those of its clause (its first column)."""
    count: Counter[str] = Counter()
    found = []
    for row in rows:
        count[row[0]] += 1
        found.append((*row, count[row[0]]))
    return found


def _write(group: str) -> None:
    path = FOLDER / f"{group}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = "".join(f"\n## {title}\n{text}\n" for title, text in sorted(kept(group).items()))
    path.write_text(f"Kept reports: see tests/law/reports.py.\n{parts}", encoding="utf-8")
