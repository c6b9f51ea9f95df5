"""A leap of the stamps across which the clock in the picture runs on is told as that; else pictures are missing."""

from __future__ import annotations

from pathlib import Path

import batch_fakes
import pytest
from batch_fakes import make_table, settled
from batch_night import run_night
from msgspec import structs
from review_fakes import make_layout
from test_review_pipeline import CLOCK, kept, paused, stored

from verifier.domain.layout import Layout
from verifier.recording.decode import Decoder
from verifier.recording.probe import Gap, Probe, probe
from verifier.recording.timeline import NO_PICTURES
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.leaps import LEAP_S, MOST, OFF_S, without_leaps
from verifier.review.pipeline.values import clock_after
from verifier.review.recording import review_recording
from verifier.store.repository import Store

TOLD = "the stamps leap by +12.0 s here, but the clock in the picture runs on: so does the time"


class Shown:
    """The clock in the picture of a recording that leaps: it goes `passed` seconds further across the leap."""

    def __init__(self, leap: float, passed: float, rate: float = 1.0, known: bool = True) -> None:
        self._leap, self._passed, self._rate, self._known = leap, passed, rate, known
        self.read = 0

    def __call__(self, facts: Probe, layout: Layout, start: float, end: float) -> str | None:
        self.read += 1
        passed = start if start < 8.0 else start - self._leap + self._passed
        return clock_after(CLOCK, passed * self._rate) if self._known else None


def leapt(path: Path, seconds: int) -> Probe:
    """Eight seconds, and eight more whose stamps are so many seconds later."""
    paused(path, (0, 8), (8 + seconds, 16 + seconds))
    return probe(path, sha256=False)


@pytest.mark.parametrize(
    ("clock", "closed"),
    [
        (Shown(12.0, 0.0), True),
        (Shown(12.0, OFF_S), True),
        (Shown(12.0, OFF_S + 1.0), False),
        (Shown(12.0, 12.0), False),
        (Shown(12.0, -3600.0), False),
        (Shown(12.0, 0.0, rate=0.0), False),
        (Shown(12.0, 0.0, known=False), False),
    ],
)
def test_the_clock_tells_a_leap_of_the_stamps_from_missing_pictures(tmp_path: Path, clock: Shown, closed: bool) -> None:
    facts = without_leaps(leapt(tmp_path / "a.mp4", 12), make_layout(), clock)
    decoder = Decoder(facts)
    times = [frame.t for frame in decoder]
    coverage = decoder.coverage
    assert (coverage.recorded, coverage.reviewed) == ((16.0, 16.0) if closed else (28.0, 16.0))
    assert times[80] == (8.0 if closed else 20.0)
    assert coverage.gaps == (() if closed else (Gap(8.0, 20.0, NO_PICTURES, "gap"),))
    assert [(note.t, note.text) for note in coverage.notes] == ([(8.0, TOLD)] if closed else [])
    assert facts.info.duration == (16.0 if closed else 28.0)


def test_short_leaps_are_not_looked_at_and_of_many_the_longest(tmp_path: Path) -> None:
    clock = Shown(0.0, 0.0)
    without_leaps(leapt(tmp_path / "a.mp4", int(LEAP_S) - 1), make_layout(), clock)
    assert clock.read == 0
    paused(tmp_path / "b.mp4", *((n * 11, 3 + n * 11) for n in range(MOST + 3)))
    without_leaps(probe(tmp_path / "b.mp4", sha256=False), make_layout(), clock)
    assert clock.read == 4 * (MOST - 1), "before the first leap there is too little to read a clock in"


def leaping() -> Chain:
    return structs.replace(batch_fakes.chain(), clock_in=Shown(12.0, 0.0))


def test_review_and_night_tell_a_leap_of_the_stamps_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_table(tmp_path / "table")
    leapt(folder / "a.mp4", 12)
    (folder / "a.mp4.notes").write_text(f'{{"clock": "{CLOCK}"}}')
    settled(folder / "a.mp4")
    files = (folder / "a.mp4", folder / "layout.yaml", folder / "house.yaml")
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "one"))
    alone = review_recording(*files, tmp_path / "out", stages=leaping(), length=5.0)
    by_itself = stored()
    assert [(one.t_start, one.t_end, one.state, one.why) for one in alone.coverage.stretches] == [
        (0.0, 8.0, "watched", None),
        (8.0, 16.0, "watched", TOLD),
    ]
    assert "ND-08-04.1.a-real-time" not in {one.finding.clause for one in alone.findings}
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "two"))
    run_night(folder, length=5.0, chain="test_review_leaps:leaping")
    assert stored() == by_itself
    assert kept(Store().reviews()[0].folder) == kept(alone.review.folder)
