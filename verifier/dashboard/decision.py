"""The form in which a person decides on a finding, and what was decided before."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.common import escaped, open_finding, shown_errors, state_text, store
from verifier.review.judging import NOTE_MOST, REASONS, decide, hold
from verifier.review.people.roles import Act, Person
from verifier.review.queue import Filters, QueueItem, next_open
from verifier.store.values import Decision

_BUTTONS: Final[tuple[tuple[Decision, str, str, str], ...]] = (
    ("confirmed", "✔ Confirm: it happened", "The clip shows what the software says.", "1"),
    ("rejected", "✘ Reject: it did not", "The clip shows that the software is wrong. Asks for the reason.", "2"),
    ("undetermined", "? Cannot tell", "The clip does not show enough to decide.", "3"),
)
_REASON_KEYS: Final = "ASDFGHJK"


def decision_form(person: Person, item: QueueItem, filters: Filters) -> None:
    """Draws the note, the buttons and the history of a finding."""
    st.markdown("**Your decision**")
    if not person.may(Act.JUDGE):
        st.caption(":material/visibility: You may read, but not decide.")
    else:
        standing = hold(store(), person, item.stored.id)
        if standing.person != person.name:
            st.warning(
                f"{escaped(standing.person)} is looking at this finding (until {standing.until[11:16]} UTC at most). "
                "Take another one; afterwards your decision is kept beside theirs.",
                icon=":material/lock_person:",
            )
        else:
            _form(person, item, filters)
    _history(item)


def tell_decided() -> None:
    """Says what was just stored: only now, since what is said right before a rerun may never reach the browser."""
    said = st.session_state.pop("decided", None)
    if said is not None:
        st.toast(said)


def _form(person: Person, item: QueueItem, filters: Filters) -> None:
    """The note and the buttons. Each finding has buttons of its own: a press meant for one never decides another."""
    name = item.stored.id
    note = st.text_area("Note", key=f"note {name}", height=80, max_chars=NOTE_MOST)
    for decision, label, help_text, key in _BUTTONS:
        if st.button(label, help=help_text, width="stretch", key=f"decide {decision} {name}", shortcut=key):
            if decision == "rejected":
                st.session_state["rejecting"] = name
            else:
                with shown_errors():
                    _decide(person, item, filters, decision, note, "")
    if st.session_state.get("rejecting") == name:
        _reasons(person, item, filters, note)


def _reasons(person: Person, item: QueueItem, filters: Filters, note: str) -> None:
    """Why a finding is rejected, one key each; the reason labels an example from which the software can learn."""
    with st.container(border=True):
        st.markdown("**Why is it wrong?**")
        for (reason, words), key in zip(REASONS.items(), _REASON_KEYS, strict=True):
            if st.button(words, key=f"reason {reason} {item.stored.id}", width="stretch", shortcut=key):
                with shown_errors():
                    _decide(person, item, filters, "rejected", note, reason)


def _decide(person: Person, item: QueueItem, filters: Filters, decision: Decision, note: str, reason: str) -> None:
    decide(store(), person, item.stored.id, decision, note, reason)
    st.session_state.pop("rejecting", None)
    following = next_open(store(), person, filters, item.stored.id)
    st.session_state["decided"] = f"{state_text(decision)} and stored." + (
        "" if following else " Nothing is left open."
    )
    if following:
        open_finding(following)
    st.rerun()


def _history(item: QueueItem) -> None:
    if not item.verdicts:
        return
    st.markdown("**Decided before** (a new decision is kept beside these)")
    for verdict in reversed(item.verdicts):
        when = verdict.decided_at.replace("T", " ")[:16]
        reason = f"\n{REASONS.get(verdict.reason, verdict.reason)}" if verdict.reason else ""
        note = f"\n“{verdict.note}”" if verdict.note else ""
        st.text(f"{state_text(verdict.decision)}: {verdict.reviewer}, {when} UTC{reason}{note}")
