"""Commands `verifier check` and `verifier rules` (docs/formats.md)."""

from __future__ import annotations

import json
from pathlib import Path

import click
import msgspec

from verifier.domain.findings import FindingsReport
from verifier.domain.rulebooks import ABOUT
from verifier.formats.events import read_events
from verifier.formats.files import write_file
from verifier.law.assessed import NOT_IN_FORCE
from verifier.law.attested import passed_by_word
from verifier.law.catalogue import RULEBOOKS
from verifier.law.comparing import comparison_page
from verifier.law.judge import judge
from verifier.law.listing import CHANNELS, Wanted, coverage_page, plain_row, rows
from verifier.law.page import clause_page

TO_REVIEW = 4
"""Exit code: done, with violations or undetermined findings to review."""


@click.command("check")
@click.argument("events", type=click.Path(path_type=Path))
@click.option("--rulebook", type=click.Choice(RULEBOOKS), help="Rulebook to judge by (default: the log's own).")
@click.option("--json", "as_json", is_flag=True, help="Write the findings as JSON.")
@click.option("--out", type=click.Path(path_type=Path), help="Also write the findings to this file.")
def check_command(events: Path, rulebook: str | None, as_json: bool, out: Path | None) -> None:
    """Judge an event log: what the law says of EVENTS, clause by clause. No video is needed."""
    report = judge(read_events(events, rulebook), rulebook)
    text = msgspec.json.format(msgspec.json.encode(report), indent=1).decode()
    if out is not None:
        write_file(out, f"{text}\n".encode())
    click.echo(text if as_json else _table(report))
    if report.findings:
        raise click.exceptions.Exit(TO_REVIEW)


@click.command("rules")
@click.argument("clause", required=False)
@click.option(
    "--rulebook", type=click.Choice(RULEBOOKS), default="nd-twenty-one", show_default=True, help="Rulebook to list."
)
@click.option("--observability", type=click.Choice(CHANNELS), help="Only clauses that are seen in this way.")
@click.option("--severity", type=click.Choice(["critical", "major", "minor"]), help="Only clauses of this severity.")
@click.option("--section", help="Only clauses of this section, for example 08-11 or 08-11.16.a.")
@click.option("--option", "house_option", help="Only clauses that this house option changes.")
@click.option("--checked/--unchecked", "checked", default=None, help="Only clauses with a check, or without one.")
@click.option("--search", "text", default="", help="Only clauses with all of these words.")
@click.option("--json", "as_json", is_flag=True, help="Write the catalogue as JSON.")
@click.option("--markdown", is_flag=True, help="Write the page that tells what is checked and why the rest is not.")
@click.option("--compare", is_flag=True, help="Write the page that tells how the rulebooks differ.")
def rules_command(
    clause: str | None,
    rulebook: str,
    observability: str | None,
    severity: str | None,
    section: str | None,
    house_option: str | None,
    checked: bool | None,
    text: str,
    as_json: bool,
    markdown: bool,
    compare: bool,
) -> None:
    """List the clauses of a rulebook: citation, what of them can be seen, and whether a check is implemented.

    With the id of a CLAUSE: its text, its dates and figures, what checks it, its tests, and its planted breach.
    """
    if clause is not None:
        click.echo(clause_page(clause))
        return
    if compare:
        click.echo(comparison_page(), nl=False)
        return
    if markdown:
        click.echo(coverage_page(rulebook), nl=False)  # without plants, which the law does not know of
        return
    wanted = Wanted(
        observability=observability, severity=severity, section=section, option=house_option, checked=checked, text=text
    )
    found = rows(rulebook, wanted)
    if as_json:
        click.echo(json.dumps([plain_row(row) for row in found], indent=1, ensure_ascii=False))
        return
    for row in found:
        own = row.clause
        click.echo(f"{own.id:<44} {own.observability:<14} {row.state:<24} {own.cite}  {own.title}")
    about = ABOUT[rulebook]
    click.echo(f"{len(found)} clauses, {sum(1 for row in found if row.check)} checked")
    click.echo(f"{about.name}: {about.source}, text of {about.text_of}; {about.standing}")


def _table(report: FindingsReport) -> str:
    lines = []
    for found in report.findings:
        where = " ".join(
            part for part in (f"round {found.round}" if found.round is not None else "", found.at or "") if part
        )
        lines.append(
            f"{found.verdict.upper():<13} {found.clause}  {where}  "
            f"{found.t_start:.1f}-{found.t_end:.1f} s  {found.cite}"
        )
        lines.append(f"    expected: {found.expected}")
        lines.append(f"    observed: {found.observed}")
        if found.also:
            lines.append(f"    also: {', '.join(found.also)}")
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.summary.items())
    about = ABOUT[report.rulebook]
    standing = [] if about.law else [f"{about.name}: {about.standing}."]
    late = sum(row.why == NOT_IN_FORCE for row in report.clauses)
    older = [f"{late} clauses were not judged: their text was {NOT_IN_FORCE}."] if late else []
    stated = passed_by_word((row.verdict, row.evidence) for row in report.clauses)
    stated_lines = [stated] if stated else []
    return "\n".join([*lines, f"{report.rulebook}: {counts}", *stated_lines, *older, *standing])
