"""When the recording begins and ends, and how two overlap (99-01.3-08-04(4)(b)-(c))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import RecordingSegment, TableState
from verifier.law import say
from verifier.law.gaps import SEGMENT_GAP, seconds
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_04.sub01_picture import CLOCK_SLACK
from verifier.law.registry import session_check
from verifier.law.session import Session

TO_CLOSE = "ND-08-04.4.b-continue-to-close"
OVERLAP = "ND-08-04.4.c-overlap-10-min"
Span = tuple[RecordingSegment, float, float]
FROM_CHIPS = "ND-08-04.4.b-start-at-chips"


def spans(session: Session) -> list[Span]:
    """Segments in order with begin and end in seconds: by their `start` and `end`, else by the times of the records."""
    segments = session.of(RecordingSegment)
    told = [(seconds(s.start), seconds(s.end)) for s in segments]
    found: list[Span] = []
    for segment, (start, end) in zip(segments, told, strict=True):
        if all(a is not None and b is not None and a <= b for a, b in told) and start is not None and end is not None:
            found.append((segment, start, end))
        else:
            found.append((segment, segment.t_start, segment.t_end))
    return sorted(found, key=lambda span: span[1:])


@session_check(TO_CLOSE, video=True, reads=("next recording_segment",))
def recorded_through(session: Session) -> Iterator[Instance]:
    """Check that the recording goes on without gaps between its segments.

    A log of a review holds those that were reviewed; whether others exist, before, between and after them, it does not
    tell.
    """
    if session.from_pixels:
        return
    for (before, _, ended), (after, begun, _) in itertools.pairwise(spans(session)):
        if before.recorder_id == after.recorder_id:
            gap = begun - ended
            yield judged(
                TO_CLOSE,
                gap <= SEGMENT_GAP,
                key=after.id,
                events=[before, after],
                expected="the recording goes on until the table is closed for the day",
                observed=say.that("nothing was recorded for {gap} s", gap=say.number(round(gap))),
            )


@session_check(OVERLAP, needs={"two_recorders": True}, video=True, reads=("second recording_segment",))
def recorders_overlap(session: Session) -> Iterator[Instance]:
    """Two recorders used in turn overlap by ten minutes."""
    enough = session.figures.overlap_seconds
    for (before, _, ended), (after, begun, _) in itertools.pairwise(spans(session)):
        if before.recorder_id and after.recorder_id and before.recorder_id != after.recorder_id:
            yield judged(
                OVERLAP,
                ended - begun >= enough,
                key=after.id,
                events=[before, after],
                expected=say.that("the recordings overlap by {enough} minutes", enough=say.number(enough / 60)),
                observed=say.that("they overlap by {ended} s", ended=say.number(round(max(0.0, ended - begun)))),
            )


@session_check(FROM_CHIPS, video=True, reads=("table_state",))
def recorded_from_the_start(session: Session) -> Iterator[Instance]:
    """Check that the recording starts when chips are made available: its first picture shows the tray secured."""
    segments = sorted(session.of(RecordingSegment), key=lambda s: s.t_start)
    states = [s for s in session.of(TableState) if s.tray is not None]
    if not segments or not states or states[0].t_start > segments[0].t_start + CLOCK_SLACK:
        return
    first = states[0]
    yield judged(
        FROM_CHIPS,
        True if first.tray != "open" else None,
        events=[segments[0], first],
        at="tray",
        expected="the recording starts before chips are available on the table",
        observed="its first picture shows the tray open; whether an earlier recording exists is not known",
    )
