"""The records of a site judged by themselves: what no single recording is about, and what nobody recorded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from verifier.domain.events import EventLog, EventsHeader, RecordEntry
from verifier.domain.findings import VERDICT_ORDER, ClauseVerdict, Evidence, Finding, FindingsReport, Verdict
from verifier.law.attested import KIND as STATEMENT
from verifier.law.attested import attestable, passed_by_word
from verifier.law.entries import table_name
from verifier.law.judge import judge
from verifier.review.records.floor_options import site_options
from verifier.review.records.joining import Play, day_of, in_force, named, of_the_site, with_records
from verifier.store.repository import Store
from verifier.store.site_records import KeptRecord, SiteRecords

RULEBOOK: Final = "nd-twenty-one"


class PaperFinding(Struct, frozen=True, kw_only=True):
    """What the law says of a site's records; `day` (ISO) is that of the newest of them, "" where it is of no day.

    `events` are the ids of the records in the site's log, which are those that a review of a recording gives them.
    """

    clause: str
    cite: str
    title: str
    verdict: str
    severity: str
    day: str
    expected: str
    observed: str
    events: list[str] = []

    def tells(self, finding: Finding) -> bool:
        """Tell whether a finding of a recording tells the same: the same clause, by the same records."""
        return finding.clause == self.clause and set(finding.events) == set(self.events)


PAPER_COLUMNS: Final = tuple(name for name in PaperFinding.__struct_fields__ if name != "events")
"""Of a paper finding, what a sheet shows."""


class SiteVerdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict of a clause; `evidence` is set where it rests on a person's statement."""

    verdict: Verdict
    evidence: Evidence | None = None


class SiteCheck(Struct, frozen=True, kw_only=True):
    """The records of a site from day `first` to `last` (ISO), judged: how many there are, and by clause the verdict.

    `findings` are of the records of these days, and of what holds for the site on the last of them.
    """

    site: str
    first: str
    last: str
    records: int
    findings: list[PaperFinding]
    verdicts: dict[str, SiteVerdict]

    @property
    def by_word(self) -> str:
        """How many clauses passed on a person's statement, as a sentence; "" for none."""
        return passed_by_word((one.verdict, one.evidence) for one in self.verdicts.values())


def check_site(store: Store, site: str, first: date, last: date) -> SiteCheck:
    """Judge the records that stand of a site as of day `last`."""
    days = tuple((first + timedelta(days=n)).isoformat() for n in range((last - first).days + 1))
    bare = table_name(site)
    records = SiteRecords(store)
    mine = [one for name in records.sites() if table_name(name) == bare for one in records.standing(name)]
    near = in_force(mine, Play(site, None, (days[0], days[-1])), as_of=days[-1])
    options = _Options(store, site)
    log = _log(options, site, days[-1], [one for one in near if one.kind != STATEMENT])
    report = judge(log)
    told = [(one, _day(one, log)) for one in report.findings]
    stated = _stated(options, site, days, [one for one in near if one.kind == STATEMENT])
    rows = [*report.clauses, *(row for _, one in stated for row in one.clauses)]
    return SiteCheck(
        site=site,
        first=days[0],
        last=days[-1],
        records=len(log.events) + len({event.id for one, _ in stated for event in one.events}),
        findings=[
            *(_paper(named(one, log), day) for one, day in told if of_the_site(one, log) or days[0] <= day <= days[-1]),
            *_papers_of(stated),
        ],
        verdicts={
            row.clause: SiteVerdict(verdict=row.verdict, evidence=row.evidence)
            for row in _best_first(rows)
            if row.checked
        },
    )


def _best_first(rows: Sequence[ClauseVerdict]) -> list[ClauseVerdict]:
    """Return the rows with the worst verdict last, so that it overrides the others of its clause."""
    return sorted(rows, key=lambda row: -VERDICT_ORDER[row.verdict])


def _stated(
    options: _Options, site: str, days: Sequence[str], statements: Sequence[KeptRecord]
) -> list[tuple[EventLog, FindingsReport]]:
    """Return what persons stated, judged for each table with statements of its own, and for all others together.

    Each is judged on those of the days on which other statements cover it, or other house options hold, than before.
    """
    logs: list[EventLog] = []
    for table in sorted({one.table for one in statements}):
        mine = [one for one in statements if one.table in ("", table)]
        before: object = None
        for day in days:
            cover = [one for one in mine if one.day <= day <= str(one.fields.get("to"))]
            now = ([one.id for one in cover], options.on(day))
            if now != before and any(one.table == table for one in cover):
                logs.append(_log(options, site, day, cover, table or None))
            before = now
    asked = frozenset(one.id for one in attestable(RULEBOOK))
    return [(log, judge(log, only=asked)) for log in logs]


def _papers_of(stated: Sequence[tuple[EventLog, FindingsReport]]) -> list[PaperFinding]:
    """Return the findings of statements, each once."""
    found = {
        (one.clause, tuple(one.events)): _paper(named(one, log), _day(one, log))
        for log, report in stated
        for one in report.findings
        if one.attested
    }
    return list(found.values())


class _Options:
    """The house options of a site by day, each read once."""

    def __init__(self, store: Store, site: str) -> None:
        self._store, self._site = store, site
        self._read: dict[str, dict[str, object]] = {}

    def on(self, day: str) -> dict[str, object]:
        """Return the options on a day (ISO)."""
        if day not in self._read:
            self._read[day] = site_options(self._store, self._site, date.fromisoformat(day))
        return self._read[day]


def _log(
    options: _Options,
    site: str,
    last: str,
    records: Sequence[KeptRecord],
    table: str | None = None,
) -> EventLog:
    """Return the records as a log of the site, up to its last day. It has no channel: what is not there may be
    elsewhere.
    """
    until = [one for one in records if not one.day or one.day <= last]
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook=RULEBOOK,
        site=site,
        table=table,
        date=last,
        house=options.on(last),
        channels=(),
    )
    return with_records(EventLog(header, ()), until)


def _day(finding: Finding, log: EventLog) -> str:
    cited = set(finding.events)
    rows = [one for one in log.events if one.id in cited and isinstance(one, RecordEntry)]
    return max(map(day_of, rows), default="")


def _paper(finding: Finding, day: str) -> PaperFinding:
    return PaperFinding(
        clause=finding.clause,
        cite=finding.cite,
        title=finding.title,
        verdict=finding.verdict,
        severity=finding.severity,
        day=day,
        expected=finding.expected,
        observed=finding.observed,
        events=finding.events,
    )


def week_papers(store: Store, site: str, first: date, last: date, told: Sequence[Finding]) -> list[PaperFinding]:
    """Return the findings of a site's records in these days, except those that are `told` with a recording."""
    found = check_site(store, site, first, last).findings
    return [one for one in found if not any(map(one.tells, told))]
