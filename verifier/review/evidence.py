"""Gathers the evidence of a review's findings: a clip and stills for each, named by what they show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import cv2
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent
from verifier.domain.findings import Finding
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.formats.whole import make_folder, put_in_place, write_whole
from verifier.recording.identity import ExchangedError
from verifier.recording.probe import Probe
from verifier.review.clips import make_clip
from verifier.review.frames import frames_at
from verifier.review.moments import Moments, moments_of
from verifier.review.stills import Picture, draw_still

_JPEG_QUALITY = 88
_NEAR_S = 0.6
"""An observation further than this from a still's moment is not drawn over it."""


class Evidence(Struct, frozen=True, kw_only=True):
    """Paths relative to the review's folder."""

    clip: str | None
    stills: list[str]


NO_EVIDENCE: Final = Evidence(clip=None, stills=[])
"""Of a finding of which no picture could be had."""


class _Job(Struct, frozen=True):
    """One still: its moment in seconds, what it shows, and where it goes."""

    t: float
    at: str | None
    caption: str
    path: str


def gather(
    video: Path | Probe,
    findings: Sequence[Finding],
    events: Mapping[str, AnyEvent],
    observations: Iterable[Observation],
    layout: Layout,
    last: float,
    out: Path,
    tick: Callable[[], None] = lambda: None,
) -> list[Evidence]:
    """Write clips and stills under `out` for each finding, in their order; `last` is where watching ended (s).

    `tick` is called after each finding's clip. What lies there already is kept: an earlier call was interrupted. A
    finding whose clip cannot be made has its stills. Raises BadInput if that may be over later.
    """
    moments = [moments_of(finding, events, last) for finding in findings]
    jobs = [_jobs(finding, one) for finding, one in zip(findings, moments, strict=True)]
    every = sorted((job for some in jobs for job in some), key=lambda job: job.t)
    made = {job.path for job in every if (out / job.path).exists()}
    made |= _draw(video, [job for job in every if job.path not in made], observations, layout, out)
    evidence = []
    for finding, one, some in zip(findings, moments, jobs, strict=True):
        clip = f"clips/{_stem(finding)}.mp4"
        made_clip = (out / clip).exists() or _cut(video, one, out / clip)
        evidence.append(
            Evidence(clip=clip if made_clip else None, stills=[job.path for job in some if job.path in made])
        )
        tick()
    return evidence


def _cut(video: Path | Probe, moments: Moments, path: Path) -> bool:
    """Cut a clip, which appears when it is whole; return whether that was possible."""
    make_folder(path.parent)
    unfinished = path.with_name(f".{path.name}")
    try:
        make_clip(video, moments.t_start, moments.t_end, unfinished)
        put_in_place(unfinished, path)
    except BadInput as error:
        if passes(error):
            raise
        return False
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def passes(error: BadInput) -> bool:
    """Tell whether a task may be done again later: no space, a share that has gone, a film that was exchanged."""
    return isinstance(error, ExchangedError) or isinstance(error.__cause__, OSError)


def _jobs(finding: Finding, moments: Moments) -> list[_Job]:
    where = f"round {finding.round}" if finding.round is not None else "between rounds"
    return [
        _Job(t, finding.at, f"{t:.1f} s   {where}   {what}", f"stills/{_stem(finding)}-{round(t * 1000)}.jpg")
        for t, what in moments.stills
    ]


def _stem(finding: Finding) -> str:
    """Return a file name that tells what is shown; another stretch of time always has another name."""
    place = finding.at or "table"
    span = f"{round(finding.t_start * 1000)}-{round(finding.t_end * 1000)}"
    name = f"r{finding.round if finding.round is not None else 0}-{finding.clause}-{place}-{span}"
    return re.sub(r"[^A-Za-z0-9.-]+", "_", name)


def _draw(
    video: Path | Probe, jobs: Sequence[_Job], observations: Iterable[Observation], layout: Layout, out: Path
) -> set[str]:
    seen = _nearest(observations, [job.t for job in jobs])
    by_time = {t: list(some) for t, some in groupby(jobs, key=lambda job: job.t)}
    made = set()
    for t, picture in frames_at(video, by_time):
        for job in by_time[t]:
            if job.path not in made:
                _write(draw_still(picture, seen.get(t), layout, job.at, job.caption), out / job.path)
                made.add(job.path)
    return made


def _write(picture: Picture, path: Path) -> None:
    make_folder(path.parent)
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    if not done:
        raise BadInput(path, "the still could not be encoded", "report this with the recording's size")
    write_whole(path, data.tobytes())


def _nearest(observations: Iterable[Observation], times: Sequence[float]) -> dict[float, Observation]:
    """For each of the rising `times` the observation nearest to it, where one is near; reads the stream once."""
    nearest: dict[float, Observation] = {}
    waiting = sorted(set(times))
    first = 0
    for seen in observations:
        while first < len(waiting) and waiting[first] < seen.t - _NEAR_S:
            first += 1
        for t in waiting[first:]:
            if t > seen.t + _NEAR_S:
                break
            if t not in nearest or abs(seen.t - t) < abs(nearest[t].t - t):
                nearest[t] = seen
    return nearest
