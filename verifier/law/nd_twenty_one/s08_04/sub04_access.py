"""Who may touch the recorder and its recordings (99-01.3-08-04(4))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from verifier.domain.events import ReviewAction
from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

ACCESS = "ND-08-04.4.a-access-restricted"
START_STOP = "ND-08-04.4.b-start-stop-authorised"
CHANGE = "ND-08-04.4.c-change-authorised"
ALLOWED: Final = frozenset({"gaming manager", "shift manager", "independent person", "independent"})
BARRED: Final = frozenset({
    "dealer", "cashier", "chip bank cashier", "pit boss", "wheel operator", "bartender", "employee", "gaming employee",
    "runner", "player", "attendant",
})  # fmt: skip
_ACTS: Final = {
    START_STOP: ("start", "stop", "started", "stopped", "start recorder", "stop recorder", "power"),
    CHANGE: ("change", "changed", "swap", "replace", "change media", "change recording", "media change"),
}
WORDS: Final = {
    ACCESS: "has access to recordings", START_STOP: "starts and stops the recorder",
    CHANGE: "changes the recorded video",
}  # fmt: skip


def _may(role: str | None, authorised: bool | None) -> bool | None:
    """Tell whether a person of this role may; None for a role that the rule does not settle."""
    if authorised is not None:
        return authorised if role is None or role in ALLOWED or not authorised else (None if role in BARRED else True)
    if role is None:
        return None
    return True if role in ALLOWED else (False if role in BARRED else None)


@session_check(ACCESS, START_STOP, CHANGE, video=True, reads=("access_log", "review_action"))
def authorised(session: Session) -> Iterator[Instance]:
    """Only a gaming or shift manager or an independent person handles the recorder and watches its recordings."""
    for entry in session.records.of("access_log"):
        act = entry.words("action", "act", "what") or "view"
        clause = next((c for c, words in _ACTS.items() if act in words), ACCESS)
        role = entry.words("role", "position", "title")
        said = entry.flag("authorised", "authorized", "authorised_person", "authorized_person")
        right = _may(role, said)
        if clause == CHANGE and role in BARRED and said is not False:
            right = said  # an authorised person may change the recording even if that person deals at the site
        if role is not None or said is not None:
            yield _person(clause, right, entry.event.id, entry, role)
    for event in session.of(ReviewAction):
        if event.role:
            role = " ".join(event.role.replace("_", " ").lower().split())
            right = _may(role, None)
            yield judged(
                ACCESS,
                right,
                key=event.id,
                events=[event],
                expected="only a gaming or shift manager or an independent person watches recordings",
                observed=say.that(
                    "{reviewer_id} ({role}) watched", reviewer_id=event.reviewer_id or "a person", role=role
                ),
            )


def _person(clause: str, right: bool | None, key: str, entry: Entry, role: str | None) -> Instance:
    who = entry.text("user", "person", "name", "employee") or "a person"
    return judged(
        clause,
        right,
        key=key,
        events=[entry.event],
        expected=say.that("only a gaming or shift manager or an independent person {words}", words=WORDS[clause]),
        observed=say.that("{who} ({role}) did", who=who, role=role or "role not told"),
    )
