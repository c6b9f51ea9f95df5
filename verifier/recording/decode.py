"""Streams a recording's frames in order of presentation, with the times of its timeline."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.recording.container import COPY_AGAIN, demuxed, opened
from verifier.recording.coverage import Coverage, Gap, Note
from verifier.recording.hardware import HardwareError, HWAccel, acceleration
from verifier.recording.probe import LOST, Probe, probe
from verifier.recording.stamps import Flags
from verifier.recording.timeline import NO_STAMP
from verifier.recording.upright import Shape, has_full_range, pixels_of, upright
from verifier.recording.views import TURNED, told_of

Picture = NDArray[np.uint8]

DAMAGED: Final = "damaged: cannot be decoded"
CUT_OFF: Final = "the file is cut off here"
UNREAD: Final = "a part of the file behind this could not be read: another recording, or another program"
HIDDEN: Final = "an edit list of the file leaves out pictures, so many that they last this long"
CONTRADICTED: Final = "the stamps contradict the order of the pictures here"
_WITHOUT_INDEX: Final = ("mpegts", "mpeg")
"""Containers in which FFmpeg seeks by halving; a clock that was set anew misleads such a search."""
_PLANAR: Final = ("yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "nv12", "gray")


@dataclass(frozen=True, slots=True)
class Frame:
    """A decoded frame: `index` counts from 0, `t` is seconds of media time; pixels are converted on demand.

    `shape` says how its picture is shown.
    """

    index: int
    t: float
    raw: av.VideoFrame
    shape: Shape

    def luma(self, width: int, height: int) -> Picture:
        """Return a grey picture (height, width) uint8 as players show it, scaled by area; levels are of limited range
        (16 to 235), whatever the file's.
        """
        stored = (width, height) if self.shape.axes[0] else (height, width)
        return upright(self._stored_luma(*stored), self.shape.axes)

    def _stored_luma(self, width: int, height: int) -> Picture:
        plane = self.raw.planes[0]
        if self.raw.format.name not in _PLANAR:
            return np.asarray(self.raw.reformat(width, height, "gray").to_ndarray(), np.uint8)
        grey: Picture = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
        grey = grey[:, : plane.width]
        if grey.shape[1] >= 4 * width:  # halving is by far the fastest of OpenCV's reductions
            half = (grey.shape[1] // 2, grey.shape[0] // 2)
            grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
        grey = np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        return (
            np.asarray(cv2.convertScaleAbs(grey, alpha=219 / 255, beta=16), np.uint8)
            if has_full_range(self.raw)
            else grey
        )

    def bgr(self) -> Picture:
        """Return the whole picture as players show it: (height, width, 3) uint8, blue first, square pixels."""
        return self.shape.shown(pixels_of(self.raw))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels as players show it."""
        return self.shape.size


