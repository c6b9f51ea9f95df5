"""Watches one segment and keeps what was seen as a checkpoint."""

from __future__ import annotations

import gzip
import os
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.names import path_text
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.formats.layout import check_size, read_layout
from verifier.review.batch.chain import Chain
from verifier.review.batch.folders import whole_file
from verifier.review.batch.values import Segment
from verifier.vision.probe import Coverage, Gap, Probe, sha256_of
from verifier.vision.quality import Bearings

Beat = Callable[[float], None]
"""Told how many seconds of the segment are done, so that nobody takes the worker for hung."""


class SegmentHead(Struct, frozen=True, kw_only=True):
    """The first line of a checkpoint: how much was watched, and how long that took (seconds on the wall)."""

    header: ObservationsHeader | None
    gaps: list[tuple[float, float, str]]
    took: float


def watch_segment(
    probe: Probe, segment: Segment, layout_path: Path, chain: Chain, checkpoint: Path, bearings: Path, beat: Beat
) -> SegmentHead:
    """Watches a segment and writes its checkpoint. Raises OSError where the recording cannot be reached any more."""
    began = time.monotonic()
    layout = read_layout(layout_path)
    check_size(probe.info, layout, layout_path)
    stretch = probe if segment.whole else probe.stretch(segment.warm, segment.end)
    if not segment.whole and not len(stretch.times):
        return write_unwatched(checkpoint, segment, "the file is cut off here")
    known = None if segment.first else read_bearings(bearings)
    named = NamedHash(name=path_text(layout_path.name), sha256=sha256_of(layout_path))
    watch = chain.eye(stretch, layout, named, known)
    seen = []
    for observation in watch:
        seen.append(observation)
        beat(observation.t - segment.warm)
    gaps = _gaps(watch.coverage, segment)
    if gaps:
        _check_still_there(probe.path)
    if segment.first:
        _write_bearings(bearings, watch.bearings)
    head = SegmentHead(header=watch.header, gaps=gaps, took=time.monotonic() - began)
    write_seen(checkpoint, head, seen)
    return head


def write_unwatched(checkpoint: Path, segment: Segment, cause: str) -> SegmentHead:
    """The checkpoint of a segment that could not be watched."""
    head = SegmentHead(header=None, gaps=[(segment.begin, segment.end, cause)], took=0.0)
    write_seen(checkpoint, head, [])
    return head


def was_watched(checkpoint: Path) -> bool:
    """Whether there is a checkpoint of a segment that was watched, not only given up."""
    return checkpoint.exists() and read_head(checkpoint).header is not None


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


def write_seen(checkpoint: Path, head: SegmentHead, seen: Iterable[Observation]) -> None:
    """Writes a checkpoint, which is there when it is whole."""
    with whole_file(checkpoint, packed=True) as stream:
        for value in (head, *seen):
            stream.write(msgspec.json.encode(value) + b"\n")


def _gaps(coverage: Coverage, segment: Segment) -> list[tuple[float, float, str]]:
    """The gaps of the segment itself; those in what was watched before it belong to the segment before."""
    cut = [Gap(max(gap.start, segment.begin), min(gap.end, segment.end), gap.cause) for gap in coverage.gaps]
    return [(gap.start, gap.end, gap.cause) for gap in cut if gap.end > gap.start]


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
