"""The account stretch by stretch: in order, without holes, with what the burned-in clock read at the ends."""

from __future__ import annotations

import pytest

from verifier.domain.coverage import State
from verifier.recording.probe import Note
from verifier.review.pipeline.account import merged
from verifier.review.pipeline.stretches import Reading, coverage_report
from verifier.review.pipeline.values import Unwatched
from verifier.review.products import stored_share


def lost(start: float, end: float | None, state: State = "gap", cause: str = "lost") -> Unwatched:
    return Unwatched(start=start, end=end, cause=cause, state=state)


def readings(*times: float) -> list[Reading]:
    return [(t, f"21:00:{t:02.0f}") for t in times]


def test_the_clock_at_the_ends_of_a_stretch() -> None:
    made = coverage_report(30.0, [lost(10.0, 20.0)], [], readings(1.0, 4.0, 9.0, 20.0, 28.0))
    assert [(one.t_start, one.t_end, one.clock_start, one.clock_end) for one in made.stretches] == [
        (0.0, 10.0, "21:00:01", "21:00:09"),
        (10.0, 20.0, "21:00:09", "21:00:20"),
        (20.0, 30.0, "21:00:20", "21:00:28"),
    ]


def test_where_no_reading_is_known_there_is_none() -> None:
    first, gap, last = coverage_report(9.0, [lost(3.0, 6.0)], [], readings(7.0)).stretches
    assert (first.clock_start, first.clock_end, gap.clock_start, gap.clock_end) == (None, "21:00:07", None, "21:00:07")
    assert (last.clock_start, last.clock_end) == ("21:00:07", "21:00:07")


def test_a_note_begins_a_watched_stretch() -> None:
    notes = [Note(0.0, "a first stamp below zero"), Note(4.0, "the stamps jump by 60 s"), Note(8.5, "a stamp twice")]
    made = coverage_report(12.0, [lost(8.0, 9.0, cause="damaged")], notes, [])
    assert [(one.t_start, one.state, one.why) for one in made.stretches] == [
        (0.0, "watched", "a first stamp below zero"),
        (4.0, "watched", "the stamps jump by 60 s"),
        (8.0, "gap", "damaged; a stamp twice"),
        (9.0, "watched", None),
    ]


@pytest.mark.parametrize(
    ("state", "watched"),
    [("gap", 6.0), ("damaged", 6.0), ("obstructed", 6.0), ("other_view", 6.0), ("not_watched", 6.0), ("frozen", 10.0)],
)
def test_frozen_pictures_were_watched_and_yet_nothing_but_watched_is_complete(state: State, watched: float) -> None:
    made = coverage_report(10.0, [lost(2.0, 6.0, state)], [], [])
    assert (made.recorded, made.watched, made.complete) == (10.0, watched, False)
    assert stored_share(made) < 1.0
    assert stored_share(coverage_report(10.0, [], [], [])) == 1.0


def test_stretches_leave_no_hole_and_keep_within_the_recording() -> None:
    gaps = merged(
        [lost(8.0, 30.0), lost(1.0, 3.0), lost(3.0, 4.0), lost(2.0, 5.0, "damaged", "damaged"), lost(7.0, 7.5)]
    )
    made = coverage_report(10.0, gaps, [], [])
    ends = [(one.t_start, one.t_end) for one in made.stretches]
    assert ends == [(0.0, 1.0), (1.0, 3.0), (3.0, 5.0), (5.0, 7.0), (7.0, 7.5), (7.5, 8.0), (8.0, 10.0)]
    assert made.recorded == sum(end - start for start, end in ends) == 10.0


def test_touching_stretches_of_one_cause_are_one() -> None:
    assert merged([lost(5.0, 6.0), lost(6.0, 8.0)]) == [lost(5.0, 8.0)]
