"""The daily log as PDF, CSV and XLSX, kept in the store."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pandas as pd

from verifier.review.documents.daily import Check, DailyLog
from verifier.review.documents.keeping import Made, keep_document, version_told, write_draft
from verifier.review.documents.notice import notice_of
from verifier.review.documents.setting import log_foot, set_pdf
from verifier.review.documents.sheets import csv_of, table_of, xlsx_of
from verifier.review.people.makers import Maker, at_the_command_line
from verifier.review.records.attesting import StatementLine
from verifier.review.records.site import PAPER_COLUMNS
from verifier.store.repository import Store

_SIGNED = ("employee", "initials", "made_by", "software")
_REPAIR = ("active_hours_counted", "calendar_days", "due_day", "overdue")


def write_daily(store: Store, log: DailyLog, out: Path, reason: str = "", maker: Maker | None = None) -> Made:
    """Write the log into `out` as the next version; `maker` is who makes it (default: who runs the command).

    A log that is not attested is written as a draft, which the store does not keep.
    """
    made_by = maker or at_the_command_line(log.employee)
    log = msgspec.structs.replace(log, made_by=made_by.shown)

    def files(version: int) -> dict[str, bytes]:
        lines = sheet(log, version)
        return {
            "pdf": daily_pdf(log, version, log_foot(store)),
            "csv": csv_of(lines),
            "xlsx": xlsx_of(
                {
                    "Daily log": lines,
                    "Records": table_of(log.papers, PAPER_COLUMNS),
                    "Attested": table_of(log.statements, StatementLine.__struct_fields__),
                }
            ),
        }

    body = msgspec.json.encode(log).decode()
    if not log.attested:
        return write_draft("daily", log.site, log.day, made_by.shown, body, out, files)
    return keep_document(
        store, "daily", log.site, log.day, made_by.shown, body, out, files, reason, actor=made_by.actor
    )


def daily_pdf(log: DailyLog, version: int = 1, head: str = "") -> bytes:
    """Return the log as PDF; `head` is where the audit log ends (`log_foot`), version 0 a draft."""
    fields = {"version": version, "attested": log.attested, "notice": notice_of(log.rules), "log_head": head}
    return set_pdf("daily.typ", {**msgspec.to_builtins(log), **fields})


def sheet(log: DailyLog, version: int = 1) -> pd.DataFrame:
    """One line for each table with the document's version, 0 a draft; without tables a line that tells it alone."""
    of = {"site": log.site, "date": log.day, "version": version_told(version)}
    rows = []
    for line in log.lines:
        repair = line.repair
        clocks = (repair.active_hours, repair.days, repair.due_day, repair.overdue) if repair else ("",) * 4
        rows.append(
            {
                **of,
                **msgspec.to_builtins(line.check),
                **dict(zip(_REPAIR, clocks, strict=True)),
                "employee": log.employee,
                "initials": log.initials,
                "made_by": log.made_by,
                "software": " ".join(line.support),
            }
        )
    return table_of(rows or [of], [*of, *Check.__struct_fields__, *_REPAIR, *_SIGNED])
