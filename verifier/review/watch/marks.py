"""What a person notes while watching: bookmarks, and findings of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import func, select

from verifier.domain.errors import BadInput
from verifier.domain.findings import Finding, Severity
from verifier.formats.whole import make_folder, put_in_place
from verifier.law.catalogue import by_id
from verifier.review.clips import make_clip
from verifier.review.people.roles import Act, Person, require
from verifier.review.playback import check_found_by, recording_at
from verifier.store.kept import digests_of, file_digest, file_name
from verifier.store.repository import Store
from verifier.store.room.tables import BookmarkRow
from verifier.store.room.urgency import urgency
from verifier.store.tables import FindingRow, ReviewRow, VerdictRow
from verifier.store.values import ReviewRecord

_AROUND_S: Final = 3.0
LONGEST_S: Final = 60.0
NOTE_MOST: Final = 500
"""Letters of a bookmark's words at most."""


class Bookmark(Struct, frozen=True, kw_only=True):
    """A place in a recording that a person marked, in seconds."""

    id: int
    t: float
    note: str
    person: str


class OwnFinding(Struct, frozen=True, kw_only=True):
    """What a person saw and the software did not say: seconds of media time, clause, place, in the person's words."""

    clause: str
    t_start: float
    t_end: float
    observed: str
    at: str | None = None
    round: int | None = None


def bookmark(store: Store, person: Person, review_id: str, t: float, note: str = "") -> None:
    """Mark a moment of a recording. Raises Forbidden, or BadInput for a moment that is none of the recording.

    A page that cannot say when a bookmark is would open for nobody any more.
    """
    require(person, Act.WATCH)
    with store.acting(person.name, "bookmark", f"review/{review_id}", {"t": max(0.0, t)}) as session:
        duration = session.scalar(select(ReviewRow.duration).where(ReviewRow.id == review_id)) or 0.0
        if not -1.0 <= t <= duration + 1.0:
            raise BadInput("bookmark", "is at no moment of the recording", "choose a moment of it")
        now = store.now()
        row = BookmarkRow(review_id=review_id, t=max(0.0, t), note=note[:NOTE_MOST], person=person.name, made_at=now)
        session.add(row)


def say_bookmark(store: Store, person: Person, number: int, note: str) -> None:
    """Give one's own bookmark words, in place of the earlier ones."""
    with store.reading() as session:
        mine = select(BookmarkRow.review_id).where(BookmarkRow.id == number, BookmarkRow.person == person.name)
        review_id = session.scalar(mine)
    if review_id is None:
        return
    with store.acting(person.name, "say_bookmark", f"review/{review_id}", {"note": note[:NOTE_MOST]}) as session:
        row = session.get(BookmarkRow, number)
        if row is not None:
            row.note = note[:NOTE_MOST]


def forget_bookmark(store: Store, person: Person, number: int) -> None:
    """Remove one's own bookmark."""
    with store.reading() as session:
        mine = select(BookmarkRow.review_id).where(BookmarkRow.id == number, BookmarkRow.person == person.name)
        review_id = session.scalar(mine)
    if review_id is None:
        return
    with store.acting(person.name, "forget_bookmark", f"review/{review_id}") as session:
        row = session.get(BookmarkRow, number)
        if row is not None:
            session.delete(row)


def bookmarks(store: Store, person: Person, review_id: str) -> list[Bookmark]:
    """Return everybody's bookmarks of a recording in order of time."""
    require(person, Act.WATCH)
    query = select(BookmarkRow).where(BookmarkRow.review_id == review_id).order_by(BookmarkRow.t)
    with store.reading() as session:
        return [Bookmark(id=row.id, t=row.t, note=row.note, person=row.person) for row in session.scalars(query)]


def add_own(store: Store, person: Person, review_id: str, own: OwnFinding) -> str:
    """Store a person's own finding with its clip, confirmed by that person; return its id.

    Raises Forbidden, or BadInput for an unknown clause, an impossible stretch or no words.
    """
    require(person, Act.JUDGE)
    review, video, at = recording_at(store, person, review_id, own.t_end)
    clause = by_id(review.rulebook).get(own.clause)
    if clause is None:
        raise BadInput("clause", f"{own.clause[:60]!r} is none of {review.rulebook}", "choose one of the list")
    if not 0 <= own.t_start <= own.t_end <= (review.duration or 0) + 1 or own.t_end - own.t_start > LONGEST_S:
        raise BadInput("time", "is no stretch of the recording", f"choose at most {LONGEST_S:.0f} s of it")
    if not own.observed.strip():
        raise BadInput("what you saw", "is empty", "say it in a sentence")
    finding = Finding(
        clause=own.clause,
        cite=clause.cite,
        title=clause.title,
        verdict="violation",
        severity=_severity(clause.severity),
        round=own.round,
        at=own.at,
        t_start=own.t_start,
        t_end=own.t_end,
        clock=None,
        p=1.0,
        expected=clause.requirement,
        observed=own.observed.strip()[:2000],
        events=[],
    )
    name = f"clips/person-{own.clause}-{round(own.t_start * 1000)}-{round(own.t_end * 1000)}.mp4"
    clip = Path(review.folder) / name
    make_folder(clip.parent)
    unfinished = clip.with_name(f".{clip.name}")
    make_clip(video, max(0.0, own.t_start - at - _AROUND_S), own.t_end - at + _AROUND_S, unfinished)
    check_found_by(store, review)  # nobody exchanged it meanwhile
    store.announce(person.name, f"review/{review_id}", {file_name(clip): file_digest(unfinished)})
    put_in_place(unfinished, clip)
    return _stored(store, person, review, finding, name)


def _stored(store: Store, person: Person, review: ReviewRecord, finding: Finding, clip: str) -> str:
    body, review_id = msgspec.json.encode(finding).decode(), review.id
    files = digests_of(Path(review.folder), [clip])
    with store.acting(person.name, "own_finding", f"review/{review_id}", {"clause": finding.clause}, files) as session:
        last = session.scalar(select(func.max(FindingRow.seq)).where(FindingRow.review_id == review_id)) or 0
        name = f"{review_id}-{last + 1:04d}"
        session.add(
            FindingRow(
                id=name,
                review_id=review_id,
                seq=last + 1,
                digest=f"person {person.name}"[:64],
                current=True,
                clause=finding.clause,
                verdict=finding.verdict,
                body=body,
                clip=clip,
                stills="[]",
                urgency=urgency(finding),
                origin="person",
                decision="confirmed",
                decided_by=person.signature,
            )
        )
        session.flush()
        session.add(
            VerdictRow(
                finding_id=name,
                decision="confirmed",
                reviewer=person.signature,
                note="Seen while watching",
                decided_at=store.now(),
                reason="",
            )
        )
        return name


def _severity(severity: str | None) -> Severity:
    found: Severity = msgspec.convert(severity or "major", Severity)
    return found
