"""Short H.264 clips that every browser plays, cut with FFmpeg."""

from __future__ import annotations

import shutil
from pathlib import Path

import ffmpeg
import imageio_ffmpeg

from verifier.domain.errors import BadInput

_WIDEST = 1280


def ffmpeg_program() -> str:
    """The system's FFmpeg, else the one that imageio-ffmpeg ships."""
    return shutil.which("ffmpeg") or str(imageio_ffmpeg.get_ffmpeg_exe())


def cut_clip(video: Path, start: float, end: float, target: Path) -> None:
    """Writes media time `start`..`end` (seconds) of `video` as MP4: H.264, yuv420p, index in front, no sound.

    Raises BadInput where FFmpeg refuses, with its last line.
    """
    picture = ffmpeg.input(str(video), ss=f"{start:.3f}", t=f"{end - start:.3f}").video
    picture = picture.filter("scale", f"trunc(min(iw,{_WIDEST})/2)*2", "-2")
    output = ffmpeg.output(
        picture,
        str(target),
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
        last = (error.stderr or b"").decode(errors="replace").strip().splitlines()[-1:] or ["unknown reason"]
        raise BadInput(target, f"the clip could not be cut ({last[0]})", "check free space and the video") from error
