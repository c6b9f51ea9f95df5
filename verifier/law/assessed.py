"""Why a clause is not assessed: no channel, records not given, a person's to attest, or no check yet."""

from __future__ import annotations

from typing import Final

from verifier.domain.events import EventsHeader
from verifier.domain.house import House
from verifier.law.catalogue import Clause
from verifier.law.registry import Check, checks

NO_AUDIO: Final = "no audio"
NO_RECORDS: Final = "records not given"
ATTESTATION: Final = "human attestation"
NO_CHECK: Final = "not yet implemented"
PERMISSION: Final = "a permission, which cannot be violated"

PERMISSIONS: Final = frozenset({
    "ND-08-11.1-player-totals-optional",
    "ND-08-11.5-player-computes",
    "ND-08-11.8-reader-gap",
    "ND-08-11.18.b-relief-exchange",
    "ND-08-12.5-no-insurance-offer-valid",
})  # fmt: skip
"""Rows that allow something: they hold findings back and never make one (LAW.md section 3)."""


def reason_without_check(clause: Clause, channels: tuple[str, ...] = ("video",)) -> str:
    """Why a clause that no check judges is not assessed."""
    if clause.id in PERMISSIONS:
        return PERMISSION
    if clause.observability == "audio" and "audio" not in channels:
        return NO_AUDIO
    if clause.observability == "records" and "records" not in channels:
        return NO_RECORDS
    if clause.observability == "manual":
        return ATTESTATION
    return NO_CHECK


def option_missing(check: Check, house: House) -> str | None:
    """The first house option that a check needs and that is not configured."""
    return next((option for option in check.needs if getattr(house, option) is None), None)


def why_not_assessed(clause: Clause, rulebook: str, header: EventsHeader, house: House, has_check: bool) -> str | None:
    """Why a clause without any instance was not assessed; None where its situation simply never arose."""
    if (clause.applies_when == "tournament" and house.tournament_rules == "off") or (
        clause.applies_when == "no video surveillance" and house.video_surveillance == "present"
    ):
        return None
    if not has_check:
        return reason_without_check(clause, header.channels)
    own = [check for check in checks(rulebook) if clause.id in check.clauses]
    missing = [option_missing(check, house) for check in own]
    if own and all(missing):
        return f"house option {missing[0]} is not configured"
    if all(check.statute for check in own) and house.mistake_policy == "alternative":
        return "replaced by the organization's alternative written policy"
    return None
