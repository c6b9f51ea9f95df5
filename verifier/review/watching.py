"""Watching a recording: what the review needs of the eye, and what it notes while the observations pass by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.formats.observations import ObservationWriter
from verifier.recording.probe import Coverage
from verifier.review.closer import Look, Span

Progress = Callable[[str, float, float | None], None]
"""Told (stage, done, whole): seconds of media while watching, findings while gathering evidence."""


class Watch(Protocol):
    """One pass over a recording: the observations in order of time, and afterwards how much was seen."""

    @property
    def header(self) -> ObservationsHeader: ...

    @property
    def coverage(self) -> Coverage: ...

    def __iter__(self) -> Iterator[Observation]: ...


Eye = Callable[[Path, Layout], Watch]
"""Opens a recording (video file, layout) for watching; raises BadInput for what is no usable video."""


class Notes:
    """Follows the observations that pass by: first and last moment and reading of the burned-in clock."""

    def __init__(self) -> None:
        self.frames = 0
        self.last_seen = 0.0
        self.clock_start: str | None = None
        self.clock_end: str | None = None

    def take(self, seen: Observation) -> None:
        """Takes the next observation."""
        self.frames += 1
        self.last_seen = max(self.last_seen, seen.t)
        self.clock_start = self.clock_start or seen.clock
        self.clock_end = seen.clock or self.clock_end


def passing(watch: Watch, writer: ObservationWriter, notes: Notes, progress: Progress) -> Iterator[Observation]:
    """The observations of a watch as it goes on, each written and noted before it is handed on."""
    whole = watch.header.video.duration if watch.header.video else None
    for seen in watch:
        writer.write(seen)
        notes.take(seen)
        progress("watching", seen.t, whole)
        yield seen


def looking(closer: Callable[[Span], Watch | None], progress: Progress) -> Look:
    """A closer look, told as it goes on: seconds looked at, of how many. None where it does not show all."""

    def look(span: Span) -> list[Observation] | None:
        watch = closer(span)
        if watch is None:
            return None
        seen = []
        for observation in watch:
            progress("looking closer", observation.t - span[0], span[1] - span[0])
            seen.append(observation)
        return seen if watch.coverage.complete else None

    return look
