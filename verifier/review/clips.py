"""Short H.264 clips that every browser plays: copied from the recording where possible, else encoded anew.

Each is opened again when it is made: a clip that does not show what it should is never kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from verifier.domain.errors import BadInput
from verifier.recording import clips
from verifier.recording.probe import Probe, probed
from verifier.recording.space import NO_SPACE

_WIDEST: Final = 1280
_REORDERED: Final = 16
"""Pictures after a copy's end that it may hold because others are built on them: codecs reorder 16 at most."""


def make_clip(video: Path | Probe, start: float, end: float, target: Path) -> None:
    """Write media time `start`..`end` (seconds) of a recording as MP4, in the quickest way that shows it correctly.

    Raises BadInput if that cannot be had, caused by an OSError if it may be had later.
    """
    if not copy_clip(video, max(0.0, start), end, target):
        cut_clip(video, max(0.0, start), end, target)


def copy_clip(video: Path | Probe, start: float, end: float, target: Path) -> bool:
    """Write media time `start`..`end` (seconds) as MP4 without encoding it anew; return whether that was possible.

    It is where the recording is H.264 that browsers play, no wider than full HD, and undamaged there. Raises BadInput,
    caused by an OSError, if there is no space left.
    """
    part = _part(video, start, end)
    try:
        made = clips.copied(part, start, target) and clips.shows(target, part, start, _REORDERED)
    except OSError as error:
        made = False
        if error.errno in NO_SPACE:
            clip = clips.clip_name(target)
            raise BadInput(clip, "there is no space left for the clip", "free some space, and do it again") from error
    finally:
        if not locals().get("made"):
            target.unlink(missing_ok=True)
    return made


def cut_clip(video: Path | Probe, start: float, end: float, target: Path) -> None:
    """Write media time `start`..`end` (seconds) as MP4: H.264, yuv420p, index in front, no sound, every picture.

    Raises BadInput if no picture can be decoded there or FFmpeg refuses; caused by an OSError if that may be over
    later.
    """
    part = _part(video, start, end)
    try:
        count = clips.encoded(part, start, target, _WIDEST)
        sound = count > 0 and clips.shows(target, part, start, 0)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    if not sound:
        target.unlink(missing_ok=True)
        cause = f"{start:.1f} s to {end:.1f} s shows no picture that can be decoded"
        raise BadInput(Path(part.path.name), cause, "watch the recording there with another player")


def _part(video: Path | Probe, start: float, end: float) -> Probe:
    """Return the pictures that show `start`..`end`; the first is the one on show when it begins."""
    whole = video if isinstance(video, Probe) else probed(video)
    first = whole.timeline.at(max(0.0, start))
    return whole.pictures(first, max(first + 1, whole.timeline.from_then(end) + (end > whole.timeline.times[-1])))
