"""Writes the morning report as a page, a PDF and JSON."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping
from html import escape
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.review.batch.report import Gap, MorningReport, TableReport, Told
from verifier.review.batch.to_look_at import PICTURED, ToLookAt, small_still
from verifier.review.documents.setting import set_pdf
from verifier.review.pipeline.folders import checkpoint_file
from verifier.review.wording import local_time

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}"
    "table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:left;padding:.4rem .7rem;"
    "border-bottom:1px solid #ccc;vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".found{display:flex;gap:1rem;margin:1.2rem 0;break-inside:avoid}.found img{width:240px;height:auto}"
    ".found p{margin:.1rem 0}"
    "h1{margin-bottom:.2rem}.part{color:#8a1c1c;font-weight:600}.whole{color:#1d5c2f;font-weight:600}"
)


_STATES = (
    ("failed", "recording failed", "recordings failed"),
    ("waiting", "file is still being written", "files are still being written"),
    ("unreadable", "file or folder cannot be read", "files or folders cannot be read"),
    ("otherwise named", "file holds a recording and is not named as one", "files hold recordings and are not named so"),
    ("not a recording", "is not a recording", "are not recordings"),
)
_ODD = "<th>Site<th>Table<th>Since<th>What<th>Recording"
_REPLACED = "<th>Recording<th>Review<th>Earlier"


class ReportFiles(Struct, frozen=True, kw_only=True):
    """The three files of a report."""

    page: Path
    pdf: Path
    json: Path


def write_report(report: MorningReport, folder: Path) -> ReportFiles:
    """Write `morning.html`, `morning.pdf` and `morning.json` into `folder`. Raises OSError, BadInput."""
    files = ReportFiles(page=folder / "morning.html", pdf=folder / "morning.pdf", json=folder / "morning.json")
    encoded = msgspec.json.encode(report)
    for path, content in (
        (files.json, msgspec.json.format(encoded)),
        (files.page, report_page(report).encode()),
        (files.pdf, report_pdf(report)),
    ):
        with checkpoint_file(path) as stream:
            stream.write(content)
    return files


def report_pdf(report: MorningReport) -> bytes:
    """Return the report as PDF, compiled with the fonts in the wheel: nothing is fetched."""
    stills = report_stills(report)
    names = {finding: f"still-{number}.jpg" for number, finding in enumerate(stills, start=1)}
    told = {"summary": summary(report), "made": local_time(report.made_at), "pictures": names}
    data = {**msgspec.to_builtins(report), **told}
    return set_pdf("morning.typ", data, {names[finding]: jpeg for finding, jpeg in stills.items()})


def report_stills(report: MorningReport) -> dict[str, bytes]:
    """Return the stills (small JPEG) of the most serious findings that have one, by the finding's id."""
    found = [(one.finding, small_still(one.still)) for one in report.to_look_at[:PICTURED] if one.still]
    return {name: content for name, content in found if content is not None}


def as_data(stills: Mapping[str, bytes]) -> dict[str, str]:
    """Stills as addresses that hold them: the page then needs nothing else."""
    return {name: "data:image/jpeg;base64," + b64encode(jpeg).decode() for name, jpeg in stills.items()}


def summary(report: MorningReport) -> str:
    """Return the night in one or two sentences."""
    found = ", ".join(f"{count} {name}" for name, count in report.findings.items() if count) or "no findings"
    missed = report.hours_recorded - report.hours_reviewed
    if report.complete:
        watched = f"All {report.hours_recorded:.1f} recorded hours were reviewed"
    else:
        watched = f"{report.hours_reviewed:.1f} of {report.hours_recorded:.1f} recorded hours were reviewed"
        minutes = f", {missed * 60:.1f} minutes were not" if missed > 0 else ""
        watched += f", {missed:.1f} were not" if missed >= 0.05 else minutes
        watched += "".join(f"; {told}" for told in _not_done(report))
        watched += "; the work did not come to its end" if report.unfinished else ""
    return f"{watched}. Findings: {found}."


def _not_done(report: MorningReport) -> list[str]:
    """How many recordings were not reviewed, by what became of them."""
    states = Counter("failed" if one.state == "unusable" else one.state for one in report.failures)
    told = [(states[state], one, many) for state, one, many in _STATES if states[state]]
    return [f"{number} {one if number == 1 else many}" for number, one, many in told]


