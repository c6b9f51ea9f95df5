"""What every review leaves, of one recording or of a night's: its files, and its findings as they go into the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.coverage import CoverageReport
from verifier.domain.events import EventLog
from verifier.domain.findings import (
    VERDICT_ORDER,
    ClauseVerdict,
    Finding,
    FindingsReport,
    Unconfirmed,
    UnconfirmedReport,
)
from verifier.domain.layout import Layout
from verifier.formats.coverage import write_coverage
from verifier.formats.events import write_events
from verifier.formats.findings import read_unconfirmed, write_findings, write_unconfirmed
from verifier.formats.layout import write_layout
from verifier.review.evidence import Evidence
from verifier.store.values import NewFinding

KEPT_OBSERVATIONS: Final = "observations.jsonl.gz"
"""What was seen, as it is kept in the review's folder: excerpts of it go into evidence bundles."""
KEPT_LAYOUT: Final = "layout.yaml"
"""The layout by which it was reviewed, for drawing its zones."""
KEPT_EVENTS: Final = "events.jsonl"
KEPT_FINDINGS: Final = "findings.json"
KEPT_COVERAGE: Final = "coverage.json"
KEPT_UNCONFIRMED: Final = "unconfirmed.json"
"""Violations that one look alone told and that are no findings; only there where there are any."""
_MOST_COVERAGE: Final = 0.999
"""The share that a review with a gap counts as covered at most: only what was watched wholly is 1."""


def told(log: EventLog, *, site: str | None = None, table: str | None = None, day: str | None = None) -> EventLog:
    """Return the log with what is given for it: site and table override the log's own, but its own day (ISO) stands."""
    header = log.header
    named = {"site": site or header.site, "table": table or header.table, "date": header.date or day}
    return EventLog(msgspec.structs.replace(header, **named), log.events)


def write_products(folder: Path, log: EventLog, report: FindingsReport, coverage: CoverageReport) -> None:
    """Write events, findings and coverage into `folder`."""
    write_events(folder / KEPT_EVENTS, log)
    write_findings(folder / KEPT_FINDINGS, report)
    write_coverage(folder / KEPT_COVERAGE, coverage)


def with_more(report: FindingsReport, more: Sequence[Finding]) -> FindingsReport:
    """Return the report with further findings, in order and counted; the row of each clause tells the worst."""
    findings = sorted([*report.findings, *more], key=lambda f: (f.t_start, f.clause, f.at or ""))
    counts = Counter[str](finding.verdict for finding in findings)
    clauses = [
        _with_verdicts(row, [one for one in more if row.clause in (one.clause, *one.also)]) for row in report.clauses
    ]
    rows = Counter[str](row.verdict for row in clauses)
    of_rows: dict[str, int] = {
        name: rows[name] for name in ("pass", "not_assessed", "not_applicable") if name in report.summary
    }
    of_findings: dict[str, int] = {"violation": counts["violation"], "undetermined": counts["undetermined"]}
    summary = report.summary | of_findings | of_rows
    return msgspec.structs.replace(report, findings=findings, clauses=clauses, summary=summary)


def _with_verdicts(row: ClauseVerdict, more: Sequence[Finding]) -> ClauseVerdict:
    if not more:
        return row
    verdict = min((row.verdict, *(one.verdict for one in more)), key=VERDICT_ORDER.__getitem__)
    return msgspec.structs.replace(row, verdict=verdict, checked=row.checked + len(more), why=None, evidence=None)


def keep_unconfirmed(folder: Path, unconfirmed: Sequence[Unconfirmed]) -> None:
    """Write what only one look reported into `folder`, in place of what an earlier review left there."""
    path = folder / KEPT_UNCONFIRMED
    if unconfirmed:
        write_unconfirmed(path, UnconfirmedReport(unconfirmed=list(unconfirmed)))
    else:
        path.unlink(missing_ok=True)


def unconfirmed_of(folder: Path) -> list[Unconfirmed]:
    """Return what only one look reported, in order of time; nothing where no such file lies in `folder`.

    Raises BadInput if the file cannot be read.
    """
    path = folder / KEPT_UNCONFIRMED
    kept = read_unconfirmed(path).unconfirmed if path.exists() else []
    return sorted(kept, key=lambda one: (one.told.t_start, one.told.t_end))


def keep_layout(folder: Path, layout: Layout) -> None:
    """Write the layout by which a recording was reviewed into the folder of its review."""
    write_layout(folder / KEPT_LAYOUT, layout)


def new_findings(
    report: FindingsReport,
    evidence: Sequence[Evidence],
    log: EventLog,
    told_dealer: Callable[[float], str | None] = lambda t: None,
) -> list[NewFinding]:
    """Return the findings with their evidence and dealers; `told_dealer` knows who dealt (s) where the log does not."""
    return [
        NewFinding(
            finding=one, clip=shown.clip, stills=shown.stills, dealer=dealer_of(one, log) or told_dealer(one.t_end)
        )
        for one, shown in zip(report.findings, evidence, strict=True)
    ]


def dealer_of(finding: Finding, log: EventLog) -> str | None:
    """Who dealt: the dealer of the finding's events, else of the newest event before it; None if nobody is known."""
    cited = set(finding.events)
    named = [event for event in log.events if event.dealer]
    own = next((event.dealer for event in named if event.id in cited), None)
    return own or next((event.dealer for event in reversed(named) if event.t_end <= finding.t_end), None)


def stored_share(coverage: CoverageReport) -> float:
    """Return the watched share as it is stored."""
    return 1.0 if coverage.complete else min(round(coverage.share, 6), _MOST_COVERAGE)
