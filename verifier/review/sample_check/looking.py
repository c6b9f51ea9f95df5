"""One pass over the recording: when frames come, when the clock ticks, and pictures from all parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import Struct

from verifier.domain.layout import Layout
from verifier.domain.observations import Box
from verifier.recording.decode import Decoder, Picture
from verifier.recording.probe import Coverage, Probe, probe
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.vision.clock import find_clock, read_clock
from verifier.vision.drawn import as_drawn
from verifier.vision.ocr import LineReader

SAMPLES: Final = 16
"""Pictures kept, from all parts of the recording."""
READS: Final = 40
SMALL: Final = (640, 360)
TICK_PIXELS: Final = 3
TICK_STEP: Final = 40
"""A clock ticks where this many of its pixels (of a picture scaled to SMALL) change by this many grey levels."""


class Sample(Struct, frozen=True):
    """A picture (h, w, 3) BGR at media time `t`."""

    t: float
    picture: Picture


class Looked(Struct, frozen=True, kw_only=True):
    """What one pass gave. `changes` (frames,) is how much each frame differs from the one before, in grey levels.

    `ticks` are the times at which the clock's picture changed, `reads` what it said; `clock_box` is None if no
    clock was found.
    """

    probe: Probe
    coverage: Coverage
    times: list[float]
    changes: list[float]
    ticks: list[float]
    reads: list[tuple[float, datetime]]
    unread: list[float]
    samples: list[Sample]
    clock_box: Box | None


def look(video: Path, layout: Layout | None, reader: LineReader, how: Reading = AS_TOLD) -> Looked:
    """Look through the whole recording once. Raises BadInput for what is no usable video."""
    source = probe(video, how)
    source = as_drawn(source, layout) if layout is not None else source
    return _Pass(source, layout, reader).run()


class _Pass:
    def __init__(self, source: Probe, layout: Layout | None, reader: LineReader) -> None:
        self._source, self._reader = source, reader
        self._zone = layout.zones.clock if layout is not None else None
        self._size = (source.info.width, source.info.height)
        duration = float(source.info.duration or 0.0)
        self._sample_step, self._read_step = duration / SAMPLES, max(1.0, duration / READS)
        self._box: Box | None = None
        self._before: Picture | None = None
        self._times, self._changes, self._ticks, self._unread = (
            list[float](),
            list[float](),
            list[float](),
            list[float](),
        )
        self._reads: list[tuple[float, datetime]] = []
        self._samples: list[Sample] = []

    def run(self) -> Looked:
        decoder = Decoder(self._source)
        next_sample = next_read = 0.0
        for frame in decoder:
            self._compare(frame.t, frame.luma(*SMALL))
            if frame.t >= min(next_sample, next_read) - 1e-6:
                picture = frame.bgr()
                if frame.t >= next_sample - 1e-6:
                    self._samples.append(Sample(frame.t, picture))
                    next_sample += self._sample_step
                if frame.t >= next_read - 1e-6:
                    self._read(frame.t, picture)
                    next_read += self._read_step
        return Looked(
            probe=self._source,
            coverage=decoder.coverage,
            clock_box=self._box,
            times=self._times,
            changes=self._changes,
            ticks=self._ticks,
            reads=self._reads,
            unread=self._unread,
            samples=self._samples,
        )

    def _compare(self, t: float, small: Picture) -> None:
        self._times.append(t)
        step = cv2.absdiff(small, self._before) if self._before is not None else np.zeros_like(small)
        self._before = small.copy()
        if self._box is not None:
            x0, y0, x1, y1 = _scaled(self._box, self._size)
            if self._ticked(np.asarray(step[y0:y1, x0:x1], np.uint8)):
                self._ticks.append(t)
            step[y0:y1, x0:x1] = 0
        self._changes.append(float(cv2.mean(step)[0]))

    @staticmethod
    def _ticked(step: Picture) -> bool:
        return int(np.count_nonzero(step >= TICK_STEP)) >= TICK_PIXELS

    def _read(self, t: float, picture: Picture) -> None:
        if self._box is None:
            found = find_clock(picture, self._reader, self._zone)
            shown = found.shown if found is not None else None
            self._box = found.box if found is not None else None
        else:
            shown = read_clock(picture, self._reader, self._box)
        if shown is not None:
            self._reads.append((t, shown))
        else:
            self._unread.append(t)


def _scaled(box: Box, size: Sequence[int]) -> tuple[int, int, int, int]:
    x, y = SMALL[0] / size[0], SMALL[1] / size[1]
    return max(0, int(box[0] * x)), max(0, int(box[1] * y)), int(box[2] * x) + 1, int(box[3] * y) + 1
