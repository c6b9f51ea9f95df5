"""Media time of odd stamps: it rises always, every picture has one, and what was odd is noted with its place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.recording.stamps import (
    BEHIND_STEPS,
    REORDERED_S,
    STRAY,
    WRAP_PAUSE_S,
    WRAP_S,
    Packets,
    at_rate,
    media_times,
    order_is_told,
    without_stray_pts,
)

STEP = 0.04
MISSING = float("nan")


def packets(stamps: list[float], *, decoded: list[float] | None = None, wraps: bool = False) -> Packets:
    pts = np.asarray(stamps, np.float64)
    dts = pts if decoded is None else np.asarray(decoded, np.float64)
    return Packets(pts, dts, wraps, decoded is not None)


def steady(count: int, begin: float = 0.0) -> list[float]:
    return [round(begin + STEP * n, 6) for n in range(count)]


def test_stamps_that_are_right_stay() -> None:
    found = media_times(packets(steady(50, 7.0)))
    assert found.times.tolist() == steady(50)
    assert (found.order.tolist(), found.notes) == (list(range(50)), ())


def test_pictures_are_ordered_by_when_they_are_shown() -> None:
    found = media_times(packets([0.04, 0.16, 0.08, 0.12, 0.2], decoded=steady(5)))
    assert found.order.tolist() == [0, 2, 3, 1, 4]
    assert found.times.tolist() == steady(5)


@pytest.mark.parametrize("back", [-BEHIND_STEPS * STEP - STEP - 0.005, -0.1, -0.5, -1.0, -5.0, -3600.0, -WRAP_S / 2])
def test_a_clock_that_is_set_back_goes_on_at_the_usual_step(back: float) -> None:
    """ts_clock_reset, stamps_fall_back."""
    begin = 60_000.0
    found = media_times(packets([*steady(50, begin), *steady(50, begin + 50 * STEP + back)], wraps=True))
    assert found.times.tolist() == pytest.approx(steady(100), abs=1e-5)
    (note,) = found.notes
    assert (round(note.t, 3), "the stamps leap by" in note.text) == (2.0, True)


def test_a_stamp_that_falls_back_for_a_moment_shifts_nothing_after_it() -> None:
    stamps = steady(50)
    stamps[20] = stamps[19] - 0.95
    found = media_times(packets(stamps))
    assert found.times[20] == pytest.approx((stamps[19] + stamps[21]) / 2)
    assert found.times[21:].tolist() == stamps[21:]
    assert [round(note.t, 2) for note in found.notes] == [round(found.times[20], 2)]


@pytest.mark.parametrize("pause", [STEP, 30.0, WRAP_PAUSE_S - 0.01])
def test_a_counter_that_wraps_goes_on(pause: float) -> None:
    """ISO/IEC 13818-1: 33 bits at 90 kHz; a pause across the wrap stays a pause."""
    begin = WRAP_S - 50 * STEP
    after = [(begin + 49 * STEP + pause + STEP * n) % WRAP_S for n in range(50)]
    found = media_times(packets([*steady(50, begin), *after], wraps=True))
    assert found.times[50] - found.times[49] == pytest.approx(pause, abs=1e-5)
    assert found.notes == ()


def test_without_a_counter_of_33_bits_nothing_wraps() -> None:
    found = media_times(packets([*steady(50, WRAP_S - 2.0), *steady(50)], wraps=False))
    assert found.times.tolist() == pytest.approx(steady(100), abs=1e-5)


def test_a_leap_forward_is_time_without_pictures() -> None:
    """pause_without_pictures."""
    found = media_times(packets([*steady(50), *steady(50, 41.0)]))
    assert found.times[50] - found.times[49] == pytest.approx(41.0 - 49 * STEP)


@pytest.mark.parametrize("off", [1000.0, -500.0])
@pytest.mark.parametrize("count", [1, STRAY])
def test_a_few_stray_stamps_move_nothing_else(off: float, count: int) -> None:
    stamps = steady(100, 600.0)
    stamps[40 : 40 + count] = [one + off for one in stamps[40 : 40 + count]]
    found = media_times(packets(stamps))
    assert found.times.tolist() == pytest.approx(steady(100), abs=1e-5)
    assert [round(note.t, 2) for note in found.notes] == [1.6]


def test_more_are_a_clock_that_was_set_and_set_again() -> None:
    stamps = steady(100, 600.0)
    stamps[40 : 41 + STRAY] = [one - 500 for one in stamps[40 : 41 + STRAY]]
    found = media_times(packets(stamps))
    assert np.all(np.diff(found.times) > 0)
    assert found.times[-1] > 500, "the leap forward may be a pause: it is not taken away"


def test_repeated_and_missing_stamps_are_spread_between_their_neighbours() -> None:
    found = media_times(packets([0.0, 0.0, 0.08, 0.08, 0.16, MISSING, 0.24, MISSING, 0.32]))
    assert found.times.tolist() == pytest.approx(steady(9))
    (note,) = found.notes
    assert note.text == "stamps are missing, repeated or out of order here (pictures: 4)"


def test_order_is_not_told_where_stamps_rise_as_pictures_are_decoded() -> None:
    """avi_b_frames: such a file is decoded once to learn the order."""
    rising = packets(steady(20), decoded=steady(20))
    assert not order_is_told(rising)
    assert order_is_told(packets(steady(20)))
    order = np.asarray([0, 2, 3, 1, *range(4, 20)])
    found = media_times(rising, order)
    assert (found.order.tolist(), found.times.tolist()) == (order.tolist(), steady(20))


def test_a_bare_stream_has_the_times_of_its_rate() -> None:
    assert at_rate(np.arange(4), 25.0).times.tolist() == steady(4)


@given(
    st.lists(st.one_of(st.just(MISSING), st.floats(-1e5, 1e5)), min_size=1, max_size=60),
    st.booleans(),
    st.booleans(),
)
def test_whatever_the_stamps_every_picture_has_a_time_of_its_own(
    stamps: list[float], wraps: bool, reorders: bool
) -> None:
    pts = np.asarray(stamps, np.float64)
    found = media_times(Packets(pts, np.full(len(pts), np.nan) if reorders else pts, wraps, reorders))
    assert sorted(found.order.tolist()) == list(range(len(pts)))
    assert found.times[0] == 0
    assert np.all(np.isfinite(found.times))
    assert np.all(np.diff(found.times) >= 0)


@pytest.mark.parametrize(("off", "told"), [(REORDERED_S - 0.1, False), (REORDERED_S + 0.1, True)])
def test_a_stamp_that_contradicts_its_decoding_stamp_is_missing(off: float, told: bool) -> None:
    shown = [0.04, 0.16, 0.08, 0.12, *steady(20, 0.2)]
    shown[10] += off
    found = without_stray_pts(packets(shown, decoded=steady(24)))
    assert np.isnan(found.pts).tolist() == [told and n == 10 for n in range(24)]
    assert order_is_told(found) is not told
