from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from verifier.domain.observations import Box
from verifier.vision.clock import FIRST_TRIES, Clock, ClockReader, parse_clock
from verifier.vision.ocr import Line, TextReader

START = datetime(2026, 11, 2, 21, 14, 7)


def shown(t: float, phase: float = 0.0) -> datetime:
    """What a clock shows at media time t that turned to START `phase` seconds before the first frame."""
    return START + timedelta(seconds=int(t + phase))


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-11-02 21:14:07", "2026-11-02T21:14:07"),
        ("CAM 3 2026-11-0221:14:07", "2026-11-02T21:14:07"),
        ("2026/11/02  21.14.07", "2026-11-02T21:14:07"),
        ("11/02/2026 09:14:07 PM", "2026-11-02T21:14:07"),
        ("11-02-2026 12:14:07 AM", "2026-11-02T00:14:07"),
        ("CAM32026-11-0221:14:07", "2026-11-02T21:14:07"),
        ("CAM3 01/20/202610:10:15 AM", "2026-01-20T10:10:15"),
        ("CAM1201/20/2026 10:10:15", "2026-01-20T10:10:15"),
        ("01/20/2026 10:10:15 0102", "2026-01-20T10:10:15"),
        ("01/20/2026 10:10:15.0405", "2026-01-20T10:10:15"),
        ("0120 2026-01-20 10:10:15", "2026-01-20T10:10:15"),
        ("0120 2026.01.20 10.10.15", "2026-01-20T10:10:15"),
        ("11/02 2026-01-20 10:10:15", "2026-01-20T10:10:15"),
        ("2026-11-02 201407 0102", "2026-11-02T20:14:07"),
        ("TABLE 20 2026-11-02 21:14:07", "2026-11-02T21:14:07"),
        ("20/01/2026 10:10:15", None),
        ("2026-02-30 21:14:07", None),
        ("2026-13-02 21:14:07", None),
        ("21:14:07", None),
        ("TABLE 2", None),
        ("2026-11-02 25:14:07", None),
    ],
)
def test_dates_and_times_are_read(text: str, iso: str | None) -> None:
    found = parse_clock(text)
    assert (found.isoformat() if found else None) == iso


def test_one_read_is_not_enough() -> None:
    clock = Clock()
    clock.add(0.0, START)
    assert clock.at(0.0) is None
    clock.add(1.0, shown(1.0))
    assert clock.at(0.0) == "2026-11-02T21:14:07"


def test_between_reads_the_clock_is_interpolated_to_the_second() -> None:
    clock = Clock()
    for t in (0.0, 0.6, 1.2, 1.8, 10.1, 20.4, 30.3):
        clock.add(t, shown(t, 0.45))
    wrong = [t for t in np.arange(21.0, 30.0, 0.25) if clock.at(float(t)) != shown(float(t), 0.45).isoformat()]
    assert len(wrong) <= 3, wrong


def test_a_misread_silences_the_clock_until_the_next_good_read() -> None:
    clock = Clock()
    for t in (0.0, 1.0, 10.0):
        clock.add(t, shown(t))
    clock.add(20.0, shown(20.0) + timedelta(hours=6))
    assert clock.at(20.1) is None
    clock.add(21.0, shown(21.0))
    assert clock.at(21.0) == shown(21.0).isoformat()


def test_a_clock_that_was_set_is_followed_after_two_reads() -> None:
    clock = Clock()
    for t in (0.0, 1.0, 10.0):
        clock.add(t, shown(t))
    for t in (20.0, 21.0):
        clock.add(t, shown(t) - timedelta(hours=1))
    assert clock.at(22.0) == (shown(22.0) - timedelta(hours=1)).isoformat()


def test_a_clock_that_stands_still_is_not_believed() -> None:
    clock = Clock()
    for t in (0.0, 0.5, 10.0, 20.0, 30.0):
        clock.add(t, START)
    assert clock.at(30.0) is None


def test_without_reads_for_long_the_clock_is_unknown() -> None:
    clock = Clock()
    clock.add(0.0, START)
    clock.add(1.0, shown(1.0))
    assert clock.at(50.0) is not None
    assert clock.at(90.0) is None


class Shown:
    """A stand-in for OCR: media time is written into the first pixel."""

    def __init__(self, box: Box = (500, 5, 700, 30)) -> None:
        self.calls = 0
        self.box = box

    def line(self, crop: np.ndarray) -> str | None:
        self.calls += 1
        return shown(float(crop.max()) / 10).isoformat(" ")

    def lines(self, picture: np.ndarray) -> list[Line]:
        self.calls += 1
        return [Line(shown(float(picture.max()) / 10).isoformat(" "), 0.9, self.box)]


ZONE = [(500.0, 5.0), (700.0, 5.0), (700.0, 30.0), (500.0, 30.0)]


