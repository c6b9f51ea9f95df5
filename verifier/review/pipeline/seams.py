"""Joins what was seen in segments into one stream: no moment twice, and a thing keeps its id across a seam."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation

NEAR_S = 0.6
"""Seconds by which two looks of the same moment may lie apart: resting things are looked at about once a second."""
NEAR = 0.5
"""Own sizes by which the middles of one thing may lie apart in two such looks."""
BEFORE_S = 10.0
"""Seconds before a seam that are compared; no segment is watched from further before its beginning."""

Thing = CardSeen | ChipSeen | HandSeen


class Run(Struct, frozen=True):
    """What was seen in one segment: `shift` (seconds) and `frames` bring it to the joined time, in which it counts from
    `begin` on.
    """

    seen: Iterable[Observation]
    shift: float
    frames: int
    begin: float


def join(runs: Iterable[Run]) -> Iterator[Observation]:
    """Yield the observations of all runs in order of time, with ids that are unique in the whole."""
    joiner = Joiner()
    for run in runs:
        yield from joiner.take(run)


class Joiner:
    """Joins runs one by one; it can be pickled between two of them."""

    def __init__(self) -> None:
        self._last_id = 0
        self._tail: list[Observation] = []

    def take(self, run: Run) -> Iterator[Observation]:
        """Yield the observations of the next run, to be read to their end."""
        warm: list[Observation] = []
        known: dict[int, int] | None = None
        for seen in run.seen:
            moved = msgspec.structs.replace(seen, t=round(seen.t + run.shift, 6), frame=(seen.frame or 0) + run.frames)
            if moved.t < run.begin - 1e-6:
                warm.append(moved)
                continue
            if known is None:
                known = matched(self._tail, warm)
                self._tail = []
            if self._tail and moved.t < self._tail[-1].t:
                continue
            named = self._named(moved, known)
            self._remember(named)
            yield named

    def _remember(self, seen: Observation) -> None:
        """Keep what the next seam is compared with."""
        self._tail.append(seen)
        if self._tail[0].t < seen.t - 2 * BEFORE_S:
            self._tail = [one for one in self._tail if one.t >= seen.t - BEFORE_S]

    def _named(self, seen: Observation, known: dict[int, int]) -> Observation:
        def renamed(things: Sequence[Thing]) -> list[Thing]:
            return [msgspec.structs.replace(thing, id=self._name(thing.id, known)) for thing in things]

        return msgspec.structs.replace(
            seen, cards=renamed(seen.cards), chips=renamed(seen.chips), hands=renamed(seen.hands)
        )

    def _name(self, own: int | None, known: dict[int, int]) -> int | None:
        """Return the id in the whole for a thing that has the id `own` in its run; a new thing gets the next one."""
        if own is None:
            return None
        if own not in known:
            self._last_id += 1
            known[own] = self._last_id
        return known[own]


def matched(before: Sequence[Observation], after: Sequence[Observation]) -> dict[int, int]:
    """Ids of the later run (`after`: what it saw before the seam) to those of the earlier one, one to one."""
    votes: Counter[tuple[int, int]] = Counter()
    for late in after:
        early = min(before, key=lambda one: abs(one.t - late.t), default=None)
        if early is not None and abs(early.t - late.t) <= NEAR_S:
            votes.update(_same(early, late))
    known: dict[int, int] = {}
    taken: set[int] = set()
    for (old, new), _ in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if new not in known and old not in taken:
            known[new] = old
            taken.add(old)
    return known


def _same(early: Observation, late: Observation) -> Iterator[tuple[int, int]]:
    """Pairs of ids of things of one kind whose middles lie near each other, the nearest first."""
    kinds: tuple[tuple[Sequence[Thing], Sequence[Thing]], ...] = (
        (early.cards, late.cards),
        (early.chips, late.chips),
        (early.hands, late.hands),
    )
    for olds, news in kinds:
        pairs = sorted(
            (math.dist(_middle(old), _middle(new)) / _size(new), i, j)
            for i, old in enumerate(olds)
            for j, new in enumerate(news)
        )
        used: set[tuple[str, int]] = set()
        for far, i, j in pairs:
            old, new = olds[i].id, news[j].id
            if far > NEAR or old is None or new is None or ("old", i) in used or ("new", j) in used:
                continue
            used |= {("old", i), ("new", j)}
            yield old, new


def _middle(thing: Thing) -> tuple[float, float]:
    if isinstance(thing, ChipSeen):
        return thing.center
    if isinstance(thing, HandSeen):
        return (thing.box[0] + thing.box[2]) / 2, (thing.box[1] + thing.box[3]) / 2
    return sum(x for x, _ in thing.quad) / 4, sum(y for _, y in thing.quad) / 4


def _size(thing: Thing) -> float:
    """Return a thing's size in pixels, the measure for how far it may have moved."""
    if isinstance(thing, ChipSeen):
        return 2 * thing.radius
    if isinstance(thing, HandSeen):
        return max(1.0, min(thing.box[2] - thing.box[0], thing.box[3] - thing.box[1]))
    return max(1.0, min(math.dist(thing.quad[0], thing.quad[1]), math.dist(thing.quad[1], thing.quad[2])))
