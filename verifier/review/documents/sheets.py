"""Tables as CSV and XLSX in which no text runs as a formula."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import msgspec
import pandas as pd
from msgspec import Struct

from verifier.domain.names import shown

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_MOST_SHEET_NAME = 31


def guard_formula(value: object) -> object:
    """Put an apostrophe before a text that would start a formula in a spreadsheet; blanks before it do not hide it.

    Control characters are escaped, but for ends of lines and tabs.
    """
    if not isinstance(value, str):
        return value
    text = shown(value, keep="\n\r\t")
    return "'" + text if text.startswith(_FORMULA_STARTS) or text.lstrip().startswith(_FORMULA_STARTS) else text


def table_of(rows: Sequence[Struct | Mapping[str, object]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table with these columns, every text guarded."""
    plain = [msgspec.to_builtins(row) for row in rows]
    return pd.DataFrame(plain, columns=list(columns), dtype=object).map(guard_formula)


def csv_of(table: pd.DataFrame) -> bytes:
    """Return the table as CSV, UTF-8, with the line ends that spreadsheets expect."""
    return str(table.to_csv(index=False, lineterminator="\r\n")).encode()


def xlsx_of(sheets: Mapping[str, pd.DataFrame]) -> bytes:
    """Return a workbook with one sheet for each table; texts stay texts whatever they begin with."""
    stream = io.BytesIO()
    with pd.ExcelWriter(stream, engine="openpyxl") as writer:
        for name, table in sheets.items():
            table.to_excel(writer, sheet_name=name[:_MOST_SHEET_NAME], index=False)
            sheet = writer.sheets[name[:_MOST_SHEET_NAME]]
            sheet.freeze_panes = "A2"
            for column in sheet.columns:
                longest = max((len(str(cell.value or "")) for cell in column), default=8)
                sheet.column_dimensions[column[0].column_letter].width = min(60, longest + 2)
    return stream.getvalue()