@pytest.mark.parametrize("zone", [ZONE, None])
def test_reading_is_rare_and_the_clock_known_soon(zone: list[tuple[float, float]] | None) -> None:
    text = Shown()
    reader = ClockReader(text, zone)
    for t in np.arange(0, 25, 0.1):
        if reader.due(float(t)):
            reader.look(float(t), np.full((720, 1280, 3), round(t * 10), np.uint8))
        if t > 1.0:
            known = datetime.fromisoformat(reader.clock.at(float(t)) or "")
            assert abs(known - shown(float(t) + 1e-6)) <= timedelta(seconds=1)
    assert text.calls <= 6


class Hidden(Shown):
    """A stand-in for OCR: the clock reads right from media time `until`."""

    def __init__(self, until: float) -> None:
        super().__init__()
        self.t, self.until = 0.0, until

    def line(self, crop: np.ndarray) -> str | None:
        return shown(self.t).isoformat(" ") if self.t >= self.until else None

    def lines(self, picture: np.ndarray) -> list[Line]:
        text = self.line(picture)
        return [] if text is None else [Line(text, 0.9, self.box)]


def known_at(begins: float, seconds: int, text: Hidden, zone: list[tuple[float, float]] | None) -> float:
    """Seconds from the beginning of a stretch, looked at twice a second, from which on its looks have a clock."""
    reader, picture = ClockReader(text, zone), np.zeros((720, 1280, 3), np.uint8)
    waiting = []
    for number in range(2 * seconds):
        text.t = begins + number / 2
        if reader.due(text.t):
            reader.look(text.t, picture)
        waiting.append(text.t)
        if not reader.pending(text.t):
            if reader.clock.at(waiting[0]) is not None:
                return waiting[0] - begins
            waiting = []
    return float(seconds)


@pytest.mark.parametrize("begins", [0.0, 600.0, 7200.0])
@pytest.mark.parametrize("zone", [ZONE, None])
def test_a_stretch_has_a_clock_from_its_first_look_on(begins: float, zone: list[tuple[float, float]] | None) -> None:
    assert known_at(begins, 10, Hidden(begins), zone) == 0.0


@pytest.mark.parametrize("begins", [0.0, 600.0, 7200.0])
def test_a_clock_that_is_hidden_as_a_stretch_begins_is_searched_again_after_a_minute(begins: float) -> None:
    assert known_at(begins, 90, Hidden(begins + 2.0), None) == pytest.approx(60.0, abs=1.0)


def test_ocr_reads_a_burned_in_clock_and_finds_it_without_a_zone() -> None:
    picture = np.random.default_rng(0).integers(20, 110, (720, 1280, 3), dtype=np.uint8)
    picture = cv2.GaussianBlur(picture, (0, 0), 3)
    reader = ClockReader(TextReader())
    for t, text in ((0.0, "2026-11-02 21:14:07"), (1.0, "2026-11-02 21:14:08")):
        cv2.rectangle(picture, (900, 10), (1270, 50), (10, 10, 10), -1)
        cv2.putText(picture, text, (908, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (240, 240, 240), 2)
        assert reader.due(t)
        reader.look(t, picture)
    assert reader.clock.at(1.0) == "2026-11-02T21:14:08"


class Engine:
    """A stand-in for RapidOCR that remembers how many were in it at once."""

    def __init__(self) -> None:
        self.inside: list[int] = [0]

    def __call__(self, picture: np.ndarray, **_: bool) -> SimpleNamespace:
        self.inside.append(self.inside[-1] + 1)
        time.sleep(0.01)
        self.inside.append(self.inside[-1] - 1)
        return SimpleNamespace(txts=("21:14",), scores=(0.9,), boxes=None)


def test_threads_that_share_the_reader_of_text_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine()
    monkeypatch.setattr(TextReader, "_engine", engine)
    reader, crop = TextReader(), np.zeros((20, 80, 3), np.uint8)
    with ThreadPoolExecutor(4) as pool:
        read = list(pool.map(lambda _: reader.line(crop), range(8)))
    assert (read, max(engine.inside)) == (["21:14"] * 8, 1)


class Moved(Shown):
    """A stand-in for OCR: the zone shows nothing; the clock stands in the strip at the bottom."""

    def line(self, crop: np.ndarray) -> str | None:
        return super().line(crop) if crop.shape[1] > 300 else None

    def lines(self, picture: np.ndarray) -> list[Line]:
        return [Line(shown(float(picture.max()) / 10).isoformat(" "), 0.9, (500, 5, 900, 30))]


def test_a_clock_that_the_zone_does_not_show_is_searched_after_the_first_tries() -> None:
    reader = ClockReader(Moved(), ZONE)
    for t in np.arange(0, 8, 0.1):
        if reader.due(float(t)):
            reader.look(float(t), np.full((720, 1280, 3), round(t * 10), np.uint8))
        if t < 0.5 * (FIRST_TRIES - 1):
            assert reader.clock.at(float(t)) is None
    assert reader.clock.at(8.0) is not None