class Decoder:
    """Iterates over the frames of one recording, or of a stretch of it, once; afterwards `coverage` says what of it
    could be decoded.

    Frames that the decoder marks as damaged are left out, and so are those of another size or orientation than the
    recording's, unless they are known to show the same view: these are scaled. `wanted` (frames,) bool, if given,
    spares the decoder frames that are not wanted and that no other frame is built on; the rest comes all the same.
    Raises BadInput if not one frame of the whole recording can be decoded, or where the file was exchanged since it
    was probed; a stretch of which no frame can be decoded is a gap.
    """

    def __init__(self, source: Probe | Path | str, *, wanted: Flags | None = None) -> None:
        self.probe = source if isinstance(source, Probe) else probe(source)
        self._expected = np.ones(len(self.probe.times), np.bool_)
        if wanted is not None and len(wanted) == len(self._expected):
            self._expected = wanted | ~self.probe.spare
        self._came = np.zeros(len(self._expected), np.bool_)
        self._others: dict[int, str] = {}
        self._turned = False
        self._next = self.probe.first

    def __iter__(self) -> Iterator[Frame]:
        frames = 0
        if self.probe.last > self.probe.first:
            for raw, number in self._decoded():
                frame = self._shown(raw, number)
                if frame is not None:
                    frames += 1
                    yield frame
            self.probe.check_same()
        self._next = self.probe.last
        if not frames and self._whole:
            raise BadInput(self.probe.path, "not one frame can be decoded", COPY_AGAIN)

    @property
    def _whole(self) -> bool:
        return (self.probe.first, self.probe.last) == (0, len(self.probe.timeline))

    def _shown(self, raw: av.VideoFrame, number: int) -> Frame | None:
        """Return the frame that has come, if it belongs to the stretch and shows the recording's view."""
        run = self.probe.facts.run_of(number)
        shape = run.shape if run is not None else self.probe.facts.shape
        if raw.key_frame:
            self._turned = raw.rotation != shape.rotation
        if not self.probe.first <= number < self.probe.last:
            return None
        self._next = number + 1
        why = (run.why if run is not None else None) or self._unknown(raw, shape)
        self._came[number - self.probe.first] = True
        if why is not None:
            self._others[number - self.probe.first] = why
            return None
        return Frame(number, round(float(self.probe.timeline.times[number]), 6), raw, shape)

    def _unknown(self, raw: av.VideoFrame, shape: Shape) -> str | None:
        """Return how a frame differs from what its packets said; None if it does not."""
        if (raw.width, raw.height) != shape.stored:
            return f"the picture is {raw.width}x{raw.height} there"
        return TURNED if self._turned else None

    def _decoded(self) -> Iterator[tuple[av.VideoFrame, int]]:
        """Frames with the numbers of their pictures, in order of presentation.

        A graphics card that fails hands over to the processor at the next picture.
        """
        device = acceleration()
        try:
            yield from self._pass(device)
        except HardwareError:
            yield from self._pass(None)

    def _pass(self, device: HWAccel | None) -> Iterator[tuple[av.VideoFrame, int]]:
        """Frames from the next picture on, decoded on a device, or on the processor.

        Pictures of another form get a decoder of their own: FFmpeg's keeps the range of colours of earlier ones.
        """
        runs = [run.first for run in self.probe.facts.runs if self._next < run.first < self.probe.last]
        for last in (*runs, self.probe.last):
            yield from self._part(device, last)
            self._next = last

    def _part(self, device: HWAccel | None, last: int) -> Iterator[tuple[av.VideoFrame, int]]:
        """Yield the frames before picture `last`."""
        timeline = self.probe.timeline
        begin = timeline.begin_for(self._next)
        end = int(timeline.packet[self._next : last].max(initial=-1))
        with reading(self.probe, begin, device) as (stream, packets):
            stream.thread_type = "AUTO"
            stream.codec_context.copy_opaque = True
            run = self.probe.facts.run_of(self._next)
            if run is not None and run.first:
                stream.codec_context.color_range = 0  # the file's head tells that of the first pictures
            needed = itertools.takewhile(lambda one: one[0] <= end, packets)
            first = self._next
            for number, packet in itertools.chain(needed, [(end + 1, None)]):
                for frame, picture in self._frames(stream, packet, number, device is not None):
                    if picture >= self._next:
                        yield frame, picture
                    elif picture >= first:
                        self._contradicted(picture)

    def _contradicted(self, picture: int) -> None:
        """Note a picture that comes after later ones: its moment is not known."""
        place = picture - self.probe.first
        if 0 <= place < len(self._came) and not self._came[place]:
            self._came[place] = True
            self._others[place] = CONTRADICTED

    def _frames(self, stream: Any, packet: Any, number: int, accelerated: bool) -> Iterator[tuple[av.VideoFrame, int]]:
        """Yield the sound frames that come out when a packet is sent (None: what is left), with their pictures'
        numbers.
        """
        if packet is not None:
            packet.opaque = number
            stream.codec_context.skip_frame = "NONREF" if self._may_skip(number) else "DEFAULT"
        try:
            for frame in stream.codec_context.decode(packet):
                if not frame.is_corrupt:
                    yield frame, self._number_of(frame)
        except av.error.FFmpegError as error:
            if accelerated:
                raise HardwareError from error

    def _may_skip(self, packet: int) -> bool:
        """Tell whether the decoder may pass over a packet: nobody wants its picture, and no other one is built on
        it.
        """
        picture = int(self.probe.timeline.number[packet]) - self.probe.first
        inside = 0 <= picture < len(self._expected)
        return bool(self.probe.timeline.needless[packet]) and not (inside and self._expected[picture])

    def _number_of(self, frame: av.VideoFrame) -> int:
        packet = frame.opaque
        return int(self.probe.timeline.number[packet]) if isinstance(packet, int) else self._next

    @property
    def coverage(self) -> Coverage:
        """What was decoded so far against what the file holds and promises; final once the iteration has ended."""
        gaps = sorted(self._all_gaps(), key=lambda gap: (gap.start, gap.end))
        recorded = self.probe.end - self.probe.begin
        missed = _united(gaps)
        told = sorted([*self.probe.facts.notes, *self._changes()], key=lambda note: note.t)
        notes = tuple(n for n in told if self.probe.begin <= n.t < max(self.probe.end, 1e-6))
        return Coverage(round(recorded, 3), round(max(0.0, recorded - missed), 3), tuple(gaps), notes)

    def _changes(self) -> Iterator[Note]:
        """Yield a note where watched pictures of another form begin."""
        for before, run in itertools.pairwise(self.probe.facts.runs):
            if run.why is None:
                yield Note(float(self.probe.timeline.times[run.first]), told_of(run, before))

    def _all_gaps(self) -> Iterator[Gap]:
        for gap in [*self._lost(), *self._unlike(), *self.probe.timeline.pauses, *self._cut_off()]:
            start, end = max(gap.start, self.probe.begin), min(gap.end, self.probe.end)
            if end - start > 1e-6:
                yield Gap(round(start, 3), round(end, 3), gap.cause, gap.state)

    def _lost(self) -> Iterator[Gap]:
        """Yield the runs of pictures that should have come before the newest one and did not."""
        seen = self._next - self.probe.first
        lost = np.flatnonzero(self._expected[:seen] & ~self._came[:seen])
        for run in _runs(lost, np.flatnonzero(self._came[:seen])):
            if len(run) >= LOST:
                yield Gap(self._time(run[0]), self._time(run[-1] + 1), DAMAGED)

    def _unlike(self) -> Iterator[Gap]:
        """Stretches in which the picture is of another kind than the recording's."""
        for why, group in itertools.groupby(sorted(self._others.items()), key=lambda item: item[1]):
            places = [place for place, _ in group]
            for run in _runs(np.asarray(places), np.flatnonzero(self._came & ~_marked(self._others, len(self._came)))):
                yield Gap(self._time(run[0]), self._time(run[-1] + 1), why, "not_watched")

    def _cut_off(self) -> Iterator[Gap]:
        held, length = self.probe.timeline.end, self.probe.length
        facts = self.probe.facts
        if length > held:
            yield Gap(held, length, HIDDEN if facts.hidden else UNREAD if facts.unread else CUT_OFF)

    def _time(self, place: int) -> float:
        """Return the media time of a picture of the stretch; of the one after the last, its end."""
        number = self.probe.first + int(place)
        times = self.probe.timeline.times
        if number >= len(times):
            return self.probe.timeline.end
        step = self.probe.timeline.step
        before = float(times[number - 1]) + step if number else 0.0
        return min(float(times[number]), before) if number else 0.0


