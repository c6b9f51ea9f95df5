"""Clips of a recording: its own packets copied, or its pictures encoded anew; each with the times of the timeline."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import cv2
import ffmpeg
import imageio_ffmpeg
import numpy as np

from verifier.domain.errors import BadInput
from verifier.recording.decode import Decoder, Frame, reading
from verifier.recording.probe import Probe, probe
from verifier.recording.space import NO_SPACE
from verifier.recording.timeline import SAME_S

TICKS: Final = 90_000
"""Ticks a second of a clip's stamps."""
_COPIED_WIDEST: Final = 1920
_COPIED_PROFILES: Final = frozenset({"Baseline", "Constrained Baseline", "Main", "High"})
_COPIED_RATE: Final = 600_000
"""Bytes a second up to which a copy is not too large."""
_LEAD_S: Final = 10.0
"""Seconds from a key frame to the beginning of a clip up to which they are copied along, hidden."""
_SMALL: Final = (64, 36)
_ALIKE: Final = 6.0
"""Grey levels by which two small pictures of one frame differ at most on average: re-encoding one costs 1 to 2, and two
frames between which something moved differ by less than this only where it is small; the times tell these apart."""


def ffmpeg_program() -> str:
    """Return the system's FFmpeg, else the one that imageio-ffmpeg ships."""
    return shutil.which("ffmpeg") or str(imageio_ffmpeg.get_ffmpeg_exe())


def copied(part: Probe, start: float, target: Path) -> bool:
    """Write the pictures of `part` as MP4 without encoding them anew, and tell whether that was possible.

    Media time `start` (seconds) is the clip's 0. The copy begins at the key frame before; its edit list lets players
    begin at `start`. Raises OSError if it cannot be written.
    """
    timeline = part.timeline
    first = timeline.begin_for(part.first)
    last = int(timeline.packet[part.first : part.last].max())
    pictures = timeline.number[first : last + 1]
    times = timeline.times[pictures]
    lead = start - float(times[0])
    small = int(timeline.size[first : last + 1].sum()) <= _COPIED_RATE * max(1.0, part.end - part.begin + lead)
    plain = part.facts.shape.aspect == 1 and not part.facts.runs
    if np.any(pictures < 0) or not timeline.alone[first] or lead > _LEAD_S or not small or not plain:
        return False
    with reading(part, first) as (stream, numbered):
        if not _plays(stream):
            return False
        packets = [packet for _, packet in itertools.islice(numbered, last + 1 - first)]
        if len(packets) <= last - first or not all(map(_sound, packets)):
            return False
        try:
            _write(packets, stream, np.round((times - start) * TICKS).astype(np.int64), target)
        except av.error.FFmpegError as error:
            if isinstance(error, OSError) and error.errno in NO_SPACE:
                raise
            return False
    return True


def _plays(stream: Any) -> bool:
    """Tell whether browsers play the stream as it is; its packets then are pieces that begin with their lengths."""
    codec = stream.codec_context
    known = codec.name == "h264" and codec.profile in _COPIED_PROFILES and codec.pix_fmt in ("yuv420p", "yuvj420p")
    return known and codec.width <= _COPIED_WIDEST and (codec.extradata or b"\0")[0] == 1


def _sound(packet: Any) -> bool:
    """Tell whether a packet's pieces fill it exactly, as each one's length says: noise does not."""
    data, place = memoryview(packet), 0
    while place + 4 <= len(data):
        place += 4 + int.from_bytes(data[place : place + 4], "big")
    return not packet.is_corrupt and place == len(data)


def _write(packets: Sequence[Any], stream: Any, shown: Any, target: Path) -> None:
    """Muxes packets that are shown at `shown` (ticks); each is decoded by the time at which it is shown."""
    slots = np.sort(shown)
    decoded = slots - int((slots - shown).max())
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(f"file:{target}", "w", format="mp4", options=options) as clip:
        track = clip.add_stream_from_template(stream)
        for packet, pts, dts in zip(packets, shown.tolist(), decoded.tolist(), strict=True):
            packet.pts, packet.dts, packet.time_base, packet.stream = pts, dts, Fraction(1, TICKS), track
            clip.mux(packet)


