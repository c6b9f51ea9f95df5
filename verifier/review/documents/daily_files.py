"""The daily log as PDF, CSV and XLSX, kept in the store."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pandas as pd

from verifier.review.documents.daily import Check, DailyLog
from verifier.review.documents.keeping import Made, keep_document
from verifier.review.documents.notice import NOTICE
from verifier.review.documents.setting import set_pdf
from verifier.review.documents.sheets import csv_of, table_of, xlsx_of
from verifier.store.repository import Store

_REPAIR = ("active_hours_counted", "calendar_days", "due_day", "overdue")


def write_daily(store: Store, log: DailyLog, out: Path, reason: str = "") -> Made:
    """Writes the log into `out` as the next version."""

    def files(version: int) -> dict[str, bytes]:
        lines = sheet(log)
        return {"pdf": daily_pdf(log, version), "csv": csv_of(lines), "xlsx": xlsx_of({"Daily log": lines})}

    body = msgspec.json.encode(log).decode()
    return keep_document(store, "daily", log.site, log.day, log.employee, body, out, files, reason)


def daily_pdf(log: DailyLog, version: int = 1) -> bytes:
    """The log as PDF."""
    fields = {"version": version, "attested": log.attested, "notice": NOTICE}
    return set_pdf("daily.typ", {**msgspec.to_builtins(log), **fields})


def sheet(log: DailyLog) -> pd.DataFrame:
    """One line for each table."""
    rows = []
    for line in log.lines:
        repair = line.repair
        clocks = (repair.active_hours, repair.days, repair.due_day, repair.overdue) if repair else ("",) * 4
        rows.append(
            {
                "site": log.site,
                "date": log.day,
                **msgspec.to_builtins(line.check),
                **dict(zip(_REPAIR, clocks, strict=True)),
                "employee": log.employee,
                "initials": log.initials,
                "software": " ".join(line.support),
            }
        )
    return table_of(rows, ["site", "date", *Check.__struct_fields__, *_REPAIR, "employee", "initials", "software"])
