"""Unique minutes that a person really watched: told by the player, bounded by the clock on the wall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Select, select

from verifier.domain.errors import BadInput
from verifier.review.people.roles import Act, Person, require
from verifier.review.watch.policy import fastest
from verifier.store.repository import Store
from verifier.store.room.tables import WatchedRow
from verifier.store.tables import ReviewRow

REPORT_S: Final = 10.0
"""How often the player tells what was watched (s)."""
_SLACK_S: Final = 3.0
Stretch = tuple[float, float]


class Watched(Struct, frozen=True, kw_only=True):
    """What one person watched of a recording: stretches in order and apart, their sum and the last place (s)."""

    stretches: list[Stretch] = []
    seconds: float = 0.0
    position: float = 0.0


def joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same time as stretches in order that do not meet."""
    found: list[Stretch] = []
    for start, end in sorted(one for one in stretches if one[1] > one[0]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def watched(store: Store, person: Person, review_id: str) -> Watched:
    """What `person` watched of a recording so far."""
    require(person, Act.WATCH)
    with store.reading() as session:
        row = session.scalar(_row(review_id, person))
        return _value(row) if row is not None else Watched()


def report(store: Store, person: Person, review_id: str, start: float, end: float) -> Watched:
    """Adds the stretch that the player says was just played, and gives the whole.

    More than the wall clock allows at the site's fastest speed since the last report is cut from the stretch's front;
    what the player says is not believed beyond that. Raises Forbidden, or BadInput for a stretch that is none.
    """
    require(person, Act.WATCH)
    with store.reading() as session:
        review = session.scalar(select(ReviewRow).where(ReviewRow.id == review_id))
        if review is None:
            raise BadInput(review_id[:80], "is no reviewed recording", "choose one of the list")
        length, site = review.duration or 0.0, review.site or ""
    if not 0.0 <= start <= end <= length + 1.0:
        raise BadInput("watched", f"{start:.1f} to {end:.1f} s is no stretch of the recording", "play it again")
    speed, now = fastest(store, site), store.now()
    with store.writing() as session:
        row = session.scalar(_row(review_id, person).with_for_update())
        if row is None:
            row = WatchedRow(review_id=review_id, person=person.name, stretches="[]", seconds=0.0, position=0.0)
            row.reported_at = ""
            session.add(row)
        passed = _seconds(row.reported_at, now) if row.reported_at else REPORT_S
        start = max(start, end - passed * speed - _SLACK_S)
        known = [*_value(row).stretches, (start, end)]
        whole = joined(known)
        row.stretches = msgspec.json.encode([(round(a, 2), round(b, 2)) for a, b in whole]).decode()
        row.seconds, row.position, row.reported_at = sum(b - a for a, b in whole), end, now
        return _value(row)


def minutes_of(store: Store, review_ids: Sequence[str]) -> dict[tuple[str, str], float]:
    """(recording, name of the account) -> unique minutes watched, for the weekly documentation."""
    query = select(WatchedRow).where(WatchedRow.review_id.in_(list(review_ids)))
    with store.reading() as session:
        return {(row.review_id, row.person): row.seconds / 60 for row in session.scalars(query)}


def _row(review_id: str, person: Person) -> Select[WatchedRow]:
    return select(WatchedRow).where(WatchedRow.review_id == review_id, WatchedRow.person == person.name)


def _value(row: WatchedRow) -> Watched:
    stretches = msgspec.json.decode(row.stretches, type=list[Stretch])
    return Watched(stretches=stretches, seconds=row.seconds, position=row.position)


def _seconds(earlier: str, later: str) -> float:
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
