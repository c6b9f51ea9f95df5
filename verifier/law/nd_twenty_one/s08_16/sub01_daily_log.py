"""The daily surveillance log is kept (99-01.3-08-16(1)(d))."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_04.sub06_daily_review import LOG, READS, covers
from verifier.law.registry import session_check
from verifier.law.rows import at_site, of_row
from verifier.law.session import Session


@session_check(LOG, reads=READS)
def daily_log_kept(session: Session) -> Iterator[Instance]:
    """Check that the daily log covers every table in use that day."""
    logs = session.records.of("surveillance_log")
    used: dict[tuple[date, str], Entry] = {}
    for entry in session.records.of("drop_count", "daily_record", "table_usage"):
        day = entry.date("activity_date") or entry.day
        if day and entry.where:
            used[day, entry.where] = entry
    if not logs:
        return
    for (day, table), entry in sorted(used.items()):
        yield of_row(
            LOG,
            any(e.day == day and covers(e, table) and at_site(session, e, entry) for e in logs),
            entry,
            expected=say.that("the surveillance log of {day} covers table {table}", day=say.day(day), table=table),
            observed="it does not",
        )
    for entry in logs:
        if entry.day is not None:
            yield of_row(LOG, True, entry, expected="", observed="")
