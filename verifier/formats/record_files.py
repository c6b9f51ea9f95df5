"""Files of records as people and other programs write them: CSV, XLSX and JSON, read into rows of cells.

Content decides what a file is, not its name. Nothing of a file is evaluated: of a formula the value is taken that the
spreadsheet program stored beside it.
"""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.files import PathLike, read_bytes
from verifier.formats.json_text import parse_json
from verifier.formats.record_kinds import KIND, record_kinds
from verifier.formats.wording import printable, shown

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

JSON_FORMAT: Final = "verifier-records"
MOST_ROWS: Final = 20_000
"""Rows of a file: a year of fill and credit slips of a site with 20 tables has about 15,000."""
MOST_COLUMNS: Final = 400
"""Columns of a sheet: a tournament of 60 players has 370."""
MOST_UNPACKED: Final = 64 * 1024 * 1024
"""Bytes of a workbook's parts together, unpacked: 20,000 rows of 25 cells have about 30 million."""
MOST_PARTS: Final = 200
"""Files in a workbook; one of 30 sheets has about 70."""
_ZIP: Final = b"PK\x03\x04"
HELP_SHEET: Final = "Help"
"""The sheet of a template that tells how its columns are written; it is not read."""
_DAMAGED: Final = (
    zipfile.BadZipFile,
    zlib.error,
    ParseError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    OverflowError,
    RuntimeError,
)
"""What the packer and the reader of workbooks raise for damaged files, as `benchmarks/fuzz_readers.py` found them."""
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DTD: Final = (b"<!DOCTYPE", b"<!ENTITY")


class Line(Struct, frozen=True, kw_only=True):
    """A row of a file: where it stands, the kind that the file names for it, and its cells that hold something.

    `in_cents`: whole numbers of money are cents, as in JSON, and not dollars, as in a sheet.
    """

    where: str
    cells: dict[str, object]
    kind: str | None = None
    in_cents: bool = False


def read_lines_of(path: PathLike) -> list[Line]:
    """Return the rows of a file of records. Raises BadInput naming the place for what is none or beyond the bounds."""
    content = read_bytes(path)
    if content.startswith(_ZIP):
        return list(_of_workbook(path, content))
    if content.lstrip()[:1] in (b"{", b"["):
        return list(_of_json(path, content))
    return list(_of_csv(path, content))


def _of_csv(path: PathLike, content: bytes) -> Iterator[Line]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(path, "is neither UTF-8 text nor a workbook", "save it as CSV UTF-8 or as XLSX") from error
    if "\x00" in text:
        raise BadInput(path, "is neither text nor a workbook", "save it as CSV UTF-8 or as XLSX")
    first = text.lstrip().partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from _table(path, ((f"line {reader.line_num}", row) for row in reader))
    except csv.Error as error:
        raise BadInput(
            path, f"is no table ({error})", "save it as CSV UTF-8", where=f"line {reader.line_num}"
        ) from None


def _table(path: PathLike, rows: Iterable[tuple[str, Sequence[object]]], kind: str | None = None) -> Iterator[Line]:
    """Yield the rows below the line of column names, without blank ones."""
    names: list[str] | None = None
    for number, (where, row) in enumerate(rows):
        if number > MOST_ROWS:
            raise BadInput(path, f"has more than {MOST_ROWS} rows", "divide it into several files")
        if len(row) > MOST_COLUMNS:
            raise BadInput(path, f"has more than {MOST_COLUMNS} columns", "give one row for each record", where=where)
        if names is None:
            names = _names(path, where, row)
            continue
        cells = dict(_cells(path, where, names, row))
        named = cells.pop(KIND, None)
        if cells:
            yield Line(where=where, cells=cells, kind=kind if named is None else str(named).strip())


def _names(path: PathLike, where: str, row: Sequence[object]) -> list[str]:
    names = ["" if cell is None else str(cell).strip() for cell in row]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(path, f"has the column {printable(twice)} twice", "remove one", where=where)
    if not any(names):
        raise BadInput(path, "has no column names", "begin with a line of column names", where=where)
    return names


def _cells(path: PathLike, where: str, names: list[str], row: Sequence[object]) -> Iterator[tuple[str, object]]:
    for number, cell in enumerate(row):
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            continue
        if number >= len(names) or not names[number]:
            cause, remedy = (
                f"cell {number + 1} stands below no column name",
                "put text that holds the separator into quotes",
            )
            raise BadInput(path, cause, remedy, where=where)
        yield names[number], cell


def _of_json(path: PathLike, content: bytes) -> Iterator[Line]:
    value = parse_json(path, content.strip(), "file")
    if isinstance(value, dict):
        if value.get("format") != JSON_FORMAT or value.get("version") != 1:
            raise BadInput(path, f"is no {JSON_FORMAT} file of version 1", "see verifier records template")
        value = value.get("records")
    if not isinstance(value, list):
        raise BadInput(path, f"found {shown(value)}, expected a list of records", "see verifier records template")
    if len(value) > MOST_ROWS:
        raise BadInput(path, f"has more than {MOST_ROWS} records", "divide it into several files")
    for number, item in enumerate(value, start=1):
        where = f"record {number}"
        if not isinstance(item, dict):
            raise BadInput(path, f"found {shown(item)}, expected an object in braces", "correct it", where=where)
        cells = dict(_flat(item, ""))
        named = cells.pop(KIND, None)
        yield Line(where=where, cells=cells, kind=None if named is None else str(named), in_cents=True)


