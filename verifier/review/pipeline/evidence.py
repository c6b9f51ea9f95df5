"""Clips and stills of a recording set's findings, each cut from the file that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent, EventLog
from verifier.domain.findings import Finding
from verifier.domain.layout import Layout
from verifier.domain.names import path_of
from verifier.domain.observations import Observation
from verifier.formats.whole import make_folder
from verifier.recording.probe import Probe, read_probe
from verifier.review.evidence import NO_EVIDENCE, Evidence, gather, passes
from verifier.review.looked_at import observations_near
from verifier.review.moments import moments_of
from verifier.review.originals import timeline_name
from verifier.review.pipeline.segments import Progress
from verifier.review.pipeline.values import Part, RecordingSet, Unwatched

T = TypeVar("T", Finding, AnyEvent)
_NEAR_S: Final = 1.0
"""Observations within so many seconds of a still's moment are read for it."""


class _Share(Struct, frozen=True):
    """What one file of the recording set shows: findings (with their places in the report) and their events, in its
    own time.
    """

    part: Part
    places: list[int]
    findings: list[Finding]
    events: dict[str, AnyEvent]

    def moments(self) -> list[float]:
        """Return the moments of all stills, in the recording set's time."""
        shown = (moments_of(finding, self.events, self.part.end) for finding in self.findings)
        return [self.part.at + t for one in shown for t, _ in one.stills]


def gather_recording_set(
    recording_set: RecordingSet,
    findings: Sequence[Finding],
    log: EventLog,
    layout: Layout,
    lost: Sequence[Unwatched],
    out: Path,
    progress: Progress,
) -> list[Evidence]:
    """Evidence for each finding, in their order; `lost` are stretches of the recording set of which there is no
    picture.

    `out` holds what was seen, and maybe what an interrupted call has made. A clip begins and ends with the file that it
    is cut from. Where a damaged file gives none, the finding has none; where no space is left, BadInput is raised.
    """
    shares = [_share(recording_set, part, findings, log, lost) for part in recording_set.parts]
    seen = observations_near(out, [t for share in shares for t in share.moments()], _NEAR_S)
    made: dict[int, Evidence] = {}
    done = count(1)

    def tick() -> None:
        progress("gathering evidence", min(next(done), len(findings)), len(findings))

    for number, share in enumerate(shares):
        if share.places:
            folder = out if number == 0 else out / f"part-{number + 1}"
            video = read_probe(path_of(share.part.facts.path), out / timeline_name(number))
            some = _gather_share(video, share, _own(seen, share.part), layout, folder, tick)
            made |= {i: _below(one, folder.relative_to(out)) for i, one in zip(share.places, some, strict=True)}
    return [made.get(i, NO_EVIDENCE) for i in range(len(findings))]


def _share(
    recording_set: RecordingSet, part: Part, findings: Sequence[Finding], log: EventLog, lost: Sequence[Unwatched]
) -> _Share:
    places = [i for i, f in enumerate(findings) if _part_of(recording_set, f) is part and not _within(f, lost)]
    mine = [_moved(findings[i], -part.at) for i in places]
    cited = {name for finding in mine for name in finding.events}
    return _Share(part, places, mine, {e.id: _moved(e, -part.at) for e in log.events if e.id in cited})


def _own(seen: Sequence[Observation], part: Part) -> list[Observation]:
    """Return what was seen, in the part's own time."""
    return [msgspec.structs.replace(one, t=one.t - part.at) for one in seen]


def _gather_share(
    video: Probe, share: _Share, seen: Sequence[Observation], layout: Layout, out: Path, tick: Callable[[], None]
) -> list[Evidence]:
    """All at once; where that fails, one by one, so that one damaged place costs one finding's pictures.

    Raises BadInput, caused by an OSError, if the task is to be done again later: no space, a share that has gone.
    """
    make_folder(out)

    def some(chosen: Sequence[Finding]) -> list[Evidence]:
        return gather(video, chosen, share.events, seen, layout, share.part.end, out, tick)

    try:
        return some(share.findings)
    except BadInput as error:
        if passes(error):
            raise
        return [_one(some, finding) for finding in share.findings]


def _one(some: Callable[[Sequence[Finding]], list[Evidence]], finding: Finding) -> Evidence:
    try:
        return some([finding])[0]
    except BadInput as error:
        if passes(error):
            raise
        return NO_EVIDENCE


def _part_of(recording_set: RecordingSet, finding: Finding) -> Part:
    """Return the part in which the finding ends."""
    begun = [part for part in recording_set.parts if part.at + part.begin <= finding.t_end + 1e-6]
    return begun[-1] if begun else recording_set.parts[0]


def _within(finding: Finding, lost: Sequence[Unwatched]) -> bool:
    return any(
        gap.end is None or (gap.start - 1e-3 <= finding.t_start and finding.t_end <= gap.end + 1e-3) for gap in lost
    )


def _moved(one: T, by: float) -> T:
    return msgspec.structs.replace(one, t_start=one.t_start + by, t_end=one.t_end + by)


def _below(one: Evidence, folder: Path) -> Evidence:
    clip = None if one.clip is None else str(folder / one.clip)
    return Evidence(clip=clip, stills=[str(folder / name) for name in one.stills])
