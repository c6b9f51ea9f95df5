"""What is asked for, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

import msgspec
from msgspec import Struct

from verifier.domain.findings import Finding, Severity
from verifier.domain.names import path_of, path_text
from verifier.review.people.roles import Act, Person, require
from verifier.review.pipeline.values import Spoken
from verifier.store.night.journal import JobRecord
from verifier.store.queue import Ordered, ReviewQueue
from verifier.store.repository import Store

PREVIEWED: Final = 5
"""Preliminary findings that are told of a recording: as many as the page shows of a finished one."""
SEVERITIES: Final = get_args(Severity)


class ReviewOrder(Struct, frozen=True, kw_only=True):
    """Recordings to review, of one table (None: found by folder or signs). Paths are text, `day` is ISO.

    `spoken` tells of the transcript of the only one. With `propose` a layout is proposed from the first one instead.
    `night` names a night shift that works at them.
    """

    files: list[str]
    propose: bool = False
    site: str | None = None
    table: str | None = None
    day: str | None = None
    spoken: Spoken | None = None
    night: str | None = None

    @property
    def names(self) -> list[str]:
        """The files' names."""
        return [one.rpartition("/")[2] for one in self.files]


class Preview(Struct, frozen=True, kw_only=True):
    """What the part of a recording that has been watched shows by itself: the worst of `count` preliminary findings.

    `name` is the recording's, `until` the end of that part in seconds, `whole` whether all of it was watched under a
    layout that seems to fit.
    """

    name: str
    until: float
    count: int
    worst: list[Finding]
    whole: bool = False


class OrderProgress(Struct, frozen=True, kw_only=True):
    """How far an order is: seconds of recording `seen` of `planned`, `pace` in times of real time, `left` in seconds.

    `told` is what became of recordings that could not be reviewed, one line each; `reviews` are those that are stored,
    `previews` tell of those that are still being watched.
    """

    stage: str = ""
    seen: float = 0.0
    planned: float = 0.0
    pace: float | None = None
    left: float | None = None
    told: list[str] = []
    reviews: list[str] = []
    previews: list[Preview] = []

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return min(1.0, self.seen / self.planned) if self.planned else 0.0


def ask(store: Store, person: Person, order: ReviewOrder) -> int:
    """Put an order into the queue. Raises Forbidden."""
    require(person, Act.BEGIN)
    return ReviewQueue(store).add(msgspec.json.encode(order).decode(), person.name, ", ".join(order.names))


def order_of(ordered: Ordered) -> ReviewOrder:
    """Return what was asked for."""
    return msgspec.json.decode(ordered.order, type=ReviewOrder)


def progress_of(ordered: Ordered) -> OrderProgress:
    """How far it is."""
    return msgspec.json.decode(ordered.progress, type=OrderProgress)


def free(ordered: Ordered, nights: Sequence[Ordered]) -> bool:
    """Tell whether no night shift at work has one of an order's recordings in hand. A layout may be proposed at
    any time.
    """
    order = order_of(ordered)
    taken = {path for one in nights for path in order_of(one).files}
    return order.propose or not taken.intersection(map(real_path, order.files))


def in_hand(running: Sequence[Ordered]) -> set[str]:
    """Return the recordings that the runner reviews just now."""
    orders = [order_of(one) for one in running]
    return {real_path(path) for order in orders if not order.propose for path in order.files}


def real_path(path: str) -> str:
    """Return a path (as text) after following links, so that the same file is recognized."""
    return path_text(path_of(path).resolve())


def preview_of(name: str, until: float, findings: Sequence[Finding], *, whole: bool) -> Preview:
    """Return the worst of some preliminary findings of a recording that was watched up to `until` (s)."""
    worst = sorted(findings, key=lambda one: (SEVERITIES.index(one.severity), -one.p))
    return Preview(name=name, until=until, count=len(findings), worst=worst[:PREVIEWED], whole=whole)


def ended(jobs: list[JobRecord], last: OrderProgress) -> OrderProgress:
    """Return the progress of an order that came to its end."""
    told = [
        f"{' + '.join(job.names)}: {job.cause or 'could not be reviewed'}" for job in jobs if job.state != "reviewed"
    ]
    reviews = [job.review_id for job in jobs if job.review_id]
    return msgspec.structs.replace(last, stage="", left=None, pace=None, told=told, reviews=reviews, previews=[])
