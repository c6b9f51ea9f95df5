"""Prints a night's report on the terminal."""

from __future__ import annotations

from typing import Final

from rich.markup import escape
from rich.table import Table

from verifier.domain.names import path_text
from verifier.review.batch.report import FileFailure, MorningReport
from verifier.review.batch.report_files import ReportFiles, summary
from verifier.review.printing import stdout_console

_NAMED: Final = 3
"""Recordings of one fault that are named here; the report names all."""


def print_report(report: MorningReport, files: ReportFiles) -> None:
    """Print the tables, what failed, the night in a sentence, and where the report is."""
    console = stdout_console()
    table = Table("Site", "Table", "Recorded h", "Reviewed h", "Gaps", "Critical", "Major", "Minor")
    for one in report.tables:
        hours = f"{one.hours_recorded:.2f}", f"{one.hours_reviewed:.2f}"
        counts = (str(count) for count in one.findings.values())
        table.add_row(escape(one.site), escape(one.table), *hours, str(len(one.gaps)), *counts)
    console.print(table)
    for state, recordings, cause in _by_fault(report):
        console.print(f"[yellow]{state}[/]: {escape(recordings)}: {escape(cause)}", soft_wrap=True)
    for repeat in report.repeats:
        console.print(f"[yellow]repeats[/]: {escape(repeat.file)}: the same as {escape(repeat.of)}", soft_wrap=True)
    for cover in report.covered:
        console.print(f"[yellow]covered[/]: {escape(cover.file)}: shown by {escape(cover.of)}", soft_wrap=True)
    for new in report.replaced:
        earlier = ", ".join(new.earlier)
        console.print(f"[yellow]replaces[/]: {escape(new.recording)}: review {new.review} replaces {earlier}")
    console.print(summary(report))
    console.print(f"Morning report: {escape(path_text(files.pdf))}", soft_wrap=True)


def _by_fault(report: MorningReport) -> list[tuple[str, str, str]]:
    """State, recordings and cause: one entry for each table and cause."""
    groups: dict[tuple[str, str, str, str], list[FileFailure]] = {}
    for one in report.failures:
        groups.setdefault((one.state, one.site, one.table, one.cause), []).append(one)
    return [(key[0], _named([one.recording for one in some]), key[3]) for key, some in groups.items()]


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
