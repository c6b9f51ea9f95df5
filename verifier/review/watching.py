"""Watching a recording: what the review needs of the eye, and what it notes while the observations pass by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, ObservationsHeader, VideoInfo
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


def check_size(video: VideoInfo, layout: Layout, layout_path: Path) -> None:
    """Raises BadInput where the picture's size is not the one that the layout was drawn in."""
    if (video.width, video.height) != tuple(layout.image_size):
        drawn = "x".join(str(side) for side in layout.image_size)
        raise BadInput(
            video.name,
            f"its picture is {video.width}x{video.height}, but the layout is drawn in {drawn}",
            "use the layout of this camera, or draw it anew in this size",
            where=f"layout {layout_path}",
        )


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
