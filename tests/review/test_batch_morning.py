"""The morning report of a night that was worked in several runs: it holds them all, and loses nothing of any."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from batch_fakes import CHAIN, make_table, record, settled
from batch_night import Here
from review_fakes import finding

from verifier.review.batch import shift
from verifier.review.batch.night_runs import NightRun, begun_run, encoded, jobs_of, merged
from verifier.review.batch.report import MorningReport
from verifier.review.batch.to_look_at import what_to_do
from verifier.review.entries import LeftOut
from verifier.store.home import database_url
from verifier.store.night.journal import JobRecord, Journal
from verifier.store.repository import Store


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shift, "make_engine", lambda order, setup: Here(setup))


def batch(home: Path, *places: Path, report: Path | None = None) -> tuple[MorningReport, MorningReport]:
    """A run over these places: its own report, and the night's as it stands in the file."""
    order = shift.Order(
        places=[str(place) for place in places], folders=shift.Folders(home / "night"), chain=CHAIN, report=report
    )
    made, files = shift.Shift(order, lambda tally: None).run()
    return made, msgspec.json.decode(files.json.read_bytes(), type=MorningReport)


def test_a_second_batch_of_a_night_adds_to_the_report(tmp_path: Path, own_home: Path) -> None:
    """The case second_batch_overwrites_report: a violation in the first folder, one broken file in the second."""
    one = make_table(tmp_path / "one", table="7")
    record(one / "t7.mp4", 8, clock="2026-11-17T21:00:00")
    two = make_table(tmp_path / "two", table="8")
    settled(_written(two / "broken.mp4", "broken"))
    first, _ = batch(own_home, one)
    second, night = batch(own_home, two)
    assert (first.exit_code, second.exit_code) == (4, 3)
    assert [table.table for table in second.tables] == ["8"]
    assert {table.table: sum(table.findings.values()) for table in night.tables} == {"7": 1, "8": 1}
    assert night.hours_recorded == pytest.approx(first.hours_recorded)
    assert [Path(one.recording).name for one in night.failures] == ["broken.mp4"]
    assert night.hours_on_the_wall >= second.hours_on_the_wall
    told = {one.table: one for one in night.to_look_at}
    assert (len(night.to_look_at), [one.table for one in second.to_look_at]) == (2, ["8"])
    assert (told["7"].recording, told["7"].verdict) == ("t7.mp4", "violation")
    assert told["7"].link == f"http://localhost:8501/finding?id={told['7'].finding}"
    assert told["7"].to_do.startswith("Watch its clip") and told["8"].to_do.startswith("See to the camera")
    assert "t7" not in json.dumps(msgspec.to_builtins(night.failures))


