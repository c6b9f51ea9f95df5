"""Watches one segment and keeps what was seen as a checkpoint."""

from __future__ import annotations

import gzip
import os
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct

from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.formats.layout import check_size, read_layout
from verifier.review.batch.account import NOTHING
from verifier.review.batch.chain import Chain, SegmentWatch
from verifier.review.batch.folders import whole_file
from verifier.review.batch.values import Segment
from verifier.vision.probe import Coverage, Gap, Note, Probe, sha256_of
from verifier.vision.quality import Bearings

Beat = Callable[[float], None]
"""Told how many seconds of the segment are done, so that nobody takes the worker for hung."""
Progress = Callable[[str, float, float | None], None]
"""Told (stage, done, whole): seconds of the recording, or findings while gathering evidence."""
PAUSE_S: Final = 2.0
"""Seconds without a picture that make a gap at a seam: a recorder that keeps one picture a second leaves less."""


class SegmentHead(Struct, frozen=True, kw_only=True):
    """The first line of a checkpoint: how much was watched, and how long that took (seconds on the wall)."""

    header: ObservationsHeader | None
    gaps: list[Gap]
    took: float
    notes: list[Note] = []


def watch_segment(
    probe: Probe, segment: Segment, layout_path: Path, chain: Chain, checkpoint: Path, bearings: Path, beat: Beat
) -> SegmentHead:
    """Watches a segment and writes its checkpoint. Raises OSError where the recording cannot be reached any more."""
    began = time.monotonic()
    layout = read_layout(layout_path)
    check_size(probe.info, layout, layout_path)
    stretch = probe if segment.whole else probe.stretch(segment.warm, segment.end)
    if not segment.whole and not len(stretch.times):
        return _write_lost(checkpoint, _no_pictures(probe, segment))
    known = None if segment.first else read_bearings(bearings)
    named = NamedHash(name=layout_path.name, sha256=sha256_of(layout_path))
    watch = chain.eye(stretch, layout, named, known)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=checkpoint.parent) as seen:  # on disk: one that cannot be divided may last for hours
        for observation in watch:
            seen.write(line_of(observation))
            beat(observation.t - segment.warm)
        gaps = _gaps(watch.coverage, segment, probe)
        if gaps:
            _check_still_there(probe.path)
        if segment.first:
            _write_bearings(bearings, watch.bearings)
        head = _head(watch, segment, gaps, time.monotonic() - began)
        seen.seek(0)
        write_seen(checkpoint, head, seen)
    return head


def _head(watch: SegmentWatch, segment: Segment, gaps: list[Gap], took: float) -> SegmentHead:
    notes = [note for note in watch.coverage.notes if segment.whole or segment.begin <= note.t < segment.end]
    return SegmentHead(header=watch.header, gaps=gaps, took=took, notes=notes)


def write_unwatched(checkpoint: Path, segment: Segment, cause: str) -> SegmentHead:
    """The checkpoint of a segment that could not be watched."""
    return _write_lost(checkpoint, Gap(segment.begin, segment.end, cause, "not_watched"))


def _write_lost(checkpoint: Path, gap: Gap) -> SegmentHead:
    head = SegmentHead(header=None, gaps=[gap], took=0.0)
    write_seen(checkpoint, head, [])
    return head


def was_watched(checkpoint: Path) -> bool:
    """Whether there is a checkpoint of a segment that was watched, not only given up.

    False for one that another version of this program wrote in another form.
    """
    try:
        return checkpoint.exists() and read_head(checkpoint).header is not None
    except msgspec.ValidationError:
        return False


def read_head(checkpoint: Path) -> SegmentHead:
    """The first line of a checkpoint."""
    with gzip.open(checkpoint) as stream:
        return msgspec.json.decode(stream.readline(), type=SegmentHead)


def read_segment(checkpoint: Path) -> Iterator[Observation]:
    """What was seen in a segment, what was watched before its beginning included."""
    decoder = msgspec.json.Decoder(Observation)
    with gzip.open(checkpoint) as stream:
        stream.readline()
        for line in stream:
            yield decoder.decode(line)


def write_seen(checkpoint: Path, head: SegmentHead, seen: Iterable[bytes]) -> None:
    """Writes a checkpoint of observations as lines (`line_of`); it is there when it is whole."""
    with whole_file(checkpoint, packed=True) as stream:
        stream.write(line_of(head))
        stream.writelines(seen)


def line_of(value: SegmentHead | Observation) -> bytes:
    """A line of a checkpoint."""
    return msgspec.json.encode(value) + b"\n"


def _gaps(coverage: Coverage, segment: Segment, probe: Probe) -> list[Gap]:
    """The gaps of the segment itself; those in what was watched before it belong to the segment before.

    Where the recording has no pictures at a seam, the decoder of one side sees an early end and that of the other side
    nothing: both sides are told from the recording's own times instead.
    """
    holes = [hole for seam in (segment.begin, segment.end) if (hole := _hole_at(probe, seam)) is not None]
    told = [gap for gap in coverage.gaps if not any(_inside(gap, hole, segment) for hole in holes)]
    told += (hole for hole in holes if hole.end - hole.start > PAUSE_S)
    cut = (replace(gap, start=max(gap.start, segment.begin), end=min(gap.end, segment.end)) for gap in told)
    return [gap for gap in dict.fromkeys(cut) if gap.end > gap.start]


def _hole_at(probe: Probe, seam: float) -> Gap | None:
    """The time at a seam for which the recording has no picture; None at its ends, or where times tell nothing."""
    after = _pictures_before(probe, seam)
    if not 0 < after < len(probe.times):
        return None
    step = 1 / probe.info.fps_nominal if probe.info.fps_nominal else 0.0
    start, end = (float(probe.times[number] - probe.times[0]) for number in (after - 1, after))
    return Gap(round(start + step, 3), round(end, 3), NOTHING, "gap")


def _inside(gap: Gap, hole: Gap, segment: Segment) -> bool:
    """Whether what a decoder misses of a segment lies in a hole."""
    return hole.start - 1e-3 <= max(gap.start, segment.begin) and min(gap.end, segment.end) <= hole.end + 1e-3


def _no_pictures(probe: Probe, segment: Segment) -> Gap:
    """The gap that a segment without pictures is: the recorder paused, or the file ends before."""
    paused = 0 < _pictures_before(probe, segment.end) < len(probe.times)
    cause = NOTHING if paused else "the file is cut off here"
    return Gap(segment.begin, segment.end, cause, "gap" if paused else "damaged")


def _pictures_before(probe: Probe, t: float) -> int:
    """How many pictures of a divisible recording come before the moment `t` (s)."""
    return int(np.searchsorted(probe.times, probe.times[0] + t - 1e-6)) if probe.divisible else 0


def _check_still_there(recording: Path) -> None:
    """Tells a damaged file from a share that has gone: raises OSError where the recording cannot be read now."""
    with recording.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        stream.read(1)


def read_bearings(path: Path) -> Bearings | None:
    """What the first segment found; written by this program into its own folder, hence trusted."""
    try:
        found = pickle.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    assert isinstance(found, Bearings)
    return found


def _write_bearings(path: Path, bearings: Bearings) -> None:
    with whole_file(path) as stream:
        stream.write(pickle.dumps(bearings))
