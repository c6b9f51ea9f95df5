"""Reviewing a recording with stand-ins for the models: files, ids, coverage, errors, privacy."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import av
import cv2
import msgspec
import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from review_fakes import FAN, SECONDS, SHOW, SHOWN, fake_stages, finding, make_layout, write_inputs

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House
from verifier.formats.events import read_events
from verifier.formats.findings import read_findings
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.formats.observations import open_observations
from verifier.review.batch import planner
from verifier.review.recording import Reviewed, review_recording
from verifier.store.repository import Store


def run(folder: Path, *findings: object, until: float = SECONDS, out: str = "out") -> Reviewed:
    inputs = write_inputs(folder) if not (folder / "video.mp4").exists() else None
    video, layout, house = inputs or (folder / "video.mp4", folder / "layout.yaml", folder / "house.yaml")
    return review_recording(video, layout, house, folder / out, stages=fake_stages(*findings, until=until))  # type: ignore[arg-type]


def test_everything_is_written(tmp_path: Path) -> None:
    reviewed = run(tmp_path, finding(), SHOWN)
    assert len(list(open_observations(tmp_path / "out/observations.jsonl"))) == 2 * SECONDS
    events = read_events(tmp_path / "out/events.jsonl").events
    assert len([one for one in events if one.round is not None]) == 7
    assert {one.name for one in events if one.round is None} == {"recording_segment", "overlay_read"}
    assert [one.clause for one in read_findings(tmp_path / "out/findings.json").findings] == [FAN, SHOW]
    for stored in reviewed.findings:
        assert stored.clip is not None
        assert (tmp_path / "out" / stored.clip).stat().st_size > 1000
        assert stored.stills
        assert all(cv2.imread(str(tmp_path / "out" / name)) is not None for name in stored.stills)


def test_a_clip_plays_in_a_browser_and_shows_the_moment(tmp_path: Path) -> None:
    (stored,) = run(tmp_path, finding()).findings
    clip = tmp_path / "out" / str(stored.clip)
    with av.open(str(clip)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert 6.0 < float(stream.duration * stream.time_base) <= 7.2
    data = clip.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_the_review_is_stored_with_its_evidence(tmp_path: Path, own_home: Path) -> None:
    reviewed = run(tmp_path, finding())
    (review,) = Store().reviews()
    assert (review.site, review.table, review.play_date) == ("0123", "2", "2026-11-17")
    assert (review.clock_start, review.clock_end) == ("2026-11-17T21:00:00", "2026-11-17T21:00:07")
    assert Path(review.folder).is_relative_to(own_home)
    assert (Path(review.folder) / str(reviewed.findings[0].clip)).exists()
    assert (Path(review.folder) / "events.jsonl").exists()


def test_a_second_run_gives_the_same_ids_and_keeps_what_people_wrote(tmp_path: Path) -> None:
    first = run(tmp_path, finding(), SHOWN)
    Store().add_verdict(first.findings[0].id, "confirmed", "Kim")
    second = run(tmp_path, finding(), SHOWN, out="again")
    assert [one.id for one in first.findings] == [one.id for one in second.findings]
    assert [verdict.reviewer for verdict in Store().verdicts()] == ["Kim"]
    for name in ("observations.jsonl", "events.jsonl", "findings.json"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


@pytest.mark.parametrize(
    ("findings", "until", "code"),
    [((), SECONDS, 0), ((finding(),), SECONDS, 4), ((SHOWN,), SECONDS, 4), ((), 3.0, 3), ((finding(),), 3.0, 3)],
)
def test_exit_codes(tmp_path: Path, findings: tuple[object, ...], until: float, code: int) -> None:
    assert run(tmp_path, *findings, until=until).exit_code == code


def test_a_cut_file_never_counts_as_wholly_watched(tmp_path: Path) -> None:
    reviewed = run(tmp_path, until=3.0)
    (review,) = Store().reviews()
    assert review.coverage < 1
    assert review.gaps == [(3.0, 8.0, "the file is cut off here")]
    assert reviewed.coverage.watched == 3.0


def test_the_day_of_play_may_be_told_but_the_picture_goes_first(tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    for clock, known in ((True, "2026-11-17"), (False, "2026-11-20")):
        stages = fake_stages(clock=clock)
        reviewed = review_recording(video, layout, house, tmp_path / "out", stages=stages, day="2026-11-20")
        assert reviewed.review.play_date == known


def test_a_picture_of_another_size_than_the_layout(tmp_path: Path) -> None:
    write_inputs(tmp_path)
    write_layout(tmp_path / "layout.yaml", make_layout((640, 360)))
    with pytest.raises(BadInput, match=r"320x180.*640x360"):
        run(tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_review_opens_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("a connection was opened")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert run(tmp_path, finding()).exit_code == 4


def test_progress_reaches_the_end_of_each_stage(tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    told: list[tuple[str, float, float | None]] = []
    stages = fake_stages(finding())
    review_recording(video, layout, house, tmp_path / "out", lambda *args: told.append(args), stages=stages)
    stages_told = ["watching", "checking the layout", "reconstructing"]
    assert [stage for stage, *_ in told] == [*(stage for stage in stages_told for _ in range(16)), "gathering evidence"]
    assert told[-1] == ("gathering evidence", 1, 1)


def other_layout(folder: Path) -> None:
    layout = make_layout()
    write_layout(folder / "layout.yaml", msgspec.structs.replace(layout, spaces={1: layout.spaces[2]}))


def other_house(folder: Path) -> None:
    write_house(folder / "house.yaml", House(video_surveillance="absent"))


@pytest.mark.parametrize("change", [other_layout, other_house])
@pytest.mark.parametrize("when", ["watched", "judged"])
def test_settings_that_are_exchanged_during_a_review_are_told(
    tmp_path: Path, change: Callable[[Path], None], when: str
) -> None:
    """Kin of recording_exchanged_during_review: a film watched by one layout was judged by another, without a word."""
    inputs, stages = write_inputs(tmp_path), fake_stages(finding())

    def eye(*args: Any) -> Any:
        if when == "watched":
            change(tmp_path)
        return stages.eye(*args)

    def judge(log: EventLog) -> FindingsReport:
        if when == "judged":
            change(tmp_path)
        return stages.judge(log)

    changing = msgspec.structs.replace(stages, eye=eye, judge=judge)
    with pytest.raises(BadInput, match="were changed while it was reviewed"):
        review_recording(*inputs, tmp_path / "out", stages=changing)
    assert Store().reviews() == []
    again = review_recording(*inputs, tmp_path / "out", stages=stages)
    assert again.exit_code == 4, "it is reviewed by what lies there now"


def test_a_night_watches_again_what_was_watched_by_another_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    settings = planner.settings_of
    with monkeypatch.context() as patched:
        patched.setattr(planner, "settings_of", lambda source: settings(msgspec.structs.replace(source, layout=None)))
        (job,), _ = run_night(folder)
    assert job.state == "waiting" and "were changed while it was reviewed" in (job.cause or "")
    assert [one.state for one in run_night(folder)[0]] == ["reviewed"]
