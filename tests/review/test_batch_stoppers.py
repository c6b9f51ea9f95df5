"""Nothing stops a night: odd names, what is no recording, files that change, and broken files by the hundred."""

from __future__ import annotations

import csv
import json
import os
import shutil
import socket
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from batch_fakes import CHAIN, make_table, record, settled
from batch_night import Here, run_night
from review_fakes import make_video

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.formats.hollow import UNWRITTEN_MOST, told_of
from verifier.formats.whole import whole_file
from verifier.recording.probe import probe, sha256_of
from verifier.review.batch import shift
from verifier.review.batch.engines.base import Ended
from verifier.review.batch.printing import print_report
from verifier.review.batch.report import MorningReport, morning_report
from verifier.review.batch.report_files import ReportFiles, report_page
from verifier.review.batch.saving import is_earlier_state
from verifier.review.batch.sources import look_for
from verifier.review.batch.tally import Tally
from verifier.review.batch.tasks import Examine, Failed, Task, Watch
from verifier.review.documents.sheets import csv_of, table_of
from verifier.review.entries import LINKED, RENAME
from verifier.review.originals import original_at
from verifier.review.pipeline import examine as examining
from verifier.review.pipeline.folders import usual_folders
from verifier.review.pipeline.plan import settings_digest
from verifier.review.pipeline.unusable import FILES
from verifier.store.night.journal import JobRecord
from verifier.store.repository import Store

ODD_NAMES = (
    b"21:08:02.mp4",
    b"100%d.mp4",
    b'it\'s "so".mp4',
    b"line\nend.mp4",
    b"latin\xe9.mp4",
    b"=cmd|calc.mp4",
    b"-rf [bold]x[red].mp4",
    b"\x1b[2Jclear.mp4",
    b"x" * 251 + b".mp4",
    b" blank .mp4",
    rb"back\x41.mp4",
)


def causes(report: MorningReport | list[JobRecord]) -> dict[str, str]:
    """What the report says of each recording that was not reviewed."""
    assert isinstance(report, MorningReport)
    return {Path(one.recording).name: one.cause for one in report.failures}


def night_of(*places: Path, home: Path) -> tuple[MorningReport, ReportFiles]:
    """A whole shift in this process."""
    order = shift.Order(places=[str(place) for place in places], folders=shift.Folders(home / "night"), chain=CHAIN)
    return shift.Shift(order, lambda tally: None).run()


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shift, "make_engine", lambda order, setup: Here(setup))


