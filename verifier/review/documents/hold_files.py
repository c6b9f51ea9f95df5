"""The percent-of-hold document as PDF, CSV and XLSX, kept in the store."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pandas as pd

from verifier.review.documents.hold import Hold, HoldReport
from verifier.review.documents.keeping import Made, keep_document
from verifier.review.documents.notice import notice_of
from verifier.review.documents.quarters import kept_years, quarter_days
from verifier.review.documents.setting import log_foot, set_pdf
from verifier.review.documents.sheets import csv_of, table_of, xlsx_of
from verifier.store.repository import Store

COLUMNS = ("site", "game", "dealer", "gross_proceeds", "prizes", "adjusted_gross_proceeds", "percent_of_hold")
FORMS = "Dealer Percent of Hold SFN 18863; Dealer Shift Report SFN 18862; Twenty-One Daily Report SFN 50079"
"""The state's forms whose names the figures carry, so that a clerk can carry them over."""


def write_hold(store: Store, report: HoldReport, out: Path, by: str, reason: str = "", *, actor: str = "") -> Made:
    """Write the quarter's percent-of-hold into `out` as the next version; `by` and `actor` are as in
    `keep_document`.
    """
    sites = sorted({one.site for one in report.sites})
    site = sites[0] if len(sites) == 1 else "all"

    def files(version: int) -> dict[str, bytes]:
        lines = sheet(report.dealers)
        return {
            "pdf": hold_pdf(report, version, log_foot(store)),
            "csv": csv_of(lines),
            "xlsx": xlsx_of({dealers_of(report): lines, "Sites": sheet(report.sites)}),
        }

    body = msgspec.json.encode(report).decode()
    return keep_document(store, "hold", site, report.quarter, by, body, out, files, reason, actor=actor)


def dealers_of(report: HoldReport) -> str:
    """Return the name of the dealers' sheet: with the state's form where North Dakota's rules apply."""
    return "Dealers SFN 18863" if report.rules.north_dakota else "Dealers"


def hold_pdf(report: HoldReport, version: int = 1, head: str = "") -> bytes:
    """Return the document as PDF; `head` is where the audit log ends (`log_foot`)."""
    data: dict[str, object] = msgspec.to_builtins(report)
    data |= {"sites": _lines(report.sites), "dealers": _lines(report.dealers)}
    keep = kept_years(quarter_days(report.quarter)[1], 1).isoformat()
    more = {"version": version, "notice": notice_of(report.rules), "forms": FORMS, "keep_until": keep, "log_head": head}
    return set_pdf("hold.typ", {**data, **more})


def _lines(holds: list[Hold]) -> list[dict[str, object]]:
    return [{**msgspec.to_builtins(one), "agp_cents": one.agp_cents, "percent": one.percent} for one in holds]


def sheet(holds: list[Hold]) -> pd.DataFrame:
    """Return the figures in dollars, under the names of the state's forms."""
    rows = [
        {
            "site": one.site,
            "game": one.game,
            "dealer": one.dealer,
            "gross_proceeds": one.gross_cents / 100,
            "prizes": one.prizes_cents / 100,
            "adjusted_gross_proceeds": one.agp_cents / 100,
            "percent_of_hold": None if one.percent is None else round(one.percent * 100, 2),
        }
        for one in holds
    ]
    return table_of(rows, COLUMNS)
