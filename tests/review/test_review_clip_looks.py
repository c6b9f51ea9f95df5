"""What the player is told: frames with their times, what was seen in them, the table's clock, the decisive seconds."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from review_fakes import fake_stages, finding, write_inputs

from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, EventLog, EventsHeader
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, HandSeen, Observation
from verifier.recording.probe import probed
from verifier.review.clip_looks import CLIP_LOOKS_MOST_S, clip_looks_of, frame_picture, place_outline, things_of
from verifier.review.clip_times import DECISIVE_S, clip_times
from verifier.review.frames import frames_at
from verifier.review.recording import Reviewed, review_recording
from verifier.review.table_clock import NEAR_S, clock_near, clock_of
from verifier.review.wording import accusation, local_time

STEADY = [(t / 10, f"2026-11-17T21:00:{int(t / 10 + 0.4):02d}") for t in range(100)]
QUAD = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    return review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(finding()))


def test_a_stretch_tells_its_frames_looks_and_zones(reviewed: Reviewed) -> None:
    clip_looks = clip_looks_of(reviewed.review, 0, 1.0, 3.0)
    assert [number for number, _ in clip_looks.frames] == list(range(10, 31))
    assert [t for _, t in clip_looks.frames] == pytest.approx([number / 10 for number in range(10, 31)])
    assert [look.t for look in clip_looks.looks] == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert [(one.layer, one.words) for one in clip_looks.looks[0].things] == [
        ("cards", "K♥"),
        ("hands", "dealer left hand"),
    ]
    assert {one.words for one in clip_looks.zones} == {"dealer", "inner", "space 1", "space 2"}
    assert clip_looks.size == (320, 180)


def test_without_the_original_what_was_seen_is_still_told(reviewed: Reviewed) -> None:
    Path(reviewed.review.video_path).unlink()
    clip_looks = clip_looks_of(reviewed.review, 0, 1.0, 3.0)
    assert clip_looks.frames == [] and len(clip_looks.looks) == 5


def test_a_stretch_has_a_bound(reviewed: Reviewed) -> None:
    clip_looks_of(reviewed.review, 0, 0.0, CLIP_LOOKS_MOST_S)
    for start, end in ((0.0, CLIP_LOOKS_MOST_S + 0.001), (2.0, 1.0)):
        with pytest.raises(BadInput):
            clip_looks_of(reviewed.review, 0, start, end)


def test_a_frame_is_the_recordings_own(reviewed: Reviewed) -> None:
    video = probed(Path(reviewed.review.video_path))
    ((_, wanted),) = frames_at(video, [3.7])
    shown = cv2.imdecode(np.frombuffer(frame_picture(video, 37), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and np.abs(shown.astype(int) - wanted).mean() < 3
    for number in (-1, 80):
        with pytest.raises(BadInput):
            frame_picture(video, number)


def test_what_was_seen_becomes_words_and_outlines() -> None:
    seen = Observation(
        t=0.0,
        frame=0,
        cards=[
            CardSeen(id=1, face="up", p=0.99, rank="T", suit="s", quad=QUAD),
            CardSeen(id=2, face="up", p=0.99, rank="K", suit="h", quad=QUAD, ranks={"K": 0.6}),
            CardSeen(id=3, face="down", p=0.99, quad=QUAD),
        ],
        chips=[ChipSeen(id=4, colour="red", p=0.9, center=(5.0, 6.0), radius=3.0, cents=500)],
        bills=[BillSeen(p=0.9, quad=QUAD, cents=2000)],
        hands=[HandSeen(id=5, p=0.9, box=(1.0, 2.0, 3.0, 4.0))],
    )
    assert [(one.layer, one.words, one.radius) for one in things_of(seen)] == [
        ("cards", "10♠", 0.0),
        ("cards", "K♥ 60%", 0.0),
        ("cards", "face down", 0.0),
        ("chips", "$5", 3.0),
        ("chips", "$20 bill", 0.0),
        ("hands", "hand", 0.0),
    ]


@pytest.mark.parametrize(("p", "words"), [(0.9, ["$5", "left hand"]), (0.89, ["$5 89%", "left 89% hand"])])
def test_what_is_in_doubt_is_told_with_its_probability(p: float, words: list[str]) -> None:
    chip = ChipSeen(colour="red", p=0.9, center=(5.0, 6.0), radius=3.0, cents=500, colours={"red": p})
    hand = HandSeen(p=0.9, box=(1.0, 2.0, 3.0, 4.0), side="left", sides={"left": p})
    assert [thing.words for thing in things_of(Observation(t=0.0, chips=[chip], hands=[hand]))] == words


def test_the_place_of_a_finding_is_outlined(reviewed: Reviewed) -> None:
    folder = Path(reviewed.review.folder)
    outline = place_outline(folder, "space:1")
    assert outline is not None and (outline.layer, outline.words) == ("place", "space 1")
    assert place_outline(folder, None) is None and place_outline(folder, "space:7") is None


@pytest.mark.parametrize(
    "readings, clock",
    [
        ([], None),
        ([(1.0, "unread")], None),
        # The true clock is 21:00:00.4 at second 0: each reading is cut off to its second
        ([(t / 10, f"2026-11-17T21:00:{int(t / 10 + 0.4):02d}") for t in range(100)], "2026-11-17T21:00:00.450"),
        # one misread minute changes nothing
        (
            [
                (9.55, "2026-11-17T21:50:09"),
                *[(t / 10, f"2026-11-17T21:00:{int(t / 10 + 0.4):02d}") for t in range(100)],
            ],
            "2026-11-17T21:00:00.450",
        ),
        ([(58.0, "2026-12-31T23:59:59")], "2026-12-31T23:59:01.500"),
    ],
)
def test_the_tables_clock_is_bounded_by_its_readings(readings: list[tuple[float, str]], clock: str | None) -> None:
    assert clock_of(readings) == clock


def test_the_decisive_seconds_lie_at_the_end_of_a_finding(reviewed: Reviewed) -> None:
    times = clip_times(reviewed.review, finding(t_start=4.0, t_end=5.0))
    assert (times.start, times.end, times.first, times.last, times.moment) == (1.0, 8.0, 3.0, 6.0, 5.0)
    longer = msgspec.structs.replace(reviewed.review, duration=100.0, folder="elsewhere")
    times = clip_times(longer, finding(t_start=10.0, t_end=40.0))
    assert (times.start, times.end, times.first, times.last) == (7.0, 43.0, 40.0 - DECISIVE_S - 1.0, 41.0)


def test_an_accusation_is_the_short_sentence_of_a_finding_or_all_of_it() -> None:
    told = finding(observed="the payoff stayed a stack; a record was seen too weakly")
    assert accusation(told) == "The payoff stayed a stack; a record was seen too weakly"
    assert accusation(msgspec.structs.replace(told, brief="the payoff stayed a stack")) == "The payoff stayed a stack"


def test_times_are_told_in_one_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    try:
        assert local_time("2026-11-17T03:00:59+00:00") == "2026-11-16 21:00 CST"
        assert local_time("2026-07-17T03:00:59+00:00") == "2026-07-16 22:00 CDT"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("t_end", "near"),
    [(200.0 - NEAR_S, True), (199.9 - NEAR_S, False), (201.0 + NEAR_S, True), (201.1 + NEAR_S, False)],
)
def test_the_clock_near_a_finding_is_that_at_the_ends_of_its_events(t_end: float, near: bool) -> None:
    """A clock that jumped elsewhere in the recording tells nothing here."""
    start = datetime(2026, 11, 17, 21)
    read = (start + timedelta(seconds=int(t_end))).isoformat()
    event = CardDealt(
        id="e1",
        t_start=t_end - 3,
        t_end=t_end,
        clock=read,
        p=0.9,
        source="video",
        card="Kh",
        to="space:1",
        face="up",
        seq=1,
    )
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one")
    begins = clock_near(EventLog(header, (event,)), finding(t_start=200.0, t_end=201.0))
    assert (begins is not None) is near
    if begins is not None:
        assert abs((datetime.fromisoformat(begins) - start).total_seconds()) <= 0.5, "read to the second"
