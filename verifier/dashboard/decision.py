"""The form in which a person decides on a finding, and what was decided before."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from verifier.dashboard.common import open_finding, shown_errors, state_text, store
from verifier.review.queue import QueueItem, decide, next_open
from verifier.store.values import Decision

_BUTTONS: tuple[tuple[Decision, str, str], ...] = (
    ("confirmed", "✔ Confirm: it happened", "The clip shows what the software says."),
    ("rejected", "✘ Reject: it did not", "The clip shows that the software is wrong. Needs a note."),
    ("undetermined", "? Cannot tell", "The clip does not show enough to decide."),
)


def decision_form(item: QueueItem, items: Sequence[QueueItem]) -> None:
    """Draws the note, the three buttons and the history of a finding."""
    st.markdown("**Your decision**")
    if not str(st.session_state.get("reviewer", "")).strip():
        st.caption("First write your name or initials on the left.")
    note = st.text_area("Note (needed for a rejection)", key=f"note {item.stored.id}", height=80)
    for decision, label, help_text in _BUTTONS:
        if st.button(label, help=help_text, width="stretch", key=f"decide {decision}"):
            with shown_errors():
                _decide(item, items, decision, note)
    _history(item)


def _decide(item: QueueItem, items: Sequence[QueueItem], decision: Decision, note: str) -> None:
    decide(store(), item.stored.id, decision, str(st.session_state.get("reviewer", "")), note)
    following = next_open(items, item.stored.id)
    st.toast(f"{state_text(decision)} and stored." + ("" if following else " Nothing is left open."))
    if following:
        open_finding(following)
    st.rerun()


def _history(item: QueueItem) -> None:
    if not item.verdicts:
        return
    st.markdown("**Decided before** (a new decision is kept beside these)")
    for verdict in reversed(item.verdicts):
        when = verdict.decided_at.replace("T", " ")[:16]
        st.text(f"{state_text(verdict.decision)}: {verdict.reviewer}, {when} UTC" + _note(verdict.note))


def _note(note: str) -> str:
    return f"\n“{note}”" if note else ""
