"""What was watched of the recordings: review documents and acts of review as one kind of value (99-01.3-08-04(8))."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from verifier.domain.events import AnyEvent, ReviewAction
from verifier.law.checks.records.hold import week_of
from verifier.law.entries import Entry, as_date, as_moment, table_name
from verifier.law.session import Session

HOUR = "ND-08-04.8-one-hour-per-week"


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
    entry: Entry | None = None


def watched(session: Session) -> list[Watched]:
    """All acts of watching: documents of the weekly review, and acts in a dashboard that no document stands for."""
    documents = [from_document(entry) for entry in session.records.of("review_document")]
    return [w for w in documents if w.seconds is not None] or [_from_action(e) for e in session.of(ReviewAction)]


def from_document(entry: Entry) -> Watched:
    """What a review document says was watched; times on the recording's clock, None where not told."""
    start, end = entry.moment("footage_from", "from", "start"), entry.moment("footage_to", "to", "end")
    seconds = entry.number("watched_seconds", "seconds", "seconds_watched")
    for name, factor in (("minutes", 60), ("minutes_watched", 60), ("watched_minutes", 60), ("hours", 3600)):
        if seconds is None and entry.number(name) is not None:
            seconds = (entry.number(name) or 0.0) * factor
    span = (start, end) if start and end and end > start else None
    if seconds is None and span:
        seconds = (span[1] - span[0]).total_seconds()
    week: date | int | None = _week_number(entry) or week_of(entry)
    footage = entry.date("footage_date", "activity_date", "shift_date", "footage_from", "from") or entry.day
    who = entry.text("reviewer", "reviewer_id", "reviewed_by", "reviewer_name")
    return Watched(entry.event, entry.where, week, footage, span, seconds, who, entry)


def _week_number(entry: Entry) -> int | None:
    """Number of a week in the plan, from `3`, `week 3` or `3 of 6`."""
    found = re.match(r"^(?:week )?(\d{1,2})(?: of \d+)?$", entry.text("week_number", "week_no", "week") or "")
    return int(found[1]) if found else None


def _from_action(event: ReviewAction) -> Watched:
    start, end = as_moment(event.footage_from), as_moment(event.footage_to)
    footage = as_date(event.footage_from) or as_date(event.clock)
    week = footage - timedelta(days=footage.weekday()) if footage else None
    span = (start, end) if start and end and end > start else None
    who = event.reviewer_id.lower() if event.reviewer_id else None
    return Watched(event, table_name(event.table), week, footage, span, event.watched_seconds, who)


def seconds_watched(acts: Sequence[Watched]) -> float | None:
    """Footage watched, what was watched twice counted once; None where an act does not say how long it was."""
    if any(act.seconds is None for act in acts):
        return None
    if all(act.span for act in acts):
        total, reached = 0.0, datetime.min
        for act in sorted(acts, key=lambda a: a.span or (reached, reached)):
            assert act.span is not None
            start = max(act.span[0], reached)
            own = max(0.0, (act.span[1] - start).total_seconds())
            total += min(own, act.seconds or 0.0)
            reached = max(reached, act.span[1])
        return total
    return sum(act.seconds or 0.0 for act in acts)
