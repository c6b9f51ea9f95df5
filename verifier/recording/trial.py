"""Tries on this computer what the room for recordings needs: decoders, an encoder, and a film written and read back."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import av
import ffmpeg

from verifier.domain.errors import BadInput
from verifier.recording.clips import ffmpeg_program
from verifier.recording.decode import Decoder

DECODERS: Final = ("h264", "hevc", "mpeg2video", "mpeg4", "mjpeg", "vc1", "av1", "vp9", "wmv3")
"""FFmpeg's names of what surveillance recorders and their export programs write."""
PICTURES: Final = 25


def missing_decoders() -> list[str]:
    """Those of `DECODERS` that the installed FFmpeg libraries lack."""
    return [name for name in DECODERS if name not in av.codecs_available]


def write_and_read(folder: Path) -> int:
    """Encode one second of a test picture as H.264 in `folder`, decode it, and return the number of pictures read.

    Raises BadInput if the FFmpeg program fails or the file cannot be decoded.
    """
    film = folder / "trial.mp4"
    pattern = ffmpeg.input("testsrc2=size=320x180:rate=25:duration=1", f="lavfi")
    program = ffmpeg_program()
    try:
        ffmpeg.output(pattern, str(film), vcodec="libx264", pix_fmt="yuv420p").run(
            cmd=program, quiet=True, overwrite_output=True
        )
    except (ffmpeg.Error, OSError, subprocess.SubprocessError) as error:
        raise BadInput(program, "cannot encode H.264", "install FFmpeg with libx264, or take it off PATH") from error
    return sum(1 for _ in Decoder(film))