def test_a_night_reviews_files_of_any_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The cases night_killed_by_a_name, name_with_colon and control_characters."""
    folder = make_table(tmp_path / "night")
    plain = record(tmp_path / "plain.mp4", 8)
    for number, name in enumerate(ODD_NAMES):
        odd = Path(shutil.copy(plain, folder / os.fsdecode(name)))
        with odd.open("ab") as stream:
            stream.write(b"\0\0\0\x0cfree" + number.to_bytes(4, "big"))
        settled(odd)
    report, files = night_of(folder, home=tmp_path / "home")
    reviews = Store().reviews()
    assert {path_of(one.video_path) for one in reviews} == {folder / os.fsdecode(name) for name in ODD_NAMES}
    assert all(original_at(one, 1.0).file.is_file() for one in reviews)
    assert len(Store().findings()) == len(ODD_NAMES)
    assert report.exit_code == 4
    print_report(report, files)
    printed = capsys.readouterr().out
    assert "\x1b[2J" not in printed + files.page.read_text() + files.json.read_text()
    log = next((tmp_path / "home" / "logs").iterdir()).read_bytes()
    assert rb"latin\\xe9.mp4" in log


def test_a_folder_of_any_name_holds_recordings_layouts_and_the_night(tmp_path: Path) -> None:
    """The case night_killed_by_a_name, a level higher."""
    folder = make_table(tmp_path / os.fsdecode(b"n\xe4cht:\n"))
    record(folder / "a.mp4", 4)
    report, _ = night_of(folder, home=tmp_path / "home")
    assert (report.exit_code, report.tables[0].hours_reviewed) == (0, report.tables[0].hours_recorded)


def test_a_manifest_names_files_of_any_name(tmp_path: Path) -> None:
    """The case night_killed_by_a_name: by the bytes of the name, and as a report writes it down."""
    make_table(tmp_path)
    names = [b"latin\xe9.mp4", b"line\nend.mp4", b" blank.mp4", b"=1+1.mp4"]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_bytes(b"x")
    rows = [b"file,site", b"latin\xe9.mp4,1", b'"line\nend.mp4",1', b'" blank.mp4",1', b"=1+1.mp4,1"]
    (tmp_path / "bytes.csv").write_bytes(b"\n".join(rows) + b"\n")
    (tmp_path / "text.csv").write_text("file\n" + r"latin\xe9.mp4" + "\n" + r"line\x0aend.mp4" + "\n")
    by_bytes = look_for([str(tmp_path / "bytes.csv")]).sources
    assert {os.fsencode(path_of(one.path).name) for one in by_bytes} == set(names)
    by_text = look_for([str(tmp_path / "text.csv")]).sources
    assert {os.fsencode(path_of(one.path).name) for one in by_text} == set(names[:2])


def test_what_is_no_recording_is_told_and_never_opened(tmp_path: Path) -> None:
    """The case night_stoppers."""
    folder = make_table(tmp_path / "night")
    record(folder / "good.mp4", 4)
    os.mkfifo(folder / "pipe.mp4")
    (folder / "zero.mp4").symlink_to("/dev/zero")
    (folder / "folder.mp4").mkdir()
    (folder / "nowhere.mp4").symlink_to("gone.mp4")
    (folder / "circle.mp4").symlink_to("circle.mp4")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(folder / "socket.mp4"))
    report, files = night_of(folder, home=tmp_path / "home")
    assert causes(report) == {
        "pipe.mp4": "a named pipe",
        "zero.mp4": "a device",
        "folder.mp4": "a folder",
        "socket.mp4": "a socket",
        "nowhere.mp4": "a link that leads nowhere, or a file that was removed meanwhile",
        "circle.mp4": "a link that leads in a circle",
    }
    assert {one.state for one in report.failures} == {"not a recording"}
    assert (report.exit_code, report.hours_reviewed) == (3, pytest.approx(4 / 3600, abs=1e-3))
    assert "a named pipe" in files.page.read_text()


def test_a_recording_under_another_name_and_a_link_to_another_folder_are_told(tmp_path: Path) -> None:
    """ts_named_mp4: the content decides, so what is not named as a recording is not passed over without a word."""
    folder = make_table(tmp_path / "night")
    (tmp_path / "elsewhere").mkdir()
    (folder / "cam2").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (folder / "again").symlink_to(folder, target_is_directory=True)
    for name in ("camera 1", "a.mp4.part", "b.dat"):
        record(tmp_path / "a.mp4", 1).replace(folder / name)
    for name, head in (
        ("photo.heic", b"\0\0\0\x18ftypheic"),
        ("said.m4a", b"\0\0\0\x18ftypisom"),
        ("GGG.txt", b"G" * 99),
    ):
        (folder / name).write_bytes(head)
    found = look_for([str(folder)])
    assert {Path(one.file).name: (one.state, one.cause) for one in found.left_out} == {
        "cam2": ("not a recording", LINKED),
        **dict.fromkeys(("camera 1", "a.mp4.part", "b.dat"), ("otherwise named", RENAME)),
    }
    report, files = night_of(folder, home=tmp_path / "home")
    assert (report.exit_code, len(report.failures)) == (3, 4)
    assert "3 files hold recordings and are not named so" in files.page.read_text()


def test_a_night_with_nothing_but_pipes_has_a_report(tmp_path: Path) -> None:
    """The case night_stoppers, by a manifest and by the name itself."""
    os.mkfifo(tmp_path / "pipe.mp4")
    (tmp_path / "night.csv").write_text("file\npipe.mp4\n")
    for place in (tmp_path / "night.csv", tmp_path / "pipe.mp4"):
        report, files = night_of(place, home=tmp_path / "home")
        assert (report.exit_code, causes(report)) == (3, {"pipe.mp4": "a named pipe"})
        assert files.pdf.is_file()


def test_folders_of_recordings_may_end_as_recordings_do_and_links_in_circles_end(tmp_path: Path) -> None:
    make_table(tmp_path / "night" / "cam1.mp4")
    (tmp_path / "night" / "cam1.mp4" / "a.mp4").write_bytes(b"x")
    (tmp_path / "night" / "again").symlink_to(tmp_path / "night", target_is_directory=True)
    found = look_for([str(tmp_path / "night")])
    assert [Path(one.path).name for one in found.sources] == ["a.mp4"]
    assert found.left_out == []


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "night" / "closed").mkdir(parents=True)
    (tmp_path / "night" / "a.mp4").write_bytes(b"x")
    listed = os.scandir

    def refusing(folder: Path | int) -> object:
        if not isinstance(folder, int) and Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    found = look_for([str(tmp_path / "night")])
    assert [Path(one.path).name for one in found.sources] == ["a.mp4"]
    ((file, state, cause),) = [(Path(one.file).name, one.state, one.cause) for one in found.left_out]
    assert (file, state, cause) == ("closed", "unreadable", "the folder cannot be read (Permission denied)")


@pytest.mark.skipif(not hasattr(os, "SEEK_HOLE"), reason="files without holes")
def test_a_file_of_terabytes_that_nobody_wrote_is_no_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """night_stoppers: to hash it took hours, in which nothing else was reviewed; also one that begins as a video."""
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    (folder / "b.mp4").touch()
    shutil.copyfile(folder / "a.mp4", folder / "c.mp4")
    for name in ("b.mp4", "c.mp4"):
        os.truncate(folder / name, 8 << 40)
    found = look_for([str(folder)])
    assert [Path(one.path).name for one in found.sources] == ["a.mp4"]
    assert [(Path(one.file).name, "never written" in one.cause) for one in found.left_out] == [
        ("b.mp4", True),
        ("c.mp4", True),
    ]
    for ask in (probe, sha256_of):
        with pytest.raises(BadInput, match="never written"):
            ask(folder / "c.mp4")
    with monkeypatch.context() as patched:
        patched.setattr(os, "SEEK_HOLE", 99)  # as the system's own files answer: they tell of no place on a disk
        assert told_of(folder / "c.mp4") is not None and told_of(folder / "a.mp4") is None
    os.truncate(folder / "layout.yaml", 8 << 40)
    assert settings_digest(str(folder / "layout.yaml")) is None
    os.truncate(folder / "a.mp4", UNWRITTEN_MOST)
    assert len(look_for([str(folder)]).sources) == 1, "what a recorder prepares is a recording"


def test_a_recording_exchanged_for_a_pipe_after_it_was_listed(tmp_path: Path) -> None:
    """The case night_stoppers: what was a file when the night began."""
    folder = make_table(tmp_path / "night")
    path = record(folder / "a.mp4", 4)

    class Exchanging(Here):
        def give(self, number: int, task: Task) -> None:
            path.unlink(missing_ok=True)
            os.mkfifo(path)
            super().give(number, task)

    (job,), _ = run_night(folder, engine=Exchanging)
    assert (job.state, "a named pipe" in str(job.cause)) == ("failed", True)


def test_a_file_that_may_not_be_read_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)

    def refused(path: Path, beat: object) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("verifier.recording.probe.sha256_read", refused)
    monkeypatch.setattr(examining, "_kept", lambda folders, source: folders.facts / "one")
    (job,), tally = run_night(folder, patience=300.0)
    assert (job.state, tally.failures) == ("failed", {"refused": 1})


def test_the_scheduler_reads_no_recording(tmp_path: Path) -> None:
    """The case night_stoppers: a file that ends its worker is hashed by another worker, under the same watchdog."""
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    given: list[Task] = []

    class Dying(Here):
        def give(self, number: int, task: Task) -> None:
            given.append(task)
            super().give(number, task)

        def wait(self, seconds: float) -> list[Ended]:
            task = given[-1]
            if not isinstance(task, Examine) or task.cause is not None:
                return super().wait(seconds)
            waiting = [number for number, _ in self._waiting]
            self._waiting.clear()
            return [Ended(number, Failed(kind="hung", cause="no sign of life")) for number in waiting]

    (job,), _ = run_night(folder, engine=Dying)
    assert (job.state, job.cause) == ("unusable", "the decoder hangs when it opens the file")
    assert [task.cause for task in given if isinstance(task, Examine)] == [None, None, job.cause]


def test_a_long_hash_gives_signs_of_life(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * (3 << 20))
    beats: list[float] = []
    assert examining.sha256_of(tmp_path / "long", beats.append) == examining.sha256_of(tmp_path / "long")
    assert len(beats) == 3


def test_broken_files_of_a_table_give_one_finding_for_each_fault(tmp_path: Path) -> None:
    """Broken files by the hundred: one finding for each table and kind, and every file accounted for."""
    one, other = make_table(tmp_path / "night" / "2"), make_table(tmp_path / "night" / "3", table="3")
    for number in range(7):
        (one / f"text{number}.mp4").write_text(f"No recording {number}.\n")
        (other / f"text{number}.mp4").write_text(f"None either {number}.\n")
    for name in ("empty1.mkv", "empty2.mkv"):
        (one / name).write_bytes(b"")
    for path in (tmp_path / "night").rglob("*.m*"):
        settled(path)
    record(one / "small1.mp4", 2)
    jobs, tally = run_night(tmp_path / "night")
    found = Store().findings()
    assert len(found) == 3
    told = next(one.finding.observed for one in found if "and 2 more" in one.finding.observed)
    assert told.startswith("Nothing could be watched: holds text, not video: 7 files, text0.mp4, text1.mp4,")
    listed = list(csv.DictReader((Path(Store().reviews()[0].folder) / FILES).open()))
    assert len(listed) in (2, 7)
    assert {job.state for job in jobs if job.names[0].startswith("text")} == {"unusable"}
    assert len([job for job in jobs if job.state == "unusable"]) == 7 + 7 + 1, "two empty files are one by contents"
    assert sum(sum(job.findings.values()) for job in jobs) == 3
    _, tally = run_night(tmp_path / "night")
    assert (tally.stored, tally.skipped) == (0, len(jobs))
    assert len([one for one in Store().findings() if one.current]) == 3


def test_recordings_without_a_layout_give_one_finding(tmp_path: Path) -> None:
    for number in range(3):
        record((tmp_path / f"{number}.mp4"), 2)
    jobs, _ = run_night(tmp_path)
    assert [job.cause for job in jobs] == ["there is no layout file for it"] * 3
    (found,) = Store().findings()
    assert "3 files, 0.mp4, 1.mp4, 2.mp4" in found.finding.observed


def test_recordings_that_the_layout_does_not_fit_give_one_finding(tmp_path: Path) -> None:
    """Of these it is known only when they are watched."""
    folder = make_table(tmp_path / "night")
    (folder / "layout.yaml").write_text(
        (folder / "layout.yaml").read_text().replace("320", "640").replace("180", "360")
    )
    for number in range(3):
        record(folder / f"{number}.mp4", 2)
    jobs, _ = run_night(folder)
    assert {job.state for job in jobs} == {"unusable"}
    assert len(Store().findings()) == len(Store().reviews()) == 1


def test_a_fault_is_told_when_the_window_closes(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    (folder / "text.mp4").write_text("No recording.\n")
    settled(folder / "text.mp4")
    record(folder / "a.mp4", 12, slow=0.01)
    checkpoints = usual_folders().root
    jobs, _ = run_night(folder, stop=lambda: bool(list(checkpoints.glob("segments/*/*/*.gz"))))
    assert [job.names for job in jobs if job.state == "unusable"] == [["text.mp4"]]


def growing(folder: Path, parts: tuple[float, float] = (0.7, 1.0)) -> tuple[Path, bytes, bytes]:
    """A table's stream, of which a part is there first."""
    video = make_video(folder.parent / "whole.ts", 12)
    whole = video.read_bytes()
    path = folder / "table7.ts"
    cut = int(len(whole) * parts[0]) // 188 * 188
    return path, whole[:cut], whole


