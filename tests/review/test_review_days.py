"""A year that no record is of, by a slip or on purpose, is one line with its place (hold_overflow)."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.formats.days import read_day, read_moment
from verifier.review.batch.sources import look_for
from verifier.review.documents.daily_checks import read_checks
from verifier.review.documents.hold_figures import read_figures
from verifier.review.documents.quarters import quarter_days
from verifier.review.documents.roster import read_roster
from verifier.review.weeks import week_days

SLIPS = ("0206-07-01", "1989-12-31", "2100-01-01", "9999-12-31")


@pytest.mark.parametrize("day", SLIPS)
def test_a_day_of_no_year_of_these_records_is_none(day: str) -> None:
    for read, text in ((read_day, day), (read_moment, f"{day}T21:00")):
        with pytest.raises(ValueError, match="the year"):
            read(text)


def test_the_first_and_the_last_day_are_days() -> None:
    assert [read_day(day).isoformat() for day in ("1990-01-01", "2099-12-31")] == ["1990-01-01", "2099-12-31"]


@pytest.mark.parametrize("week", ["9999-W52", "0206-W11", "1989-W50", "2100-W01"])
def test_such_a_week_is_none(week: str) -> None:
    with pytest.raises(BadInput, match="is no week"):
        week_days(week)


@pytest.mark.parametrize("quarter", ["9998-Q4", "0206-Q1", "1989-Q4", "2100-Q1"])
def test_such_a_quarter_is_none(quarter: str) -> None:
    with pytest.raises(BadInput, match="is no quarter"):
        quarter_days(quarter)


@pytest.mark.parametrize("day", SLIPS)
def test_tables_and_manifests_name_the_line(tmp_path: Path, day: str) -> None:
    (path := tmp_path / "table.csv").write_text(
        f"site,day,game,dealer,gross_proceeds,prizes\n0123,{day},twenty-one,Lee,10,5\n", encoding="utf-8"
    )
    with pytest.raises(BadInput, match="line 2"):
        read_figures(path)
    path.write_text(f"site,day,shift,person,duty\n0123,{day},evening,Lee,twenty-one\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2"):
        read_roster(path)
    path.write_text(f"table,first_seen\n7,{day}T21:30\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2"):
        read_checks(path)
    path.write_text(f"file,start\nnight.mp4,{day}T21:30:00\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2, column start"):
        look_for([str(path)])


@pytest.mark.parametrize("hidden", ["\x1b[2J", "\x07", "\0", "\u202e"])
def test_a_cell_of_letters_that_nobody_sees_names_the_line_and_the_column(tmp_path: Path, hidden: str) -> None:
    """control_characters: such a site would be no site that a layout can name."""
    (path := tmp_path / "table.csv").write_text(
        f"site,day,shift,person,duty\n0123{hidden},2026-11-16,evening,Lee,twenty-one\n", encoding="utf-8"
    )
    with pytest.raises(BadInput, match="line 2: site holds letters that nobody sees"):
        read_roster(path)


def test_a_name_in_a_manifest_that_no_file_can_have_ends_no_night(tmp_path: Path) -> None:
    """night_killed_by_a_name."""
    (tmp_path / "good.mp4").write_bytes(b"x")
    (manifest := tmp_path / "night.csv").write_bytes(b"file\na\0b.mp4\ngood.mp4\n")
    found = look_for([str(manifest)])
    assert [Path(one.path).name for one in found.sources] == ["good.mp4"]
    assert [one.cause for one in found.left_out] == ["no possible name of a file"]


@pytest.mark.parametrize("day", SLIPS)
def test_commands_say_which_years_they_know(
    tmp_path: Path, own_home: Path, capsys: pytest.CaptureFixture[str], day: str
) -> None:
    assert run(["daily", "--site", "0123", "--date", day, "--out", str(tmp_path)]) == 2
    assert "is not from 1990 to 2099" in capsys.readouterr().err
