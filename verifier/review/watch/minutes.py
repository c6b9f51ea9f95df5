"""Unique minutes that a person really watched: told by the player, bounded by the clock on the wall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.review.people.roles import Act, Person, require
from verifier.review.watch.policy import fastest
from verifier.store.repository import Store
from verifier.store.room.tables import WatchedRow, WatchingRow
from verifier.store.tables import ReviewRow

REPORT_S: Final = 30.0
"""How often the player tells what was watched (s of the recording): each report is an entry of the audit log."""
LIVE_S: Final = 3 * REPORT_S
"""Seconds on the wall after which a player that said nothing has stopped: two reports may be late or lost."""
SLACK_S: Final = 3.0
"""Seconds of an allowance that stay for the next report, which may come a moment early: messages take their time."""
Stretch = tuple[float, float]


class Watched(Struct, frozen=True, kw_only=True):
    """What one person watched of a recording: stretches in order and apart, their sum and the last place (s)."""

    stretches: list[Stretch] = []
    seconds: float = 0.0
    position: float = 0.0


def joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Return the same time as stretches that do not touch, in order."""
    found: list[Stretch] = []
    for start, end in sorted(one for one in stretches if one[1] > one[0]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def watched(store: Store, person: Person, review_id: str) -> Watched:
    """Return what `person` watched of a recording so far."""
    require(person, Act.WATCH)
    with store.reading() as session:
        row = session.scalar(_row(review_id, person))
        return _value(row) if row is not None else Watched()


def watched_by(store: Store, review_id: str) -> dict[str, list[Stretch]]:
    """Account -> the stretches of a recording that this person watched."""
    query = select(WatchedRow).where(WatchedRow.review_id == review_id).order_by(WatchedRow.person)
    with store.reading() as session:
        return {row.person: _value(row).stretches for row in session.scalars(query)}


def report(store: Store, person: Person, review_id: str, start: float, end: float) -> Watched:
    """Add the stretch that the player says was just played, and return the whole; an empty one says that play begins.

    A person's reports of all recordings and tabs share one allowance: the time on the wall since the one before, at the
    site's fastest speed. Who told nothing for a while has none: play must begin first. What the player says beyond that
    is cut from the stretch's front. Raises Forbidden, or BadInput for a stretch that is none.
    """
    require(person, Act.WATCH)
    with store.reading() as session:
        review = session.scalar(select(ReviewRow).where(ReviewRow.id == review_id))
        if review is None:
            raise BadInput(review_id[:80], "is no reviewed recording", "choose one of the list")
        length, site = review.duration or 0.0, review.site or ""
    if not 0.0 <= start <= end <= length + 1.0:
        raise BadInput("watched", f"{start:.1f} to {end:.1f} s is no stretch of the recording", "play it again")
    if start == end:
        _begin(store, person)
        return watched(store, person, review_id)
    speed = fastest(store, site)
    said: dict[str, object] = {}
    with store.acting(person.name, "watched", f"review/{review_id}", said) as session:
        now = store.now()
        start = max(start, end - _spend(session, person, now, (end - start) / speed) * speed)
        row = session.scalar(_row(review_id, person).with_for_update())
        if row is None:
            row = WatchedRow(review_id=review_id, person=person.name, stretches="[]", seconds=0.0, position=0.0)
            session.add(row)
        whole = joined([*_value(row).stretches, (start, end)])
        row.stretches = msgspec.json.encode([(round(a, 2), round(b, 2)) for a, b in whole]).decode()
        row.seconds, row.position, row.reported_at = sum(b - a for a, b in whole), end, now
        said.update({"from": f"{start:.2f}", "to": f"{end:.2f}"})
        return _value(row)


def _begin(store: Store, person: Person) -> None:
    """Start the allowance of a person who reported nothing for a while; a running one goes on, whichever tab plays."""
    with store.writing() as session:
        now, known = store.now(), session.get(WatchingRow, person.name)
        if known is None:
            session.add(WatchingRow(person=person.name, told_at=now, left_over=0.0))
        elif not 0.0 <= _seconds(known.told_at, now) <= LIVE_S:
            known.told_at, known.left_over = now, 0.0


def _spend(session: Session, person: Person, now: str, wanted: float) -> float:
    """Take up to `wanted` seconds of real time from a person's allowance; return what there was."""
    known = session.get(WatchingRow, person.name, with_for_update=True)
    if known is None:
        known = WatchingRow(person=person.name, told_at=now, left_over=0.0)
        session.add(known)
    passed = _seconds(known.told_at, now)
    there = passed + min(max(known.left_over, 0.0), SLACK_S) if 0.0 <= passed <= LIVE_S else 0.0
    spent = min(wanted, there)
    known.told_at, known.left_over = now, min(there - spent, SLACK_S)
    return spent


def minutes_of(store: Store, review_ids: Sequence[str]) -> dict[tuple[str, str], float]:
    """Return unique minutes watched by (recording, name of the account), for the weekly documentation."""
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
