"""The form for what a person saw and the software did not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from verifier.dashboard.common import open_finding, shown_errors, store
from verifier.domain.findings import Finding
from verifier.law.catalogue import by_id
from verifier.review.people.roles import Person
from verifier.review.watch.marks import LONGEST_S, OwnFinding, add_own
from verifier.review.wording import clock_text, seconds_told
from verifier.store.values import ReviewRecord

_HELP: Final = "By the table's clock, as the player shows it; where that was not read, minutes and seconds"
WHOLE_S: Final = 0.999
"""Added to an end before its parts of a second are left out, so that what is told does not end earlier."""
_PLACES: Final = ("", *(f"space:{number}" for number in range(1, 8)), "dealer", "tray", "shoe")


def table_clock(review: ReviewRecord, told: str | None = None) -> str | None:
    """Return what the table's clock shows at second 0 of a review (ISO 8601): as last told by the player, or to
    the second.
    """
    key = f"clock {review.id}"
    if told is not None:
        st.session_state[key] = told
    return str(st.session_state[key]) if key in st.session_state else review.clock_start


def own_finding_form(person: Person, review: ReviewRecord) -> None:
    """Draw the form, closed until it is wanted. That a finding was stored stays in view until the next one begins."""
    label = "I saw something that the software did not say"
    with st.expander(label, icon=":material/add_alert:", key=f"own form {review.id}", on_change="rerun"):
        if st.session_state.get(_stored(review)):
            st.success("Stored as your own finding, confirmed by you. It stands in the list of findings.")
        _form(person, review)


def _form(person: Person, review: ReviewRecord) -> None:
    clauses = by_id(review.rulebook)
    with st.form(_key(review, "finding")):
        clause = st.selectbox(
            "Clause",
            list(clauses),
            format_func=lambda one: f"{clauses[one].title} ({one})",
            index=None,
            placeholder="type to search",
            key=_key(review, "clause"),
        )
        left, right, third = st.columns(3)
        begins = table_clock(review)
        first = clock_text(begins, 0.0)
        start = left.text_input("From", first, key=_key(review, "from"), max_chars=8, help=_HELP)
        end = right.text_input("To", first, key=_key(review, "to"), max_chars=8, help=_HELP)
        space = third.selectbox("At", _PLACES, key=_key(review, "at"))
        observed = st.text_area("What you saw", max_chars=2000, key=_key(review, "observed"))
        added = st.form_submit_button("Add the finding")
        if added and clause is None:
            st.error("Choose the clause that was not kept.", icon=":material/error:")
        elif added and clause is not None:
            with shown_errors():
                begin, until = (seconds_told(begins, one) for one in (start, end))
                own = OwnFinding(
                    clause=clause, t_start=begin, t_end=max(begin, until), observed=observed, at=space or None
                )
                name = add_own(store(), person, review.id, own)
                open_finding(name)
                st.session_state[f"own turn {review.id}"] = _turn(review) + 1  # the next one begins with an empty form
                st.session_state[_stored(review)] = True
                st.rerun()


def fill_own_finding(review: ReviewRecord, told: Finding) -> None:
    """Open the form of a review with clause, time and place filled in; what was seen is left to the person's words."""
    length = float(review.duration or 0.0)
    place = (told.at or "").partition("/")[0]
    filled = {
        "clause": told.clause if told.clause in by_id(review.rulebook) else None,
        "from": clock_text(table_clock(review), min(told.t_start, length)),
        "to": clock_text(table_clock(review), min(told.t_end + WHOLE_S, int(told.t_start) + LONGEST_S, length)),
        "at": place if place in _PLACES else "",
    }
    _fill(review, filled)


def begin_own_finding(review: ReviewRecord, t: float) -> None:
    """Open the form of a review with the moment `t` (s) filled in; what else was typed stays."""
    until = min(t + WHOLE_S, review.duration or 0.0)
    begins = table_clock(review)
    _fill(review, {"from": clock_text(begins, t), "to": clock_text(begins, until)})


def _fill(review: ReviewRecord, filled: Mapping[str, object]) -> None:
    st.session_state[f"own form {review.id}"] = True
    st.session_state.pop(_stored(review), None)
    for name, value in filled.items():
        st.session_state[_key(review, name)] = value


def _stored(review: ReviewRecord) -> str:
    """Return where it stands that the last finding of one's own was stored."""
    return f"own stored {review.id}"


def _key(review: ReviewRecord, name: str) -> str:
    return f"own {name} {_turn(review)} {review.id}"


def _turn(review: ReviewRecord) -> int:
    """How many findings of one's own were added since signing in: each has a form of its own."""
    return int(st.session_state.get(f"own turn {review.id}", 0))
