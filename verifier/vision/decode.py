"""Streams a recording's frames in order of presentation; seeks nowhere but to where a stretch of it begins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.vision.probe import COPY_AGAIN, CUT_TOLERANCE, Coverage, Flags, Gap, Probe, open_video, probe
from verifier.vision.restamp import Restamp
from verifier.vision.upright import Axes, axes_of, picture_of, upright

Picture = NDArray[np.uint8]

LOST: Final = 2
"""Frames missing one after another that make a gap."""
BEHIND_S: Final = 1.0
"""Seconds by which a stamp must be behind for the recorder's clock to have run back: less is jitter."""
SEEK_BACK: Final = (0.0, 10.0, 60.0)
"""Seconds before a stretch at which a key frame is sought, in turn, until one is found that lies before it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A decoded frame: `index` counts from 0, `t` is seconds after the first frame; pixels are converted on demand.

    `axes` say how its picture is shown (`upright.axes_of`).
    """

    index: int
    t: float
    raw: av.VideoFrame
    axes: Axes

    def luma(self, width: int, height: int) -> Picture:
        """A grey picture (height, width) uint8 as players show it, scaled by area."""
        stored = (width, height) if self.axes[0] else (height, width)
        return upright(self._stored_luma(*stored), self.axes)

    def _stored_luma(self, width: int, height: int) -> Picture:
        plane = self.raw.planes[0]
        if self.raw.format.name not in ("yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "nv12", "gray"):
            return np.asarray(self.raw.reformat(width, height, "gray").to_ndarray(), np.uint8)
        grey: Picture = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
        grey = grey[:, : plane.width]
        if grey.shape[1] >= 4 * width:  # halving is by far the fastest of OpenCV's reductions
            half = (grey.shape[1] // 2, grey.shape[0] // 2)
            grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    def bgr(self) -> Picture:
        """The whole picture as players show it: (height, width, 3) uint8, blue first."""
        return picture_of(self.raw, self.axes)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels as players show it."""
        return (self.raw.width, self.raw.height) if self.axes[0] else (self.raw.height, self.raw.width)


class Decoder:
    """Iterates over the frames of one video once; afterwards `coverage` says what of it could be decoded.

    Frames that the decoder marks as damaged are left out. `wanted` (frames,) bool, if given, spares the decoder frames
    that are not wanted and that no other frame is built on; the rest comes all the same. Raises BadInput where not one
    frame of the whole recording can be decoded; a stretch of it (`Probe.stretch`) is then a gap. A stretch in which the
    recording holds no frame gives none, and nothing of it is missing.
    """

    def __init__(self, source: Probe | Path | str, *, wanted: Flags | None = None) -> None:
        self.probe = source if isinstance(source, Probe) else probe(source)
        times, fits = self.probe.times, wanted is not None and len(wanted) == len(self.probe.times) > 0
        self._wanted = wanted if fits and not self.probe.as_decoded else None
        self._expected = np.ones_like(self.probe.spare) if self._wanted is None else self._wanted | ~self.probe.spare
        self._gaps: list[Gap] = []
        self._zero = float(times[0]) if self.probe.zero is None and len(times) else self.probe.zero
        self._begin = float(times[0]) - self._zero if self._zero is not None and len(times) else 0.0
        self._last = self._begin - self._step
        self._number = -1
        self._damaged = False
        self._frames = 0

    def __iter__(self) -> Iterator[Frame]:
        with open_video(self.probe.path) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            axes: Axes | None = None
            for raw, t in self._timed(self._frames_of(container, stream), stream):
                number = self._number_of(raw, stream)
                self._note_gap(t, number)
                self._last, self._number = t, number
                self._frames += 1
                axes = axes or axes_of(raw)
                yield Frame(self.probe.first + number, t, raw, axes)
        if not self._frames and self.probe.zero is None:
            raise BadInput(self.probe.path, "not one frame can be decoded", COPY_AGAIN)

    def _frames_of(self, container: av.container.InputContainer, stream: av.VideoStream) -> Iterator[av.VideoFrame]:
        """The frames of the recording, or of its stretch."""
        if self.probe.zero is None:
            return self._raw_frames(container, stream)
        if not len(self.probe.times):
            return iter(())
        frames = self._sought(container, stream) if self.probe.first else self._raw_frames(container, stream)
        low, high = self.probe.times[0] - 1e-4, self.probe.times[-1] + 1e-4
        within = itertools.takewhile(lambda frame: not _stamp(frame, stream) > high, frames)
        return (frame for frame in within if not _stamp(frame, stream) < low)

    def _sought(self, container: av.container.InputContainer, stream: av.VideoStream) -> Iterator[av.VideoFrame]:
        """Frames from a key frame before the stretch on; sought further back where a container seeks badly."""
        start = float(self.probe.times[0])
        frames: Iterator[av.VideoFrame] = iter(())
        for back in SEEK_BACK:
            try:
                container.seek(int((start - back) / (stream.time_base or 1)), stream=stream, backward=True)
            except av.error.FFmpegError:
                continue
            frames = self._raw_frames(container, stream)
            head = next(frames, None)
            if head is not None:
                frames = itertools.chain([head], frames)
                if _stamp(head, stream) <= start + 1e-4:
                    break
        return frames

    def _raw_frames(self, container: av.container.InputContainer, stream: av.VideoStream) -> Iterator[av.VideoFrame]:
        packets = container.demux(stream)
        restamp = Restamp() if self.probe.as_decoded else None
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except (av.error.FFmpegError, OSError):
                self._damaged = True
                return
            if packet.is_corrupt:
                self._damaged = True
            if restamp is not None:
                restamp.sent(packet)
            self._spare(packet, stream)
            try:
                frames = packet.decode()
            except av.error.FFmpegError:
                self._damaged = True
                continue
            for frame in frames:
                if restamp is not None:
                    restamp.came(frame)
                if frame.is_corrupt:
                    self._damaged = True
                else:
                    yield frame

    def _spare(self, packet: av.Packet[Any], stream: av.VideoStream) -> None:
        """Lets the decoder pass over an unwanted frame, if no other is built on it (H.264 and H.265 say so)."""
        if self._wanted is None or packet.pts is None:
            return
        wanted = self._wanted[self._place(float(packet.pts * packet.time_base))]
        stream.codec_context.skip_frame = "DEFAULT" if wanted else "NONREF"

    def _place(self, stamp: float) -> int:
        """The number of the frame that the file shows at `stamp`."""
        times = self.probe.times
        return min(int(np.searchsorted(times, stamp - 1e-6)), len(times) - 1)

    def _number_of(self, frame: av.VideoFrame, stream: av.VideoStream) -> int:
        base = frame.time_base or stream.time_base
        if frame.pts is None or base is None or not len(self.probe.times):
            return self._number + 1
        return max(self._number + 1, self._place(float(frame.pts * base)))

    def _timed(self, frames: Iterator[av.VideoFrame], stream: av.VideoStream) -> Iterator[tuple[av.VideoFrame, float]]:
        """Adds media time; a clock that stands still or runs back goes on at the usual step.

        A stamp that is behind for a moment takes half a step, so that those after it keep theirs.
        """
        first, last, before = self._zero, self._last, math.nan
        for frame in frames:
            stamp, usual = _stamp(frame, stream), last + self._step
            if first is None:
                first = 0.0 if math.isnan(stamp) else stamp
            t = stamp - first
            if not t > last:
                back = usual - t > BEHIND_S
                first -= usual - t if back else 0.0
                t = usual if back or stamp == before or math.isnan(stamp) else last + self._step / 2
            last, before = t, stamp
            yield frame, round(t, 6)

    @property
    def _step(self) -> float:
        rate = self.probe.info.fps_nominal
        return 1 / rate if rate else 0.04

    def _note_gap(self, t: float, number: int) -> None:
        """Notes frames that should have come before this one and did not."""
        if len(self._expected):
            lost = int(np.count_nonzero(self._expected[self._number + 1 : number])) >= LOST
        else:
            lost = self._damaged and t - self._last > (LOST + 0.5) * self._step
        if lost:
            self._gaps.append(Gap(round(self._last + self._step, 3), round(t, 3), "damaged: cannot be decoded"))
        self._damaged = False

    @property
    def coverage(self) -> Coverage:
        """What was decoded so far against what the file promises; final once the iteration has ended."""
        info = self.probe.info
        if self.probe.zero is not None and not len(self.probe.times):
            return Coverage(0.0, 0.0)
        end = self._last + self._step
        whole = (info.duration or 0.0) if self.probe.zero is None else 0.0
        recorded = max(self.probe.promised or 0.0, whole, end)
        gaps = list(self._gaps)
        if recorded - end > max(CUT_TOLERANCE, 2 * self._step):
            gaps.append(Gap(round(end, 3), round(recorded, 3), self._ended_early()))
        missed = sum(gap.end - gap.start for gap in gaps)
        recorded -= self._begin
        return Coverage(round(recorded, 3), round(max(0.0, recorded - missed), 3), tuple(gaps))

    def _ended_early(self) -> str:
        """Why a recording ends before it should; a stretch before the last one is damaged, not cut."""
        inner = self.probe.zero is not None and self.probe.info.frames is not None
        more = inner and self.probe.first + len(self.probe.times) < (self.probe.info.frames or 0)
        return "damaged: cannot be decoded" if more else "the file is cut off here"


def _stamp(frame: av.VideoFrame, stream: av.VideoStream) -> float:
    """Time of presentation in seconds as the file counts them; a frame without one belongs to every stretch."""
    base = frame.time_base or stream.time_base
    return float(frame.pts * base) if frame.pts is not None and base is not None else math.nan
