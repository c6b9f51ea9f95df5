"""Empty files for a kind of records, to be filled in: CSV, XLSX or JSON."""

from __future__ import annotations

import csv
import io
from typing import Final, Literal

import msgspec

from verifier.formats.record_files import HELP_SHEET, JSON_FORMAT
from verifier.formats.record_kinds import KIND, SITE, RecordKind, record_kinds
from verifier.law.attested import KIND as STATEMENT
from verifier.law.attested import attestable
from verifier.law.catalogue import RULEBOOKS

Format = Literal["csv", "xlsx", "json"]
FORMATS: Final[tuple[Format, ...]] = ("csv", "xlsx", "json")
_EXAMPLES: Final = {
    "text": "text",
    "day": "2026-11-17",
    "time": "9:15 p.m.",
    "money": "1234.50",
    "signed": "1234.50 or -12.50",
    "count": "20",
    "number": "12.5",
    "percent": "12.3 %",
    "flag": "yes or no",
    "posted": "yes, no, or the text that is posted",
    "list": "AA;BB",
    "amounts": "20.00;30.00",
    "quarter": "2026Q3",
}
_VALUES: Final = ("1", "2", "5", "25", "100")
"""Values of chips in dollars of which a template has columns (99-01.3-08-03); 0.50 may be added."""
_NUMBERED: Final = ("1", "2")


def template(name: str, form: Format) -> bytes:
    """Return an empty file for records of a kind; `name` is one of `record_kinds()`."""
    kind = record_kinds()[name]
    return {"csv": _csv, "xlsx": _xlsx, "json": _json}[form](kind)


def columns_of(kind: RecordKind) -> list[tuple[str, str, str]]:
    """Return the columns of a template: name, how a cell is written, what it tells."""
    found = [(SITE, _EXAMPLES["text"], "site, as the recordings name it")]
    for name, (of, says) in kind.columns.items():
        found += [(one, _EXAMPLES[of], says) for one in _spelt(name)]
    return found


def _spelt(name: str) -> list[str]:
    if "VALUE" in name.split("."):
        return [name.replace("VALUE", value) for value in _VALUES]
    if "N" in name.split("."):
        return [".".join(number if part == "N" else part for part in name.split(".")) for number in _NUMBERED]
    return [name]


def _csv(kind: RecordKind) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerow([name for name, _, _ in columns_of(kind)])
    return b"\xef\xbb\xbf" + stream.getvalue().encode()


def _xlsx(kind: RecordKind) -> bytes:
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook()
    sheet = book.active
    sheet.title = kind.name
    sheet.freeze_panes = "A2"
    help_ = book.create_sheet(HELP_SHEET)
    help_.append(["Column", "Write", "Tells"])
    for number, (name, example, says) in enumerate(columns_of(kind), start=1):
        cell = sheet.cell(1, number, name)
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = max(10, len(name) + 2)
        help_.append([name, example, says])
    help_.append(["", "(blank)", "the paper's field is empty; an empty cell says nothing"])
    for clause in (one for rulebook in RULEBOOKS for one in attestable(rulebook)) if kind.name == STATEMENT else ():
        help_.append(["clause", clause.id, f"{clause.title}: {clause.requirement}"])
    for letter, width in zip("ABC", (28, 34, 70), strict=True):
        help_.column_dimensions[letter].width = width
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _json(kind: RecordKind) -> bytes:
    record: dict[str, object] = {KIND: kind.name} | {name: None for name, _, _ in columns_of(kind)}
    return (
        msgspec.json.format(msgspec.json.encode({"format": JSON_FORMAT, "version": 1, "records": [record]}), indent=1)
        + b"\n"
    )
