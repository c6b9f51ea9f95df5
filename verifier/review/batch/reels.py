"""Joins a recorder's split files of one table by their clock; what two files show is judged once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from verifier.review.batch.dealers import read_dealers
from verifier.review.batch.values import Facts, Part, Reel, Source, clock_between

JOIN_S = 120.0
"""Seconds without a recording up to which two files belong to one shift."""
LONGEST_S = 24 * 3600.0
SLACK_S = 1.0
"""Seconds that a clock read to the second may be off: a smaller gap between two files is none."""

Pair = tuple[Source, Facts]


def make_reels(examined: Iterable[Pair]) -> list[Reel]:
    """The reels of one night. Contents that appear twice count once; a file without a clock stands alone."""
    reels: list[Reel] = []
    for _, group in groupby(sorted(examined, key=_table), key=_table):
        reels += _of_table(list(group))
    return reels


def _table(pair: Pair) -> tuple[str, ...]:
    source, facts = pair
    size = f"{facts.width}x{facts.height}"
    return (source.site or "", source.table or "", source.layout or source.path, source.house or "", size)


def _of_table(pairs: Sequence[Pair]) -> list[Reel]:
    once: dict[str, Pair] = {}
    copies: dict[str, list[str]] = {}
    for source, facts in pairs:
        if once.setdefault(facts.sha256, (source, facts))[1] is not facts:
            copies.setdefault(facts.sha256, []).append(source.path)
    usable = [pair for pair in once.values() if pair[1].error is None]
    timed = sorted((p for p in usable if p[1].clock), key=lambda p: (p[1].clock, -p[1].seconds, p[1].path))
    alone = [p for p in once.values() if p[1].error is not None or not p[1].clock]
    reels = [*_joined(timed), *(_alone(source, facts) for source, facts in alone)]
    return [_with_copies(reel, copies) for reel in reels]


def _with_copies(reel: Reel, copies: dict[str, list[str]]) -> Reel:
    more = [path for part in reel.parts for path in copies.get(part.facts.sha256, [])]
    return msgspec.structs.replace(reel, covered=[*reel.covered, *more]) if more else reel


def _alone(source: Source, facts: Facts) -> Reel:
    part = Part(facts=facts, at=0.0, begin=0.0, end=facts.seconds)
    return Reel(source=source, parts=[part], clock=facts.clock, dealers=read_dealers(source.dealers, facts.clock))


def _joined(timed: Sequence[Pair]) -> list[Reel]:
    reels: list[Reel] = []
    for source, facts in timed:
        longer = _appended(reels[-1], source, facts) if reels else None
        if longer is None:
            reels.append(_alone(source, facts))
        else:
            reels[-1] = longer
    return reels


def _appended(reel: Reel, source: Source, facts: Facts) -> Reel | None:
    """The reel with one more file, None where that belongs to another shift."""
    assert reel.clock is not None and facts.clock is not None
    at = clock_between(reel.clock, facts.clock)
    if at - reel.end > JOIN_S or at + facts.seconds > LONGEST_S:
        return None
    overlap = reel.end - at
    if overlap >= facts.seconds - SLACK_S:
        return msgspec.structs.replace(reel, covered=[*reel.covered, facts.path])
    if overlap < 0 and -overlap <= SLACK_S:
        at, overlap = reel.end, 0.0
    part = Part(facts=facts, at=at, begin=round(max(0.0, overlap), 3), end=facts.seconds)
    turns = sorted([*reel.dealers, *read_dealers(source.dealers, facts.clock)], key=lambda turn: turn.since or "")
    return msgspec.structs.replace(reel, parts=[*reel.parts, part], dealers=turns)
