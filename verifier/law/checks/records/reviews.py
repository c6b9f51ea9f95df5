"""The weekly review after a low percent-of-hold: hours, weeks, reviewer, documents (99-01.3-08-04(8))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from verifier.domain.events import AnyEvent
from verifier.law.checks.records.hold import Hold, roster_dealers, triggers, unbroken
from verifier.law.checks.records.rows import by, day_words
from verifier.law.checks.records.watched import HOUR, Watched, from_document, seconds_watched, watched
from verifier.law.entries import table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

START = "ND-08-04.8-start-immediately"
SIX = "ND-08-04.8-six-weeks"
INDEPENDENT = "ND-08-04.8-reviewer-independence"
DOCUMENTED = "ND-08-04.8-review-documented"
SECONDS = 3600
WEEKS = 6
AT_ONCE = timedelta(days=7)
"""The first reviewed footage is at most a week after the determination (policy: 'immediately' has no number)."""
READS = ("review_document", "review_action")


@session_check(HOUR, reads=READS)
def an_hour_a_week(session: Session) -> Iterator[Instance]:
    """At least one hour a week of each active table's video is watched while a review is on."""
    if not _under_review(session):
        return
    groups: dict[tuple[str, str], list[Watched]] = defaultdict(list)
    for act in watched(session):
        groups[act.table or "", str(act.week)].append(act)
    for (table, week), acts in sorted(groups.items()):
        seconds = seconds_watched(acts)
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
        right = unbroken(weeks, WEEKS, today) if weeks else _numbered(numbers[table], _overdue(session))
        if right is not True and _reason(session):
            right = True
        yield judged(
            SIX, right, key=table, events=events[table],
            expected="six continuous weeks are reviewed, or the reason for the low hold is documented",
            observed=f"weeks reviewed: {len(weeks) or len(numbers[table])}, and no documented reason",
        )  # fmt: skip
    if not events:
        yield from _never_reviewed(session)


def _overdue(session: Session) -> bool:
    """Whether the six weeks after the latest determination are over on the log's last day."""
    days = [hold.determined for hold in triggers(session.records)]
    latest = max((day for day in days if day is not None), default=None)
    return by(session.records.today, latest + timedelta(weeks=WEEKS, days=7) if latest else None) is False


def _numbered(weeks: set[int], overdue: bool) -> bool | None:
    """Weeks by their number in the plan: a number left out below the highest is a gap, any other once time is up."""
    if not weeks:
        return None
    if weeks >= set(range(1, WEEKS + 1)):
        return True
    return False if overdue or set(range(1, max(weeks) + 1)) - weeks else None


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
    acts = [from_document(e) for e in session.records.of("review_document")] or watched(session)
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
            incident=f"no review {hold.entry.event.id}",
        )  # fmt: skip
