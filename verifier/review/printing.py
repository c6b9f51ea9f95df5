"""Prints a review's findings as a table on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from verifier.domain.coverage import Stretch
from verifier.domain.findings import Finding, FindingsReport
from verifier.domain.names import path_text
from verifier.domain.rulebooks import ABOUT
from verifier.formats.console import Console, console
from verifier.law.attested import passed_by_word
from verifier.review.fit.wording import fit_line
from verifier.review.recording import Reviewed
from verifier.review.wording import STATEMENT, plain_place
from verifier.store.values import StoredFinding

_PIPED_WIDTH = 180
_STYLES = {"violation": "bold red", "undetermined": "yellow"}


def stdout_console() -> Console:
    """Return a console on stdout; wide enough for the table where it is no terminal."""
    usual = console(highlight=False, emoji=False)
    return usual if usual.is_terminal else console(highlight=False, emoji=False, width=_PIPED_WIDTH)


def media_time(seconds: float) -> str:
    """Media time as minutes and seconds: `1:06.5`."""
    tenths = round(seconds * 10)
    return f"{tenths // 600}:{tenths % 600 / 10:04.1f}"


def print_review(console: Console, reviewed: Reviewed) -> None:
    """Print the findings, the counts, what was not watched, and where the files are."""
    if reviewed.findings:
        console.print(findings_table(reviewed.findings))
    console.print(_counts(reviewed.report))
    coverage = reviewed.coverage
    console.print(
        f"Watched {media_time(coverage.watched)} of {media_time(coverage.recorded)} (minutes:seconds), "
        f"{coverage.share:.1%} of the recording."
    )
    if coverage.fit is not None:
        console.print(escape(fit_line(coverage.fit)), soft_wrap=True)
    for one in coverage.stretches:
        if one.why is not None:
            console.print(escape(_told(one)), style="bold", soft_wrap=True)
    unclipped = sum(one.clip is None and bool(one.stills) for one in reviewed.findings)
    if unclipped:
        told = f"Findings with stills, but without a clip, which could not be made: {unclipped}. Try verifier doctor."
        console.print(told, style="bold", soft_wrap=True)
    if reviewed.repeats is not None:
        console.print(
            f"The same recording, byte for byte, as {escape(reviewed.repeats)}; both reviews are kept.",
            style="bold",
            soft_wrap=True,
        )
    console.print(f"Files: {escape(path_text(reviewed.out))}", soft_wrap=True)


def _told(stretch: Stretch) -> str:
    """Return what is special about a stretch: nobody watched it, it shows nothing, or its times are odd."""
    start, end = media_time(stretch.t_start), media_time(stretch.t_end)
    if stretch.state == "watched":
        return f"NOTE: from {start} on: {stretch.why}."
    name = "FROZEN" if stretch.state == "frozen" else "NOT WATCHED"
    return f"{name}: {start} to {end}: {stretch.why}. This part does not count as clean."


def findings_table(findings: Sequence[StoredFinding]) -> Table:
    """One row for each violation; undetermined ones of a clause and round share a row. Verdicts are words."""
    table = Table(show_lines=True, title="Findings", title_justify="left")
    for name, width in (("Clause", 26), ("Round", 5), ("Time", 8), ("Verdict", 12)):
        table.add_column(name, min_width=width if name != "Clause" else 18, overflow="fold")
    table.add_column("Expected", ratio=1, overflow="fold")
    table.add_column("Observed", ratio=1, overflow="fold")
    for some in _grouped([stored.finding for stored in findings]):
        table.add_row(*_cells(some))
    return table


def _grouped(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Violations first, each alone; then what is undetermined, by clause and round."""
    undetermined: dict[tuple[str, int | None], list[Finding]] = {}
    for one in findings:
        if one.verdict == "undetermined":
            undetermined.setdefault((one.clause, one.round), []).append(one)
    return [*([one] for one in findings if one.verdict == "violation"), *undetermined.values()]


def _cells(some: Sequence[Finding]) -> tuple[str, ...]:
    one, more = some[0].worded_now(), len(some) - 1
    places = list(dict.fromkeys(plain_place(other.at) for other in some if other.at))
    where = "\n".join([str(one.round) if one.round is not None else "-", *places])
    style = _STYLES[one.verdict]
    return (
        f"{escape(one.clause)}\n[dim]{escape(one.cite)}[/dim]",
        where,
        media_time(one.t_start),
        f"[{style}]{one.verdict}[/{style}]\n{_sure(one)}" + ("\n(corrected)" if one.corrected else ""),
        escape(one.expected),
        escape(one.observed) + (f"\n[dim](and {more} more like it: see findings.json)[/dim]" if more else ""),
    )


def _sure(one: Finding) -> str:
    return STATEMENT if one.attested else f"{one.p:.0%} sure"


def _counts(report: FindingsReport) -> str:
    order = ("violation", "undetermined", "pass", "not_assessed", "not_applicable")
    shown = [f"{report.summary.get(name, 0)} {name.replace('_', ' ')}" for name in order if name in report.summary]
    found = "No violation and nothing undetermined was found. " if not report.findings else ""
    about = ABOUT[report.rulebook]
    standing = "" if about.law else f", {about.standing}"
    told = f"{found}Checks: {', '.join(shown)}. {about.name}, text of {report.law_as_of}{standing}."
    return f"{told} {passed_by_word((row.verdict, row.evidence) for row in report.clauses)}".rstrip()