def _flat(value: object, name: str) -> Iterator[tuple[str, object]]:
    """Yield the leaves of a JSON value by their dotted names. Items of lists are counted from 1; lists of text stay
    whole.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and not _plain_list(value, name):
        for number, item in enumerate(value, start=1):
            yield from _flat(item, f"{name}.{number}")
    elif value is not None:
        yield name, value


def _plain_list(value: list[object], name: str) -> bool:
    """Tell whether a list is the value of one column, as `initials` is; `counts.1` and such are columns each."""
    last = name.rpartition(".")[2]
    if not value or isinstance(value[0], dict | list):
        return False
    columns = (column for kind in record_kinds().values() for column in kind.columns.items())
    return any(one.rpartition(".")[2] == last for one, (of, _) in columns if of in ("list", "amounts"))


def _of_workbook(path: PathLike, content: bytes) -> Iterator[Line]:
    _check_package(path, content)
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and links that are not read
            values, written = _opened(content)
        sheets = [sheet for sheet in values.worksheets if sheet.title != HELP_SHEET and not _is_empty(sheet)]
        named = len(sheets) > 1 or any(sheet.title in record_kinds() for sheet in sheets)
        for sheet in sheets:
            if named and sheet.title not in record_kinds():
                cause = f"the sheet {printable(sheet.title)} bears the name of no kind of records"
                raise BadInput(path, cause, "name it after its kind, or remove it")
            formulas = written[sheet.title]
            sheet.reset_dimensions()
            formulas.reset_dimensions()
            yield from _table(path, _sheet(path, sheet, formulas), sheet.title if named else None)
    except (*_DAMAGED, InvalidFileException) as error:
        raise BadInput(path, f"is no workbook that can be read ({printable(str(error))})", "save it as XLSX") from error


def _opened(content: bytes) -> tuple[Workbook, Workbook]:
    """Return a workbook twice: with the values of its formulas, and with the formulas."""
    from openpyxl import load_workbook

    values, formulas = (
        load_workbook(io.BytesIO(content), read_only=True, data_only=only, keep_links=False) for only in (True, False)
    )
    return values, formulas


def _is_empty(sheet: ReadOnlyWorksheet) -> bool:
    """Tell whether nothing stands in a sheet, as in those that spreadsheet programs add by themselves."""
    sheet.reset_dimensions()
    return all(cell.value is None for row in islice(sheet.iter_rows(), MOST_ROWS) for cell in row)


def _sheet(
    path: PathLike, values: ReadOnlyWorksheet, formulas: ReadOnlyWorksheet
) -> Iterator[tuple[str, list[object]]]:
    """Yield the rows of a sheet as values. Raises BadInput for a formula beside which no value was stored, and for
    errors.
    """
    pairs = zip(values.iter_rows(), formulas.iter_rows(), strict=True)
    for number, (row, same) in enumerate(islice(pairs, MOST_ROWS + 2), start=1):
        where = f"sheet {printable(values.title)}, row {number}"
        if len(row) > MOST_COLUMNS:
            raise BadInput(path, f"has more than {MOST_COLUMNS} columns", "give one row for each record", where=where)
        for cell, other in zip(row, same, strict=True):
            if other.data_type == "f" and cell.value is None:
                cause = f"the formula in {other.coordinate} has no value"
                raise BadInput(
                    path, cause, "open the file in a spreadsheet program and save it, or type the value", where=where
                )
            if cell.data_type == "e":
                raise BadInput(path, f"{cell.coordinate} holds the error {cell.value}", "correct the cell", where=where)
        yield where, [cell.value for cell in row]


def _check_package(path: PathLike, content: bytes) -> None:
    """Refuses, before anything is unpacked, a package that would need much memory, and one with entities of its own."""
    remedy = "save the sheet alone as XLSX"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = package.infolist()
            if len(parts) > MOST_PARTS or len({part.filename for part in parts}) != len(parts):
                raise BadInput(path, f"has more than {MOST_PARTS} parts, or two of one name", remedy)
            if any(part.compress_type not in _PACKED for part in parts):
                raise BadInput(path, "is packed in another way than workbooks are", remedy)
            if any(part.flag_bits & 1 for part in parts):
                raise BadInput(path, "is protected by a password", "save it without a password")
            if sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise BadInput(path, f"unpacks to more than {MOST_UNPACKED} bytes", remedy)
            for part in parts:
                _check_part(path, package, part)
    except _DAMAGED as error:
        raise BadInput(path, f"is no workbook that can be read ({printable(str(error))})", "save it as XLSX") from error


def _check_part(path: PathLike, package: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """Read a part piece by piece and check that it is as long as it says and declares no entities."""
    before = b""
    with package.open(part) as stream:
        while piece := stream.read(1 << 16):
            if any(mark in before + piece for mark in _DTD):
                raise BadInput(path, f"declares entities in {printable(part.filename)}", "save it as XLSX anew")
            before = piece[-16:]
