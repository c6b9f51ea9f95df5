"""The weekly review after a low percent-of-hold: hours, beginning, reviewer, documents (99-01.3-08-04(8))."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from verifier.law import say
from verifier.law.entries import table_name
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_04.sub08_low_hold import triggers
from verifier.law.nd_twenty_one.s08_04.sub08_six_weeks import plans
from verifier.law.nd_twenty_one.s08_04.sub08_watched import Watched, from_document, watched
from verifier.law.nd_twenty_one.shared.holds import Hold, holds, roster_dealers
from verifier.law.registry import session_check
from verifier.law.rows import by, home, site_of
from verifier.law.session import Session

START = "ND-08-04.8-start-immediately"
INDEPENDENT = "ND-08-04.8-reviewer-independence"
DOCUMENTED = "ND-08-04.8-review-documented"
AT_ONCE = timedelta(days=7)
"""The first reviewed footage is at most a week after the determination (policy: 'immediately' has no number)."""
_DRAFT: Final = re.compile(r"\b(draft|open|unfinished|incomplete|unsigned|in progress|not|pending|started)\b")
READS = ("review_document", "review_action")
HOUR = "ND-08-04.8-one-hour-per-week"


@session_check(HOUR, video=True, reads=READS)
def an_hour_a_week(session: Session) -> Iterator[Instance]:
    """At least one hour a week of each active table's video is watched while a review is on."""
    if not _under_review(session):
        return
    groups: dict[tuple[str, str, str], list[Watched]] = defaultdict(list)
    for act in watched(session):
        groups[act.site or "", act.table or "", str(act.week)].append(act)
    enough = session.figures.weekly_review_seconds
    for (_, table, week), acts in sorted(groups.items()):
        seconds = seconds_watched(acts, enough)
        yield judged(
            HOUR,
            None if seconds is None else seconds >= enough,
            key=f"{table} {week}",
            events=[act.source for act in acts],
            expected=say.that("an hour of table {table} is watched in week {week}", table=table or "?", week=week),
            observed="the time is not told"
            if seconds is None
            else say.that("{seconds} minutes were watched", seconds=say.number(round(seconds / 60))),
        )
    yield from _tables_left_out(session, groups)


def _tables_left_out(session: Session, groups: Mapping[tuple[str, str, str], object]) -> Iterator[Instance]:
    for hold in triggers(session):
        site = site_of(session, hold.entry) or ""
        weeks = sorted({week for place, _, week in groups if place == site})
        for table in hold.entry.names("active_tables", "tables") or ():
            for week in weeks:
                if (site, table_name(table) or "", week) not in groups:
                    yield judged(
                        HOUR,
                        False,
                        key=f"{table} {week}",
                        events=[hold.entry.event],
                        expected=say.that("an hour of table {table} is watched in week {week}", table=table, week=week),
                        observed="no review of this table is recorded",
                    )


def _under_review(session: Session) -> bool:
    """Tell whether a mandatory review is on: a low percent-of-hold, or documents of a review and no percent-of-hold at
    all.

    A review that is made though no site's percent-of-hold was low is a voluntary one.
    """
    sites = [h for h in holds(session.records) if h.dealer is None and h.share is not None]
    return bool(triggers(session) or (session.records.of("review_document") and not sites))


@session_check(START, video=True, reads=READS)
def begins_at_once(session: Session) -> Iterator[Instance]:
    """Check that the review covers the time right after the percent-of-hold was determined."""
    acts = watched(session)
    for plan in plans(session):
        own = [a for a in acts if plan.site is None or a.site is None or a.site == plan.site]
        before = [a.footage for a in own if a.footage and (plan.until is None or a.footage < plan.until)]
        days = [day for day in before if plan.start and day >= plan.start] or before
        if plan.start is None or not own:
            continue
        first = min(days, default=None)
        late = first - plan.start if first else None
        right = None if late is None or AT_ONCE < late <= 2 * AT_ONCE else timedelta(0) <= late <= AT_ONCE
        yield judged(
            START,
            right,
            key=plan.holds[0].entry.event.id,
            events=[hold.entry.event for hold in plan.holds],
            expected=say.that("the review begins with footage from {start} on", start=say.day(plan.start)),
            observed=say.that("the first footage reviewed is of {first}", first=say.day(first)),
        )


