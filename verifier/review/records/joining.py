"""The site's records beside a recording: which of them are judged with it, as events of its log."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.events import EventLog, RecordEntry
from verifier.domain.findings import Finding, FindingsReport
from verifier.formats.record_kinds import RecordKind, record_kinds
from verifier.formats.whole import make_folder, whole_file
from verifier.law.attested import KIND as STATEMENT
from verifier.law.entries import table_name
from verifier.law.instances import Instance
from verifier.law.judge import judge
from verifier.law.sentences import with_papers
from verifier.review.products import with_more
from verifier.store.repository import Store
from verifier.store.site_records import KeptRecord, SiteRecords

DAYS_ABOUT: Final = 31
"""Rows of so many days before and after the play are read with it: a slip's number follows the one before it."""
OF_THE_SITE: Final = "told once for the site: verifier records check"
"""Why a clause's verdict has no finding in a review: a record of the whole site is at fault, not this play."""
_NAME: Final = "record_name"
"""The field of a joined event that says which record of which file it is; no check reads it."""
_ID: Final = re.compile(r"record-(\d+)")


class Play(Struct, frozen=True):
    """Of which play a log is: its site and table, and the days (ISO) that its clock shows."""

    site: str | None
    table: str | None
    days: tuple[str, ...]

    @property
    def first(self) -> str | None:
        """The day of play, on which the site's rules must be in force."""
        return min(self.days, default=None)


def play_of(log: EventLog, *clocks: str | None) -> Play:
    """Return the play of a log; `clocks` are further moments (ISO) that the recording shows, such as its end."""
    days = {day for day in (log.header.date, *(clock[:10] for clock in clocks if clock)) if day}
    return Play(log.header.site, log.header.table, tuple(sorted(days)))


def records_for(store: Store, play: Play) -> list[KeptRecord]:
    """Return the records that are read with a play: those of its site as a whole, and those of the days about it."""
    bare = table_name(play.site)
    if bare is None:
        return []
    records = SiteRecords(store)
    sites = [site for site in records.sites() if table_name(site) == bare]
    return [one for site in sites for one in in_force(records.standing(site), play)]


def in_force(records: Sequence[KeptRecord], play: Play, as_of: str | None = None) -> list[KeptRecord]:
    """Of a site's records those of the days about the play; of what holds until it is changed, the newest by then.

    `as_of` is that day (ISO), by default the first of the play. The records come oldest day first.
    """
    until = as_of or play.first
    kinds = record_kinds()
    found: list[KeptRecord] = []
    newest: dict[tuple[object, ...], KeptRecord] = {}
    for one in records:
        kind = kinds.get(one.kind)
        if kind is None:
            continue
        if kind.about == "day":
            found += [one] if _near(one, kind, play.days) else []
        elif kind.stands is None:
            found.append(one)
        elif not until or one.day <= until:
            newest[(one.kind, *(str(one.fields.get(name) or "") for name in kind.stands))] = one
    return [*newest.values(), *found]


def _near(one: KeptRecord, kind: RecordKind, days: Sequence[str]) -> bool:
    """Tell whether a record of a day, or of a span of days, lies within `DAYS_ABOUT` of the play."""
    if not one.day or not days:
        return False
    about, last = timedelta(days=DAYS_ABOUT), str(one.fields.get(kind.until or "") or one.day)
    return (
        date.fromisoformat(days[0]) - about <= date.fromisoformat(last)
        and date.fromisoformat(one.day) <= date.fromisoformat(days[-1]) + about
    )


def write_standing(path: Path, store: Store) -> None:
    """Write all standing records into a file, for those who judge without the store. Raises OSError."""
    make_folder(path.parent)
    with whole_file(path) as stream:
        stream.write(msgspec.json.encode(SiteRecords(store).standing()))


def beside_records(log: EventLog, report: FindingsReport, play: Play, kept: Path) -> tuple[EventLog, FindingsReport]:
    """Return the log with the records of its play from the file that `write_standing` made, and the report on both.

    As they are where there are none: `report` is what is said of the log.
    """
    bare = table_name(play.site)
    if bare is None or not kept.is_file():
        return log, report
    standing = msgspec.json.decode(kept.read_bytes(), type=list[KeptRecord])
    mine = in_force([one for one in standing if table_name(one.site) == bare], play)
    if not mine:
        return log, report
    joined = with_records(log, mine)
    return joined, judged_with(joined, play)


