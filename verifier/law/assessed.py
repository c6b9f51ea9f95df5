"""Why a clause is not assessed: no channel, no record, a person's to attest, or nothing in a log that could show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from verifier.domain.house import House
from verifier.law.attested import why_not_attested
from verifier.law.catalogue import Clause
from verifier.law.registry import REASONS, Check, checks
from verifier.law.session import TRANSCRIPT, Session

NO_AUDIO: Final = "no audio"
NO_TRANSCRIPT: Final = "no transcript of what was said"
PARTLY_TOLD: Final = "the transcript does not reach every round"
NO_RECORDS: Final = "records not given"
NOT_TOLD: Final = "the records given do not tell"
PERMISSION: Final = "a permission, which cannot be violated"
NO_CHECK: Final = "not yet implemented"
UNCOUNTED: Final = "it arose, but the recording does not show what it asks for"
"""Of a clause that is open in every situation of a recording, and of which nothing suggests a breach."""
UNTOLD: Final = "it arose, but the log does not tell"
"""Of a clause that asks for what no record of the log tells; what that is follows."""
NOT_IN_FORCE: Final = "not in force on the day of play"
MISTAKES: Final = "ND-08-12."
"""Clauses on mistakes: an alternative written policy goes before them, bar the one that asks for it."""

PERMISSIONS: Final = frozenset({
    "ND-08-11.1-player-totals-optional",
    "ND-08-11.5-player-computes",
    "ND-08-11.8-reader-gap",
    "ND-08-11.18.b-relief-exchange",
    "ND-08-12.5-no-insurance-offer-valid",
})  # fmt: skip
"""Rows that allow something: they hold findings back and never make one."""

OUT_OF_REACH: Final = {
    "ND-08-02.2-plunger-in-slot": "a log tells whether the plunger is in view, not whether it is in its slot",
    "ND-08-08.2-cut-completion": "which part of the stack goes to the back after a cut is not in an event log",
    "ND-08-09.2.c-split-prompt-left": "a prompt may be a gesture, which has no event",
    "ND-08-09.2.d-double-prompt-left": "a prompt may be a gesture, which has no event",
    "ND-08-09.2.d-unsure-ask": "whether the dealer was unsure is not to be seen or heard",
}
"""Clauses of a channel that an event log has, about facts that no event carries."""


def reason_without_check(clause: Clause, channels: tuple[str, ...] = ("video",)) -> str:
    """Why a clause that no check judges is not assessed."""
    if clause.id in PERMISSIONS:
        return PERMISSION
    if clause.observability == "audio" and "audio" not in channels:
        return NO_AUDIO
    if clause.id in OUT_OF_REACH:
        return OUT_OF_REACH[clause.id]
    if clause.id in REASONS:
        return REASONS[clause.id]
    if clause.observability == "records" and "records" not in channels:
        return NO_RECORDS
    return NO_CHECK


def option_missing(check: Check, house: House) -> str | None:
    """Return the first house option that a check needs and that is not configured."""
    return next((option for option in check.needs if getattr(house, option) is None), None)


def _not_adopted(check: Check, house: House) -> bool:
    """Tell whether the site chose otherwise than a check needs, so that what it judges does not apply there."""
    chosen = {option: getattr(house, option) for option in check.needs}
    return any(wanted is not None and chosen[o] not in (None, wanted) for o, wanted in check.needs.items())


def why_not_assessed(clause: Clause, rulebook: str, session: Session) -> str | None:
    """Why a clause without any instance was not assessed; None where its situation simply never arose."""
    house = session.house
    if not clause.in_force.on(session.header.date):
        return NOT_IN_FORCE
    if (clause.applies_when == "tournament" and house.tournament_rules == "off") or (
        clause.video == "absent" and house.video_surveillance == "present"
    ):
        return None
    own = _by_clause(rulebook, session).get(clause.id, [])
    if not own:
        return reason_without_check(clause, session.header.channels)
    if all(_not_adopted(check, house) for check in own):
        return None
    missing = [option_missing(check, house) for check in own]
    if all(missing):
        return f"house option {missing[0]} is not configured"
    mistake = clause.id.startswith(MISTAKES) and clause.observability != "records"
    if house.mistake_policy == "alternative" and (mistake or all(check.statute for check in own)):
        return "replaced by the organization's alternative written policy"
    return _without_source(clause, session, own)


def _by_clause(rulebook: str, session: Session) -> dict[str, list[Check]]:
    """Return the checks that judge each clause. They are put together once for a judgement, which asks for most clauses
    of a rulebook.
    """
    key = ("checks by clause", rulebook)
    if key not in session.memo:
        found: dict[str, list[Check]] = {}
        for check in checks(rulebook):
            for name in dict.fromkeys(check.clauses):
                found.setdefault(name, []).append(check)
        session.memo[key] = found
    return cast(dict[str, list[Check]], session.memo[key])


def _unheard(session: Session) -> str | None:
    """Why a clause of speech was not assessed; None where all rounds were heard."""
    if "audio" not in session.header.channels:
        return NO_AUDIO
    if not session.hears:
        return NO_TRANSCRIPT
    return None if all(session.heard_at(game.events[0].t_start) for game in session.rounds) else PARTLY_TOLD


def _without_source(clause: Clause, session: Session, own: Sequence[Check]) -> str | None:
    """Return in words what a clause's checks would have read but the log does not hold."""
    if clause.attested is not None:
        return why_not_attested(clause, session)
    if all(check.audio for check in own):
        return _unheard(session)
    given = [entry for entry in session.records.entries if entry.kind != TRANSCRIPT]
    if clause.observability == "records" and not (session.has_records or given):
        return NO_RECORDS
    wanted = dict.fromkeys(name for check in own for name in check.reads)
    if all(check.reads for check in own) and not session.names & wanted.keys():
        named = [name.replace("_", " ") for name in wanted if name != "other"]
        return f"the log holds no {' or '.join(named)}" if named else NOT_TOLD
    return NOT_TOLD if clause.observability == "records" else None
