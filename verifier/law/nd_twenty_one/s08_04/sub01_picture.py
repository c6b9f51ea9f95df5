"""The recorded picture: its clock, what covers it, its colour (99-01.3-08-04(1)(a)-(b))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from verifier.domain.clock_change import clock_change
from verifier.domain.events import OverlayRead, RecordingSegment
from verifier.law import say
from verifier.law.entries import as_moment, as_number, plain
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

CLOCK = "ND-08-04.1.a-time-date-overlay"
REAL_TIME = "ND-08-04.1.a-real-time"
OVERLAY = "ND-08-04.1.a-overlay-not-obstructing"
COLOUR = "ND-08-04.1.b-hires-colour"
CLOCK_SLACK = 2.0
"""Seconds by which a clock that shows whole seconds may differ from the media time (policy of this project)."""
FEWEST_LINES = 300
"""Below this a card in a view of the whole table is too few pixels wide to be read (policy of this project)."""
_REGIONS: Final = frozenset({"shoe_face", "shoe", "spaces", "discard", "tray", "plunger", "table_number"})


@session_check(CLOCK, video=True, reads=("overlay_read of clock",))
def clock_shown(session: Session) -> Iterator[Instance]:
    """Time and date stand in the picture."""
    clocks = [e for e in session.of(OverlayRead) if e.what == "clock"]
    reads = [e for e in clocks if not e.weak]
    if clocks and all(event.text is None for event in reads):
        yield judged(
            CLOCK,
            None,
            events=clocks[:5],
            expected="time and date are displayed",
            observed="they could not be read",
            uncounted=True,
        )
    for event in reads:
        if event.text == "":
            yield judged(
                CLOCK,
                False,
                key=event.id,
                events=[event],
                expected="time and date are displayed",
                observed="no clock stood in the picture",
            )
    if any(event.text for event in reads):
        yield judged(CLOCK, True)


@session_check(CLOCK, REAL_TIME, video=True, reads=("second overlay_read of clock",))
def clock_runs(session: Session) -> Iterator[Instance]:
    """Time and date advance as time does."""
    reads = [e for e in session.of(OverlayRead) if e.what == "clock" and not e.weak]
    timed = [(event, at) for event in reads if (at := _clock(event.text)) is not None]
    for before, after in pairwise(_without_misreads(timed)):
        yield from _advance(session, before, after, len(timed))


def _clock(text: str | None) -> datetime | None:
    return as_moment(text.strip().replace("/", "-")) if text else None


def _offset(reading: tuple[OverlayRead, datetime]) -> float:
    return reading[1].timestamp() - reading[0].t_start


def _without_misreads(timed: Sequence[tuple[OverlayRead, datetime]]) -> list[tuple[OverlayRead, datetime]]:
    """Return the readings without those that disagree with two neighbours which agree."""
    kept = []
    for index, reading in enumerate(timed):
        around = [_offset(timed[i]) for i in (index - 1, index + 1) if 0 <= i < len(timed)]
        agreed = len(around) == 2 and abs(around[0] - around[1]) <= CLOCK_SLACK
        if not (agreed and abs(_offset(reading) - around[0]) > CLOCK_SLACK):
            kept.append(reading)
    return kept


def _advance(
    session: Session, before: tuple[OverlayRead, datetime], after: tuple[OverlayRead, datetime], known: int
) -> Iterator[Instance]:
    passed = after[0].t_start - before[0].t_start
    shown = (after[1] - before[1]).total_seconds()
    slack = CLOCK_SLACK if _has_seconds(before[0]) and _has_seconds(after[0]) else 60.0
    change = clock_change(before[1], after[1], passed, slack, session.house.time_zone)
    if change is None or change.summer_time:
        yield judged(REAL_TIME, True, key=after[0].id)
        return
    jumped = shown > passed
    right = None if session.from_pixels and known < 3 else False
    yield judged(
        REAL_TIME if jumped else CLOCK,
        right,
        key=after[0].id,
        events=[before[0], after[0]],
        expected=say.that(
            "the clock in the picture advances by {passed} s in {passed} s", passed=say.number(round(passed))
        ),
        observed=say.that(
            "it went from {before} to {after}, {shown} s",
            before=before[0].text,
            after=after[0].text,
            shown=say.number(round(shown)),
        )
        + ("" if jumped else (" (it stood still)" if shown == 0 else "")),
    )


def _has_seconds(event: OverlayRead) -> bool:
    return (event.text or "").count(":") >= 2


@session_check(OVERLAY, video=True, reads=("overlay_read of clock",))
def overlay_out_of_the_way(session: Session) -> Iterator[Instance]:
    """Check that the display of time and date does not cover what must be seen."""
    for event in session.of(OverlayRead):
        if event.what == "clock" and isinstance(event.region, str):
            region = plain(event.region)
            yield judged(
                OVERLAY,
                region not in _REGIONS,
                key=event.id,
                events=[event],
                expected="the display of time and date covers no part of the table that must be seen",
                observed=say.that("it stands over the {region}", region=region.replace("_", " ")),
            )


@session_check(COLOUR, video=True, reads=("recording_segment with its colour",))
def in_colour(session: Session) -> Iterator[Instance]:
    """Check that the camera records in colour."""
    for segment in session.of(RecordingSegment):
        colour = segment.colour
        if isinstance(colour, str):
            colour = plain(colour) not in (
                "mono",
                "monochrome",
                "grey",
                "gray",
                "black_and_white",
                "infrared",
                "ir",
                "false",
                "no",
            )
        if isinstance(colour, bool):
            yield judged(
                COLOUR,
                colour,
                key=segment.id,
                events=[segment],
                expected="the camera records in colour",
                observed="the picture has no colour",
            )
        lines = _lines(segment.resolution)
        if lines is not None:
            yield judged(
                COLOUR,
                lines >= FEWEST_LINES,
                key=f"{segment.id} lines",
                events=[segment],
                expected="the camera is of high resolution",
                observed=say.that("the picture has {lines} lines", lines=say.number(round(lines))),
            )


def _lines(resolution: object) -> float | None:
    """Return the lines of a picture given as [width, height], `1280x720`, or {"width": ..., "height": ...}."""
    if isinstance(resolution, str):
        resolution = resolution.lower().replace("*", "x").split("x")
    if isinstance(resolution, dict):
        resolution = [resolution.get("width"), resolution.get("height")]
    sizes = [as_number(size) for size in resolution] if isinstance(resolution, list | tuple) else []
    known = [size for size in sizes if size is not None and size > 0]
    return min(known) if len(known) == len(sizes) == 2 else None
