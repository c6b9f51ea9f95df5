"""The daily review and the clock of a deficiency (99-01.3-08-04(6))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from verifier.domain.events import WagerPlaced
from verifier.law import say
from verifier.law.entries import Entry, table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.rows import home, of_row, site_of
from verifier.law.session import Session

DAILY = "ND-08-04.6-daily-review"
LOG = "ND-08-16.1.d-daily-surveillance-log"
REPAIR = "ND-08-04.6-repair-48h-4d"
READS = ("surveillance_log",)
_BY_HAND = ("employee", "employee_name", "employee_id", "reviewed_by", "checked_by", "reviewer", "initials")
_WHOLE = ("result", "ok", "deficiency")
_VIEW = ("unobstructed", "view_unobstructed", "unobstructed_view")
_PICTURE = ("clear", "picture_clear", "clear_picture", "cards_clear", "currency_clear", "chips_clear")
_SOFTWARE = frozenset({"software", "system", "automatic", "automated", "computer", "none"})
_ENDED = re.compile(r"\bclosed?\b|\blimit(ed)?\b")
_NOT_ENDED = re.compile(r"\b(not|never|no)\b")


@session_check(DAILY, LOG, reads=READS)
def daily_review(session: Session) -> Iterator[Instance]:
    """Each day an employee reviews and documents each table's camera."""
    for entry in session.records.of("surveillance_log"):
        who, stated = entry.told(*_BY_HAND), _stated(entry)
        if who is None and stated is None and not any(entry.get(name) is not None for name in (*_VIEW, *_PICTURE)):
            continue
        if entry.text(*_BY_HAND) in _SOFTWARE or (who is None and entry.flag("automated", "automatic") is True):
            who = False
        right = False if who is False or stated is False else (True if who and stated else None)
        yield of_row(
            DAILY,
            right,
            entry,
            expected="an employee reviews the camera's view and documents the result",
            observed="no employee is named" if not who else "the result is not documented in full",
        )
    yield from _day_of_play(session)


def _stated(entry: Entry) -> bool | None:
    """Tell whether a row says both of the view and of the picture how they were; a field left blank says it of
    neither.
    """
    if any(entry.get(name) is not None for name in _WHOLE):
        return True
    given = [[entry.get(name) for name in names if entry.get(name) is not None] for names in (_VIEW, _PICTURE)]
    if any("" in values for values in given):
        return False
    return True if all(given) else None


def _day_of_play(session: Session) -> Iterator[Instance]:
    """Check that the daily log has a row for the day and table of this very log, where a daily log is given at all."""
    logs, day = session.records.of("surveillance_log"), session.records.play_date
    if not logs or day is None or not session.rounds:
        return
    table = table_name(session.header.table) or ""
    here = [e for e in logs if home(session) in (None, site_of(session, e))]
    own = [e for e in here if e.day in (None, day) and covers(e, table)]
    for clause, rank in ((DAILY, 1), (LOG, 5)):
        yield judged(
            clause,
            bool(own),
            key="day",
            events=[e.event for e in logs],
            incident=f"no review on {day}",
            rank=rank,
            expected=say.that("the camera of table {table} is reviewed on {day}", table=table or "?", day=say.day(day)),
            observed="the daily log has no row for this table and day",
        )


def covers(entry: Entry, table: str) -> bool:
    """Tell whether a log of the day covers a table; one that names no tables covers all."""
    tables = [table_name(name) for name in entry.names("tables", "tables_checked") or ()]
    return not table or (entry.where in (None, table) if not tables else table in tables)


@session_check(REPAIR, reads=READS)
def repaired_in_time(session: Session) -> Iterator[Instance]:
    """Deficient equipment is repaired within 48 hours of play or four days; else the table closes or plays for $2."""
    for entry in session.records.of("surveillance_log", "deficiency", "equipment"):
        first = entry.date("first_seen", "deficient_since", "deficiency_date", "first_noticed", "first_deficiency")
        first = first or _since(session, entry)
        hours = entry.number("active_hours", "active_hours_since", "hours_of_activity")
        if first is None and hours is None and not entry.told("deficiency"):
            continue
        if first is None and hours is None and entry.number("calendar_days", "calendar_days_since") is None:
            continue
        yield _clock(session, entry, first, hours)


def _since(session: Session, entry: Entry) -> date | None:
    """First day of a deficiency that the daily log tells of on this row and on every row of its table before."""
    if not entry.told("deficiency") or entry.day is None:
        return None
    rows = [
        e for e in session.records.of("surveillance_log") if e.where == entry.where and e.day and e.day <= entry.day
    ]
    first = None
    for row in sorted(rows, key=lambda e: e.day or date.min):
        first = (first or row.day) if row.told("deficiency") else None
    return first if first != entry.day else None


def _clock(session: Session, entry: Entry, first: date | None, hours: float | None) -> Instance:
    figures = session.figures
    repaired = entry.date("repaired", "repair_date", "repaired_on", "repair_time", "remedied")
    days = entry.number("calendar_days", "calendar_days_since")
    until = repaired or (entry.day if entry.day and first and entry.day >= first else session.records.today)
    if days is None and first is not None and until is not None:
        days = float((until - first).days)
    over = (hours is not None and hours > figures.repair_hours) or (days is not None and days > figures.repair_days)
    said = entry.words("action", "measure") or ""
    ended = (
        bool(_ENDED.search(said) and not _NOT_ENDED.search(said))
        or entry.flag("closed", "table_closed", "limited_to_2") is True
    )
    expiry = first + timedelta(days=figures.repair_days) if first else None
    played = _high_wagers(session, entry, expiry if repaired is None else None) if not ended else []
    known = hours is not None and days is not None
    right = True if ended else (False if over or played else (True if repaired or known else None))
    return of_row(
        REPAIR,
        right,
        entry,
        events=played[:1],
        expected=say.that(
            "the camera is repaired within {repair_hours} hours of play or {repair_days} days, or the "
            "table closes or plays for {no_video_wager_cents}",
            repair_hours=say.figure("repair_hours", figures.repair_hours),
            repair_days=say.figure("repair_days", figures.repair_days),
            no_video_wager_cents=say.figure("no_video_wager_cents", figures.no_video_wager_cents, money=True),
        ),
        observed=say.that("deficient since {first}", first=say.day(first))
        + (say.that(", {hours} hours of play", hours=say.number(hours)) if hours is not None else "")
        + (say.that(", {days} days", days=say.number(days)) if days is not None else "")
        + (say.that(", repaired on {repaired}", repaired=say.day(repaired)) if repaired else ", not yet repaired"),
    )


def _high_wagers(session: Session, entry: Entry, expiry: date | None) -> list[WagerPlaced]:
    """Wagers above two dollars at the table of this log after the time for the repair ran out."""
    day = session.records.play_date
    if expiry is None or day is None or day <= expiry:
        return []
    if home(session) not in (None, site_of(session, entry)):
        return []
    if entry.where and session.header.table and entry.where != table_name(session.header.table):
        return []
    return [
        e
        for e in session.of(WagerPlaced)
        if e.kind == "original" and (e.cents or 0) > session.figures.no_video_wager_cents and not e.weak
    ]