def test_a_file_that_grew_takes_the_place_of_its_earlier_state(tmp_path: Path) -> None:
    """The case file_that_grew."""
    folder = make_table(tmp_path / "night")
    path, part, whole = growing(folder)
    path.write_bytes(part)
    Path(f"{path}.notes").write_text(json.dumps({"clock": "2026-11-17T21:00:00"}))
    settled(path)
    (first,), _ = run_night(folder)
    path.write_bytes(whole)
    settled(path)
    os.utime(path, (1, 1))
    (second,), _ = run_night(folder, night="2026-11-18")
    assert first.recorded < second.recorded == pytest.approx(12.0, abs=0.2)
    (review,) = Store().reviews()
    assert (review.id, review.duration) == (second.review_id, second.recorded)
    earlier = Store().review(str(first.review_id))
    assert earlier is not None
    assert earlier.superseded_by == second.review_id
    assert len([one for one in Store().findings() if one.current]) == 1
    assert second.replaces == [first.review_id]
    report = morning_report("2026-11-18", [second], Tally(files=1), 0, datetime(2026, 11, 19, 8))
    assert report.replaced[0].earlier == [first.review_id]
    assert str(first.review_id) in report_page(report)


def test_a_name_that_is_used_again_the_next_day_is_another_recording(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "ch1.mp4", 8, clock="2026-11-17T21:00:00")
    run_night(folder)
    record(folder / "ch1.mp4", 9, clock="2026-11-18T21:00:00")
    os.utime(folder / "ch1.mp4", (1, 1))
    run_night(folder)
    assert len(Store().reviews()) == len([one for one in Store().findings() if one.current]) == 2


