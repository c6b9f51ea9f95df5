from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from verifier.recording.decode import Decoder
from verifier.vision.motion import MotionGate, Pace, looks

Encode = Callable[..., Path]


def looked(path: Path, gate: MotionGate | None = None) -> list[float]:
    return [look.frame.t for look in looks(Decoder(path), gate or MotionGate())]


def test_a_still_table_is_looked_at_once_a_second(encode: Encode) -> None:
    def still(picture: np.ndarray, time: int) -> None:
        picture[:] = 90

    times = looked(encode(range(0, 6000, 33), draw=still))
    assert times[0] == 0.0
    assert 6 <= len(times) <= 11
    assert max(np.diff(times)) <= 1.2


@pytest.mark.parametrize("step", [33, 40, 67])
def test_a_busy_table_is_looked_at_at_the_full_pace(encode: Encode, step: int) -> None:
    times = looked(encode(range(0, 4000, step)))
    assert 7.0 <= len(times) / 4.0 <= 7.8
    assert max(np.diff(times)) <= 0.21


def test_a_signal_of_eight_tenths_of_a_second_is_looked_at_five_times_or_more(encode: Encode) -> None:
    def tapping(picture: np.ndarray, time: int) -> None:
        picture[:] = 90
        if 3000 <= time < 3800:
            x = 150 + 4 * (time // 100 % 2)
            picture[100:130, x : x + 8] = 170

    times = looked(encode(range(0, 7000, 33), draw=tapping))
    assert len([t for t in times if 3.0 <= t < 3.8]) >= 5
    assert len([t for t in times if 5.0 <= t < 7.0]) <= 4


def test_the_end_of_a_rest_is_looked_at_when_something_begins_to_move(encode: Encode) -> None:
    def starting(picture: np.ndarray, time: int) -> None:
        picture[:] = 90
        x = 100 if time < 3700 else 100 + (time - 3600) // 10
        picture[100:130, x : x + 30] = 170

    times = looked(encode(range(0, 5000, 33), draw=starting))
    before, after = max(t for t in times if t < 3.7), min(t for t in times if t >= 3.7)
    assert after - before < 0.2
    assert len([t for t in times if 1.0 <= t < 3.4]) <= 3, "it rested"
    assert times == sorted(set(times))


def test_a_masked_clock_moves_nothing(encode: Encode) -> None:
    def clock(picture: np.ndarray, time: int) -> None:
        picture[:] = 90
        picture[0:20, 0:100] = 40 + 150 * (time // 200 % 2)

    path = encode(range(0, 5000, 33), draw=clock)
    mask = np.zeros((240, 320), np.uint8)
    mask[0:24, 0:104] = 255
    assert len(looked(path)) > 25
    assert len(looked(path, MotionGate(ignore=mask))) < 12


def test_the_pace_can_be_set(encode: Encode) -> None:
    assert len(looked(encode(range(0, 2000, 33)), MotionGate(Pace(moving=3.0)))) == pytest.approx(6, abs=1)