def test_findings_of_both_batches_stand_in_the_report_the_most_serious_first_and_what_is_decided_last(
    tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIFIER_DASHBOARD_URL", "https://review.example.org/")
    for number in (1, 2):
        folder = make_table(tmp_path / str(number), table=str(number))
        record(folder / "a.mp4", 8, number * 100, clock="2026-11-17T21:00:00")
        _, night = batch(own_home, folder)
    assert [one.table for one in night.to_look_at] == ["1", "2"]
    first = night.to_look_at[0]
    assert first.link == f"https://review.example.org/finding?id={first.finding}"
    Store().add_verdict(first.finding, "confirmed", "Kim Olson (kim)")
    _, after = batch(own_home, tmp_path / "2")
    assert [(one.table, one.decided) for one in after.to_look_at] == [
        ("2", None),
        ("1", "confirmed by Kim Olson (kim)"),
    ]


def test_what_the_equipment_did_is_put_right_there_and_a_doubt_is_decided_by_a_person() -> None:
    seen, doubted, dark = (
        finding(),
        finding(verdict="undetermined"),
        finding(cite="N.D. Admin. Code 99-01.3-08-04(1)(a)"),
    )
    assert what_to_do(seen).startswith("Watch its clip and decide")
    assert what_to_do(doubted).startswith("The software could not decide it")
    assert what_to_do(dark).startswith("See to the camera or recorder")


def test_the_same_folder_again_counts_once_and_what_was_put_right_is_right(tmp_path: Path, own_home: Path) -> None:
    one = make_table(tmp_path / "one", table="7")
    record(one / "a.mp4", 8, clock="2026-11-17T21:00:00")
    settled(_written(one / "b.mp4", "broken"))
    (one / "dir.mp4").mkdir()
    _, before = batch(own_home, one)
    assert not before.complete
    (one / "dir.mp4").rmdir()
    record(one / "b.mp4", 8, 200, clock="2026-11-18T21:00:00")
    made, night = batch(own_home, one)
    assert made.complete
    assert [table.hours_recorded for table in night.tables] == [made.tables[0].hours_recorded]
    assert night.findings == made.findings
    assert not [one for one in night.failures if Path(one.recording).name == "b.mp4"]
    assert night.reviewed_before == 0  # what the night's first run made is no earlier night's


def test_what_was_moved_away_after_its_review_stays_in_the_report(tmp_path: Path, own_home: Path) -> None:
    one = make_table(tmp_path / "one", table="7")
    record(one / "a.mp4", 8, clock="2026-11-17T21:00:00")
    record(one / "b.mp4", 8, 200, clock="2026-11-18T21:00:00")
    _, before = batch(own_home, one)
    shutil.move(one / "a.mp4", tmp_path / "a.mp4")
    made, night = batch(own_home, one)
    assert sum(made.findings.values()) == 1
    assert night.findings == before.findings
    assert sum(night.findings.values()) == 2


def test_a_report_elsewhere_holds_the_runs_that_went_there(tmp_path: Path, own_home: Path) -> None:
    for number in (1, 2):
        folder = make_table(tmp_path / str(number), table=str(number))
        record(folder / "a.mp4", 8, number * 100, clock="2026-11-17T21:00:00")
    batch(own_home, tmp_path / "1", report=tmp_path / "for kim")
    _, other = batch(own_home, tmp_path / "2", report=tmp_path / "for pat")
    assert [table.table for table in other.tables] == ["2"]


def test_jobs_of_a_killed_run_stand_in_the_next_report_which_is_not_complete(tmp_path: Path, own_home: Path) -> None:
    one = make_table(tmp_path / "one", table="7")
    record(one / "a.mp4", 8, clock="2026-11-17T21:00:00")
    batch(own_home, one)
    journal = Journal(database_url())
    journal.end_run(1, encoded(begun_run([str(one / "a.mp4"), str(one / "z.mp4")], [])))  # as it was when killed
    two = make_table(tmp_path / "two", table="8")
    record(two / "b.mp4", 8, 200, clock="2026-11-17T21:00:00")
    second, night = batch(own_home, two)
    assert second.complete
    assert {table.table for table in night.tables} == {"7", "8"}
    assert not night.complete
    assert night.exit_code == 3
    record(one / "z.mp4", 8, 300, clock="2026-11-19T21:00:00")
    _, after = batch(own_home, one)
    assert after.complete
    assert sum(table.recordings for table in after.tables) == 3


def test_of_a_file_that_several_runs_looked_at_the_last_word_counts() -> None:
    first = NightRun(
        looked=["a", "b"],
        files={"a": ["k1"], "b": ["k2"]},
        known=["k0"],
        unfinished=3,
        seconds=10.0,
        left_out=[LeftOut(file="b", state="waiting", cause="still written"), _gone("c")],
    )
    second = NightRun(looked=["a", "b", "d"], files={"a": ["k3"], "d": ["k4"]}, known=["k1"], seconds=5.0)
    both = merged([first, second])
    assert both.files == {"a": ["k1", "k3"], "b": ["k2"], "d": ["k4"]}
    assert (both.known, both.unfinished, both.seconds) == (["k0"], 0, 15.0)
    assert both.left_out == [_gone("c")]
    assert merged([second, first]).unfinished == 3
    known = {key: _job(key) for key in ("k1", "k2", "k4")}
    assert [job.key for job in jobs_of(both, known)] == ["k1", "k2", "k4"]  # k3 did not come to an end
    known["k3"] = msgspec.structs.replace(_job("k3"), replaces=["review k2"])
    assert [job.key for job in jobs_of(both, known)] == ["k3", "k4"]


def _gone(file: str) -> LeftOut:
    return LeftOut(file=file, state="not a recording", cause="a folder")


def _job(key: str) -> JobRecord:
    return JobRecord(
        key=key,
        night="2026-11-17",
        site="1",
        table="2",
        names=[key],
        review_id=f"review {key}",
        state="reviewed",
        cause=None,
        attempts=1,
        recorded=1.0,
        reviewed=1.0,
        clock_start=None,
        clock_end=None,
        findings={},
        unwatched=[],
        finished_at="",
    )


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
