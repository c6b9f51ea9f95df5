"""What a recording shows of itself is told to the law: only what was measured, and nothing that was not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from verifier.domain.clock_change import ClockChange
from verifier.domain.events import EventLog, EventsHeader, OverlayRead, RecordingSegment
from verifier.domain.findings import FindingsReport
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import Observation, ObservationsHeader, VideoInfo
from verifier.law.judge import judge
from verifier.review.fit.judgement import sign_check
from verifier.review.pipeline.account import KEPT_EVERY_S, ObservationAccount
from verifier.review.pipeline.fit import PartFit
from verifier.review.pipeline.picture import COVERS, FEWEST_READS, OFF, REAL_TIME_FPS, SHORTEST_S, with_picture
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Seam, Source, Unwatched
from verifier.vision.glimpse import Glimpse, Text, Written
from verifier.vision.quality import COLOURED, GREY

START = datetime.fromisoformat("2026-11-16T21:06:32")
CLOCK = "ND-08-04.1.a-time-date-overlay"
REAL_TIME = "ND-08-04.1.a-real-time"
NO_LAPSE = "ND-08-04.1.a-no-time-lapse"
COVERING = "ND-08-04.1.a-overlay-not-obstructing"
COLOUR = "ND-08-04.1.b-hires-colour"
SITE, TABLE, VISIBLE = "ND-08-04.2-site-id", "ND-08-02.1-table-number", "ND-08-04.2-id-visible"
TO_CLOSE, FROM_CHIPS = "ND-08-04.4.b-continue-to-close", "ND-08-04.4.b-start-at-chips"
OVERLAP = "ND-08-04.4.c-overlap-10-min"
PICTURE = (CLOCK, REAL_TIME, NO_LAPSE, COVERING, COLOUR, SITE, TABLE, VISIBLE)


def box(x: float, y: float, w: float, h: float) -> list[tuple[float, float]]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


LAYOUT = Layout(
    version=1,
    image_size=(1280, 720),
    site="0131",
    table="7",
    pixels_per_mm=0.5,
    zones=Zones(dealer=box(500, 400, 300, 100), inner=box(400, 380, 450, 150), shoe=box(100, 500, 100, 100)),
    spaces={1: SpaceZones(area=box(200, 100, 250, 200), wager=box(300, 150, 60, 20))},
)


def text(what: Written, says: str, at: tuple[float, float, float, float] = (20, 20, 220, 40)) -> Text:
    return Text(what=what, says=says, score=0.98, box=at)


SEEN = Glimpse(
    pictures=3,
    texts=(*(text("site", "0131"),) * 3, *(text("table", "7"),) * 3, text("clock", START.isoformat())),
    colour=COLOURED,
)


def account_of(seconds: float, *, rate: float = 1.0, every: float = 1.0, jump: float = 0.0) -> ObservationAccount:
    """The clock of a recording of some seconds, read every so many; it jumps in the middle."""
    account, t = ObservationAccount(), 0.4
    while t <= seconds:
        shown = START + timedelta(seconds=t * rate + (jump if t > seconds / 2 else 0.0))
        account.take(Observation(t=t, frame=round(t * 30), clock=shown.isoformat(timespec="seconds"), quality=None))
        t = round(t + every, 3)
    return account


def part(seconds: float, seen: Glimpse = SEEN, at: float = 0.0, **own: Any) -> Part:
    facts = Facts(
        path=f"/a/{at:.0f}.mp4", sha256="ab", bytes=1, modified_ns=0, kept="", width=1280, height=720,
        seconds=seconds, clock=(START + timedelta(seconds=at)).isoformat(), glimpse=seen,
    )  # fmt: skip
    return Part(facts=facts, at=at, begin=0.0, end=seconds, **own)


def log_of(
    account: ObservationAccount,
    *parts: Part,
    fps: float | None = 30.0,
    variable: bool = False,
    cause: str | None = None,
    lost: tuple[Unwatched, ...] = (),
    **house: Any,
) -> EventLog:
    recording_set = RecordingSet(source=Source(path="/a/0.mp4", layout=None, house=None), parts=list(parts))
    video = VideoInfo(name="0.mp4", width=1280, height=720, fps_nominal=fps, variable_frame_rate=variable)
    fits = [
        PartFit(
            p.at,
            p.at + p.end,
            [sign_check("site", "0131", p.facts.glimpse), sign_check("table", "7", p.facts.glimpse)],
            cause,
        )
        for p in parts
    ]
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook="nd-twenty-one",
        site="0131",
        table="7",
        date="2026-11-16",
        house={"video_surveillance": "present", **house},
        video="ab" * 32,
        channels=("video",),
    )
    return with_picture(
        EventLog(header, ()), recording_set, ObservationsHeader(video=video), LAYOUT, fits, account, lost
    )


def verdicts(report: FindingsReport) -> dict[str, str]:
    return {row.clause: row.verdict for row in report.clauses}


def rows(account: ObservationAccount, *parts: Part, **own: Any) -> dict[str, str]:
    return verdicts(judge(log_of(account, *parts, **own)))


def test_what_was_measured_is_judged() -> None:
    found = rows(account_of(130.0), part(130.0))
    assert {clause: found[clause] for clause in PICTURE} == dict.fromkeys(PICTURE, "pass")


def test_what_one_recording_cannot_tell_stays_not_assessed() -> None:
    found = rows(account_of(130.0), part(130.0))
    assert {found[clause] for clause in (TO_CLOSE, FROM_CHIPS, "ND-08-09.1-plaque")} == {"not_assessed"}
    assert found[OVERLAP] == "not_applicable"  # one recorder


def test_what_was_not_measured_is_no_pass() -> None:
    found = rows(ObservationAccount(), part(130.0, Glimpse(pictures=3)))
    assert {clause: found[clause] for clause in PICTURE} == dict.fromkeys(PICTURE, "not_assessed")


def test_a_layout_that_does_not_fit_tells_nothing() -> None:
    assert log_of(account_of(130.0), part(130.0), cause="another table").events == ()


@pytest.mark.parametrize(
    ("reads", "seconds", "told"),
    [
        (FEWEST_READS, SHORTEST_S, True),
        (FEWEST_READS - 1, SHORTEST_S, False),
        (FEWEST_READS, SHORTEST_S - 0.5, False),
    ],
)
def test_few_readings_of_the_clock_do_not_tell_that_time_runs_true(reads: int, seconds: float, told: bool) -> None:
    account = ObservationAccount()
    for number in range(reads):
        t = number * seconds / (reads - 1)
        shown = (START + timedelta(seconds=t)).isoformat(timespec="seconds")
        account.take(Observation(t=t, frame=0, clock=shown, quality=None))
    (segment,) = [e for e in log_of(account, part(10.0)).events if isinstance(e, RecordingSegment)]
    assert (segment.clock_gaps == [], segment.fps == 30.0) == (told, told)


@pytest.mark.parametrize(("rate", "verdict"), [(1.0, "pass"), (0.9, "undetermined"), (1.1, "undetermined")])
def test_a_recording_that_runs_fast_or_slow_is_one_open_finding(rate: float, verdict: str) -> None:
    report = judge(log_of(account_of(400.0, rate=rate), part(400.0)))
    found = verdicts(report)
    assert verdict in (found[REAL_TIME], found[CLOCK])
    assert len(report.findings) == (0 if rate == 1.0 else 1)
    assert (found[NO_LAPSE] == "pass") == (rate == 1.0)


def test_a_clock_that_jumps_is_told_by_the_account_alone() -> None:
    account = account_of(130.0, jump=40.0)
    log = log_of(account, part(130.0))
    clocks = [e for e in log.events if isinstance(e, OverlayRead) and e.what == "clock" and e.region is None]
    assert account.jumps
    assert len(clocks) == 1
    assert verdicts(judge(log))[REAL_TIME] == "not_assessed"
    assert not judge(log).findings


def test_a_stretch_without_pictures_leaves_real_time_to_the_account() -> None:
    lost = (Unwatched(start=10.0, end=20.0, cause="damaged", state="damaged"),)
    (segment,) = [
        e for e in log_of(account_of(130.0), part(130.0), lost=lost).events if isinstance(e, RecordingSegment)
    ]
    assert (segment.clock_gaps, segment.fps) == (None, None)


@pytest.mark.parametrize(
    ("colour", "verdict"),
    [(COLOURED, "pass"), (COLOURED - 0.1, "not_assessed"), (GREY, "not_assessed"), (GREY - 0.1, "violation")],
)
def test_the_colour_at_its_limits(colour: float, verdict: str) -> None:
    seen = msgspec.structs.replace(SEEN, colour=colour)
    assert rows(account_of(130.0), part(130.0, seen))[COLOUR] == verdict


@pytest.mark.parametrize(
    ("share", "verdict"),
    [(OFF, "pass"), (OFF + 0.01, "undetermined"), (COVERS - 0.01, "undetermined"), (COVERS, "violation")],
)
def test_the_clock_over_a_region_at_the_limits(share: float, verdict: str) -> None:
    over = text("clock", START.isoformat(), (100, 500, 100 + 100 * share, 600))
    seen = msgspec.structs.replace(SEEN, texts=(*SEEN.texts[:-1], over))
    assert rows(account_of(130.0), part(130.0, seen))[COVERING] == verdict


@pytest.mark.parametrize(
    ("fps", "variable", "verdict"),
    [
        (REAL_TIME_FPS, False, "pass"),
        (REAL_TIME_FPS - 0.1, False, "undetermined"),
        (4.0, False, "undetermined"),
        (30.0, True, "pass"),
    ],
)
def test_a_slow_rate_is_no_pass(fps: float, variable: bool, verdict: str) -> None:
    """The rate that a file of variable rate names is not told; its clock tells."""
    log = log_of(account_of(130.0), part(130.0), fps=fps, variable=variable)
    (segment,) = [e for e in log.events if isinstance(e, RecordingSegment)]
    assert verdicts(judge(log))[NO_LAPSE] == verdict
    assert (segment.fps is None) == variable


def test_a_sign_that_is_not_surely_read_is_left_open() -> None:
    """`131` for `0131`: partly the layout's number, read in one of three pictures."""
    seen = msgspec.structs.replace(SEEN, texts=(text("site", "13"), *SEEN.texts[3:]))
    report = judge(log_of(account_of(130.0), part(130.0, seen)))
    assert verdicts(report)[SITE] == "undetermined"
    assert all(finding.verdict == "undetermined" for finding in report.findings)


