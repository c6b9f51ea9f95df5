"""Tables that people keep: CSV files with a line of column names."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Sequence
from typing import Final

from verifier.domain.errors import BadInput
from verifier.domain.names import is_hidden
from verifier.formats.files import PathLike, read_bytes
from verifier.formats.wording import printable

Row = tuple[str, dict[str, str]]
"""Where the row stands (`line 2`) and its cells by column, without blanks around them; a missing cell is empty."""


_LAID_OUT: Final = "\n\r\t"
MOST_ROWS: Final = 200_000
"""Rows of a table: a year of three shifts at twenty tables with three people each has 66,000."""


def read_table(path: PathLike, needed: Sequence[str]) -> tuple[list[str], list[Row]]:
    """Return the column names and the rows of a CSV file.

    Raises BadInput for what is no UTF-8 text or no table, lacks a needed column or has it twice, has a row of too many
    cells, a cell with letters that nobody sees, or more than `MOST_ROWS` rows.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(path, "is not UTF-8 text", "save it as CSV UTF-8") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        names = list(reader.fieldnames or ())
        missing = [name for name in needed if name not in names]
        if missing:
            raise BadInput(path, f"lacks the column {missing[0]}", f"give the columns {', '.join(needed)}")
        twice = [name for name in needed if names.count(name) > 1]
        if twice:
            raise BadInput(path, f"has the column {twice[0]} more than once", "leave one of them")
        rows = [_row(path, reader.line_num, cells) for cells in itertools.islice(reader, MOST_ROWS)]
        if next(reader, None) is not None:
            raise BadInput(path, f"has more than {MOST_ROWS} rows", "divide it into several files")
        return names, rows
    except csv.Error as error:
        raise BadInput(path, f"is no table ({error})", "save it as CSV UTF-8") from None


def _row(path: PathLike, line: int, cells: dict[str | None, str | list[str] | None]) -> Row:
    where = f"line {line}"
    if None in cells:
        raise BadInput(path, "has more cells than columns", "put text that holds a comma into quotes", where=where)
    found = {str(name): str(value or "").strip() for name, value in cells.items()}
    hidden = next(
        (name for name, value in found.items() if any(is_hidden(one) and one not in _LAID_OUT for one in value)), None
    )
    if hidden is not None:
        raise BadInput(path, f"{printable(hidden)} holds letters that nobody sees", "type it again", where=where)
    return where, found
