"""Watching a recording: what the review needs of the eye, and what it notes while the observations pass by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.vision.probe import Coverage


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
