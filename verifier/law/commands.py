"""Commands `verifier check` and `verifier rules` (FORMATS.md section 6)."""

from __future__ import annotations

import json
from pathlib import Path

import click
import msgspec

from verifier.domain.findings import FindingsReport
from verifier.formats.events import read_events
from verifier.law.assessed import reason_without_check
from verifier.law.catalogue import RULEBOOKS, clauses
from verifier.law.judge import judge
from verifier.law.registry import checked_clauses

TO_REVIEW = 4
"""Exit code: done, with violations or undetermined findings to review."""


@click.command("check")
@click.argument("events", type=click.Path(path_type=Path))
@click.option("--rulebook", type=click.Choice(RULEBOOKS), help="Rulebook to judge by (default: the log's own).")
@click.option("--json", "as_json", is_flag=True, help="Write the findings as JSON.")
@click.option("--out", type=click.Path(path_type=Path), help="Also write the findings to this file.")
def check_command(events: Path, rulebook: str | None, as_json: bool, out: Path | None) -> None:
    """Judge an event log: what the law says of EVENTS, clause by clause. No video is needed."""
    report = judge(read_events(events), rulebook)
    text = msgspec.json.format(msgspec.json.encode(report), indent=1).decode()
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    click.echo(text if as_json else _table(report))
    if report.findings:
        raise click.exceptions.Exit(TO_REVIEW)


@click.command("rules")
@click.option("--rulebook", type=click.Choice(RULEBOOKS), default="nd-twenty-one", show_default=True,
              help="Rulebook to list.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Write the catalogue as JSON.")
def rules_command(rulebook: str, as_json: bool) -> None:
    """List the clauses of a rulebook: citation, what of them can be seen, and whether a check is implemented."""
    rows = rule_rows(rulebook)
    if as_json:
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    for row in rows:
        state = "checked" if row["implemented"] else str(row["why"])
        click.echo(f"{row['id']:<44} {row['observability']:<14} {state:<24} {row['cite']}  {row['title']}")
    checked = sum(1 for row in rows if row["implemented"])
    click.echo(f"{len(rows)} clauses, {checked} checked")


def rule_rows(rulebook: str) -> list[dict[str, object]]:
    """The catalogue as rows for tables and JSON."""
    checked = checked_clauses(rulebook)
    return [
        {
            "id": clause.id, "cite": clause.cite, "title": clause.title, "requirement": clause.requirement,
            "actor": clause.actor, "house_option": clause.house_option, "applies_when": clause.applies_when,
            "observability": clause.observability, "severity": clause.severity, "implemented": clause.id in checked,
            "why": None if clause.id in checked else reason_without_check(clause),
        }
        for clause in clauses(rulebook)
    ]  # fmt: skip


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
    return "\n".join([*lines, f"{report.rulebook}: {counts}"])
