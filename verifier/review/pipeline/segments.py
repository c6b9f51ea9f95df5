"""Watches one segment and keeps what was seen as a checkpoint."""

from __future__ import annotations

import gzip
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.names import path_text
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.formats.layout import check_size, read_layout
from verifier.formats.whole import make_folder
from verifier.recording.probe import Coverage, Gap, Note, Probe, sha256_of
from verifier.recording.timeline import DAMAGED
from verifier.review.entries import is_file
from verifier.review.pipeline.chain import Chain, SegmentWatch
from verifier.review.pipeline.folders import checkpoint_file
from verifier.review.pipeline.values import Segment
from verifier.vision.quality import Bearings

_LONGEST_LINE: Final = 16 << 20
"""Bytes of a checkpoint's line; the head tells each gap of a segment, an observation what one picture shows."""
Beat = Callable[[float], None]
"""Told how many seconds of the segment are done, so that nobody takes the worker for hung."""
Progress = Callable[[str, float, float | None], None]
"""Told (stage, done, whole): seconds of the recording, or findings while gathering evidence."""


class SegmentHead(Struct, frozen=True, kw_only=True):
    """The first line of a checkpoint: how much was watched, and how long that took (seconds on the wall)."""

    header: ObservationsHeader | None
    gaps: list[Gap]
    took: float
    notes: list[Note] = []


def watch_segment(
    probe: Probe,
    segment: Segment,
    layout_path: Path,
    chain: Chain,
    checkpoint: Path,
    bearings: Path,
    beat: Beat,
    enrolment: Path | None = None,
) -> SegmentHead:
    """Watches a segment and writes its checkpoint, with the table's own cards where an enrolment is told.

    Raises OSError if the recording cannot be reached any more.
    """
    began = time.monotonic()
    chain, unused = chain.at_table(chain, probe, enrolment) if enrolment is not None else (chain, None)
    layout = read_layout(layout_path)
    check_size(probe.info, layout, layout_path)
    stretch = probe if segment.whole else probe.stretch(segment.warm, segment.end)
    known = None if segment.first else read_bearings(bearings)
    named = NamedHash(name=path_text(layout_path.name), sha256=sha256_of(layout_path))
    watch = chain.eye(stretch, layout, named, known)
    make_folder(checkpoint.parent)
    with TemporaryFile(dir=checkpoint.parent) as seen:  # on disk: one that cannot be divided may last for hours
        for observation in watch:
            seen.write(line_of(observation))
            beat(observation.t - segment.warm)
        gaps = _gaps(watch.coverage, segment)
        if gaps:
            _check_still_there(probe.path)
        if segment.first:
            _write_bearings(bearings, watch.bearings)
        head = _head(watch, segment, gaps, time.monotonic() - began)
        if unused is not None and segment.first:
            head = msgspec.structs.replace(head, notes=[Note(segment.begin, unused), *head.notes])
        seen.seek(0)
        write_seen(checkpoint, head, seen)
    return head


def _head(watch: SegmentWatch, segment: Segment, gaps: list[Gap], took: float) -> SegmentHead:
    notes = [note for note in watch.coverage.notes if segment.whole or segment.begin <= note.t < segment.end]
    return SegmentHead(header=watch.header, gaps=gaps, took=took, notes=notes)


def write_unwatched(checkpoint: Path, segment: Segment, cause: str) -> SegmentHead:
    """Write the checkpoint of a segment that could not be watched; return its head."""
    gap = Gap(segment.begin, segment.end, cause, "not_watched")
    head = SegmentHead(header=None, gaps=[gap], took=0.0)
    write_seen(checkpoint, head, [])
    return head


def write_passed_over(checkpoint: Path) -> None:
    """Write the checkpoint of a segment that is not watched, because what is written in the recording does not fit."""
    write_seen(checkpoint, SegmentHead(header=None, gaps=[], took=0.0), [])


def was_watched(checkpoint: Path) -> bool:
    """Tell whether there is a whole checkpoint of a segment that was watched, not only given up.

    False for one that is damaged, that another version of this program wrote in another form, or that is none of ours.
    """
    if not is_file(checkpoint):
        return False
    try:
        head = read_head(checkpoint)
        for _ in read_segment(checkpoint):  # the end of the file tells whether it is damaged
            pass
    except (gzip.BadGzipFile, EOFError, zlib.error, msgspec.DecodeError, RecursionError):
        return False
    return head.header is not None


def read_head(checkpoint: Path) -> SegmentHead:
    """Read the first line of a checkpoint."""
    with gzip.open(checkpoint) as stream:
        return msgspec.json.decode(_line(stream), type=SegmentHead)


def read_segment(checkpoint: Path) -> Iterator[Observation]:
    """Yield what was seen in a segment, including what was watched before its beginning."""
    decoder = msgspec.json.Decoder(Observation)
    for line in seen_lines(checkpoint):
        yield decoder.decode(line)


def seen_lines(checkpoint: Path) -> Iterator[bytes]:
    """Yield the lines of a checkpoint that each hold an observation."""
    with gzip.open(checkpoint) as stream:
        _line(stream)
        while line := _line(stream):
            yield line


def _line(stream: gzip.GzipFile) -> bytes:
    """Return the next line, none at the end. Raises BadGzipFile if it has no end: a small file may unfold to it."""
    line = stream.readline(_LONGEST_LINE + 1)
    if len(line) > _LONGEST_LINE:
        raise gzip.BadGzipFile(f"a line is longer than {_LONGEST_LINE} bytes")
    return line


def write_seen(checkpoint: Path, head: SegmentHead, seen: Iterable[bytes]) -> None:
    """Write a checkpoint of observations as lines (`line_of`); it appears when it is whole."""
    with checkpoint_file(checkpoint, packed=True) as stream:
        stream.write(line_of(head))
        stream.writelines(seen)


def line_of(value: SegmentHead | Observation) -> bytes:
    """Return a head or an observation as a line of a checkpoint."""
    return msgspec.json.encode(value) + b"\n"


def _gaps(coverage: Coverage, segment: Segment) -> list[Gap]:
    """Return the gaps of the segment itself; those in what was watched before it belong to the segment before."""
    cut = (replace(gap, start=max(gap.start, segment.begin), end=min(gap.end, segment.end)) for gap in coverage.gaps)
    return [gap for gap in cut if gap.end > gap.start]


def _check_still_there(recording: Path) -> None:
    """Tell a damaged file from a share that has gone: raises OSError if the recording cannot be read now."""
    with recording.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        stream.read(1)


def read_bearings(path: Path) -> Bearings | None:
    """Return what the first segment found; None if nothing, or nothing that can be used, was kept."""
    try:
        return Bearings.read(path)
    except DAMAGED:
        return None


def _write_bearings(path: Path, bearings: Bearings) -> None:
    with checkpoint_file(path) as stream:
        bearings.write(stream)
