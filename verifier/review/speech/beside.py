"""Where a recording's transcript lies."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from verifier.review.entries import is_file

ENDINGS: Final = (".srt", ".vtt", ".transcript.json")
"""A transcript beside `monday.mp4` is `monday.srt`, `monday.vtt` or `monday.transcript.json`."""
TRANSCRIPT: Final = "transcript"
"""The kind of the record that tells which transcript a log was joined with."""


def beside(recording: Path) -> Path | None:
    """Return the transcript that lies beside a recording; None if there is none."""
    found = (recording.with_name(f"{recording.stem}{ending}") for ending in ENDINGS)
    return next((one for one in found if is_file(one)), None)
