"""Six continuous weeks of review, or the reason for a low percent-of-hold found (99-01.3-08-04(8))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from verifier.law import say
from verifier.law.entries import Entry, as_date
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_04.sub08_low_hold import triggers
from verifier.law.nd_twenty_one.s08_04.sub08_watched import Watched, from_document, watched
from verifier.law.nd_twenty_one.shared.holds import Hold
from verifier.law.nd_twenty_one.shared.weeks import monday_of, numbered, unbroken, week_number
from verifier.law.registry import session_check
from verifier.law.rows import by, site_of
from verifier.law.say import Said
from verifier.law.session import Session

SIX = "ND-08-04.8-six-weeks"
_REASON = ("reason_determined", "reason_documented", "reason_for_low_hold", "reason", "conclusion_reason")


@dataclass(frozen=True)
class Plan:
    """A review that low percents-of-hold of one site and one day set off; without any, whatever is documented."""

    site: str | None
    start: date | None
    until: date | None
    holds: tuple[Hold, ...] = ()

    def covers(self, act: Watched) -> bool:
        """Tell whether an act of watching may be one of this review's."""
        here = self.site is None or act.site is None or act.site == self.site
        return here and (act.footage is None or self.when(act.footage))

    def when(self, day: date) -> bool:
        """Tell whether a day lies between its week of determination and the next review."""
        begun = self.start is None or day >= monday_of(self.start)
        return begun and (self.until is None or day < self.until)


def plans(session: Session) -> list[Plan]:
    """Return the reviews that the log's low percents-of-hold set off, site by site in order."""
    low: dict[tuple[str | None, date | None], list[Hold]] = {}
    for hold in triggers(session):
        low.setdefault((site_of(session, hold.entry), hold.determined), []).append(hold)
    found = []
    for (site, start), rows in low.items():
        later = [day for place, day in low if place == site and day and start and day > start]
        found.append(Plan(site, start, min(later, default=None), tuple(rows)))
    return found


@session_check(SIX, video=True, reads=("review_document", "review_action"))
def six_weeks(session: Session) -> Iterator[Instance]:
    """Check that the review goes on for six weeks without a gap, or until the reason is determined and documented."""
    acts, enough = watched(session), session.figures.low_hold_weeks
    expected = say.that(
        "{enough} continuous weeks are reviewed, or the reason for the low hold is documented",
        enough=say.figure("low_hold_weeks", enough),
    )
    undated = Plan(None, None, None)
    for plan in plans(session) or ([undated] if session.records.of("review_document") else []):
        own = [act for act in acts if plan.covers(act)]
        reason = _reason(session, plan)
        overdue = by(session.records.today, _end(plan, enough)) is False
        for table in sorted({act.table or "" for act in own}):
            these = [act for act in own if (act.table or "") == table]
            weeks, right = _run(these, reason, session.records.today, overdue, enough)
            yield judged(
                SIX,
                right,
                key=f"{table} {plan.start or ''}".strip(),
                events=[act.source for act in these],
                expected=expected,
                observed=say.that("weeks reviewed")
                .detail("{weeks}{missing_words}", weeks=weeks, missing_words=_missing_words(these, enough))
                .then("the reason was documented later" if reason else "no reason is documented"),
            )
        for hold in plan.holds if not own else ():
            yield judged(
                SIX,
                True if reason else (False if overdue else None),
                key=hold.entry.event.id,
                events=[hold.entry.event],
                expected=expected,
                observed="no week's review is recorded",
            )


def _missing_words(acts: Sequence[Watched], enough: int) -> Said | str:
    """Return in words which of the weeks due no review covers; an empty text where none is missing."""
    mondays = {act.week for act in acts if isinstance(act.week, date)}
    numbers = {act.week for act in acts if isinstance(act.week, int)}
    if mondays:
        wanted = [min(mondays) + timedelta(weeks=n) for n in range(enough)]
        missing = [say.that("of {monday}", monday=say.day(monday)) for monday in wanted if monday not in mondays]
    else:
        missing = [say.that("{n}", n=n) for n in range(1, enough + 1) if n not in numbers]
    return say.that("").then("missing").detail("week {missing}", missing=say.listed(", ", missing)) if missing else ""


def _end(plan: Plan, enough: int) -> date | None:
    return plan.start + timedelta(weeks=enough, days=7) if plan.start else None


@dataclass(frozen=True)
class _Reason:
    """The week by whose number or Monday the reason was documented; None where that is not told."""

    week: date | int | None


def _reason(session: Session, plan: Plan) -> _Reason | None:
    """Where the reason for the low percent-of-hold was determined and documented."""
    rows = [
        entry
        for entry in session.records.of("review_document")
        if plan.covers(from_document(session, entry)) and (entry.day is None or plan.when(entry.day))
    ]
    told = [entry for entry in (*rows, *(hold.entry for hold in plan.holds)) if entry.told(*_REASON)]
    return _Reason(_reason_week(told[0])) if told else None


def _reason_week(entry: Entry) -> date | int | None:
    number, day = week_number(entry), as_date(entry.get(*_REASON))
    return number or (monday_of(day) if day else None)


def _run(
    acts: Sequence[Watched], reason: _Reason | None, today: date | None, overdue: bool, enough: int
) -> tuple[int, bool | None]:
    """How many weeks were reviewed, and whether they run on for long enough."""
    mondays = sorted({act.week for act in acts if isinstance(act.week, date)})
    numbers = {act.week for act in acts if isinstance(act.week, int)}
    right = unbroken(mondays, enough, today) if mondays else numbered(numbers, enough, overdue)
    if reason is None or right:
        return len(mondays) or len(numbers), right
    if mondays:
        gap = any((after - before).days != 7 for before, after in pairwise(mondays))
        if isinstance(reason.week, date):
            wanted = range((reason.week - mondays[0]).days // 7)
            right = all(mondays[0] + timedelta(weeks=n) in mondays for n in wanted)
        else:
            right = None if gap else True
    elif isinstance(reason.week, int):
        right = numbers >= set(range(1, reason.week))
    else:
        right = None if set(range(1, max(numbers, default=0) + 1)) - numbers else True
    return len(mondays) or len(numbers), right
