"""The gaming floor: which kept table a recording is of, what held on its day, tables as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch_fakes import CHAIN, chain, make_table, record
from batch_night import Here
from msgspec import structs
from review_fakes import make_layout
from sqlalchemy import text

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.formats.house import read_house
from verifier.formats.house_words import house_words
from verifier.formats.layout import read_layout
from verifier.recording.timeline import Reading
from verifier.review.batch import shift
from verifier.review.floor.files import files_of
from verifier.review.floor.find import completed
from verifier.review.floor.told import told_files
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.values import Source
from verifier.store.floor import Floor, GamingTable
from verifier.store.repository import Store

HOUSE = House(video_surveillance="present")


def keep(site: str, table: str, folder: str = "", since: str = "") -> Floor:
    floor = Floor(Store())
    if folder:
        floor.put_table(site, table, folder, "kim")
    floor.add_layout(site, table, structs.replace(make_layout(), site=site, table=table), "kim", since=since)
    floor.add_house(site, table, HOUSE, "kim")
    return floor


def signed(site: str | None, table: str | None) -> Chain:
    return structs.replace(chain(), signs=lambda _: (site, table))


def place(path: Path, stages: Chain, **told: str) -> tuple[str | None, str | None]:
    source = Source(path=str(path), layout=None, house=None, **told)
    found = completed(source, Floor(Store()).tables(), stages)
    assert read_layout(found.layout or "").table == found.table
    assert read_house(found.house or "") == HOUSE
    return found.site, found.table


def test_the_table_is_found_by_what_is_told_by_folder_and_by_sign(tmp_path: Path) -> None:
    keep("0123", "2", str(tmp_path / "two"))
    keep("0123", "7")
    keep("0456", "7")
    inside, outside = record(tmp_path / "a.mp4", 2), record(tmp_path / "b.mp4", 2, 50)
    (tmp_path / "two").mkdir()
    inside = inside.rename(tmp_path / "two" / "a.mp4")
    assert place(inside, signed(None, None)) == ("0123", "2")
    assert place(outside, signed(None, None), site="0456", table="7") == ("0456", "7")
    assert place(outside, signed("456", "07")) == ("0456", "7")
    assert place(outside, signed("O123", "2")) == ("0123", "2")


@pytest.mark.parametrize(
    ("signs", "why"),
    [
        ((None, None), "no sign in its picture"),
        ((None, "2"), "its signs fit several tables|which is not kept|fit several"),
        (("0123", "9"), "table 9, which is not kept"),
        ((None, "7"), "fit several tables"),
        (("0123", None), "no sign in its picture"),
    ],
)
def test_a_table_that_is_not_surely_known_is_no_table(
    tmp_path: Path, signs: tuple[str | None, str | None], why: str
) -> None:
    """Where there are several sites, a table's number alone does not say which table it is."""
    keep("0123", "2")
    keep("0123", "7")
    keep("0456", "7")
    with pytest.raises(BadInput, match=why):
        place(record(tmp_path / "a.mp4", 2), signed(*signs))


def test_the_versions_of_the_day_of_play_hold() -> None:
    floor = keep("0123", "2", since="2026-11-17")
    with pytest.raises(BadInput, match="there is no layout that held on 2026-11-16"):
        files_of(_only(floor), "2026-11-16")
    floor.add_layout("0123", "2", structs.replace(make_layout(), name="first"), "kim")
    floor.add_layout("0123", "2", structs.replace(make_layout(), name="moved"), "kim", since="2026-11-18")
    names = [read_layout(files_of(_only(floor), day).layout).name for day in ("2026-11-16", "2026-11-17", "2026-11-18")]
    assert names == ["first", "test", "moved"]
    with pytest.raises(BadInput, match="the day of the recording is not known"):
        files_of(_only(floor), None)


def test_a_site_alone_does_not_say_which_table_it_is(tmp_path: Path) -> None:
    """Not even where one table of the site is kept: the recording may be of another one."""
    keep("0123", "2")
    keep("0456", "7")
    video = record(tmp_path / "a.mp4", 2)
    with pytest.raises(BadInput, match="no sign in its picture"):
        place(video, signed(None, None), site="0123")
    assert place(video, signed(None, "2"), site="0123") == ("0123", "2")
    with pytest.raises(BadInput, match="which is not kept"):
        place(video, signed(None, "7"), site="0123")


def _only(floor: Floor) -> GamingTable:
    (table,) = floor.tables()
    return table


def test_the_day_is_read_from_the_picture_where_it_matters(tmp_path: Path) -> None:
    floor = keep("0123", "2", str(tmp_path))
    floor.add_layout("0123", "2", structs.replace(make_layout(), name="moved"), "kim", since="2026-11-18")
    before = record(tmp_path / "a.mp4", 2, clock="2026-11-17T21:00:00")
    after = record(tmp_path / "b.mp4", 2, 50, clock="2026-11-18T21:00:00")
    layouts = [
        told_files(video, None, None, None, day=None, how=Reading(), stages=chain())[0] for video in (before, after)
    ]
    assert [read_layout(one).name for one in layouts] == ["test", "moved"]


def test_each_version_is_a_deed_with_its_digest() -> None:
    floor = keep("0123", "2")
    deeds = {link.deed.act: link.deed for link in Store().audit(subject="table/0123/2") if link.deed}
    (layout,) = _only(floor).of("layout")
    assert deeds["layout"].detail["sha256"] == layout.sha256
    assert deeds["house"].actor == "kim"


