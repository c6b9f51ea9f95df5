"""The recording runs in real time (99-01.3-08-04(1)(a))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import RecordingSegment
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_04.sub04_recording import spans
from verifier.law.registry import session_check
from verifier.law.session import Session

REAL_TIME = "ND-08-04.1.a-real-time"
NO_LAPSE = "ND-08-04.1.a-no-time-lapse"
LAPSE_FPS, ENOUGH_FPS = 5.0, 10.0
"""Pictures a second below which a recording is time-lapse, and from which it is real time (site policy)."""
FEW_LOST, MANY_LOST = 0.002, 0.02
"""Share of lost pictures up to which nothing is said, and above which the recording has gaps (site policy)."""


def _cadence(segment: RecordingSegment, duration: float) -> Iterator[Instance]:
    """Check that the picture rate is that of a moving picture, and few pictures were lost."""
    if segment.fps is not None:
        yield judged(
            NO_LAPSE,
            True if segment.fps >= ENOUGH_FPS else (False if segment.fps < LAPSE_FPS else None),
            key=segment.id,
            events=[segment],
            expected="the recording is no time-lapse",
            observed=say.that("it has {fps} pictures a second", fps=say.number(segment.fps)),
            also=[REAL_TIME],
        )
    if isinstance(segment.dropped_frames, int) and segment.fps and duration > 0:
        lost = segment.dropped_frames / (segment.fps * duration)
        yield judged(
            REAL_TIME,
            True if lost <= FEW_LOST else (False if lost > MANY_LOST else None),
            key=f"lost {segment.id}",
            events=[segment],
            expected="the recording has all its pictures",
            also=[NO_LAPSE],
            observed=say.that(
                "{dropped_frames} pictures ({lost}) were lost",
                dropped_frames=segment.dropped_frames,
                lost=say.share(lost, 1),
            ),
        )


@session_check(REAL_TIME, NO_LAPSE, video=True, reads=("recording_segment with its rate",))
def recorded_in_real_time(session: Session) -> Iterator[Instance]:
    """Check that the recording runs in real time."""
    for segment, begin, end in spans(session):
        yield from _cadence(segment, end - begin)
        gaps = segment.clock_gaps
        if isinstance(gaps, (int, list, tuple)):
            yield judged(
                REAL_TIME,
                not gaps,
                key=segment.id,
                events=[segment],
                expected="the recording runs in real time",
                observed=say.that("the recording's clock jumps").detail("{gaps}", gaps=gaps),
                also=[NO_LAPSE],
            )
