"""The recording as a file: playable in full, and overlapping with the second recorder's."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from verifier.domain.errors import BadInput
from verifier.recording.decode import Decoder
from verifier.recording.probe import probe
from verifier.review.sample_check.looking import Looked
from verifier.review.sample_check.values import Item
from verifier.vision.clock import find_clock
from verifier.vision.ocr import LineReader

OVERLAP_S: Final = 600.0
"""Seconds by which two recorders must overlap, 08-04(4)(c): `ten minutes`, taken as at least."""
COMMON: Final = frozenset({"h264", "hevc", "mpeg4", "mjpeg", "vp9", "av1"})
_TITLE: Final = "Two recorders overlap ten minutes"


def playable_item(seen: Looked) -> Item:
    """Tell whether the whole file can be played, with common means."""
    cite, title = "99-01.3-08-04(10)", "Playable copy"
    codec, form = seen.probe.facts.track.codec, seen.probe.facts.container
    measured = f"{codec} in {form.split(',')[0]}, {seen.coverage.share:.1%} plays"
    if not seen.coverage.complete:
        gap = seen.coverage.gaps[0]
        says = f"From {gap.start:.1f} s to {gap.end:.1f} s: {gap.cause}."
        return Item(key="playable", title=title, cite=cite, verdict="fail", says=says, measured=measured)
    if codec not in COMMON:
        says = "It plays here; whether it does with the attorney general a person must say."
        return Item(key="playable", title=title, cite=cite, verdict="cannot_tell", says=says, measured=measured)
    return Item(key="playable", title=title, cite=cite, verdict="pass", says="The whole file plays.", measured=measured)


def overlap_item(seen: Looked, other: Path | None, reader: LineReader) -> Item:
    """Tell whether the recording overlaps with the one of the second recorder; not applicable where there is none."""
    cite = "99-01.3-08-04(4)(c)"
    if other is None:
        says = "One recording was given. With two recorders, the other's is needed too."
        return Item(key="overlap", title=_TITLE, cite=cite, verdict="not_applicable", says=says)
    mine = _span(seen.reads, float(seen.probe.info.duration or 0.0))
    theirs = _span_of(other, reader)
    if mine is None or theirs is None:
        return Item(key="overlap", title=_TITLE, cite=cite, verdict="cannot_tell", says="A clock could not be read.")
    seconds = (min(mine[1], theirs[1]) - max(mine[0], theirs[0])).total_seconds()
    measured = f"{max(0.0, seconds):.0f} s by the clocks"
    if seconds >= OVERLAP_S:
        return Item(key="overlap", title=_TITLE, cite=cite, verdict="pass", says="They overlap.", measured=measured)
    says = "They overlap by less than ten minutes." if seconds > 0 else "They do not overlap."
    return Item(key="overlap", title=_TITLE, cite=cite, verdict="fail", says=says, measured=measured)


def _span(reads: list[tuple[float, datetime]], duration: float) -> tuple[datetime, datetime] | None:
    if not reads:
        return None
    t, shown = reads[0]
    start = shown - timedelta(seconds=t)
    return start, start + timedelta(seconds=duration)


def _span_of(video: Path, reader: LineReader) -> tuple[datetime, datetime] | None:
    """First and last moment of another recording, by its own clock at its beginning."""
    source = probe(video, sha256=False)
    try:
        frame = next(iter(Decoder(source)), None)
    except BadInput:
        return None
    if frame is None:
        return None
    found = find_clock(frame.bgr(), reader)
    return _span([(0.0, found.shown)], float(source.info.duration or 0.0)) if found is not None else None