@session_check(INDEPENDENT, video=True, reads=READS)
def independent_reviewer(session: Session) -> Iterator[Instance]:
    """Check that the reviewer did not conduct twenty-one or paddlewheel at the site on the shift reviewed."""
    if not _under_review(session):
        return
    acts = [from_document(session, e) for e in session.records.of("review_document")] or watched(session)
    for act in acts:
        if act.reviewer is None:
            continue
        worked = _worked(session, act)
        said = act.entry.flag("independent", "independence", "did_not_conduct") if act.entry else None
        right = False if worked or said is False else (True if said or worked is False else None)
        yield judged(
            INDEPENDENT,
            right,
            key=act.source.id,
            events=[act.source],
            expected=say.that(
                "{reviewer} did not deal or run a wheel at the site on the shift of {footage}",
                reviewer=act.reviewer,
                footage=say.day(act.footage),
            ),
            observed=say.that("{reviewer} did", reviewer=act.reviewer)
            if right is False
            else "no roster of that shift is given",
        )


def _worked(session: Session, act: Watched) -> bool | None:
    """Tell whether the reviewer is among those who dealt on the shift; None without a roster of that day and site."""
    if act.footage is None:
        return None
    here = act.site is None or home(session) in (None, act.site)
    if here and session.header.date == str(act.footage) and act.reviewer in {d.lower() for d in session.dealers}:
        return True
    shift = act.entry.words("shift") if act.entry else None
    rosters = [
        e
        for e in session.records.of("roster")
        if e.day in (None, act.footage)
        and (act.site is None or site_of(session, e) in (None, act.site))
        and (shift is None or e.words("shift") is None or e.words("shift") == shift)
    ]
    if not rosters:
        return None
    return any(act.reviewer in roster_dealers(entry) for entry in rosters)


@session_check(DOCUMENTED, video=True, reads=READS)
def documented(session: Session) -> Iterator[Instance]:
    """Each week's review is documented: a finished document, not a draft, that names its reviewer."""
    documents = session.records.of("review_document")
    for entry in documents:
        status = entry.words("status", "state")
        final = None if status is None else not _DRAFT.search(status)
        who = entry.told("reviewer", "reviewer_id", "reviewed_by", "reviewer_name")
        right = False if final is False or who is False else (None if who is None else True)
        yield judged(
            DOCUMENTED,
            right,
            key=entry.event.id,
            events=[entry.event],
            expected="the week's review is documented, finished and with its reviewer",
            observed="it is " + ("a draft" if final is False else "without a reviewer"),
        )
    if not documents and session.has_records:
        yield from _undocumented(session, triggers(session))


def _undocumented(session: Session, low: Sequence[Hold]) -> Iterator[Instance]:
    for hold in low:
        due = hold.determined + timedelta(days=14) if hold.determined else None
        yield judged(
            DOCUMENTED,
            by(session.records.today, due),
            key=hold.entry.event.id,
            events=[hold.entry.event],
            expected="each week's review is documented",
            observed="no document of a review is given",
            incident=f"no review {hold.entry.event.id}",
        )


def seconds_watched(acts: Sequence[Watched], wanted: float) -> float | None:
    """Footage watched, what was watched twice counted once.

    None where an act does not say how long it was, unless the others reach what is `wanted` already.
    """
    total, reached = 0.0, datetime.min
    for start, end, seconds in sorted((*act.span, act.seconds or 0.0) for act in acts if act.span):
        total += min(max(0.0, (end - max(start, reached)).total_seconds()), seconds)
        reached = max(reached, end)
    total += sum(act.seconds or 0.0 for act in acts if not act.span)
    unknown = any(act.seconds is None for act in acts)
    return None if unknown and total < wanted else total
