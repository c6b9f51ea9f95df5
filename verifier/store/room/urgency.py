"""How urgent a finding is, as one number by which the database sorts the queue."""

from __future__ import annotations

from verifier.domain.findings import VERDICT_ORDER, Finding

_SEVERITY = {"critical": 0, "major": 1, "minor": 2}


def urgency(finding: Finding) -> int:
    """Small is urgent: violations before undetermined, uncorrected before corrected, by severity, the surest first."""
    rank = (VERDICT_ORDER[finding.verdict] * 2 + finding.corrected) * 3 + _SEVERITY[finding.severity]
    return rank * 101 + 100 - round(finding.p * 100)
