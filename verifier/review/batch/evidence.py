"""Clips and stills of a reel's findings, each cut from the file that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent, EventLog
from verifier.domain.findings import Finding
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.review.batch.segments import Beat
from verifier.review.batch.values import Part, Reel, Unwatched
from verifier.review.evidence import Evidence, gather

T = TypeVar("T", Finding, AnyEvent)
NONE = Evidence(clip=None, stills=[])


def gather_reel(
    reel: Reel,
    findings: Sequence[Finding],
    log: EventLog,
    observations: Callable[[], Iterable[Observation]],
    layout: Layout,
    lost: Sequence[Unwatched],
    out: Path,
    beat: Beat,
) -> list[Evidence]:
    """Evidence for each finding, in their order; `lost` are stretches of the reel of which there is no picture.

    A clip begins and ends with the file that it is cut from. Where a damaged file gives none, the finding has none.
    """
    made: dict[int, Evidence] = {}
    for number, part in enumerate(reel.parts):
        mine = [i for i, f in enumerate(findings) if _part_of(reel, f) is part and not _within(f, lost)]
        if mine:
            folder = out if number == 0 else out / f"part-{number + 1}"
            some = _gather_part(part, [findings[i] for i in mine], log, observations, layout, folder, beat)
            made |= {i: _below(one, folder.relative_to(out)) for i, one in zip(mine, some, strict=True)}
    return [made.get(i, NONE) for i in range(len(findings))]


def _gather_part(
    part: Part,
    findings: Sequence[Finding],
    log: EventLog,
    observations: Callable[[], Iterable[Observation]],
    layout: Layout,
    out: Path,
    beat: Beat,
) -> list[Evidence]:
    """All at once; where that fails, one by one, so that one damaged place costs one finding's pictures."""
    out.mkdir(parents=True, exist_ok=True)
    local = [_moved(finding, -part.at) for finding in findings]
    events = {event.id: _moved(event, -part.at) for event in log.events}

    def some(chosen: Sequence[Finding]) -> list[Evidence]:
        seen = _of_part(observations(), part, chosen, events)
        path = Path(part.facts.path)
        return gather(path, chosen, events, seen, layout, part.end, out, lambda: beat(part.end))

    try:
        return some(local)
    except BadInput:
        return [_one(some, finding) for finding in local]


def _one(some: Callable[[Sequence[Finding]], list[Evidence]], finding: Finding) -> Evidence:
    try:
        return some([finding])[0]
    except BadInput:
        return NONE


def _of_part(
    observations: Iterable[Observation], part: Part, findings: Sequence[Finding], events: Mapping[str, AnyEvent]
) -> Iterator[Observation]:
    """The observations about the findings' moments, in the part's own time."""
    told = [events[name].t_end for finding in findings for name in finding.events if name in events]
    times = [t for finding in findings for t in (finding.t_start, finding.t_end)] + told
    low, high = min(times) - 1.0, max(times) + 1.0
    for seen in observations:
        if seen.t - part.at > high:
            return
        if seen.t - part.at >= low:
            yield msgspec.structs.replace(seen, t=seen.t - part.at)


def _part_of(reel: Reel, finding: Finding) -> Part:
    """The part in which the finding ends."""
    begun = [part for part in reel.parts if part.at + part.begin <= finding.t_end + 1e-6]
    return begun[-1] if begun else reel.parts[0]


def _within(finding: Finding, lost: Sequence[Unwatched]) -> bool:
    return any(
        gap.end is None or (gap.start - 1e-3 <= finding.t_start and finding.t_end <= gap.end + 1e-3) for gap in lost
    )


def _moved(one: T, by: float) -> T:
    return msgspec.structs.replace(one, t_start=one.t_start + by, t_end=one.t_end + by)


def _below(one: Evidence, folder: Path) -> Evidence:
    clip = None if one.clip is None else str(folder / one.clip)
    return Evidence(clip=clip, stills=[str(folder / name) for name in one.stills])
