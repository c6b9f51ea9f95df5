"""What a video file holds, learned from its packets without decoding them; unusable files are refused here."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np
from numpy.typing import NDArray

from verifier.domain.coverage import State
from verifier.domain.errors import BadInput
from verifier.domain.names import path_text
from verifier.domain.observations import VideoInfo
from verifier.vision.nal import Packets
from verifier.vision.upright import axes_of

RATE_TOLERANCE = 0.25
"""A step between two frames that is off the usual one by more than this share makes the frame rate variable."""
CUT_TOLERANCE = 0.25
"""Seconds by which a file may hold less than its index promises before it counts as cut off."""
PUT_INTO = "export it from the recorder as MP4 or MKV, or put it into MP4 at the rate at which it was recorded"
COPY_AGAIN = "copy the recording again from the recorder"
TELLING = 100
"""Packets in which a first frame is looked for."""
REORDERED_S = 5.0
"""Seconds by which a packet may be shown before one that is decoded earlier; more is a clock that ran back."""
_CHUNK = 1 << 20
Times = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of the recording, in seconds of media time, that was not reviewed, and why."""

    start: float
    end: float
    cause: str
    state: State = "damaged"


@dataclass(frozen=True, slots=True)
class Note:
    """Something odd about the recording's own times at `t` (seconds of media time) that cost no picture."""

    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the recording was reviewed. `recorded` and `reviewed` are seconds of media time."""

    recorded: float
    reviewed: float
    gaps: tuple[Gap, ...] = field(default=())
    notes: tuple[Note, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether nothing of the recording went unseen."""
        return not self.gaps

    @property
    def share(self) -> float:
        """Reviewed share of the recording, 0..1."""
        return min(1.0, self.reviewed / self.recorded) if self.recorded > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Probe:
    """A video's facts. `promised` is the length in seconds that the file's index claims, None where it claims none.

    `times` (frames,) are the packets' times of presentation in order, seconds as the file counts them, and `spare`
    (frames,) whether no other frame is built on a frame; both are empty where times do not tell frames apart.
    `as_decoded` is whether packets were given `times` in the order in which they are decoded, not shown (AVI).
    A stretch of a recording has the `times` and `spare` of its frames only; `first` is the number of its first frame in
    the whole recording, `zero` the time at which the whole recording begins (None where this is the whole).
    """

    path: Path
    info: VideoInfo
    promised: float | None
    times: Times = field(default_factory=lambda: np.empty(0), compare=False, repr=False)
    spare: Flags = field(default_factory=lambda: np.empty(0, np.bool_), compare=False, repr=False)
    first: int = 0
    zero: float | None = None
    as_decoded: bool = False

    @property
    def divisible(self) -> bool:
        """Whether stretches of the recording can be watched on their own."""
        return len(self.times) > 1

    def stretch(self, start: float, end: float) -> Probe:
        """The recording from `start` to `end`, seconds of media time; needs a divisible one."""
        zero = float(self.times[0])
        low, high = np.searchsorted(self.times, [zero + start - 1e-6, zero + end - 1e-6])
        promised = self.promised if high == len(self.times) else end
        first, times, spare = int(low), self.times[low:high], self.spare[low:high]
        return replace(self, promised=promised, times=times, spare=spare, first=first, zero=zero)


