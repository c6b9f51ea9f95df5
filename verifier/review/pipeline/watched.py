"""Reads the checkpoints of a recording set's segments back: what was seen, and what could not be."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.observations import ObservationsHeader, VideoInfo
from verifier.recording.probe import Note
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.plan import segments_of
from verifier.review.pipeline.seams import Run
from verifier.review.pipeline.segments import SegmentHead, read_head, read_segment
from verifier.review.pipeline.values import Part, RecordingSet, Unwatched


def runs_of(recording_set: RecordingSet, config: str, length: float, folders: Folders) -> Iterator[Run]:
    """Yield what was seen in each segment, in their order; a run's file is opened when it is read."""
    frames = 0
    for part in recording_set.parts:
        for segment in segments_of(part, length):
            seen = read_segment(folders.segment(part.facts, config, segment))
            yield Run(seen, part.at, frames, part.at + segment.begin)
        frames += round(part.facts.seconds * 1000)


def header_of(recording_set: RecordingSet, config: str, length: float, folders: Folders) -> ObservationsHeader:
    """Return the header of the joined observations; a recording of which nothing was watched has a bare one."""
    for _, head in _heads(recording_set, config, length, folders):
        if head.header is not None:
            return head.header
    facts = recording_set.parts[0].facts
    return ObservationsHeader(
        video=VideoInfo(name=recording_set.names[0], sha256=facts.sha256, width=facts.width, height=facts.height)
    )


def lost_of(recording_set: RecordingSet, config: str, length: float, folders: Folders) -> list[Unwatched]:
    """Return what could not be decoded, in the recording set's time."""
    return [
        Unwatched(start=part.at + gap.start, end=part.at + gap.end, cause=gap.cause, state=gap.state)
        for part, head in _heads(recording_set, config, length, folders)
        for gap in head.gaps
    ]


def notes_of(recording_set: RecordingSet, config: str, length: float, folders: Folders) -> list[Note]:
    """Return what is odd about the recording's own times, in the recording set's time."""
    return [
        Note(part.at + note.t, note.text)
        for part, head in _heads(recording_set, config, length, folders)
        for note in head.notes
    ]


def _heads(
    recording_set: RecordingSet, config: str, length: float, folders: Folders
) -> Iterator[tuple[Part, SegmentHead]]:
    for part in recording_set.parts:
        for segment in segments_of(part, length):
            yield part, read_head(folders.segment(part.facts, config, segment))