@pytest.mark.parametrize("act", ["UPDATE gaming_table_versions SET body = '{}'", "DELETE FROM gaming_table_versions"])
def test_a_version_is_never_changed(act: str) -> None:
    keep("0123", "2")
    with pytest.raises(BadInput, match="append-only"), Store().writing() as session:
        session.execute(text(act))


def test_tables_go_out_as_yaml_and_come_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_table(tmp_path / "t", "0123", "7")
    arguments = ["--house", str(tmp_path / "t" / "house.yaml"), "--folder", str(tmp_path), "--since", "2026-01-02"]
    assert run(["tables", "import", str(tmp_path / "t" / "layout.yaml"), *arguments]) == 0
    assert run(["tables", "export", str(tmp_path / "out")]) == 0
    before = _only(Floor(Store()))
    file = tmp_path / "out" / "0123-7.table.yaml"
    assert run(["tables", "import", str(file)]) == 0
    assert _only(Floor(Store())) == before  # nothing is kept twice
    (tmp_path / "home" / "verifier.sqlite").unlink()
    for more in (tmp_path / "home").glob("verifier.sqlite-*"):
        more.unlink()
    assert run(["tables", "import", str(file), "--by", "pat"]) == 0
    after = _only(Floor(Store()))
    assert [(one.kind, one.valid_from, one.sha256) for one in after.versions] == [
        (one.kind, one.valid_from, one.sha256) for one in before.versions
    ]
    assert after.folder == str(tmp_path)
    assert run(["tables", "list"]) == 0
    assert "layout 1, since 2026-01-02" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("since: '2026-01-02'", "since: '2026-13-02'"), "2026-13-02"),
        (("table: '7'", "table: '8'"), "its layout is of"),
        (("present", "perhaps"), "video_surveillance"),
        (("format: verifier-table", "format: verifier-table\nmore: 1"), "more"),
    ],
)
def test_a_table_file_that_is_wrong_is_told_and_nothing_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], told: str
) -> None:
    keep("0123", "7", since="2026-01-02")
    assert run(["tables", "export", str(tmp_path / "out")]) == 0
    (file,) = (tmp_path / "out").iterdir()
    text = file.read_text()
    assert change[0] in text
    file.write_text(text.replace(*change, 1))
    capsys.readouterr()
    before = Floor(Store()).tables()
    assert run(["tables", "import", str(file)]) == 2
    assert told in capsys.readouterr().err
    assert Floor(Store()).tables() == before


def test_a_night_finds_the_tables_of_its_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep("0123", "2", str(tmp_path / "night" / "two"))
    keep("0123", "7", str(tmp_path / "night" / "seven"))
    monkeypatch.setattr(shift, "make_engine", lambda order, setup: Here(setup))
    for number, name in enumerate(("two", "seven", "elsewhere")):
        (tmp_path / "night" / name).mkdir(parents=True)
        record(tmp_path / "night" / name / "a.mp4", 8, number * 100, clock="2026-11-17T21:00:00")
    order = shift.Order(places=[str(tmp_path / "night")], folders=shift.Folders(tmp_path / "work"), chain=CHAIN)
    report, _ = shift.Shift(order, lambda tally: None).run()
    assert [(one.table, sum(one.findings.values())) for one in report.tables if one.site == "0123"] == [
        ("2", 1),
        ("7", 1),
    ]
    (failure,) = report.failures
    assert "no sign in its picture says which table it is" in failure.cause


def test_the_command_review_without_a_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = record(tmp_path / "a.mp4", 2)
    assert run(["review", str(video), "--out", str(tmp_path / "out")]) == 2
    assert "no layout is given, and no table is kept" in capsys.readouterr().err
    assert run(["review", str(video), "--out", str(tmp_path / "out"), "--table", "7"]) == 2
    assert "expected SITE/TABLE" in capsys.readouterr().err


def test_the_words_of_the_form_are_those_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "house-options.md").read_text(encoding="utf-8")
    rows = {
        name.strip(" `"): line
        for line in page.splitlines()
        if line.startswith("| `")
        for name in line.split("|")[1].split(",")
    }
    assert {one.name for one in house_words()} == set(rows) == set(House.__struct_fields__)
    for one in house_words():
        for words in (one.decides, one.default, one.rule):
            assert words in rows[one.name].replace("`", ""), one.name


def test_a_tables_file_that_was_exchanged_is_written_anew() -> None:
    """No entry of the log tells of these files: only what the store holds of the table is judged by."""
    (table,) = keep("0123", "2").tables()
    made = files_of(table, None)
    layout, house, before = made.layout.read_bytes(), made.house.read_bytes(), made.layout.stat().st_mtime_ns
    files_of(table, None)
    assert made.layout.stat().st_mtime_ns == before, "what holds the version stays"
    made.layout.write_bytes(layout.replace(b"0123", b"0999"))
    made.house.write_text("deck_count: 1\n")
    files_of(table, None)
    assert (made.layout.read_bytes(), made.house.read_bytes()) == (layout, house)
    made.house.write_text("[")
    made.layout.unlink()
    made.layout.symlink_to(made.house)
    files_of(table, None)
    assert (made.layout.read_bytes(), made.house.read_bytes()) == (layout, house)
