"""`verifier rules`: the law's command, and of one clause also whether the simulator can plant its breach."""

from __future__ import annotations

import inspect
from collections import defaultdict
from pathlib import Path
from typing import get_args

import click

from verifier.domain.findings import FindingsReport
from verifier.domain.rulebooks import USUAL, Rulebook
from verifier.formats.findings import read_findings
from verifier.law.catalogue import by_id
from verifier.law.commands import rules_command as law_rules
from verifier.law.listing import coverage_page
from verifier.simulate.deviations import ALIASES, acts_of
from verifier.simulate.play.plants import PLANTS


def planted(clause: str) -> str | None:
    """Return the act by which the simulator breaks a clause, of whatever rulebook; None if it does not.

    An act bears the id of the clause of North Dakota's twenty-one that it breaks.
    """
    rulebook = _rulebook_of(clause)
    acts = acts_of(rulebook)
    root = ALIASES.get(clause, clause)
    return root if root in acts else next((act for act, broken in acts.items() if broken == clause), None)


def _rulebook_of(clause: str) -> Rulebook:
    return next((rulebook for rulebook in get_args(Rulebook) if clause in by_id(rulebook)), USUAL)


def plant_line(clause: str) -> str:
    """How a breach of the clause is planted in a simulated recording, or that none is."""
    root = planted(clause)
    if root is None:
        return "plant: none"
    rulebook = _rulebook_of(clause)
    played = "" if rulebook == USUAL else f"--rulebook {rulebook} "
    same = "" if root == clause else f", the same breach as {root}"
    plant = PLANTS.get(root)
    if plant is None:
        return f"plant: verifier simulate {played}--deviate {clause}{same}"
    code = inspect.unwrap(plant).__code__
    where = Path(code.co_filename).relative_to(Path(__file__).parents[1]).as_posix()
    return f"plant: verifier simulate {played}--deviate {clause}{same}, {code.co_name} in {where}:{code.co_firstlineno}"


def coverage(rulebook: str, review: Path | None) -> str:
    """Return the page of what is checked; with a review's folder, also what that review left open."""
    page = coverage_page(rulebook, planted)
    return page if review is None else f"{page}\n{left_open(read_findings(review / 'findings.json'), review.name)}"


def left_open(report: FindingsReport, name: str) -> str:
    """Markdown: the clauses that a review did not assess, under their reasons."""
    known = by_id(report.rulebook)
    reasons: dict[str, list[str]] = defaultdict(list)
    for row in report.clauses:
        if row.verdict == "not_assessed":
            reasons[str(row.why)].append(f"- `{row.clause}` {known[row.clause].title}")
    count = sum(map(len, reasons.values()))
    lines = [f"## Left open by the review in {name} ({count} of {len(report.clauses)})", ""]
    for why, members in sorted(reasons.items(), key=lambda group: (-len(group[1]), group[0])):
        lines += [f"### {why[:1].upper()}{why[1:]} ({len(members)})", "", *members, ""]
    return "\n".join(lines).rstrip() + "\n"


def _rules(review: Path | None, rulebook: Rulebook, clause: str | None, markdown: bool, **options: object) -> None:
    assert law_rules.callback is not None
    if markdown:
        click.echo(coverage(rulebook, review), nl=False)
        return
    law_rules.callback(rulebook=rulebook, clause=clause, markdown=markdown, **options)
    if clause is not None:
        click.echo(plant_line(clause))


_REVIEW = click.Option(
    ["--review"],
    type=click.Path(path_type=Path),
    help="With --markdown: also what the review in this folder left open.",
)
rules_command = click.Command("rules", params=[*law_rules.params, _REVIEW], help=law_rules.help, callback=_rules)
