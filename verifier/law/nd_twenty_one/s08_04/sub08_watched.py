"""What was watched of the recordings: review documents and acts of review as one kind of value (99-01.3-08-04(8))."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from verifier.domain.events import AnyEvent, ReviewAction
from verifier.law.entries import Entry, as_date, as_moment, table_name
from verifier.law.nd_twenty_one.shared.weeks import monday_of, week_number, week_of
from verifier.law.rows import home, site_of
from verifier.law.session import Session


@dataclass(frozen=True)
class Watched:
    """One act of watching footage of a table: the day of the footage, how long, by whom."""

    source: AnyEvent
    table: str | None
    week: date | int | None
    footage: date | None
    span: tuple[datetime, datetime] | None
    seconds: float | None
    reviewer: str | None
    site: str | None = None
    entry: Entry | None = None


def watched(session: Session) -> list[Watched]:
    """All acts of watching: documents of the weekly review, and acts in a dashboard that no document stands for."""
    documents = [from_document(session, entry) for entry in session.records.of("review_document")]
    if any(document.seconds is not None for document in documents):
        return documents
    return [_from_action(session, event) for event in session.of(ReviewAction)] or documents


def from_document(session: Session, entry: Entry) -> Watched:
    """Return what a review document says was watched. Times are on the recording's clock, None where not told."""
    start, end = entry.moment("footage_from", "from", "start"), entry.moment("footage_to", "to", "end")
    seconds = entry.number("watched_seconds", "seconds", "seconds_watched")
    for name, factor in (("minutes", 60), ("minutes_watched", 60), ("watched_minutes", 60), ("hours", 3600)):
        if seconds is None and entry.number(name) is not None:
            seconds = (entry.number(name) or 0.0) * factor
    span = (start, end) if start and end and end > start else None
    if seconds is None and span:
        seconds = (span[1] - span[0]).total_seconds()
    week: date | int | None = week_number(entry) or week_of(entry)
    footage = entry.date("footage_date", "activity_date", "shift_date", "footage_from", "from")
    who = entry.text("reviewer", "reviewer_id", "reviewed_by", "reviewer_name")
    return Watched(entry.event, entry.where, week, footage, span, seconds, who, site_of(session, entry), entry)


def _from_action(session: Session, event: ReviewAction) -> Watched:
    start, end = as_moment(event.footage_from), as_moment(event.footage_to)
    footage = as_date(event.footage_from) or as_date(event.clock)
    week = monday_of(footage) if footage else None
    span = (start, end) if start and end and end > start else None
    who = event.reviewer_id.lower() if event.reviewer_id else None
    return Watched(event, table_name(event.table), week, footage, span, event.watched_seconds, who, home(session))
