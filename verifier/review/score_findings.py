"""What became of planted deviations, and which violations the truth does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import Finding
from verifier.formats.lists import read_list
from verifier.law.judge import judge

_NEAR_S = 10.0
"""Without a round number on both sides a finding and a deviation match when they lie this near in time."""


class Deviation(Struct, frozen=True, kw_only=True):
    """A planted deviation (docs/formats.md)."""

    clause: str
    round: int | None = None
    at: str | None = None
    t_start: float = 0.0
    t_end: float = 0.0


class FoundDeviation(Struct, frozen=True, kw_only=True):
    """A planted deviation and what the review said: violation, undetermined or missed."""

    clause: str
    round: int | None
    outcome: str
    hidden: bool = False
    """Whether no camera above the table could show it (`score_hidden`)."""


def read_deviations(path: Path) -> list[Deviation]:
    """Return the deviations planted in a simulated recording. Raises BadInput for a file that is missing or no
    such list.
    """
    if not path.exists():
        raise BadInput(path, "no such file", "name the folder that verifier simulate wrote")
    return read_list(path, Deviation)


def broken_in(truth: EventLog) -> list[Finding]:
    """Return the violations that the truth itself holds: one planted act may break more than its own clause."""
    return [finding for finding in judge(truth).findings if finding.verdict == "violation"]


def matching(planted: Deviation, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings of a deviation's clause in its round."""
    return [finding for finding in findings if _same(planted, finding)]


def match_findings(
    planted: Sequence[Deviation],
    findings: Sequence[Finding],
    broken: Sequence[Finding] = (),
    hidden: Sequence[Deviation] = (),
) -> tuple[list[FoundDeviation], list[Finding]]:
    """Return what became of each deviation, and the violations that neither a deviation nor one of `broken`
    explains.
    """
    outcomes = []
    for one in planted:
        verdicts = {finding.verdict for finding in matching(one, findings)}
        outcome = next((word for word in ("violation", "undetermined") if word in verdicts), "missed")
        outcomes.append(FoundDeviation(clause=one.clause, round=one.round, outcome=outcome, hidden=one in hidden))
    violations = [finding for finding in findings if finding.verdict == "violation"]
    unplanned = [finding for finding in violations if not any(_same(one, finding) for one in planted)]
    return outcomes, [finding for finding in unplanned if not any(_holds(one, finding) for one in broken)]


def _holds(true: Finding, found: Finding) -> bool:
    """Tell whether a violation of the truth is the one found: one of its clauses, its round or time, and its place."""
    clauses = (
        Deviation(clause=clause, round=true.round, t_start=true.t_start, t_end=true.t_end)
        for clause in (true.clause, *true.also)
    )
    return found.at in (None, true.at) and any(_same(clause, found) for clause in clauses)


def _same(planted: Deviation, finding: Finding) -> bool:
    if planted.clause not in (finding.clause, *finding.also):
        return False
    if planted.round is not None and finding.round is not None:
        return planted.round == finding.round
    return finding.t_start - _NEAR_S <= planted.t_end and planted.t_start <= finding.t_end + _NEAR_S