def report_page(report: MorningReport, stills: Mapping[str, str] | None = None) -> str:
    """Return the report as an HTML page; `stills` are the addresses of pictures by the finding's id (default: in
    the page).
    """
    pictures = as_data(report_stills(report)) if stills is None else stills
    kind = "whole" if report.complete else "part"
    rows = "".join(_row(table) for table in report.tables)
    gaps = "".join(_gap(table, gap) for table in report.tables for gap in table.gaps)
    notes = "".join(_note(table, told) for table in report.tables for told in table.notes)
    failures = "".join(
        f"<tr><td>{escape(one.recording)}<td>{escape(one.site)}<td>{escape(one.table)}<td>{escape(one.state)}"
        f"<td>{escape(one.cause)}"
        for one in report.failures
    )
    repeats = "".join(f"<tr><td>{escape(one.file)}<td>{escape(one.of)}" for one in report.repeats)
    covered = "".join(f"<tr><td>{escape(one.file)}<td>{escape(one.of)}" for one in report.covered)
    replaced = "".join(
        f"<tr><td>{escape(one.recording)}<td>{escape(one.review)}<td>{escape(', '.join(one.earlier))}"
        for one in report.replaced
    )
    pace = f", {report.times_real_time:g} times real time" if report.times_real_time else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Night of {escape(report.night)}</title>'
        f"<style>{_STYLE}</style><h1>Night of {escape(report.night)}</h1>"
        f'<p class="{kind}">{escape(summary(report))}</p>'
        f"<p>{report.hours_on_the_wall:.2f} hours of work{pace}. "
        f"Of these reviews {report.reviewed_before} had been made in earlier nights.</p>"
        + _findings(report, pictures)
        + "<h2>Tables</h2><p>Findings by severity: violations, and what could not be determined.</p>"
        "<table><tr><th>Site<th>Table<th class=n>Recordings<th class=n>Hours recorded"
        f"<th class=n>Hours reviewed<th class=n>Critical<th class=n>Major<th class=n>Minor{rows}</table>"
        + _section("Not watched", "<th>Site<th>Table<th>From<th>To<th>Why<th>Recording", gaps)
        + (_section("What is odd about the recordings", _ODD, notes) if notes else "")
        + _section("Recordings that were not reviewed", "<th>Recording<th>Site<th>Table<th>State<th>Why", failures)
        + (_section("Files with the contents of others", "<th>File<th>The same as", repeats) if repeats else "")
        + (_section("Files whose time others show", "<th>File<th>Shown by", covered) if covered else "")
        + (_section("Reviews in the place of earlier ones", _REPLACED, replaced) if replaced else "")
        + "</html>\n"
    )


def _findings(report: MorningReport, pictures: Mapping[str, str]) -> str:
    found = "".join(_found(one, pictures.get(one.finding)) for one in report.to_look_at)
    return f"<h2>Findings, the most serious first</h2>{found or '<p>None.</p>'}"


def _found(one: ToLookAt, picture: str | None) -> str:
    shown = f'<img src="{escape(picture)}" alt="Still of the finding">' if picture else ""
    state = f"Decided: {escape(one.decided)}." if one.decided else f"To do: {escape(one.to_do)}"
    seen = f"<p>Seen: {escape(one.observed)}" if one.shortened else ""
    return (
        f'<div class="found">{shown}<div><p><strong>{escape(one.verdict.capitalize())}: {escape(one.says)}</strong> '
        f"({escape(one.severity)}, {escape(one.sure)})<p>Site {escape(one.site)}, table {escape(one.table)}, "
        f"{escape(one.where)}, {escape(one.when)}, {escape(one.recording)}"
        f"<p>{escape(one.title)}, {escape(one.cite)}, {escape(one.clause)}"
        f"<p>Expected: {escape(one.expected)}{seen}<p>{state} "
        f'<a href="{escape(one.link)}">Open it in the dashboard</a></div></div>'
    )


def _section(title: str, head: str, rows: str) -> str:
    return f"<h2>{title}</h2>" + (f"<table><tr>{head}{rows}</table>" if rows else "<p>None.</p>")


def _row(table: TableReport) -> str:
    counts = "".join(f"<td class=n>{count}" for count in table.findings.values())
    return (
        f"<tr><td>{escape(table.site)}<td>{escape(table.table)}<td class=n>{table.recordings}"
        f"<td class=n>{table.hours_recorded:.2f}<td class=n>{table.hours_reviewed:.2f}{counts}"
    )


def _gap(table: TableReport, gap: Gap) -> str:
    start, end = (clock.replace("T", " ") for clock in (gap.start, gap.end))
    cells = (table.site, table.table, start, end, gap.cause, gap.recording)
    return "<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells)


def _note(table: TableReport, told: Told) -> str:
    cells = (table.site, table.table, told.since.replace("T", " "), told.what, told.recording)
    return "<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells)
