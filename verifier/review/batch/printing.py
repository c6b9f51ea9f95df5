"""Prints a night's report on the terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from verifier.review.batch.report import MorningReport
from verifier.review.batch.report_files import ReportFiles, summary
from verifier.review.printing import stdout_console


def print_report(report: MorningReport, files: ReportFiles) -> None:
    """Prints the tables, what failed, the night in a sentence, and where the report is."""
    console = stdout_console()
    table = Table("Site", "Table", "Recorded h", "Reviewed h", "Gaps", "Critical", "Major", "Minor")
    for one in report.tables:
        hours = f"{one.hours_recorded:.2f}", f"{one.hours_reviewed:.2f}"
        counts = (str(count) for count in one.findings.values())
        table.add_row(escape(one.site), escape(one.table), *hours, str(len(one.gaps)), *counts)
    console.print(table)
    for failure in report.failures:
        console.print(f"[yellow]{failure.state}[/]: {escape(failure.recording)}: {escape(failure.cause)}")
    for repeat in report.repeats:
        console.print(f"[yellow]repeats[/]: {escape(repeat.file)}: the same as {escape(repeat.of)}", soft_wrap=True)
    console.print(summary(report))
    console.print(f"Morning report: {files.pdf}", soft_wrap=True)