def test_which_review_is_of_an_earlier_state(tmp_path: Path) -> None:
    record(make_table(tmp_path / "night") / "a.mp4", 8, clock="2026-11-17T21:00:00")
    run_night(tmp_path / "night")
    (later,) = Store().reviews()

    def like(**changes: object) -> bool:
        return is_earlier_state(msgspec.structs.replace(later, **{"id": "other", **changes}), later)

    assert like(duration=7.0)
    assert not like(id=later.id)
    assert not like(duration=20.0), "a shorter file has not grown"
    assert not like(clock_start="2026-11-16T21:00:00", clock_end="2026-11-16T21:00:08")
    assert not like(clock_start=None), "nothing proves it"


def test_a_file_that_changes_while_it_is_watched_waits_for_the_next_night(tmp_path: Path) -> None:
    """The case file_that_grew: it is left for later, and that is said."""
    folder = make_table(tmp_path / "night")
    path, part, whole = growing(folder)
    path.write_bytes(part)
    settled(path)

    class Writing(Here):
        def give(self, number: int, task: Task) -> None:
            if isinstance(task, Watch):
                path.write_bytes(whole)
            super().give(number, task)

    (job,), _ = run_night(folder, engine=Writing)
    assert (job.state, job.reviewed) == ("waiting", 0.0)
    report = morning_report("2026-11-17", [job], Tally(files=1), 0, datetime(2026, 11, 18, 8))
    assert report.exit_code == 3
    assert "1 file is still being written" in report_page(report)
    settled(path)
    (job,), _ = run_night(folder)
    assert (job.state, len(Store().reviews())) == ("reviewed", 1)