def encoded(part: Probe, start: float, target: Path, widest: int) -> int:
    """Write the pictures of `part` as MP4: H.264, yuv420p, at most `widest` pixels wide, index in front, no sound.

    Media time `start` (seconds) is the clip's 0. Gives the number of pictures. Raises BadInput if FFmpeg refuses,
    caused by an OSError if that may be over later.
    """
    width, height = _even(part.facts.shape.size, widest)
    frames = iter(Decoder(part))
    first = next(frames, None)
    if first is None:
        return 0
    count = 0
    with _Encoder(target) as pipe, av.open(pipe, "w", format="nut") as raw:
        track = raw.add_stream("rawvideo", rate=Fraction(TICKS))
        track.width, track.height, track.pix_fmt = width, height, "yuv420p"
        track.time_base = track.codec_context.time_base = Fraction(1, TICKS)
        for frame in itertools.chain([first], frames):
            count += 1
            picture = _scaled(frame, width, height)
            picture.pts, picture.time_base = max(0, round((frame.t - start) * TICKS)), Fraction(1, TICKS)
            raw.mux(track.encode(picture))
    return count


def _even(size: tuple[int, int], widest: int) -> tuple[int, int]:
    share = min(1.0, widest / size[0])
    return max(2, round(size[0] * share / 2) * 2), max(2, round(size[1] * share / 2) * 2)


def _scaled(frame: Frame, width: int, height: int) -> av.VideoFrame:
    if frame.shape.axes == (1, 0, 0, 1):
        return frame.raw.reformat(width, height, "yuv420p")
    shown = cv2.resize(frame.bgr(), (width, height), interpolation=cv2.INTER_AREA)
    return av.VideoFrame.from_ndarray(np.asarray(shown, np.uint8), "bgr24").reformat(format="yuv420p")


class _Encoder:
    """FFmpeg, encoding what is written to its standard input; leaving the block waits for it.

    Raises BadInput if it ends badly.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        output = ffmpeg.input("pipe:", format="nut").output(
            f"file:{target}",
            format="mp4",
            vcodec="libx264",
            preset="superfast",
            crf=24,
            pix_fmt="yuv420p",
            threads=2,
            movflags="+faststart",
            map_metadata=-1,
            fps_mode="passthrough",
            video_track_timescale=TICKS,
            enc_time_base=f"1:{TICKS}",
            loglevel="error",
            **{"fflags": "+bitexact", "flags:v": "+bitexact"},
        )
        self._process = output.run_async(
            cmd=ffmpeg_program(), pipe_stdin=True, pipe_stderr=True, pipe_stdout=True, overwrite_output=True
        )

    def __enter__(self) -> _Encoder:
        return self

    def write(self, data: bytes) -> int:
        """Pass data on. If the encoder has ended and takes no more, the error is raised when the block is left."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(data)
        return len(data)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is not None:
            self._process.kill()
        out, told = self._process.communicate()
        if kind is None and self._process.returncode:
            lines = told.decode(errors="replace").strip().splitlines() or ["unknown reason"]
            cause = f"the clip could not be made ({lines[-1]})"
            raise BadInput(clip_name(self._target), cause, "check free space and the video") from _cause(out, told)


def clip_name(target: Path) -> Path:
    """Return a clip's name for a message: within its review, and without the dot that marks an unfinished file."""
    return Path(target.parent.name, target.name.lstrip("."))


def _cause(out: bytes, told: bytes) -> Exception:
    """Return an OSError if FFmpeg's words are the system's of a full disk, else FFmpeg's own error."""
    words = told.decode(errors="replace")
    number = next((number for number in NO_SPACE if os.strerror(number) in words), None)
    return OSError(number, os.strerror(number)) if number is not None else ffmpeg.Error("ffmpeg", out, told)


def shows(clip: Path, part: Probe, start: float, most: int) -> bool:
    """Tell whether a clip that was made holds the pictures of `part`: as many, or up to `most` more, at the right
    times.

    Its first and last picture must look like those of the recording.
    """
    try:
        made = probe(clip, sha256=False)
        shown = list(_small_pictures(made, made.facts.player_zero))
    except BadInput:
        return False
    ours = list(_small_pictures(part, -start))
    shown = [(t, picture) for t, picture in shown if t >= -1e-3]
    if not ours or not len(ours) <= len(shown) <= len(ours) + most:
        return False
    pairs = list(zip(ours, shown, strict=False))
    apart = max(SAME_S, part.timeline.step / 2)
    times = all(abs(max(0.0, a[0]) - b[0]) <= apart for a, b in pairs)
    return times and all(_alike(pairs[place][0][1], pairs[place][1][1]) for place in (0, -1))


def _small_pictures(part: Probe, later: float) -> Iterator[tuple[float, Any]]:
    """Return times, so many seconds later, and small grey pictures of a recording's frames."""
    return ((frame.t + later, frame.luma(*_SMALL)) for frame in Decoder(part))


def _alike(one: Any, other: Any) -> bool:
    return float(np.abs(one.astype(np.int16) - other).mean()) <= _ALIKE
