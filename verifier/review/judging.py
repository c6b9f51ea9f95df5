"""A person's decision on a finding: held while somebody looks at it, kept beside every other decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from sqlalchemy import delete, or_, select, update
from sqlalchemy.exc import IntegrityError

from verifier.domain.errors import BadInput
from verifier.review.people.accounts import full_names
from verifier.review.people.roles import Act, Person, require
from verifier.review.wording import local_time
from verifier.store.repository import Store
from verifier.store.room.tables import HoldRow
from verifier.store.tables import FindingRow
from verifier.store.values import DECISIONS, Decision, VerdictRecord

HOLD_MINUTES: Final = 5
NOTE_MOST: Final = 2000
REASONS: Final = {
    "misread_card": "A card was misread",
    "misread_chips": "Chips or an amount were misread",
    "hand_hidden": "A hand or an object hid it",
    "missed_act": "The act happened, the software missed it",
    "invented_act": "The act did not happen",
    "wrong_place": "Wrong place, round or player",
    "rule_misapplied": "Seen rightly, but the rule does not apply",
    "other": "Another reason (see the note)",
}
"""Why a finding is rejected; all but the last two label an example from which the eye can learn."""


class Hold(Struct, frozen=True):
    """Who looks at a finding (the account's name), and until when others leave it alone."""

    person: str
    until: str


def hold(store: Store, person: Person, finding_id: str) -> Hold:
    """Take or keep the hold on a finding where it is free; give the hold that stands, perhaps another's."""
    require(person, Act.JUDGE)
    now = store.now()
    until = (datetime.fromisoformat(now) + timedelta(minutes=HOLD_MINUTES)).isoformat(timespec="seconds")
    free = or_(HoldRow.person == person.name, HoldRow.until <= now)
    with store.writing() as session:
        taken = update(HoldRow).where(HoldRow.finding_id == finding_id, free).values(person=person.name, until=until)
        session.execute(taken)
        if session.get(HoldRow, finding_id) is None:
            try:
                with session.begin_nested():
                    session.add(HoldRow(finding_id=finding_id, person=person.name, until=until))
            except IntegrityError:
                session.expire_all()
        row = session.scalars(select(HoldRow).where(HoldRow.finding_id == finding_id)).one()
        return Hold(row.person, row.until)


def held(store: Store, person: Person, finding_ids: Sequence[str]) -> dict[str, str]:
    """Who looks at these findings now, by the finding: full names of others than `person`."""
    require(person, Act.READ)
    now = store.now()
    query = select(HoldRow.finding_id, HoldRow.person).where(
        HoldRow.finding_id.in_(finding_ids), HoldRow.until > now, HoldRow.person != person.name
    )
    with store.reading() as session:
        found = {row.finding_id: row.person for row in session.execute(query)}
    names = full_names(store) if found else {}
    return {finding: names.get(name, name) for finding, name in found.items()}


def release(store: Store, person: Person, finding_id: str) -> None:
    """Release a finding that `person` holds."""
    with store.writing() as session:
        session.execute(delete(HoldRow).where(HoldRow.finding_id == finding_id, HoldRow.person == person.name))


def decide(
    store: Store,
    person: Person,
    finding_id: str,
    decision: Decision,
    note: str = "",
    reason: str = "",
    seen: bool | None = None,
) -> VerdictRecord:
    """Write a person's decision beside the earlier ones; `seen` tells whether the decisive seconds had been shown to
    them.

    Raises Forbidden if the person may not judge, BadInput if another person holds the finding, a rejection gives
    no reason, or the finding is none.
    """
    may_decide(store, person, finding_id, decision, note, reason)
    made = store.add_verdict(finding_id, decision, person.signature, note.strip(), reason, actor=person.name, seen=seen)
    release(store, person, finding_id)
    return made


def may_decide(
    store: Store, person: Person, finding_id: str, decision: Decision, note: str = "", reason: str = ""
) -> None:
    """Take the hold on a finding and write nothing. Raises as `decide` does where that would refuse the decision."""
    require(person, Act.JUDGE)
    _check(decision, note, reason)
    with store.reading() as session:
        if session.get(FindingRow, finding_id) is None:
            raise BadInput(finding_id[:80], "is no finding", "choose one of the list")
    standing = hold(store, person, finding_id)
    if standing.person != person.name:
        until = local_time(standing.until)
        who = full_names(store).get(standing.person, standing.person)
        raise BadInput("finding", f"is held by {who} until {until}", "take the next one, or wait")


def _check(decision: str, note: str, reason: str) -> None:
    if decision not in DECISIONS:
        raise BadInput("decision", f"is {decision[:20]!r}", f"choose one of {', '.join(DECISIONS)}")
    if reason and reason not in REASONS:
        raise BadInput("reason", f"is {reason[:20]!r}", f"choose one of {', '.join(REASONS)}")
    if len(note) > NOTE_MOST:
        raise BadInput("note", f"has {len(note)} characters", f"say it in {NOTE_MOST}")
    if decision == "rejected" and not reason:
        raise BadInput("reason", "is empty", "choose why the finding is rejected")
    if reason == "other" and not note.strip():
        raise BadInput("note", "is empty", "say in a few words why the finding is rejected")
