"""The queue of findings that people work through: the most serious and most certain first, sorted by the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, and_, func, or_, select, tuple_
from sqlalchemy.orm import Session

from verifier.domain.findings import Finding
from verifier.review.people.roles import Act, Person, require
from verifier.store.repository import Store
from verifier.store.room.tables import HoldRow
from verifier.store.rows import finding_of, review_of, verdict_of
from verifier.store.tables import FindingRow, ReviewRow, VerdictRow
from verifier.store.values import DECISIONS, ReviewRecord, StoredFinding, VerdictRecord

OPEN: Final = "open"
STATES: Final = (OPEN, *DECISIONS)
_ORDER: Final = (FindingRow.urgency, FindingRow.id)


class QueueItem(Struct, frozen=True, kw_only=True):
    """A finding with its review and everything that people said of it."""

    stored: StoredFinding
    review: ReviewRecord
    verdicts: list[VerdictRecord]

    @property
    def state(self) -> str:
        """The latest decision, or `open` while nobody decided."""
        return self.verdicts[-1].decision if self.verdicts else OPEN


class Filters(Struct, frozen=True, kw_only=True):
    """What to show; an empty choice shows everything. Days of play are ISO dates, both ends included."""

    sites: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    dealers: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    reviewers: frozenset[str] = frozenset()
    recordings: frozenset[str] = frozenset()
    day_from: str | None = None
    day_to: str | None = None


class Choices(Struct, frozen=True, kw_only=True):
    """What the findings can be filtered by, each in order."""

    sites: list[str]
    tables: list[str]
    dealers: list[str]
    clauses: list[str]
    reviewers: list[str]


def counts(store: Store, person: Person, filters: Filters) -> dict[str, int]:
    """How many findings of the choice are in each state."""
    require(person, Act.READ)
    query = _chosen(select(FindingRow.decision, func.count()), filters).group_by(FindingRow.decision)
    with store.reading() as session:
        found = {str(state): int(number) for state, number in session.execute(query)}
    return {state: found.get(state, 0) for state in STATES}


class Tallied(Struct, frozen=True, kw_only=True):
    """How many findings are alike in all of this. `day` is the ISO date of play, `state` one of STATES.

    What was not counted by is None or empty.
    """

    state: str
    count: int
    day: str | None = None
    site: str | None = None
    table: str | None = None
    dealer: str | None = None
    clause: str = ""
    verdict: str = ""
    origin: str = ""


_COUNTED_BY: Final = {
    "day": ReviewRow.play_date,
    "site": ReviewRow.site,
    "table": ReviewRow.table_name,
    "dealer": FindingRow.dealer,
    "clause": FindingRow.clause,
    "verdict": FindingRow.verdict,
    "origin": FindingRow.origin,
    "state": FindingRow.decision,
}


def tally(
    store: Store, person: Person, filters: Filters, by: Sequence[str], days: tuple[str, str] | None = None
) -> list[Tallied]:
    """Count the findings of the choice by these fields of Tallied and by state, in order.

    With `days` only those of these days of play (ISO, both included), and those whose day nobody knows. The database
    counts; ask for few fields: it gives a row for each combination.
    """
    require(person, Act.READ)
    columns = [_COUNTED_BY[name].label(name) for name in (*by, "state")]
    query = _chosen(select(*columns, func.count().label("count")), filters).group_by(*columns).order_by(*columns)
    if days is not None:
        query = query.where(or_(ReviewRow.play_date.is_(None), ReviewRow.play_date.between(*days)))
    with store.reading() as session:
        return [Tallied(**row) for row in session.execute(query).mappings()]


def page(store: Store, person: Person, filters: Filters, *, skip: int, most: int) -> list[QueueItem]:
    """Return the findings of the choice from place `skip` on, at most `most`, in the order of work."""
    require(person, Act.READ)
    query = _chosen(select(FindingRow, ReviewRow), filters).order_by(*_ORDER).offset(skip).limit(most)
    with store.reading() as session:
        return _items(session, [(row, review) for row, review in session.execute(query)])


def item(store: Store, person: Person, finding_id: str | None) -> QueueItem | None:
    """One finding, also one that the newest review no longer makes; None if no finding has that id."""
    require(person, Act.READ)
    query = select(FindingRow, ReviewRow).join(ReviewRow).where(FindingRow.id == (finding_id or ""))
    with store.reading() as session:
        return next(iter(_items(session, [(row, review) for row, review in session.execute(query)])), None)


def neighbours(store: Store, person: Person, filters: Filters, finding_id: str) -> tuple[str | None, str | None]:
    """Return the ids before and after a finding in the choice; None at its ends."""
    require(person, Act.READ)
    with store.reading() as session:
        here = session.get(FindingRow, finding_id)
        if here is None:
            return None, None
        names = _chosen(select(FindingRow.id), filters)
        before = names.where(_after(here, reverse=True)).order_by(*(column.desc() for column in _ORDER)).limit(1)
        after = names.where(_after(here)).order_by(*_ORDER).limit(1)
        return session.scalar(before), session.scalar(after)


def place_of(store: Store, person: Person, filters: Filters, finding_id: str) -> int | None:
    """Which finding of the choice it is, from 1; None if it is not among them."""
    require(person, Act.READ)
    with store.reading() as session:
        here = session.get(FindingRow, finding_id)
        chosen = _chosen(select(func.count()), filters)
        if here is None or not session.scalar(chosen.where(FindingRow.id == finding_id)):
            return None
        return (session.scalar(chosen.where(_after(here, reverse=True))) or 0) + 1


def same_incident(store: Store, person: Person, one: QueueItem) -> list[QueueItem]:
    """Other open findings of the incident: of the same review, round and place, resting on an event of this one."""
    require(person, Act.READ)
    finding = one.stored.finding
    cites = or_(False, *(FindingRow.body.contains(f'"{event}"', autoescape=True) for event in finding.events))
    query = (
        select(FindingRow, ReviewRow)
        .join(ReviewRow)
        .where(
            FindingRow.review_id == one.review.id,
            FindingRow.id != one.stored.id,
            FindingRow.current,
            FindingRow.decision == OPEN,
            cites,
        )
    )
    with store.reading() as session:
        found = _items(session, [(row, review) for row, review in session.execute(query.order_by(*_ORDER))])
    rests, where = set(finding.events), (finding.round, finding.at)
    return [
        other
        for other in found
        if (other.stored.finding.round, other.stored.finding.at) == where
        and not rests.isdisjoint(other.stored.finding.events)
    ]


def next_open(
    store: Store, person: Person, filters: Filters, finding_id: str | None, without: Collection[str] = ()
) -> str | None:
    """Return the next finding of the choice that nobody decided or holds; begin again at the top; None when none is
    left.

    Those in `without` are passed over: they are being decided.
    """
    require(person, Act.READ)
    held = select(HoldRow.finding_id).where(HoldRow.until > store.now(), HoldRow.person != person.name)
    names = _chosen(select(FindingRow.id), filters).where(
        FindingRow.decision == OPEN, FindingRow.id != (finding_id or ""), FindingRow.id.not_in(held)
    )
    names = names.where(FindingRow.id.not_in(without)) if without else names
    names = names.order_by(*_ORDER).limit(1)
    with store.reading() as session:
        here = session.get(FindingRow, finding_id) if finding_id else None
        further = session.scalar(names.where(_after(here))) if here is not None else None
        found: str | None = further or session.scalar(names)
        return found


def choices(store: Store, person: Person) -> Choices:
    """Return what can be chosen; each list is read from an index, so it may name what only superseded findings have."""
    require(person, Act.READ)
    columns = (ReviewRow.site, ReviewRow.table_name, FindingRow.dealer, FindingRow.clause, VerdictRow.reviewer)
    with store.reading() as session:
        found = [
            sorted(one for one in session.scalars(select(column).distinct()) if one is not None) for column in columns
        ]
    return Choices(sites=found[0], tables=found[1], dealers=found[2], clauses=found[3], reviewers=found[4])


def load_queue(store: Store, review_ids: Iterable[str] | None = None) -> list[QueueItem]:
    """All findings of these recordings (default: of all) with their verdicts, in the order of work."""
    wanted = Filters(recordings=frozenset(review_ids)) if review_ids is not None else Filters()
    query = _chosen(select(FindingRow, ReviewRow), wanted).order_by(*_ORDER)
    with store.reading() as session:
        return _items(session, [(row, review) for row, review in session.execute(query)])


def findings_of(store: Store, review_id: str) -> list[tuple[Finding, str]]:
    """Return the findings of one recording that the queue shows, each with its state; without their verdicts."""
    query = select(FindingRow.body, FindingRow.decision).where(FindingRow.review_id == review_id, _shown())
    with store.reading() as session:
        return [(msgspec.json.decode(body, type=Finding), state) for body, state in session.execute(query)]


def _shown() -> ColumnElement[bool]:
    """Tell in the database whether a finding is shown: it stands, or somebody decided on it."""
    return or_(FindingRow.current, FindingRow.decision != OPEN)


def _chosen(query: Any, filters: Filters) -> Any:
    """Return the query over findings and their recordings, narrowed to what is shown and chosen."""
    shown = _shown()
    pairs: tuple[tuple[frozenset[str], Any], ...] = (
        (filters.sites, ReviewRow.site),
        (filters.tables, ReviewRow.table_name),
        (filters.dealers, FindingRow.dealer),
        (filters.clauses, FindingRow.clause),
        (filters.verdicts, FindingRow.verdict),
        (filters.states, FindingRow.decision),
        (filters.reviewers, FindingRow.decided_by),
        (filters.recordings, FindingRow.review_id),
    )
    wanted = [column.in_(sorted(values)) for values, column in pairs if values]
    wanted += [ReviewRow.play_date >= filters.day_from] if filters.day_from else []
    wanted += [ReviewRow.play_date <= filters.day_to] if filters.day_to else []
    return query.select_from(FindingRow).join(ReviewRow).where(and_(shown, *wanted))


def _after(here: FindingRow, *, reverse: bool = False) -> ColumnElement[bool]:
    place = tuple_(here.urgency, here.id)
    row = tuple_(*_ORDER)
    return row < place if reverse else row > place


def _items(session: Session, rows: Sequence[tuple[FindingRow, ReviewRow]]) -> list[QueueItem]:
    reviews: dict[str, ReviewRecord] = {}
    said: dict[str, list[VerdictRecord]] = {}
    judged = [row.id for row, _ in rows if row.decision != OPEN]
    for start in range(0, len(judged), 500):
        some = select(VerdictRow).where(VerdictRow.finding_id.in_(judged[start : start + 500])).order_by(VerdictRow.id)
        for verdict in session.scalars(some):
            said.setdefault(verdict.finding_id, []).append(verdict_of(verdict))
    found = []
    for row, review in rows:
        kept = reviews.get(review.id) or reviews.setdefault(review.id, review_of(review))
        found.append(QueueItem(stored=finding_of(row), review=kept, verdicts=said.get(row.id, [])))
    return found