def test_a_file_that_is_written_to_just_now_is_looked_at_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case file_that_grew: a copy under way is not taken for a whole file, an ordinary new one is."""
    folder = make_table(tmp_path / "night")
    path, part, whole = growing(folder)
    path.write_bytes(part)
    waited = examining._wait_until_quiet

    def goes_on(found: os.stat_result, beat: Callable[[float], object]) -> None:
        """The copy goes on a moment after the first look at the file, however late that look was."""
        threading.Timer(0.2, lambda: path.write_bytes(whole)).start()
        waited(found, beat)

    with monkeypatch.context() as patched:
        patched.setattr(examining, "_wait_until_quiet", goes_on)
        (job,), _ = run_night(folder)
    assert (job.state, job.cause) == ("waiting", str(examining.StillWrittenError()))
    (job,), _ = run_night(folder)
    assert job.state == "reviewed"


def test_a_layout_that_is_missing_or_a_pipe_ends_no_night(tmp_path: Path) -> None:
    record(tmp_path / "a.mp4", 2)
    record(tmp_path / "b.mp4", 2)
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "night.csv").write_text("file,layout\na.mp4,gone.yaml\nb.mp4,pipe.yaml\n")
    jobs, _ = run_night(tmp_path / "night.csv")
    assert [job.cause for job in jobs] == ["there is no layout file for it"] * 2


def test_names_in_columns_of_csv_files_are_data() -> None:
    """The case control_characters: no formula, and nothing that steers a terminal."""
    written = csv_of(
        table_of([{"file": "=cmd|calc.mp4", "why": "\x1b[2J"}, {"file": "@x", "why": " -1"}], ("file", "why"))
    )
    assert written.decode().splitlines() == ["file,why", r"'=cmd|calc.mp4,\x1b[2J", "'@x,' -1"]


def test_names_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    with whole_file(tmp_path / ("x" * 255)) as stream:
        stream.write(b"whole")
    assert [len(one.name) for one in tmp_path.iterdir()] == [255]