def sha256_of(path: Path, beat: Callable[[float], None] = lambda done: None) -> str:
    """SHA-256 of a file, hexadecimal, read in pieces; `beat` is called after each, so that nobody takes it for hung."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            beat(0.0)
    return digest.hexdigest()


def check_readable(path: Path, kind: str = "video file", again: str = COPY_AGAIN) -> None:
    """Raises BadInput where there is no file, no permission, or nothing in it; `kind` is what it should hold."""
    try:
        with path.open("rb") as stream:
            empty = not stream.read(1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadInput(path, "no such file", "check the name and the folder") from error
    except IsADirectoryError as error:
        raise BadInput(path, f"is a folder, not a {kind}", f"name a {kind} in it") from error
    except PermissionError as error:
        raise BadInput(path, "may not be read", "ask for permission to read the file") from error
    except OSError as error:
        raise BadInput(path, f"cannot be read ({error.strerror})", again) from error
    if empty:
        raise BadInput(path, "is empty", again)


def open_video(path: Path) -> av.container.InputContainer:
    """Opens a file that has a picture track; raises BadInput for everything else."""
    check_readable(path)
    try:
        container = av.open(str(path), metadata_errors="replace")
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise _unusable(path) from error
    if not container.streams.video or _is_cover_art(container):
        container.close()
        raise BadInput(path, "holds no picture track", "choose the recording of the camera above the table")
    return container


def _is_cover_art(container: av.container.InputContainer) -> bool:
    disposition = getattr(container.streams.video[0], "disposition", 0)
    return bool(int(disposition) & int(av.stream.Disposition.attached_pic))


def _unusable(path: Path) -> BadInput:
    with path.open("rb") as stream:
        head = stream.read(64)
    if head[4:8] == b"ftyp":
        return BadInput(path, "is cut off: its index is missing, so no frame can be found", COPY_AGAIN + " in full")
    if head.isascii() and all(byte >= 32 or byte in b"\t\r\n" for byte in head):
        return BadInput(path, "holds text, not video", "choose the video file itself")
    return BadInput(path, "is not a video that can be read", COPY_AGAIN + ", or convert it to MP4")


def probe(path: Path | str, *, sha256: bool = True) -> Probe:
    """Reads a video's facts from its packets. Raises BadInput where it is no usable video or has no frames."""
    path = Path(path)
    with open_video(path) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        if context is None:
            raise BadInput(path, "there is no decoder for its codec", "convert the recording to H.264")
        if context.width <= 0 or context.height <= 0:
            raise BadInput(path, "its picture has no size: the file is damaged", COPY_AGAIN)
        times, spare, told, as_decoded = _packets(container, stream)
        promised = _promised(container, stream)
        size = (context.width, context.height)
    if _on_its_side(path):
        size = size[::-1]
    if len(times) == 0 and not told:
        raise BadInput(path, "carries no times: a bare stream, not a recording in a container", PUT_INTO)
    if len(times) == 0:
        raise BadInput(path, "has no frames", COPY_AGAIN)
    step, variable = _rhythm(times)
    info = VideoInfo(
        name=path_text(path.name),
        sha256=sha256_of(path) if sha256 else None,
        width=size[0],
        height=size[1],
        frames=len(times),
        duration=round(float(times[-1] - times[0]) + step, 6),
        fps_nominal=_rate(times, step, variable),
        variable_frame_rate=variable,
    )
    if told and np.all(np.diff(times) > 0):
        return Probe(path, info, promised, times, spare, as_decoded=as_decoded)
    return Probe(path, info, promised)


def _on_its_side(path: Path) -> bool:
    """Whether players show width for height, as the first frame tells."""
    with open_video(path) as container:
        try:
            for packet in itertools.islice(container.demux(video=0), TELLING):
                for frame in packet.decode():
                    return not axes_of(frame)[0]
        except (av.error.FFmpegError, OSError):
            pass  # damaged from the first frame on: taken as it is stored
    return False


class _Told(NamedTuple):
    """What the packets tell: `times` in order, and which are `spare`; `told` is whether these tell frames apart."""

    times: Times
    spare: Flags
    told: bool
    as_decoded: bool


def _packets(container: av.container.InputContainer, stream: av.VideoStream) -> _Told:
    reader = Packets(stream.codec_context.name, stream.codec_context.extradata)
    times: list[float] = []
    spare: list[bool] = []
    told = True
    try:
        for packet in container.demux(stream):
            told &= packet.pts is not None or not packet.size
            if packet.size and packet.pts is not None and not packet.is_discard:
                times.append(float(packet.pts * packet.time_base))
                spare.append(reader.spare(memoryview(packet)))
    except (av.error.FFmpegError, OSError):
        pass  # what follows the damage is missing; the caller sees it as a gap
    decoded, free = np.asarray(times, dtype=np.float64), np.asarray(spare, np.bool_)
    back = np.maximum.accumulate(decoded) - decoded
    as_decoded = stream.codec_context.has_b_frames and bool(free.any()) and not back.any()
    order = np.argsort(decoded, kind="stable")
    return _Told(decoded[order], free[order], told and bool(np.all(back < REORDERED_S)), as_decoded)


def _promised(container: av.container.InputContainer, stream: av.VideoStream) -> float | None:
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    if container.duration and container.format.name.startswith("matroska"):
        return (container.duration - max(0, container.start_time or 0)) / 1e6
    return None


def _rate(times: Times, step: float, variable: bool) -> float | None:
    """Frames a second: over the whole recording, or of the usual step where the rate varies."""
    if step <= 0:
        return None
    return round(1 / step if variable else (len(times) - 1) / float(times[-1] - times[0]), 3)


def _rhythm(times: Times) -> tuple[float, bool]:
    """Usual step between frames in seconds, and whether the steps vary."""
    if len(times) < 2:
        return 0.0, False
    steps = np.diff(times)
    usual = float(np.median(steps))
    variable = bool(np.any(np.abs(steps - usual) > max(RATE_TOLERANCE * usual, 0.0015)))
    return usual, variable