@pytest.mark.parametrize(("overlap", "verdict"), [(600.0, "pass"), (599.0, "undetermined")])
def test_two_recorders_overlap_by_ten_minutes(overlap: float, verdict: str) -> None:
    first = part(1000.0)
    second = part(1000.0, at=1000.0 - overlap, seam=Seam(before="/a/0.mp4", overlap=overlap))
    assert rows(account_of(1000.0), first, second, two_recorders=True)[OVERLAP] == verdict


def test_a_clock_that_was_set_is_no_other_recorder() -> None:
    for change, wanted in ((ClockChange(kind="set_back", seconds=-10.0), "1"), (None, "2")):
        second = part(100.0, at=130.0, seam=Seam(before="/a/0.mp4", change=change))
        events = log_of(account_of(230.0), part(130.0), second).events
        assert [e.recorder_id for e in events if isinstance(e, RecordingSegment)] == ["1", wanted]


def test_the_clock_is_kept_each_minute_and_at_the_end() -> None:
    account = account_of(3 * KEPT_EVERY_S)
    clocks = [
        e for e in log_of(account, part(3 * KEPT_EVERY_S)).events if isinstance(e, OverlayRead) and e.what == "clock"
    ]
    assert next(e.text for e in clocks if e.region is None) == START.isoformat()
    assert len([e for e in clocks if e.region is None]) == 4


def test_nothing_stands_before_the_play_of_a_log() -> None:
    """A log whose first record is a wager may begin in the middle of a round: what the picture shows ends later."""
    assert min(e.t_end for e in log_of(account_of(130.0), part(130.0)).events) >= KEPT_EVERY_S - 1.0
