"""Templates of records: what is filled into them is read back."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from openpyxl import load_workbook

from verifier.cli import run
from verifier.formats.record_kinds import record_kinds
from verifier.formats.site_records import read_records
from verifier.review.records.templates import columns_of, template

CELLS = {
    "day": "2026-11-17",
    "quarter": "2026Q3",
    "time": "9:15 p.m.",
    "flag": "yes",
    "money": "12.50",
    "signed": "-12.50",
    "amounts": "12.50;13.00",
    "count": "3",
    "number": "2.5",
    "percent": "12.3 %",
}


@pytest.mark.parametrize("name", list(record_kinds()))
def test_a_filled_template_is_read_in_every_format(tmp_path: Path, name: str) -> None:
    kind = record_kinds()[name]
    cells = {
        column: CELLS.get(kind.columns.get(kind.column(column) or "", ("text",))[0], "7")
        for column, *_ in columns_of(kind)
    }
    csv = tmp_path / "a.csv"
    csv.write_bytes(template(name, "csv") + (",".join(cells.values()) + "\r\n").encode())
    book = load_workbook(io.BytesIO(template(name, "xlsx")))
    book[name].append(list(cells.values()))
    book.save(tmp_path / "a.xlsx")
    made = msgspec.json.decode(template(name, "json"))
    made["records"][0] |= cells
    (tmp_path / "a.json").write_bytes(msgspec.json.encode(made))
    (one,) = read_records(csv, kind=name)
    for path in (tmp_path / "a.xlsx", tmp_path / "a.json"):
        assert [each.fields for each in read_records(path)] == [one.fields]


def test_the_command_writes_a_template_and_overwrites_nothing(tmp_path: Path) -> None:
    out = tmp_path / "slips.xlsx"
    assert run(["records", "template", "fill_slip", "--format", "xlsx", "--out", str(out)]) == 0
    assert load_workbook(out).sheetnames == ["fill_slip", "Help"]
    assert run(["records", "template", "fill_slip", "--out", str(out)]) == 2
