"""What the law says of the events (docs/formats.md)."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, structs

from verifier.domain.facts import Facts
from verifier.domain.observations import Probability

FINDINGS_FORMAT = "verifier-findings"
FINDINGS_VERSION = 1
UNCONFIRMED_FORMAT = "verifier-unconfirmed"
UNCONFIRMED_VERSION = 1

Verdict = Literal["pass", "violation", "undetermined", "not_assessed", "not_applicable"]
Severity = Literal["critical", "major", "minor"]
Evidence = Literal["attested"]
"""What a verdict rests on where it is neither picture, sound nor paper: a person's statement."""

VERDICT_ORDER: dict[str, int] = {
    "violation": 0, "undetermined": 1, "pass": 2, "not_assessed": 3, "not_applicable": 4,
}  # fmt: skip
"""Worst first."""


class Finding(Struct, frozen=True, kw_only=True):
    """One incident: the root clause, and in `also` the clauses that it breaks with it.

    `expected`, `observed` and `brief` are sentences for people, made of `facts` and never read by a program; `brief`
    is left out where it is `observed`, `facts` in findings that a person wrote or an earlier version made.
    `evidence` is set where the finding rests on a person's statement, and left out in files where it does not.
    """

    clause: str
    cite: str
    title: str
    verdict: Literal["violation", "undetermined"]
    severity: Severity
    round: int | None
    at: str | None
    t_start: float
    t_end: float
    clock: str | None
    p: Probability
    expected: str
    observed: str
    events: list[str]
    also: list[str] = []
    corrected: bool = False
    evidence: Evidence | UnsetType = UNSET
    brief: str | UnsetType = UNSET
    facts: Facts | UnsetType = UNSET

    @property
    def attested(self) -> bool:
        """Whether it rests on a person's statement, and nobody saw it."""
        return self.evidence == "attested"

    @property
    def shortened(self) -> bool:
        """Whether it has a short sentence beside the whole one."""
        return self.brief is not UNSET

    def worded_now(self) -> Finding:
        """Return the finding as it is shown: where an earlier version worded it, in the words of this one.

        What a person wrote stays as it is: a person's own finding names no events.
        """
        if self.facts is not UNSET or not self.events:
            return self
        brief = _as_now(self.brief) if isinstance(self.brief, str) else UNSET
        return structs.replace(self, expected=_as_now(self.expected), observed=_as_now(self.observed), brief=brief)

    def same_as(self, other: Finding) -> bool:
        """Tell whether both tell the same of the same facts, however the facts are worded.

        Where one of them has none, as an earlier version made it, its words as this version writes them decide. The
        clock decides nothing: both begin at the same moment, and an earlier version told the clock of a later one.
        """
        if self.place != other.place:
            return False
        if self.facts is not UNSET and other.facts is not UNSET:
            return _unworded(self) == _unworded(other)
        return _reworded(self) == _reworded(other)

    @property
    def place(self) -> tuple[object, ...]:
        """What two findings that are the same surely share."""
        return self.clause, self.round, self.at, self.t_start


def _unworded(finding: Finding) -> Finding:
    return structs.replace(finding, clock=None, expected="", observed="", brief=UNSET)


def _reworded(finding: Finding) -> Finding:
    expected, observed = _as_now(finding.expected), _as_now(finding.observed)
    return structs.replace(finding, clock=None, expected=expected, observed=observed, brief=UNSET, facts=UNSET)


_PLACE_BEFORE = re.compile(r"\b(space|seat):(\d+)(?:/(\d))?")
_MONEY_BEFORE = re.compile(r"(?<![\d.$:])\d+\.\d{2}(?![\d%]|\.\d| s\b)")


def _as_now(text: str) -> str:
    """`space:3/1 lost 17.00`, as findings without facts were worded, in the words of now."""
    words = _PLACE_BEFORE.sub(lambda m: f"{m[1]} {m[2]}" + (f" (split hand {m[3]})" if m[3] else ""), text)
    return _MONEY_BEFORE.sub(lambda m: f"${m[0]}", words)


class ClauseVerdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The worst verdict of a clause over its instances; `why` tells why one was not assessed.

    `evidence` is set where the verdict rests on a person's statement.
    """

    clause: str
    verdict: Verdict
    checked: int
    why: str | None = None
    evidence: Evidence | None = None


class FindingsReport(Struct, frozen=True, kw_only=True):
    """A findings file."""

    format: Literal["verifier-findings"] = "verifier-findings"
    version: Literal[1] = 1
    rulebook: str
    law_as_of: str
    summary: dict[str, int]
    findings: list[Finding]
    clauses: list[ClauseVerdict]


WhichLook = Literal["first", "closer"]
"""Which look at a stretch of the recording: the whole one, or the one from nearer where that told of a violation."""


class Unconfirmed(Struct, frozen=True, kw_only=True):
    """A violation that one look alone `told` and that is no finding.

    `instead` is what the other look held against that place at about that time. Rounds are counted as the look that
    told it counted them; the events that it rests on were not kept, so none are named.
    """

    look: WhichLook
    told: Finding
    instead: list[Finding] = []


class UnconfirmedReport(Struct, frozen=True, kw_only=True):
    """A file of what one look alone told."""

    format: Literal["verifier-unconfirmed"] = "verifier-unconfirmed"
    version: Literal[1] = 1
    unconfirmed: list[Unconfirmed]
