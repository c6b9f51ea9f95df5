"""Files of records: CSV, XLSX and JSON say the same; bombs, formulas without a value and other files are refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openpyxl import Workbook

from verifier.domain.errors import BadInput
from verifier.formats.record_files import MOST_COLUMNS, MOST_PARTS, MOST_ROWS, MOST_UNPACKED
from verifier.formats.record_kinds import record_kinds
from verifier.formats.site_records import SiteRecord, read_records

ROWS: list[list[Any]] = [
    ["site", "activity_date", "table", "counters.1.name", "counts.1", "counts.2", "initials", "dated"],
    ["0131", datetime(2026, 11, 17), 7, "Ann", 500, 500.5, "AA;BB", True],
]
CSV = """\
site,activity_date,table,counters.1.name,counts.1,counts.2,initials,dated
0131,2026-11-17,7,Ann,$500.00,500.50,AA;BB,yes
"""
RECORD = {
    "kind": "drop_count",
    "site": "0131",
    "activity_date": "2026-11-17",
    "table": "7",
    "counters": [{"name": "Ann"}],
    "counts": [50000, 50050],
    "initials": ["AA", "BB"],
    "dated": True,
}
Put = Callable[[str, bytes], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def to(name: str, content: bytes) -> Path:
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return to


def book(rows: list[list[Any]], title: str = "drop_count", *more: str) -> bytes:
    made = Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    for name in more:
        sheet = made.create_sheet(name)
        if name == "Notes":
            sheet.append(["remember to count"])
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def told(path: Path, **named: str) -> list[tuple[str, str, str | None, str, dict[str, Any]]]:
    return [(one.kind, one.site, one.day, one.table, one.fields) for one in read_records(path, **named)]


WANTED = [
    (
        "drop_count",
        "0131",
        "2026-11-17",
        "7",
        {
            "site": "0131",
            "activity_date": "2026-11-17",
            "table": "7",
            "counters": [{"name": "Ann"}],
            "counts": [50000, 50050],
            "initials": ["AA", "BB"],
            "dated": True,
        },
    )
]


def test_the_forms_of_a_file_say_the_same(put: Put) -> None:
    assert told(put("a.csv", CSV.encode()), kind="drop_count") == WANTED
    assert told(put("a.csv", b"\xef\xbb\xbf" + CSV.encode()), kind="drop_count") == WANTED
    semicolons = CSV.replace("AA;BB", '"AA;BB"').replace(",", ";")
    assert told(put("a.txt", semicolons.encode()), kind="drop_count") == WANTED
    assert told(put("a.xlsx", book(ROWS))) == WANTED
    assert told(put("a.csv", book(ROWS, "Sheet1")), kind="drop_count") == WANTED
    assert told(put("a.json", msgspec.json.encode([RECORD]))) == WANTED
    whole = {"format": "verifier-records", "version": 1, "records": [RECORD]}
    assert told(put("a.json", msgspec.json.encode(whole))) == WANTED


def test_values_of_chips_and_numbered_columns_become_what_the_law_reads(put: Put) -> None:
    text = "number,site,date,chips.5,chips.0.50,totals.5\n101,0131,2026-11-17,20,4,100.00\n"
    (slip,) = read_records(put("a.csv", text.encode()), kind="fill_slip")
    assert slip.fields["chips"] == {"500": 20, "50": 4} and slip.fields["totals"] == {"500": 10000}
    text = "name,site,date,players.1.name,players.1.final_chips,players.2.name,players.2.final_chips,players.2.rebuys\n"
    (cup,) = read_records(put("a.csv", f"{text}cup,0131,2026-11-17,Ann,5,Bob,7,20;30\n".encode()), kind="tournament")
    assert cup.fields["players"] == [{"name": "Ann"}, {"name": "Bob", "rebuys": [2000, 3000]}]
    assert cup.fields["final_chips"] == {"Ann": 5, "Bob": 7}


def test_of_a_formula_the_stored_value_is_taken_and_nothing_is_evaluated(put: Put) -> None:
    rows = [ROWS[0], [*ROWS[1][:4], "=250+250", *ROWS[1][5:]]]
    with pytest.raises(BadInput, match=r"sheet drop_count, row 2: the formula in E2 has no value"):
        read_records(put("a.xlsx", book(rows)))
    assert told(put("b.xlsx", with_value(book(rows), b"<f>250+250</f><v></v>", b"<f>250+250</f><v>500</v>"))) == WANTED
    with pytest.raises(BadInput, match="E2 holds the error #REF!"):
        broken = b'<c r="E2" t="e"><f>250+250</f><v>#REF!</v>'
        read_records(put("c.xlsx", with_value(book(rows), b'<c r="E2"><f>250+250</f><v></v>', broken)))


def with_value(content: bytes, before: bytes, after: bytes) -> bytes:
    """The workbook with some of its first sheet's bytes exchanged, as a spreadsheet program would have written them."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                part = part.replace(b"<v />", b"<v></v>").replace(b"<v/>", b"<v></v>")
                assert before in part, part
                part = part.replace(before, after)
            new.writestr(name, part)
    return made.getvalue()


