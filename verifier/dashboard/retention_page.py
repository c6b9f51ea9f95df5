"""What is due to go, what is held, and purging as a person's act."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import shown_errors, store
from verifier.review.people.roles import Act, Person
from verifier.review.retention import acts
from verifier.review.retention.due import Kept, kept_things

_MARKS = {"due": "! Due", "held": "■ On hold", "kept": "· Kept", "purged": "– Purged"}


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.RETAIN)
    st.title("Retention")
    st.caption(
        "Recordings 30 days, review documents one year from the quarter's end, the rest three years. "
        "Nothing is removed automatically: a purge is your act, and it is written down."
    )
    things = kept_things(store(), date.today())
    _next_due(things)
    states = [state for state in _MARKS if any(one.state == state for one in things)]
    wanted = st.multiselect(
        "Show", states, default=[s for s in states if s in ("due", "held")], format_func=_MARKS.__getitem__
    )
    shown = [one for one in things if one.state in wanted]
    if not shown:
        st.info("Nothing is due and nothing is on hold." if not wanted or not things else "Nothing of that kind.")
        return
    st.dataframe(
        {
            "State": [_MARKS[one.state] for one in shown],
            "What": [one.says for one in shown],
            "Site": [one.site for one in shown],
            "Keep until": [one.until for one in shown],
            "Rule": [one.cite for one in shown],
            "Hold": [one.hold for one in shown],
            "Item": [one.item for one in shown],
        },
        hide_index=True,
        width="stretch",
    )
    open_things = {one.item: one for one in shown if one.state != "purged"}
    if open_things:
        _act(open_things, person)


def _next_due(things: list[Kept]) -> None:
    """Say what comes next: recordings go long before anything else."""
    waiting = [one for one in things if one.state == "kept"]
    if waiting:
        soonest = min(one.until for one in waiting)
        first = [one for one in waiting if one.until == soonest]
        more = f" and {len(first) - 1} more" if len(first) > 1 else ""
        st.text(f"Next: {first[0].says}{more} must be kept until {soonest}. Evidence of it: put it on hold before.")


def _act(things: dict[str, Kept], person: Person) -> None:
    with st.form("retention", clear_on_submit=True):
        item = st.selectbox("Item", list(things), format_func=lambda name: f"{name}: {things[name].says}")
        reason = st.text_input("Reason")
        columns = st.columns(3)
        pressed: dict[str, Callable[..., object]] = {
            "hold": acts.hold,
            "release": acts.release,
            "purge": acts.purge,
        }
        labels = {"hold": "■ Put on legal hold", "release": "End the hold", "purge": "– Purge for good"}
        for column, (name, act) in zip(columns, pressed.items(), strict=True):
            if column.form_submit_button(labels[name], width="stretch", key=f"retention {name}"):
                with shown_errors():
                    act(store(), item, person.signature, reason, date.today(), person.name)
                    st.rerun()