def _united(gaps: list[Gap]) -> float:
    """Seconds that lie in a gap; gaps are in order of their beginnings."""
    missed, end = 0.0, 0.0
    for gap in gaps:
        missed += max(0.0, gap.end - max(gap.start, end))
        end = max(end, gap.end)
    return missed


def _marked(numbers: dict[int, str], length: int) -> Flags:
    out = np.zeros(length, np.bool_)
    out[list(numbers)] = True
    return out


def _runs(places: NDArray[np.int64], between: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Rising places in runs that none of `between` parts."""
    if not len(places):
        return []
    group = np.searchsorted(between, places)
    return np.split(places, np.flatnonzero(np.diff(group)) + 1)


@contextmanager
def reading(part: Probe, begin: int, device: HWAccel | None = None) -> Iterator[tuple[Any, Iterator[tuple[int, Any]]]]:
    """Yield a recording's stream, and its packets with their numbers from packet `begin` on.

    That packet is sought; where seeking does not land on it, the file is read from its beginning. Raises BadInput if
    the file was exchanged since it was probed.
    """
    for seek in (True, False):
        with opened(part.path, hwaccel=device) as (container, identity):
            part.check_same(identity)
            stream: Any = container.streams[part.facts.track.index]
            packets = _numbered(container, stream, part, begin if seek else 0)
            if packets is not None:
                yield stream, itertools.dropwhile(lambda one: one[0] < begin, packets)
                return


def _numbered(
    container: av.container.InputContainer, stream: Any, part: Probe, begin: int
) -> Iterator[tuple[int, Any]] | None:
    """Packets with their numbers from packet `begin` on; None if seeking does not land there."""
    if begin and not _sought(container, stream, part, begin):
        return None
    packets = demuxed(container, stream)
    if not begin:
        return enumerate(packets)
    found = next(packets, None)
    if found is None or not _is(found, part, begin):
        return None
    return zip(itertools.count(begin), itertools.chain([found], packets), strict=False)


def _sought(container: av.container.InputContainer, stream: Any, part: Probe, packet: int) -> bool:
    """Seeks to a packet: by its byte where the container has no index, else by its stamp. Whether it could be tried."""
    timeline = part.timeline
    place, pts = int(timeline.place[packet]), int(timeline.pts[packet])
    by_byte = container.format.name in _WITHOUT_INDEX
    if (by_byte and place < 0) or (not by_byte and pts == NO_STAMP):
        return False
    try:
        if by_byte:
            container.seek(place, unsupported_byte_offset=True)
        else:
            container.seek(pts, stream=stream, backward=True)
    except (av.error.FFmpegError, OSError):
        return False
    return True


def _is(packet: Any, part: Probe, number: int) -> bool:
    """Tell whether a packet that was read is the one of this number: by its size, and its place in the file or
    its stamp.
    """
    timeline = part.timeline
    place, size, pts = (int(kept[number]) for kept in (timeline.place, timeline.size, timeline.pts))
    same = packet.pos == place if place >= 0 else packet.pts == pts
    return bool(same and packet.size == size)
