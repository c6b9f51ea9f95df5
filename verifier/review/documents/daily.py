"""The daily surveillance review log, 08-04(6): an employee's act, supported by what the software saw."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct

from verifier.review.documents.quarters import kept_years
from verifier.review.documents.rules import Rules, rules_at
from verifier.review.people.makers import typed_name
from verifier.review.people.roles import Person
from verifier.review.records.attesting import StatementLine, statement_lines
from verifier.review.records.site import PaperFinding, check_site
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

ACTIVE_HOURS = 48.0
CALENDAR_DAYS = 4
"""Within which a deficiency is repaired, or the table closed or limited to two dollars."""
KEPT_YEARS = 3


class Check(Struct, frozen=True, kw_only=True):
    """What an employee saw at one table; None if it was not stated.

    `first_seen` is when a deficiency was first seen (ISO), `active_hours` how long the table was in play since, by the
    employee's word; `repaired` when it was repaired.
    """

    table: str
    game: str = "twenty-one"
    time: str = ""
    recorder: bool | None = None
    clock: bool | None = None
    unobstructed: bool | None = None
    cards: bool | None = None
    chips: bool | None = None
    currency: bool | None = None
    deficiency: str = ""
    first_seen: str = ""
    active_hours: float | None = None
    repaired: str = ""
    action: str = ""


class Repair(Struct, frozen=True, kw_only=True):
    """How far the clocks of a repair have run: hours of activity on the table, and calendar days."""

    active_hours: float
    hours_by: str
    days: int
    due_day: str
    overdue: bool


class DailyLine(Struct, frozen=True, kw_only=True):
    """One table of the log: the employee's check, what the software saw, and the repair's clocks."""

    check: Check
    support: list[str]
    repair: Repair | None


class DailyLog(Struct, frozen=True, kw_only=True):
    """One site's day. Without `employee` it is a form to be filled in, and no record yet.

    `made_by` is who was signed in, `typed` what is to be said of another employee's name, `papers` what the
    site's records of the day show, `statements` what persons attested of it, `rules` the rules of its tables.
    """

    organization: str
    site: str
    day: str
    employee: str
    initials: str
    lines: list[DailyLine]
    keep_until: str
    made_by: str = ""
    typed: str = ""
    papers: list[PaperFinding] = []
    statements: list[StatementLine] = []
    rules: Rules = Rules()

    @property
    def attested(self) -> bool:
        """Whether an employee has put a name to it and every table was checked."""
        stated = all(line.check.unobstructed is not None for line in self.lines)
        return bool(self.employee.strip()) and bool(self.lines) and stated

    @property
    def overdue(self) -> list[str]:
        """Tables whose time of repair has run out."""
        return [
            f"Table {line.check.table}: the time of repair has run out; close it or limit it to $2, 08-04(6)"
            for line in self.lines
            if line.repair is not None and line.repair.overdue
        ]


def gather_day(
    store: Store,
    site: str,
    day: date,
    checks: Sequence[Check],
    tables: Sequence[str] = (),
    employee: str = "",
    initials: str = "",
    organization: str = "",
    person: Person | None = None,
) -> DailyLog:
    """Gather the log of a site's day: a line for each table checked, named or reviewed; `person` is who is signed
    in.
    """
    of_site = store.reviews(site=site)
    today = [one for one in of_site if one.play_date == day.isoformat()]
    stated = {(check.table, check.game): check for check in checks}
    for table in [*tables, *(one.table or "?" for one in today)]:
        stated.setdefault((table, "twenty-one"), Check(table=table))
    lines = [
        DailyLine(check=check, support=_support(store, today, check), repair=_repair(of_site, check, day))
        for _, check in sorted(stated.items())
    ]
    return DailyLog(
        organization=organization,
        site=site,
        day=day.isoformat(),
        employee=employee,
        initials=initials,
        lines=lines,
        keep_until=kept_years(day, KEPT_YEARS).isoformat(),
        typed=typed_name(store, employee, person),
        papers=check_site(store, site, day, day).findings,
        statements=statement_lines(store, site, day, day),
        rules=rules_at(store, [site], day=day.isoformat()),
    )


def _support(store: Store, today: Sequence[ReviewRecord], check: Check) -> list[str]:
    """Return what the software saw of a table that day, in sentences."""
    if check.game != "twenty-one":
        return ["The software does not look at this game."]
    says: list[str] = []
    for review in (one for one in today if (one.table or "?") == check.table):
        clock = f"clock {review.clock_start} to {review.clock_end}" if review.clock_start else "clock not read"
        says.append(f"{review.video_name}: {review.coverage:.0%} watched, {clock}.".replace("T", " "))
        says += [f"Not watched from {start:.0f} s: {why}." for start, _, why in review.gaps]
        says += [
            f"{one.finding.verdict.capitalize()}: {one.finding.title} ({one.finding.cite})."
            for one in store.findings([review.id])
            if one.current and "-08-04." in one.finding.clause
        ]
    return says or ["No recording of this table and day was reviewed by software."]


def _repair(reviews: Sequence[ReviewRecord], check: Check, day: date) -> Repair | None:
    """Return the clocks of an open deficiency: hours of activity (the employee's, else those recorded) and
    calendar days.
    """
    if not check.first_seen:
        return None
    first = datetime.fromisoformat(check.first_seen)
    until = datetime.fromisoformat(check.repaired) if check.repaired else None
    last = until.date() if until else day
    recorded = [
        one.duration or 0.0
        for one in reviews
        if (one.table or "?") == check.table and first.date().isoformat() <= (one.play_date or "") <= last.isoformat()
    ]
    hours = check.active_hours if check.active_hours is not None else sum(recorded) / 3600
    due = first.date() + timedelta(days=CALENDAR_DAYS)
    return Repair(
        active_hours=round(hours, 1),
        hours_by="employee" if check.active_hours is not None else "recordings reviewed",
        days=(last - first.date()).days,
        due_day=due.isoformat(),
        overdue=until is None and (hours > ACTIVE_HOURS or day > due) and not _ends_play(check.action),
    )


def _ends_play(action: str) -> bool:
    """Tell whether the action taken closes the table or limits its wagers, the two that the rule allows after the
    time.
    """
    return re.search(r"clos|limit", action.casefold()) is not None
