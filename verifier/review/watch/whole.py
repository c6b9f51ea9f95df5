"""A whole recording on one line: its rounds, findings and gaps, what people watched of it, their bookmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from verifier.domain.events import EventLog
from verifier.review.people.accounts import full_names
from verifier.review.people.roles import Act, Person, require
from verifier.review.queue import findings_of
from verifier.review.watch.marks import bookmarks
from verifier.review.watch.minutes import watched_by
from verifier.review.wording import accusation
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

Kind = Literal["round", "finding", "gap", "watched", "mark"]


class Along(Struct, frozen=True, kw_only=True):
    """A stretch of a recording, seconds of the review's time; `lane` is the row that it stands in, `says` its words."""

    kind: Kind
    t: float
    t_end: float
    lane: str
    says: str


def along(store: Store, person: Person, review: ReviewRecord, log: EventLog | None) -> list[Along]:
    """Everything that is known of a recording, by kind and time; raises Forbidden if the person may not watch.

    `log` is the review's events; without it no rounds are told.
    """
    require(person, Act.WATCH)
    names = full_names(store)
    return [
        *(_rounds(log) if log is not None else ()),
        *_findings(store, review),
        *_gaps(review),
        *(
            Along(kind="watched", t=start, t_end=end, lane=(who := names.get(name, name)), says=f"watched by {who}")
            for name, stretches in watched_by(store, review.id).items()
            for start, end in stretches
        ),
        *(
            Along(
                kind="mark",
                t=one.t,
                t_end=one.t,
                lane="bookmarks",
                says=one.note or f"bookmark of {names.get(one.person, one.person)}",
            )
            for one in bookmarks(store, person, review.id)
        ),
    ]


def _rounds(log: EventLog) -> Iterator[Along]:
    spans: dict[int, tuple[float, float]] = {}
    for event in log.events:
        if event.round is not None:
            start, end = spans.get(event.round, (event.t_start, event.t_end))
            spans[event.round] = min(start, event.t_start), max(end, event.t_end)
    for number, (start, end) in sorted(spans.items()):
        yield Along(kind="round", t=start, t_end=end, lane="rounds", says=f"round {number}")


def _findings(store: Store, review: ReviewRecord) -> Iterator[Along]:
    for found, state in sorted(findings_of(store, review.id), key=lambda one: one[0].t_start):
        words = f"{accusation(found)} ({state})"
        yield Along(kind="finding", t=found.t_start, t_end=found.t_end, lane="findings", says=words)


def _gaps(review: ReviewRecord) -> Iterator[Along]:
    for start, end, why in review.gaps:
        until = end if end is not None else review.duration or start
        yield Along(kind="gap", t=start, t_end=until, lane="not watched", says=f"not watched by the software: {why}")