def with_records(log: EventLog, records: Sequence[KeptRecord]) -> EventLog:
    """Return the log with these records at its beginning, in place of those that it was joined with before."""
    events = tuple(event for event in log.events if not _is_joined(event.id))
    return EventLog(log.header, (*(_event(one) for one in records), *events))


def _is_joined(event_id: str) -> bool:
    return _ID.fullmatch(event_id) is not None


def _event(record: KeptRecord) -> RecordEntry:
    kind = record_kinds()[record.kind]
    kept_by = {"kept_by": record.made_by} if kind.name == STATEMENT else {}
    return RecordEntry(
        id=f"record-{record.id}",
        t_start=0.0,
        t_end=0.0,
        p=1.0,
        source="manual" if kind.name == STATEMENT else "record",
        type=record.kind,
        date=record.day or None if kind.day == "date" else None,
        fields={**record.fields, **kept_by, _NAME: f"{kind.name.replace('_', ' ')} {record.name} ({record.source})"},
    )


def judged_with(log: EventLog, play: Play, rulebook: str | None = None) -> FindingsReport:
    """Judge a log that records were joined to: what they say of its play, and of the site as far as it is in force.

    A record of another day or table says nothing of this play. A fault of the site as a whole stands in the row of its
    clause, and is no finding: it would be told again with every recording.
    """
    report = judge(log, rulebook, about=about(play))
    kept = [named(one, log) for one in report.findings if not of_the_site(one, log)]
    dropped = {name for one in report.findings if of_the_site(one, log) for name in (one.clause, *one.also)}
    shown = {name for one in kept for name in (one.clause, *one.also)}
    clauses = [
        msgspec.structs.replace(row, why=OF_THE_SITE) if row.clause in dropped - shown else row
        for row in report.clauses
    ]
    return with_more(msgspec.structs.replace(report, findings=kept, clauses=clauses), [])


def about(play: Play) -> Callable[[Instance], bool]:
    """Tell whether an instance is about a play: it rests on no record of a day, or the newest of them is of this play.

    Records of a span of days, such as attestations, are all of this play: each holds for all of its days.
    """

    def is_about(instance: Instance) -> bool:
        rows = [event for event in instance.events if isinstance(event, RecordEntry) and _is_joined(event.id)]
        dated = [row for row in rows if _about_day(row)]
        if any(not _holds_all_along(row, play) for row in dated if _kind(row).until):
            return False
        return len(dated) < len(rows) or not dated or _is_of(sorted(dated, key=day_of)[-1], play)

    return is_about


def _kind(row: RecordEntry) -> RecordKind:
    return record_kinds()[row.type]


def _about_day(row: RecordEntry) -> bool:
    return _kind(row).about == "day"


def _holds_all_along(row: RecordEntry, play: Play) -> bool:
    """Tell whether a record of a span of days holds on every day of a play."""
    last = str((row.fields or {}).get(_kind(row).until or "") or "")
    return bool(play.days) and all(day_of(row) <= day <= last for day in play.days)


def day_of(row: RecordEntry) -> str:
    """Return the day (ISO) of a record; "" for a kind that has none."""
    name = record_kinds()[row.type].day or ""
    return str(row.date or (row.fields or {}).get(name) or "")


def _is_of(row: RecordEntry, play: Play) -> bool:
    table = table_name(str((row.fields or {}).get("table") or "") or None)
    of_day = day_of(row) in play.days or (_kind(row).until is not None and _holds_all_along(row, play))
    return of_day and (table is None or play.table is None or table == table_name(play.table))


def of_the_site(finding: Finding, log: EventLog) -> bool:
    """Tell whether a finding rests on the site's records alone, and not on those of a day alone."""
    if not finding.events or not all(map(_is_joined, finding.events)):
        return False
    cited = set(finding.events)
    rows = [event for event in log.events if event.id in cited and isinstance(event, RecordEntry)]
    return not all(map(_about_day, rows))


def named(finding: Finding, log: EventLog) -> Finding:
    """Return the finding with the names of the records that it rests on, so that a person finds the paper."""
    cited = set(finding.events)
    rows = [one for one in log.events if one.id in cited and isinstance(one, RecordEntry) and _is_joined(one.id)]
    names = dict.fromkeys(str((row.fields or {}).get(_NAME)) for row in rows)
    return with_papers(finding, [*names])


def on_paper(finding: Finding) -> bool:
    """Tell whether a finding rests on records alone, so that no picture shows it."""
    return bool(finding.events) and all(map(_is_joined, finding.events))
