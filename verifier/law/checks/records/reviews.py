"""The weekly review after a low percent-of-hold: hours, weeks, reviewer, documents (99-01.3-08-04(8))."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from verifier.domain.events import AnyEvent, ReviewAction
from verifier.law.checks.records.hold import Hold, roster_dealers, triggers, unbroken, week_of
from verifier.law.checks.records.rows import by, day_words
from verifier.law.entries import Entry, as_date, as_moment, table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

HOUR = "ND-08-04.8-one-hour-per-week"
START = "ND-08-04.8-start-immediately"
SIX = "ND-08-04.8-six-weeks"
INDEPENDENT = "ND-08-04.8-reviewer-independence"
DOCUMENTED = "ND-08-04.8-review-documented"
SECONDS = 3600
WEEKS = 6
AT_ONCE = timedelta(days=7)
"""The first reviewed footage is at most a week after the determination (policy: 'immediately' has no number)."""
READS = ("review_document", "review_action")


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
    documents = [_from_document(entry) for entry in session.records.of("review_document")]
    return [w for w in documents if w.seconds is not None] or [_from_action(e) for e in session.of(ReviewAction)]


def _from_document(entry: Entry) -> Watched:
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


def _seconds(acts: Sequence[Watched]) -> float | None:
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


@session_check(HOUR, reads=READS)
def an_hour_a_week(session: Session) -> Iterator[Instance]:
    """At least one hour a week of each active table's video is watched while a review is on."""
    if not _under_review(session):
        return
    groups: dict[tuple[str, str], list[Watched]] = defaultdict(list)
    for act in watched(session):
        groups[act.table or "", str(act.week)].append(act)
    for (table, week), acts in sorted(groups.items()):
        seconds = _seconds(acts)
        yield judged(
            HOUR, None if seconds is None else seconds >= SECONDS, key=f"{table} {week}",
            events=[act.source for act in acts], expected=f"an hour of table {table or '?'} is watched in week {week}",
            observed="the time is not told" if seconds is None else f"{seconds / 60:.0f} minutes were watched",
        )  # fmt: skip
    yield from _tables_left_out(session, groups)


def _tables_left_out(session: Session, groups: dict[tuple[str, str], list[Watched]]) -> Iterator[Instance]:
    weeks = sorted({week for _, week in groups})
    for hold in triggers(session.records):
        for table in hold.entry.names("active_tables", "tables") or ():
            for week in weeks:
                if (table_name(table) or "", week) not in groups:
                    yield judged(
                        HOUR, False, key=f"{table} {week}", events=[hold.entry.event],
                        expected=f"an hour of table {table} is watched in week {week}",
                        observed="no review of this table is recorded",
                    )  # fmt: skip


def _under_review(session: Session) -> bool:
    """Whether a mandatory review is on: a low percent-of-hold, or documents of a weekly review."""
    return bool(triggers(session.records) or session.records.of("review_document"))


@session_check(START, reads=READS)
def begins_at_once(session: Session) -> Iterator[Instance]:
    """The review covers the time right after the percent-of-hold was determined."""
    days = [act.footage for act in watched(session) if act.footage]
    for hold in triggers(session.records):
        known = hold.determined
        if known is None or not days:
            continue
        first = min(days)
        late = first - known
        right = None if AT_ONCE < late <= 2 * AT_ONCE else timedelta(0) <= late <= AT_ONCE
        yield judged(
            START, right, key=hold.entry.event.id, events=[hold.entry.event],
            expected=f"the review begins with footage from {day_words(known)} on",
            observed=f"the first footage reviewed is of {day_words(first)}",
        )  # fmt: skip


@session_check(SIX, reads=READS)
def six_weeks(session: Session) -> Iterator[Instance]:
    """The review goes on for six weeks without a gap, or until the reason is determined and documented."""
    if not _under_review(session):
        return
    found: dict[str, set[date]] = defaultdict(set)
    numbers: dict[str, set[int]] = defaultdict(set)
    events: dict[str, list[AnyEvent]] = defaultdict(list)
    for act in watched(session):
        key = act.table or ""
        events[key].append(act.source)
        if isinstance(act.week, int):
            numbers[key].add(act.week)
        elif act.week is not None:
            found[key].add(act.week)
    today = session.records.today
    for table in sorted(events):
        weeks = sorted(found[table])
        right = unbroken(weeks, WEEKS, today) if weeks else _numbered(numbers[table])
        if right is not True and _reason(session):
            right = True
        yield judged(
            SIX, right, key=table, events=events[table],
            expected="six continuous weeks are reviewed, or the reason for the low hold is documented",
            observed=f"weeks reviewed: {len(weeks) or len(numbers[table])}, and no documented reason",
        )  # fmt: skip
    if not events:
        yield from _never_reviewed(session)


