"""Reads the checkpoints of a recording set's segments back: what was seen, and what could not be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.domain.observations import ObservationsHeader, VideoInfo
from verifier.recording.probe import Note
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.plan import check_settings, segments_of
from verifier.review.pipeline.seams import Run
from verifier.review.pipeline.segments import SegmentHead, read_head, read_segment
from verifier.review.pipeline.values import Part, RecordingSet, Segment, Unwatched


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of a recording set that is watched in segments of `length` s, by the way that `config` names.

    `settings` is what `settings_of` gave when the work began; None if nothing is concluded.
    """

    recording_set: RecordingSet
    config: str
    length: float
    folders: Folders
    settings: str | None = None

    def segments(self) -> Iterator[tuple[Part, Segment]]:
        """Yield the segments, in their order, with the part in which they lie."""
        for part in self.recording_set.parts:
            for segment in segments_of(part, self.length):
                yield part, segment

    def file(self, part: Part, segment: Segment) -> Path:
        """Return the checkpoint of a segment; it is there once the segment was watched or given up."""
        return self.folders.segment(part.facts, self.config, segment)

    def runs(self) -> Iterator[Run]:
        """Yield what was seen in each segment, in their order; a run's file is opened when it is read."""
        frames = 0
        for part in self.recording_set.parts:
            for segment in segments_of(part, self.length):
                yield Run(read_segment(self.file(part, segment)), part.at, frames, part.at + segment.begin)
            frames += round(part.facts.seconds * 1000)

    def header(self) -> ObservationsHeader:
        """Return the header of the joined observations; a recording of which nothing was watched has a bare one."""
        for _, head in self._heads():
            if head.header is not None:
                return head.header
        facts, name = self.recording_set.parts[0].facts, self.recording_set.names[0]
        return ObservationsHeader(
            video=VideoInfo(name=name, sha256=facts.sha256, width=facts.width, height=facts.height)
        )

    def check_settings(self) -> None:
        """Raise SettingsChanged if what the recording was watched by is not what it is judged by."""
        if self.settings is None:
            return
        layouts = [head.header.layout for _, head in self._heads() if head.header is not None]
        digests = [one.sha256 for one in layouts if one is not None and one.sha256 is not None]
        check_settings(self.recording_set.source, self.settings, digests)

    def lost(self) -> list[Unwatched]:
        """Return what could not be decoded, in the recording set's time."""
        return [
            Unwatched(start=part.at + gap.start, end=part.at + gap.end, cause=gap.cause, state=gap.state)
            for part, head in self._heads()
            for gap in head.gaps
        ]

    def notes(self) -> list[Note]:
        """Return what is odd about the recording's own times, in the recording set's time."""
        return [Note(part.at + note.t, note.text) for part, head in self._heads() for note in head.notes]

    def _heads(self) -> Iterator[tuple[Part, SegmentHead]]:
        for part, segment in self.segments():
            yield part, read_head(self.file(part, segment))
