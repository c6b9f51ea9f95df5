"""Short H.264 clips that every browser plays: copied from the recording where possible, else cut with FFmpeg."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
from pathlib import Path
from typing import Any, Final

import av
import ffmpeg
import imageio_ffmpeg

from verifier.domain.errors import BadInput

NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Error numbers of the system that mean a full disk, or one's share of it used up."""
_WIDEST = 1280
_COPIED_WIDEST: Final = 1920
_COPIED_SUFFIXES: Final = frozenset({".mp4", ".m4v", ".mov", ".mkv"})
"""Files that tell the time of each picture, and whose packets are told apart by their lengths."""
_COPIED_PROFILES: Final = frozenset({"Baseline", "Constrained Baseline", "Main", "High"})
_LEAD_S: Final = 10.0
"""Seconds from a key frame to the beginning of a clip up to which they are copied along, hidden."""
_EARLY_S: Final = 20.0
"""Seconds before a clip from which other files, TS among them, are decoded: FFmpeg seeks in them to the key frame after
a place."""
_COPIED_RATE: Final = 600_000
"""Bytes a second up to which a copy is not too large."""


def ffmpeg_program() -> str:
    """The system's FFmpeg, else the one that imageio-ffmpeg ships."""
    return shutil.which("ffmpeg") or str(imageio_ffmpeg.get_ffmpeg_exe())


def copy_clip(video: Path, start: float, end: float, target: Path) -> bool:
    """Writes media time `start`..`end` (seconds) of `video` as MP4 without encoding it anew; whether that was possible.

    It is where the recording is H.264 that browsers play, no wider than full HD, and undamaged there. The copy begins
    at the key frame before `start`; its edit list lets players begin at `start`. Raises BadInput, caused by an OSError,
    where there is no space left.
    """
    if video.suffix.lower() not in _COPIED_SUFFIXES:
        return False
    try:
        with av.open(str(video)) as container:
            stream = container.streams.video[0]
            packets = _packets(container, stream, start, end) if _plays(stream) else []
            if packets:
                _write(packets, stream, start, target)
    except (av.error.FFmpegError, OSError, IndexError) as error:
        if isinstance(error, OSError) and error.errno in NO_SPACE:
            raise BadInput(target, "there is no space left for the clip", "free some space, and do it again") from error
        return False
    return bool(packets)


def _plays(stream: Any) -> bool:
    """Whether browsers play the stream as it is; its packets then are pieces that begin with their lengths."""
    codec = stream.codec_context
    known = codec.name == "h264" and codec.profile in _COPIED_PROFILES and codec.pix_fmt in ("yuv420p", "yuvj420p")
    return known and codec.width <= _COPIED_WIDEST and (codec.extradata or b"\0")[0] == 1


def _packets(container: Any, stream: Any, start: float, end: float) -> list[Any]:
    """The packets that show `start`..`end`, from a key frame on; none where they are not fit to be copied."""
    first = (stream.start_time or 0) + round(start / stream.time_base)
    last = (stream.start_time or 0) + round(end / stream.time_base)
    container.seek(first, stream=stream, backward=True)
    demuxed = itertools.takewhile(lambda one: one.pts is not None, container.demux(stream))
    packets = list(itertools.takewhile(lambda one: one.dts is None or one.dts < last, demuxed))
    if not packets or not packets[0].is_keyframe or not _in_order(packets) or not all(map(_sound, packets)):
        return []
    lead = float((first - packets[0].pts) * stream.time_base)
    small = sum(packet.size for packet in packets) <= _COPIED_RATE * (end - start + lead)
    return packets if small and 0 <= lead <= _LEAD_S else []


def _in_order(packets: list[Any]) -> bool:
    """Whether all packets say when they are decoded; Matroska does not for the first ones, which is made up for."""
    known = next((place for place, packet in enumerate(packets) if packet.dts is not None), 0)
    for place in range(known - 1, -1, -1):
        packets[place].dts = packets[place + 1].dts - max(1, packets[place].duration or 1)
    times = [packet.dts for packet in packets]
    return None not in times and all(one < later for one, later in itertools.pairwise(times))


def _sound(packet: Any) -> bool:
    """Whether a packet's pieces fill it exactly, as each one's length says: noise does not."""
    data, place = memoryview(packet), 0
    while place + 4 <= len(data):
        place += 4 + int.from_bytes(data[place : place + 4], "big")
    return not packet.is_corrupt and place == len(data)


def _write(packets: list[Any], stream: Any, start: float, target: Path) -> None:
    first = (stream.start_time or 0) + round(start / stream.time_base)
    with av.open(str(target), "w", format="mp4", options={"movflags": "+faststart", "fflags": "+bitexact"}) as clip:
        copied = clip.add_stream_from_template(stream)
        for packet in packets:
            packet.pts, packet.dts, packet.stream = packet.pts - first, packet.dts - first, copied
            clip.mux(packet)


def cut_clip(video: Path, start: float, end: float, target: Path) -> None:
    """Writes media time `start`..`end` (seconds) of `video` as MP4: H.264, yuv420p, index in front, no sound.

    Raises BadInput where FFmpeg refuses, with its last line; caused by an OSError where that may be over later.
    """
    early = start if video.suffix.lower() in _COPIED_SUFFIXES else max(0.0, start - _EARLY_S)
    picture = ffmpeg.input(str(video), ss=f"{early:.3f}").video
    picture = picture.filter("scale", f"trunc(min(iw,{_WIDEST})/2)*2", "-2")
    output = ffmpeg.output(
        picture,
        str(target),
        ss=f"{start - early:.3f}",
        t=f"{end - start:.3f}",
        vcodec="libx264",
        preset="superfast",
        crf=24,
        pix_fmt="yuv420p",
        movflags="+faststart",
        map_metadata=-1,
        **{"fflags": "+bitexact", "flags:v": "+bitexact"},
    )
    try:
        ffmpeg.run(
            output, cmd=ffmpeg_program(), quiet=True, overwrite_output=True, capture_stderr=True, capture_stdout=True
        )
    except ffmpeg.Error as error:
        lines = (error.stderr or b"").decode(errors="replace").strip().splitlines() or ["unknown reason"]
        cause = f"the clip could not be cut ({lines[-1]})"
        raise BadInput(target, cause, "check free space and the video") from _reason(error, lines, video)


def _reason(error: Exception, lines: list[str], video: Path) -> Exception:
    """An OSError where there is no space left or the recording cannot be reached, else FFmpeg's own error."""
    for number in NO_SPACE:
        if any(os.strerror(number) in line for line in lines):
            return OSError(number, os.strerror(number))
    try:
        with video.open("rb") as stream:
            stream.read(1)
    except OSError as away:
        return away
    return error
