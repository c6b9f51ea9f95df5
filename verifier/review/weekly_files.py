"""Writes the weekly review documentation as PDF (Typst) and CSV (pandas)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pandas as pd
import typst
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.review.weekly import WeekFinding, Weekly
from verifier.store.repository import Store

_TEMPLATE = Path(__file__).parent / "templates" / "weekly.typ"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


class WeeklyFiles(Struct, frozen=True, kw_only=True):
    """The two files that were written."""

    pdf: Path
    csv: Path


def write_weekly(weekly: Weekly, out: Path, store: Store) -> WeeklyFiles:
    """Writes `weekly-SITE-WEEK.pdf` and `.csv` into `out` and notes them in the store."""
    out.mkdir(parents=True, exist_ok=True)
    stem = f"weekly-{_safe(weekly.site)}-{weekly.week}"
    files = WeeklyFiles(pdf=out / f"{stem}.pdf", csv=out / f"{stem}.csv")
    pdf = weekly_pdf(weekly)
    files.pdf.write_bytes(pdf)
    files.csv.write_text(weekly_csv(weekly), encoding="utf-8")
    store.add_weekly(
        weekly.site,
        weekly.week,
        weekly.answers.reviewer,
        str(files.pdf),
        str(files.csv),
        hashlib.sha256(pdf).hexdigest(),
    )
    return files


def weekly_pdf(weekly: Weekly) -> bytes:
    """The document as PDF. Compiled with the fonts in the wheel; nothing is fetched."""
    data = msgspec.json.encode({**msgspec.to_builtins(weekly), "short_tables": weekly.short_tables}).decode()
    try:
        made = typst.compile(str(_TEMPLATE), format="pdf", sys_inputs={"data": data}, ignore_system_fonts=True)
    except typst.TypstError as error:
        raise BadInput(_TEMPLATE, f"the document could not be set ({error})", "install the package again") from error
    assert isinstance(made, bytes)
    return made


def weekly_csv(weekly: Weekly) -> str:
    """One line for each finding; texts that a spreadsheet would run as a formula begin with an apostrophe."""
    rows = [{"site": weekly.site, "week": weekly.week, **msgspec.to_builtins(one)} for one in weekly.findings]
    columns = ["site", "week", *WeekFinding.__struct_fields__]
    table = pd.DataFrame(rows, columns=columns, dtype=object).map(guard_formula)
    return str(table.to_csv(index=False, lineterminator="\r\n"))


def guard_formula(value: object) -> object:
    """Puts an apostrophe before a text that would start a formula in a spreadsheet."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


def _safe(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text) or "site"