def package(**parts: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(f"{name}.xml", part)
    return made.getvalue()


def test_a_bomb_is_refused_before_it_is_unpacked(put: Put) -> None:
    bomb = put("bomb.xlsx", package(sheet=bytes(MOST_UNPACKED + 1)))
    assert bomb.stat().st_size < MOST_UNPACKED // 500
    with pytest.raises(BadInput, match="unpacks to more than"):
        read_records(bomb, kind="fill_slip")
    with pytest.raises(BadInput, match="is no workbook"):
        read_records(put("full.xlsx", package(sheet=bytes(MOST_UNPACKED))), kind="fill_slip")
    many = {f"p{number}": b"" for number in range(MOST_PARTS + 1)}
    with pytest.raises(BadInput, match=f"more than {MOST_PARTS} parts"):
        read_records(put("many.xlsx", package(**many)), kind="fill_slip")
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    with pytest.raises(BadInput, match="declares entities"):
        read_records(put("laughs.xlsx", package(sheet=laughs)), kind="fill_slip")
    split = b" " * ((1 << 16) - 4) + laughs
    with pytest.raises(BadInput, match="declares entities"):
        read_records(put("split.xlsx", package(sheet=split)), kind="fill_slip")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04 and no more", "is no workbook"),
        (book([["site"]], "Sheet1", "Sheet2"), "holds no records"),
        (book(ROWS, "drop_count", "Notes"), "the sheet Notes bears the name of no kind"),
        (book([["site", "site"], ["1", "2"]]), "has the column site twice"),
        (b"site,site\n1,2\n", "has the column site twice"),
        (b"\xff\xfe\x00", "is neither UTF-8 text nor a workbook"),
        (b"a\x00b", "is neither text nor a workbook"),
        (b'site,table\n"0131', "is no table"),
        (b"site,activity_date,table\n0131,2026-11-17,7,8\n", "line 2: cell 4 stands below no column name"),
        (b"site,activity_date,table\n0131,,7\n", "line 2, column activity_date: is empty"),
        (b"site,activity_date,tabel\n0131,2026-11-17,7\n", r"has no column tabel \(did you mean table\?\)"),
        (b"site,activity_date,kind\n0131,2026-11-17,fill_slip\n", "is of the kind fill_slip, told was drop_count"),
        (b"[1]", "record 1: found 1"),
        (b'{"records": []}', "is no verifier-records file"),
        (b'[{"site": "0131", "activity_date": "2026-11-17", "counts": [500.5]}]', "no amount of whole cents"),
        (b'[{"site": "0131", "site": "0132"}]', "occurs twice"),
        (b"[" * 5000, "nested too deeply|no JSON"),
        (("," * MOST_COLUMNS + "\n").encode(), "has more than 400 columns"),
        (("site\n" + "1\n" * (MOST_ROWS + 1)).encode(), "has more than 20000 rows"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(put: Put, content: bytes, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_records(put("a.file", content), kind="drop_count")


def test_every_kind_can_be_told_by_its_key_alone(put: Put) -> None:
    """Each kind's key columns are columns of it, and a row of these and what it needs is a record."""
    cells = {"day": "2026-11-17", "quarter": "2026Q3", "time": "21:15", "flag": "yes"}
    for kind in record_kinds().values():
        names = dict.fromkeys([*kind.key, *([kind.day] if kind.day else []), *(kind.stands or []), *kind.needs])
        assert set(names) <= set(kind.columns), kind.name
        row = ",".join(cells.get(kind.columns[name][0], "7") for name in names)
        (one,) = read_records(put("a.csv", f"{','.join(names)}\n{row}\n".encode()), site="0131", kind=kind.name)
        assert isinstance(one, SiteRecord) and one.key
