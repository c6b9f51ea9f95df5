"""Joins what was seen in segments into one stream: no moment twice, and a thing keeps its id across a seam."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

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
    """The observations of all runs in order of time, with ids that are unique in the whole."""
    ids = count(1)
    tail: list[Observation] = []
    for run in runs:
        warm: list[Observation] = []
        known: dict[int, int] | None = None
        for seen in run.seen:
            moved = msgspec.structs.replace(seen, t=round(seen.t + run.shift, 6), frame=seen.frame + run.frames)
            if moved.t < run.begin - 1e-6:
                warm.append(moved)
                continue
            if known is None:
                known = matched(tail, warm)
                tail = []
            if tail and moved.t < tail[-1].t:
                continue
            named = _named(moved, known, ids)
            tail.append(named)
            if tail[0].t < named.t - 2 * BEFORE_S:
                tail = [one for one in tail if one.t >= named.t - BEFORE_S]
            yield named


def _named(seen: Observation, known: dict[int, int], ids: Iterator[int]) -> Observation:
    def renamed(things: Sequence[Thing]) -> list[Thing]:
        out = []
        for thing in things:
            if thing.id is not None and thing.id not in known:
                known[thing.id] = next(ids)
            out.append(msgspec.structs.replace(thing, id=None if thing.id is None else known[thing.id]))
        return out

    return msgspec.structs.replace(
        seen, cards=renamed(seen.cards), chips=renamed(seen.chips), hands=renamed(seen.hands)
    )


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
        (early.cards, late.cards), (early.chips, late.chips), (early.hands, late.hands),
    )  # fmt: skip
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
    """A thing's size in pixels: what it may have moved is measured by it."""
    if isinstance(thing, ChipSeen):
        return 2 * thing.radius
    if isinstance(thing, HandSeen):
        return max(1.0, min(thing.box[2] - thing.box[0], thing.box[3] - thing.box[1]))
    return max(1.0, min(math.dist(thing.quad[0], thing.quad[1]), math.dist(thing.quad[1], thing.quad[2])))
