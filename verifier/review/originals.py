"""The files of which a recording is made, and where each of them stands in the review's time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.names import path_of
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.store.values import ReviewRecord

KEPT_ORIGINALS: Final = "originals.json"
"""In the review's folder, where the recording is more than one file."""


def timeline_name(number: int) -> str:
    """Return the name of the file in the review's folder that holds the timeline of file `number` (from 0) of the
    recording.
    """
    return f"timeline-{number + 1}.npz"


class Original(Struct, frozen=True, kw_only=True):
    """A file; its media time 0 is at `at` of the review's time (s), in which `begin`..`end` was judged from it.

    `how` is what a person told of it.
    """

    path: str
    sha256: str
    at: float
    begin: float
    end: float | None
    how: Reading = AS_TOLD

    @property
    def file(self) -> Path:
        """Where it lies; `path` is that as text."""
        return path_of(self.path)


def originals_of(review: ReviewRecord) -> list[Original]:
    """Return the files of a review, in order; the one that it names where no others were kept."""
    kept = Path(review.folder) / KEPT_ORIGINALS
    if kept.is_file():
        return msgspec.json.decode(kept.read_bytes(), type=list[Original])
    return [Original(path=review.video_path, sha256=review.video_sha256, at=0.0, begin=0.0, end=review.duration)]


def original_at(review: ReviewRecord, t: float) -> Original:
    """Return the file that shows the moment `t` of the review; the last one before it where nothing was recorded
    then.
    """
    return originals_of(review)[number_at(review, t)]


def number_at(review: ReviewRecord, t: float) -> int:
    """Return the place, from 0, of the file that shows the moment `t` among the review's files."""
    files = originals_of(review)
    return max((number for number, one in enumerate(files) if one.begin <= t + 1e-6), default=0)


def stretch_of(review: ReviewRecord, number: int) -> tuple[float, float]:
    """From when to when (s of the review's time) file `number` shows the recording."""
    one = originals_of(review)[number]
    return one.begin, one.end if one.end is not None else review.duration or 0.0
