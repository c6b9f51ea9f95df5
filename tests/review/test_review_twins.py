"""The same recording, byte for byte, twice: nothing is overwritten, and which file repeats which is told."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

import msgspec
from batch_fakes import CHAIN, make_table, record
from batch_night import Here
from review_fakes import fake_stages, finding, make_layout, write_inputs

from verifier.formats.layout import write_layout
from verifier.review.batch.night import Night, Rules
from verifier.review.batch.report import MorningReport, morning_report
from verifier.review.batch.report_files import report_page, report_pdf
from verifier.review.batch.saving import Keeper
from verifier.review.batch.sources import find_sources
from verifier.review.batch.tasks import Setup
from verifier.review.pipeline.account import OWN
from verifier.review.pipeline.folders import usual_folders
from verifier.review.recording import read_review, review_recording
from verifier.store.repository import Store


def night(*places: Path) -> MorningReport:
    """One night over these places, with its report."""
    folders = usual_folders()
    setup = Setup(chain=CHAIN, root=str(folders.root), length=3.0)
    keeper = Keeper(folders, "2026-11-17", lambda *_, **__: None)
    try:
        one = Night(find_sources([str(p) for p in places]), setup, Here(setup), keeper, Rules(night="2026-11-17"))
        jobs = one.run()
    finally:
        keeper.close()
    return morning_report("2026-11-17", jobs, one.tally, one.left, datetime(2026, 11, 18, 8), one.copies.found)


def two_tables(tmp_path: Path) -> tuple[Path, Path]:
    first, second = (make_table(tmp_path / name, table=name[-1]) for name in ("table-1", "table-2"))
    recording = record(first / "a.mp4", 6, clock="2026-11-17T21:00:00")
    for name in ("a.mp4", "a.mp4.notes"):
        shutil.copy(recording.with_name(name), second / name)
    return first, second


def stored() -> dict[str | None, str]:
    return {one.table: one.id for one in Store().reviews()}


def test_one_file_at_two_tables_makes_two_reviews_of_which_one_names_the_other(tmp_path: Path) -> None:
    report = night(*two_tables(tmp_path))
    assert set(stored()) == {"1", "2"} and len(set(stored().values())) == 2
    (copied,) = [one for one in Store().findings() if one.finding.clause == OWN]
    assert f"table {1 if copied.review_id == stored()['2'] else 2} of site 0123" in copied.finding.observed
    assert [table.findings["critical"] for table in report.tables if table.table == "2"] != []
    (repeat,) = report.repeats
    assert {repeat.file, repeat.of} == {str(tmp_path / name / "a.mp4") for name in ("table-1", "table-2")}
    assert repeat.file in report_page(report)
    assert report_pdf(report).startswith(b"%PDF")


def test_the_next_night_gives_both_the_same_ids(tmp_path: Path) -> None:
    places = two_tables(tmp_path)
    night(*places)
    before = stored()
    (tmp_path / "table-2" / "house.yaml").write_text("video_surveillance: present\ndeck_count: 6\n")
    (tmp_path / "table-1" / "house.yaml").write_text("video_surveillance: present\ndeck_count: 8\n")
    night(*reversed(places))
    assert stored() == before


def test_a_copy_that_comes_a_night_later_overwrites_nothing(tmp_path: Path) -> None:
    first, second = two_tables(tmp_path)
    night(first)
    before = stored()
    (repeat,) = night(second).repeats
    assert stored() == {**before, "2": stored()["2"]} and stored()["2"] != before["1"]
    assert repeat.of == f"a.mp4 of table 1 of site 0123 (review {before['1']})"


def test_a_copy_in_another_shift_leaves_the_first_tables_findings_current(tmp_path: Path) -> None:
    first, second = two_tables(tmp_path)
    (second / "a.mp4.notes").write_text('{"clock": "2026-11-17T21:00:06"}')
    record(second / "0.mp4", 6, clock="2026-11-17T21:00:00")  # of which the copy becomes the second part
    night(first)
    (found,) = Store().findings()
    night(second)
    assert [one.current for one in Store().findings() if one.id == found.id] == [True]


def test_a_copy_at_the_same_table_is_reviewed_once_and_told(tmp_path: Path) -> None:
    first, second = (make_table(tmp_path / name) for name in ("monday", "backup"))
    shutil.copy(record(first / "a.mp4", 4), second / "b.mp4")
    report = night(first, second)
    assert [table.recordings for table in report.tables] == [1]
    assert [{one.file, one.of} for one in report.repeats] == [{str(first / "a.mp4"), str(second / "b.mp4")}]


def test_empty_files_of_two_tables_are_no_copies_of_each_other(tmp_path: Path) -> None:
    for table in ("1", "2"):
        (make_table(tmp_path / table, table=table) / "a.mp4").touch()
    night(tmp_path / "1", tmp_path / "2")
    assert len(Store().reviews()) == 2
    assert {one.finding.observed for one in Store().findings()} == {"Nothing could be watched: is empty"}


def test_a_recording_reviewed_for_another_table_keeps_both_reviews(tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    one = review_recording(video, layout, house, tmp_path / "one", stages=fake_stages(finding()))
    copy = shutil.copy(video, tmp_path / "copy.mp4")
    write_layout(layout, msgspec.structs.replace(make_layout(), table="5"))
    two = review_recording(Path(copy), layout, house, tmp_path / "two", stages=fake_stages(finding()))
    assert set(stored()) == {one.review.table, two.review.table}
    assert two.repeats is not None and one.review.id in two.repeats
    assert [read_review(tmp_path / name, Store()) for name in ("one", "two")] == [
        Store().review(one.review.id),
        Store().review(two.review.id),
    ]


def test_a_corrected_layout_corrects_the_review(tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    one = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding()))
    write_layout(layout, msgspec.structs.replace(make_layout(), table="5"))
    two = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding()))
    assert (two.review.id, two.repeats) == (one.review.id, None)
