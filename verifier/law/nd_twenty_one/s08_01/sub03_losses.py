"""What a quarter sets off in which prizes exceeded gross proceeds (99-01.3-08-01(3))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

from verifier.law import say
from verifier.law.entries import Entry, quarter_end
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.holds import Hold, holds, roster_dealers
from verifier.law.nd_twenty_one.shared.weeks import numbered, unbroken, week_number, week_of
from verifier.law.registry import session_check
from verifier.law.rows import at_site, by, of_row
from verifier.law.say import Said
from verifier.law.session import Session

CONTACT = "ND-08-01.3-contact-ag"
TWELVE = "ND-08-01.3-dealer-poh-12-weeks"
READS = ("percent_of_hold",)
_CONTACTED = ("ag_contacted", "contacted_ag", "contact_date", "ag_contact", "ag_contact_date", "contacted")


def lost(session: Session) -> list[Hold]:
    """Return a site's rows of a quarter in which its twenty-one prizes exceeded its twenty-one gross proceeds."""
    return [
        h
        for h in holds(session.records)
        if h.adjusted is not None and h.adjusted < 0 and h.dealer is None and not h.paddlewheel
    ]


@session_check(CONTACT, reads=READS)
def contacted_ag(session: Session) -> Iterator[Instance]:
    """Check that a site whose prizes exceeded its gross proceeds is reported within 30 days of the quarter's end."""
    for hold in lost(session):
        if hold.end is None:
            continue
        due = hold.end + timedelta(days=session.figures.contact_days)
        contacts = [
            entry.day
            for entry in session.records.of("ag_contact", "contact_ag", "attorney_general_contact")
            if entry.day
            and entry.day > hold.end
            and at_site(session, entry, hold.entry)
            and quarter_end(entry.get("quarter", "period")) in (None, hold.end)
        ]
        found = hold.entry.date(*_CONTACTED) or min(contacts, default=None)
        never = hold.entry.told(*_CONTACTED) is False
        right = found <= due if found else by(session.records.today, due)
        yield of_row(
            CONTACT,
            right,
            hold.entry,
            expected=say.that("the attorney general is contacted by {due}", due=say.day(due)),
            observed="prizes exceeded gross proceeds; the contact was "
            + (say.that("on {found}", found=say.day(found)) if found else "not made")
            + (" by the day of this log" if not found and not never else ""),
        )


@dataclass
class _Kept:
    """A dealer's weekly rows: by the Monday, by the number in the plan."""

    enough: int
    rows: list[Entry] = field(default_factory=list)
    mondays: set[date] = field(default_factory=set)
    numbers: set[int] = field(default_factory=set)

    def right(self, today: date | None, due: date | None) -> bool | None:
        if self.mondays:
            return unbroken(sorted(self.mondays), self.enough, today)
        overdue = by(today, due) is False
        return numbered(self.numbers, self.enough, overdue) if self.numbers else (False if overdue else None)

    @property
    def words(self) -> Said:
        weeks = sorted(self.mondays)
        gaps = any((after - before).days > 7 for before, after in pairwise(weeks))
        return say.that("it is kept for {weeks} week(s)", weeks=len(weeks) or len(self.numbers)) + (
            ", with gaps" if gaps else ""
        )


@session_check(TWELVE, reads=READS)
def twelve_weeks(session: Session) -> Iterator[Instance]:
    """After such a quarter each dealer's percent-of-hold is kept for twelve weeks without a gap.

    Weeks that were over before the quarter ended do not count; the rule does not say with which week the twelve begin.
    """
    enough = session.figures.loss_weeks
    for hold in lost(session):
        kept = _kept(session, hold)
        if not kept:
            continue
        due = hold.end + timedelta(weeks=enough, days=7) if hold.end else None
        for dealer in _on_rosters(session, hold):
            kept.setdefault(dealer, _Kept(enough))
        for dealer, weeks in sorted(kept.items()):
            yield of_row(
                TWELVE,
                weeks.right(session.records.today, due),
                [hold.entry, *weeks.rows],
                key=dealer,
                expected=say.that(
                    "percent-of-hold of {dealer} is kept for {enough} continuous weeks",
                    dealer=dealer,
                    enough=say.figure("loss_weeks", enough),
                ),
                observed=weeks.words,
            )


def _kept(session: Session, lost_quarter: Hold) -> dict[str, _Kept]:
    """Weekly rows of the site's dealers since the quarter's last week."""
    found: dict[str, _Kept] = defaultdict(lambda: _Kept(session.figures.loss_weeks))
    for hold in holds(session.records):
        entry, number = hold.entry, week_number(hold.entry)
        if not hold.dealer or not at_site(session, entry, lost_quarter.entry):
            continue
        monday = None if number or _quarterly(entry) else week_of(entry)
        if monday and lost_quarter.end and monday + timedelta(days=6) < lost_quarter.end:
            continue
        if number or monday:
            weeks = found[hold.dealer]
            weeks.rows.append(entry)
            weeks.numbers |= {number} if number else set()
            weeks.mondays |= {monday} if monday else set()
    return found


def _quarterly(entry: Entry) -> bool:
    """Tell whether a row is a quarter's figure and not a week's."""
    return entry.get("week", "week_start", "week_of", "week_ending") is None and entry.get("quarter") is not None


def _on_rosters(session: Session, hold: Hold) -> set[str]:
    """Those who dealt at the site in the twelve weeks after a quarter."""
    if hold.end is None:
        return set()
    last = hold.end + timedelta(weeks=session.figures.loss_weeks)
    rosters = [
        e
        for e in session.records.of("roster")
        if e.day and hold.end < e.day <= last and at_site(session, e, hold.entry)
    ]
    return {dealer for entry in rosters for dealer in roster_dealers(entry)}