def _numbered(weeks: set[int]) -> bool | None:
    """Weeks by their number in the plan: a number left out below the highest is a gap."""
    if not weeks:
        return None
    if weeks >= set(range(1, WEEKS + 1)):
        return True
    return False if set(range(1, max(weeks) + 1)) - weeks else None


def _never_reviewed(session: Session) -> Iterator[Instance]:
    for hold in triggers(session.records):
        due = hold.determined + timedelta(weeks=WEEKS, days=7) if hold.determined else None
        right = True if _reason(session) else by(session.records.today, due)
        yield judged(
            SIX, right, key=hold.entry.event.id, events=[hold.entry.event],
            expected="six continuous weeks are reviewed, or the reason for the low hold is documented",
            observed="no week's review is recorded",
        )  # fmt: skip


def _reason(session: Session) -> bool:
    """Whether the reason for the low percent-of-hold was determined and documented."""
    names = ("reason_determined", "reason_documented", "reason_for_low_hold", "reason", "conclusion_reason")
    rows = [*session.records.of("review_document"), *(h.entry for h in triggers(session.records))]
    return any(entry.told(*names) for entry in rows)


@session_check(INDEPENDENT, reads=READS)
def independent_reviewer(session: Session) -> Iterator[Instance]:
    """The reviewer did not conduct twenty-one or paddlewheel at the site on the shift reviewed."""
    if not _under_review(session):
        return
    acts = [_from_document(e) for e in session.records.of("review_document")] or watched(session)
    for act in acts:
        if act.reviewer is None:
            continue
        worked = _worked(session, act)
        said = act.entry.flag("independent", "independence", "did_not_conduct") if act.entry else None
        right = False if worked or said is False else (True if said or worked is False else None)
        yield judged(
            INDEPENDENT, right, key=act.source.id, events=[act.source],
            expected=f"{act.reviewer} did not deal or run a wheel at the site on the shift of {day_words(act.footage)}",
            observed=f"{act.reviewer} did" if right is False else "no roster of that shift is given",
        )  # fmt: skip


def _worked(session: Session, act: Watched) -> bool | None:
    """Whether the reviewer is among those who dealt on the shift; None without a roster of that day."""
    header = session.header.date
    if act.reviewer in {d.lower() for d in session.dealers} and (act.footage is None or header == str(act.footage)):
        return True
    site = act.entry.site if act.entry else None
    shift = act.entry.words("shift") if act.entry else None
    rosters = [
        e for e in session.records.of("roster")
        if (act.footage is None or e.day is None or e.day == act.footage)
        and (site is None or e.site is None or e.site == site)
        and (shift is None or e.words("shift") is None or e.words("shift") == shift)
    ]  # fmt: skip
    if not rosters:
        return None
    return any(act.reviewer in roster_dealers(entry) for entry in rosters)


@session_check(DOCUMENTED, reads=READS)
def documented(session: Session) -> Iterator[Instance]:
    """Each week's review is documented: a finished document, not a draft, that names its reviewer."""
    documents = session.records.of("review_document")
    for entry in documents:
        status = entry.words("status", "state")
        final = None if status is None else status not in ("draft", "open", "unfinished")
        who = entry.told("reviewer", "reviewer_id", "reviewed_by", "reviewer_name")
        right = False if final is False or who is False else (None if who is None else True)
        yield judged(
            DOCUMENTED, right, key=entry.event.id, events=[entry.event],
            expected="the week's review is documented, finished and with its reviewer",
            observed="it is " + ("a draft" if final is False else "without a reviewer"),
        )  # fmt: skip
    if not documents and session.has_records:
        yield from _undocumented(session, triggers(session.records))


def _undocumented(session: Session, low: Sequence[Hold]) -> Iterator[Instance]:
    for hold in low:
        due = hold.determined + timedelta(days=14) if hold.determined else None
        yield judged(
            DOCUMENTED, by(session.records.today, due), key=hold.entry.event.id, events=[hold.entry.event],
            expected="each week's review is documented", observed="no document of a review is given",
        )  # fmt: skip
