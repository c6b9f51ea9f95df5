"""Writes the weekly review documentation as PDF, CSV and XLSX: a draft, or, once it is attested, the next version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pandas as pd

from verifier.review.documents.keeping import Made, keep_document, version_told, write_draft
from verifier.review.documents.setting import log_foot, set_pdf
from verifier.review.documents.sheets import csv_of, table_of, xlsx_of
from verifier.review.people.makers import Maker, at_the_command_line
from verifier.review.records.attesting import StatementLine
from verifier.review.records.site import PAPER_COLUMNS
from verifier.review.weekly_values import NotAssessed, TableWeek, WeekFinding, Weekly
from verifier.review.wording import local_time
from verifier.store.repository import Store


def write_weekly(
    weekly: Weekly,
    out: Path,
    store: Store,
    reason: str = "",
    maker: Maker | None = None,
    stills: Mapping[str, Sequence[bytes]] | None = None,
) -> Made:
    """Write `weekly-SITE-WEEK-vN` as .pdf, .csv and .xlsx into `out` and keep it in the store.

    `maker` is who makes it (default: who runs the command). A correction is a new version and needs a `reason`; raises
    BadInput without. Where the week is not attested, `weekly-SITE-WEEK-draft` is written and the store keeps nothing.
    `stills` are those of each finding by its id (`weekly_stills.week_stills`); without, the document shows none.
    """
    made_by = maker or at_the_command_line(weekly.answers.reviewer)
    weekly = msgspec.structs.replace(weekly, made_by=made_by.shown, with_stills=stills is not None)

    def files(version: int) -> dict[str, bytes]:
        pdf = weekly_pdf(weekly, version, reason, log_foot(store), stills)
        return {"pdf": pdf, "csv": weekly_csv(weekly, version), "xlsx": weekly_xlsx(weekly, version)}

    body = msgspec.json.encode(weekly).decode()
    if not weekly.attested:
        return write_draft("weekly", weekly.site, weekly.week, made_by.shown, body, out, files)
    return keep_document(
        store, "weekly", weekly.site, weekly.week, made_by.shown, body, out, files, reason, actor=made_by.actor
    )


def weekly_pdf(
    weekly: Weekly,
    version: int = 1,
    reason: str = "",
    head: str = "",
    stills: Mapping[str, Sequence[bytes]] | None = None,
) -> bytes:
    """Return the document as PDF; the same week gives the same file. `head` is where the audit log ends (`log_foot`).

    Version 0 is a draft, which says so on every page.
    Moments are told in the time zone of this computer.
    """
    decided_here = {one.id: local_time(one.decided_at) for one in weekly.findings if one.decided_at}
    pictures = {
        f"still-{finding}-{number}.jpg": encoded
        for finding, some in (stills or {}).items()
        for number, encoded in enumerate(some)
        if encoded
    }
    shown: dict[str, list[str]] = {one.id: [] for one in weekly.findings}
    for name in pictures:
        shown.setdefault(name.removeprefix("still-").rpartition("-")[0], []).append(name)
    fields = {
        "stills": shown,
        "short_tables": weekly.short_tables,
        "version": version,
        "reason": reason,
        "log_head": head,
        "decided_here": decided_here,
    }
    return set_pdf("weekly.typ", {**msgspec.to_builtins(weekly), **fields}, pictures)


def weekly_csv(weekly: Weekly, version: int = 1) -> bytes:
    """One line for each finding with the document's version, 0 a draft; without findings a line that tells it alone."""
    return csv_of(_findings(weekly, version))


def weekly_xlsx(weekly: Weekly, version: int = 1) -> bytes:
    """Return a workbook: the header's fields, tables, findings, records, what was attested, what was not assessed."""
    return xlsx_of(
        {
            "Week": table_of(_header(weekly, version), ("field", "value")),
            "Tables": table_of(_tables(weekly), [*TableWeek.__struct_fields__, "minutes_watched", "minutes_counted"]),
            "Findings": _findings(weekly, version),
            "Records": table_of(weekly.papers, PAPER_COLUMNS),
            "Attested": table_of(weekly.statements, StatementLine.__struct_fields__),
            "Not assessed": table_of(weekly.not_assessed, NotAssessed.__struct_fields__),
        }
    )


def _findings(weekly: Weekly, version: int) -> pd.DataFrame:
    of = {"site": weekly.site, "week": weekly.week, "version": version_told(version)}
    rows = [{**of, **msgspec.to_builtins(one)} for one in weekly.findings]
    return table_of(rows or [of], [*of, *WeekFinding.__struct_fields__])


def _tables(weekly: Weekly) -> list[dict[str, object]]:
    return [
        {
            **msgspec.to_builtins(one),
            "gaps": "; ".join(one.gaps),
            "minutes_watched": weekly.watched.get(one.table),
            "minutes_counted": weekly.counted.get(one.table),
        }
        for one in weekly.tables
    ]


def _header(weekly: Weekly, version: int) -> list[dict[str, object]]:
    answers, hold = weekly.answers, weekly.hold
    values = {
        "version": version_told(version),
        "organization": answers.organization,
        "site": weekly.site,
        "game": weekly.rules.games,
        "week": weekly.week,
        "first day": weekly.first_day,
        "last day": weekly.last_day,
        "week of six": weekly.week_number,
        "quarter of activity": weekly.quarter,
        "quarter of the percent-of-hold": weekly.hold_quarter,
        "gross proceeds": hold.gross_cents / 100 if hold else "",
        "prizes": hold.prizes_cents / 100 if hold else "",
        "adjusted gross proceeds": hold.agp_cents / 100 if hold else "",
        "percent-of-hold": f"{hold.percent:.2%}" if hold and hold.percent is not None else answers.percent_of_hold,
        "date determined": answers.determined,
        "shift": weekly.shift,
        "dealers": weekly.dealers,
        "active tables left out, and why": answers.excluded_tables,
        "reviewer": answers.reviewer,
        "reviewer, as typed": weekly.typed or "the name of who was signed in",
        "made by": weekly.made_by,
        "minutes stated, not counted": " ".join(weekly.stated),
        "role": answers.role,
        "access authority": answers.access_authority,
        "independence, stated": "yes" if answers.independent else "not stated",
        "independence, by the roster": weekly.independence_says,
        "conclusion": answers.conclusion,
        "keep until": weekly.keep_until,
    }
    return [{"field": name, "value": value} for name, value in values.items()]
