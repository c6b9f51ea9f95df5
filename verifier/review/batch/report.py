"""The morning report: per table what was recorded, what was reviewed, every gap, the findings, and what failed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from verifier.domain.clock_change import passed_between
from verifier.domain.coverage import CoverageReport
from verifier.domain.errors import BadInput
from verifier.domain.names import shown
from verifier.formats.coverage import read_coverage
from verifier.review.batch.night_runs import NightRun
from verifier.review.batch.to_look_at import ToLookAt
from verifier.review.entries import LeftOut
from verifier.review.pipeline.copies import Repeat
from verifier.review.pipeline.values import clock_between
from verifier.review.products import KEPT_COVERAGE
from verifier.store.database import home
from verifier.store.night.journal import JobRecord

SAME_DAY_S = 12 * 3600.0
"""Recordings of a table that lie further apart than this belong to different days: what is between is no gap."""
SEVERITIES = ("critical", "major", "minor")


class Gap(Struct, frozen=True, kw_only=True):
    """A stretch that was not watched: from, to (the recorder's clock, else seconds of the recording), why, where."""

    start: str
    end: str
    cause: str
    recording: str


class Told(Struct, frozen=True, kw_only=True):
    """Something odd in a watched recording, and when it begins (the recorder's clock, else seconds of it)."""

    since: str
    what: str
    recording: str


class TableReport(Struct, frozen=True, kw_only=True):
    """One table. `findings` counts by severity; hours are of the recorder's clock."""

    site: str
    table: str
    hours_recorded: float
    hours_reviewed: float
    recordings: int
    findings: dict[str, int]
    gaps: list[Gap]
    notes: list[Told] = []

    @property
    def watched(self) -> bool:
        """Whether every recorded second was reviewed."""
        return not any(gap.cause != NOT_RECORDED for gap in self.gaps)


class FileFailure(Struct, frozen=True, kw_only=True):
    """A recording that was not reviewed: unusable, failed and to be tried again, waiting, or not a recording at all."""

    recording: str
    site: str
    table: str
    state: str
    cause: str


class Replaced(Struct, frozen=True, kw_only=True):
    """A review that took the place of earlier ones: of a file before it grew, or of files that are part of it now."""

    recording: str
    review: str
    earlier: list[str]


class MorningReport(Struct, frozen=True, kw_only=True):
    """What a night came to. `unfinished` counts steps that the time window left, and runs that did not end."""

    format: str = "verifier-night"
    version: int = 1
    night: str
    made_at: str
    hours_recorded: float
    hours_reviewed: float
    hours_on_the_wall: float
    times_real_time: float | None
    reviewed_before: int
    unfinished: int
    findings: dict[str, int]
    tables: list[TableReport]
    failures: list[FileFailure]
    repeats: list[Repeat] = []
    replaced: list[Replaced] = []
    covered: list[Repeat] = []
    to_look_at: list[ToLookAt] = []

    @property
    def complete(self) -> bool:
        """Whether everything that was recorded has been watched."""
        return not self.unfinished and not self.failures and all(table.watched for table in self.tables)

    @property
    def exit_code(self) -> int:
        """3 done in part, 4 something to review, 0 nothing to review (docs/formats.md)."""
        if not self.complete:
            return 3
        return 4 if any(self.findings.values()) else 0


class Work(Protocol):
    """What a night's work came to: seconds on the wall, seconds of recordings watched, reviews made before."""

    @property
    def seconds(self) -> float: ...
    @property
    def done(self) -> float: ...
    @property
    def skipped(self) -> int: ...


NOT_RECORDED = "nothing was recorded (closed, or lost)"


def morning_report(
    night: str,
    jobs: Sequence[JobRecord],
    work: Work,
    unfinished: int,
    made_at: datetime,
    repeats: Sequence[Repeat] = (),
    left_out: Sequence[LeftOut] = (),
    account: Callable[[JobRecord], CoverageReport | None] = lambda job: None,
    found: Sequence[ToLookAt] = (),
) -> MorningReport:
    """Return the report of a night from the journal's entries of all its recordings, the files that repeat
    others, and those that were left out. `account` gives the coverage of a job's review, `found` are its findings
    in the order of work.
    """
    by_table: defaultdict[tuple[str, str], list[JobRecord]] = defaultdict(list)
    for job in jobs:
        by_table[shown(job.site or "?"), shown(job.table or "?")].append(job)
    tables = [_table(site, table, some, account) for (site, table), some in sorted(by_table.items())]
    wall = work.seconds / 3600
    return MorningReport(
        night=night,
        made_at=made_at.isoformat(timespec="seconds"),
        hours_recorded=round(sum(job.recorded for job in jobs) / 3600, 3),
        hours_reviewed=round(sum(job.reviewed for job in jobs) / 3600, 3),
        hours_on_the_wall=round(wall, 3),
        times_real_time=round(work.done / work.seconds, 1) if work.done and work.seconds else None,
        reviewed_before=work.skipped,
        unfinished=unfinished,
        findings=_counts(jobs),
        tables=tables,
        failures=[*(_failure(job) for job in jobs if job.state != "reviewed"), *map(_not_reviewed, left_out)],
        repeats=sorted(repeats, key=lambda one: one.file),
        covered=_covered(jobs, {one.file for one in repeats}),
        replaced=[_replaced(job) for job in jobs if job.replaces and job.night == night],
        to_look_at=list(found),
    )


def night_report(
    night: str,
    run: NightRun,
    jobs: Sequence[JobRecord],
    made_at: datetime,
    account: Callable[[JobRecord], CoverageReport | None] = lambda job: None,
    found: Sequence[ToLookAt] = (),
) -> MorningReport:
    """Return the report of all runs of a night; one that began and did not end leaves the night unfinished."""
    unfinished = run.unfinished + run.begun
    return morning_report(night, jobs, run, unfinished, made_at, run.repeats, run.left_out, account, found)


def _table(
    site: str, table: str, jobs: Sequence[JobRecord], account: Callable[[JobRecord], CoverageReport | None]
) -> TableReport:
    gaps = [
        Gap(start=start, end=end, cause=cause, recording=" + ".join(job.names))
        for job in jobs
        for start, end, cause in job.unwatched
    ]
    return TableReport(
        site=site,
        table=table,
        hours_recorded=round(sum(job.recorded for job in jobs) / 3600, 3),
        hours_reviewed=round(sum(job.reviewed for job in jobs) / 3600, 3),
        recordings=sum(len(job.names) for job in jobs),
        findings=_counts(jobs),
        gaps=sorted([*gaps, *_between(jobs)], key=lambda gap: (gap.start, gap.end)),
        notes=[told for job in jobs for told in _notes(job, account(job))],
    )


def _notes(job: JobRecord, coverage: CoverageReport | None) -> list[Told]:
    """Return the account's notes, besides the causes of the gaps."""
    causes = {cause for _, _, cause in job.unwatched}
    return [
        Told(since=one.clock_start or f"{one.t_start:.0f} s", what=one.why, recording=" + ".join(job.names))
        for one in (coverage.stretches if coverage is not None else ())
        if one.why is not None and one.why not in causes
    ]


def kept_account(job: JobRecord) -> CoverageReport | None:
    """Return the coverage that is kept with a job's review; None if there is none that can be read."""
    try:
        return read_coverage(home() / "evidence" / (job.review_id or "") / KEPT_COVERAGE)
    except BadInput:
        return None


def _between(jobs: Iterable[JobRecord]) -> list[Gap]:
    """Stretches of the recorder's clock between two reviews of a table for which there is no recording."""
    timed = sorted((job.clock_start, job.clock_end, job.names) for job in jobs if job.clock_start and job.clock_end)
    gaps = []
    for place, (start, _, names) in enumerate(timed[1:], start=1):
        _, end, before = max(timed[:place], key=lambda one: one[1])
        if 1.0 < clock_between(end, start) <= SAME_DAY_S and passed_between(end, start) > 1.0:
            where = f"between {before[-1]} and {names[0]}"
            gaps.append(Gap(start=end, end=start, cause=NOT_RECORDED, recording=where))
    return gaps


def _counts(jobs: Iterable[JobRecord]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for job in jobs:
        counts.update(job.findings)
    return {severity: counts[severity] for severity in SEVERITIES}


def _failure(job: JobRecord) -> FileFailure:
    return FileFailure(
        recording=" + ".join(job.names),
        site=shown(job.site or "?"),
        table=shown(job.table or "?"),
        state=job.state,
        cause=shown(job.cause or "unknown"),
    )


def _not_reviewed(one: LeftOut) -> FileFailure:
    return FileFailure(recording=one.file, site="?", table="?", state=one.state, cause=one.cause)


def _covered(jobs: Iterable[JobRecord], copies: Container[str]) -> list[Repeat]:
    """Files that were not watched because others show the same stretch of the recorder's clock."""
    return [Repeat(file=file, of=" + ".join(job.names)) for job in jobs for file in job.covered if file not in copies]


def _replaced(job: JobRecord) -> Replaced:
    return Replaced(recording=" + ".join(job.names), review=job.review_id or "?", earlier=job.replaces)
