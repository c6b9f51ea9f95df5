"""What one of two looks told and the other did not: no findings, shown quietly below the player."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from verifier.dashboard.common import escaped
from verifier.dashboard.own_finding import fill_own_finding
from verifier.dashboard.recordings import open_recording_before
from verifier.domain.errors import BadInput
from verifier.domain.findings import Finding, Unconfirmed
from verifier.law.sentences import capital
from verifier.review.people.roles import Act, Person
from verifier.review.products import unconfirmed_of
from verifier.review.wording import accused_at, clock_text, plain_certainty, plain_place
from verifier.store.values import ReviewRecord

_ABOUT = (
    "If a rule seems to be broken, the program looks a second time, at a larger scale. Here one look told of a breach "
    "and the other did not. So these are **no findings**: they are not counted, no document shows them, and there is "
    "nothing to decide."
)


def one_look_panel(person: Person, review: ReviewRecord) -> None:
    """Draw the list of a review, closed; nothing where there is none."""
    try:
        alone = unconfirmed_of(Path(review.folder))
    except BadInput as error:
        st.caption(escaped(f"What was seen in one look only cannot be shown: {error}"))
        return
    if not alone:
        return
    with st.expander(f"Seen in one look only ({len(alone)}), no findings", icon=":material/filter_center_focus:"):
        st.caption(_ABOUT)
        for number, one in enumerate(alone):
            _row(person, review, number, one)


def _row(person: Person, review: ReviewRecord, number: int, one: Unconfirmed) -> None:
    told = one.told
    with st.container(border=True):
        texts, ways = st.columns([4, 1], vertical_alignment="center")
        texts.markdown(f"{escaped(told.title)}, {_when(told, review)}")
        texts.caption(escaped(f"{told.cite}, clause {told.clause}"))
        texts.text(_looks(one))
        ways.button(
            "Go there", key=f"alone go {number}", width="stretch", on_click=open_recording_before, args=(review, told)
        )
        if person.may(Act.JUDGE):
            ways.button(
                "I saw it too",
                key=f"alone own {number}",
                width="stretch",
                on_click=_take,
                args=(review, told),
                help="Fills in the form below, for a finding of your own in your own words.",
            )


def _take(review: ReviewRecord, told: Finding) -> None:
    fill_own_finding(review, told)
    st.toast("The form below is filled in. Say in your own words what you saw.")


def _when(told: Finding, review: ReviewRecord) -> str:
    """`round 3, space 1, 21:01:02`, as the look that told it counted rounds, and when it begins.

    Where no clock was read it tells how far into the recording.
    """
    shown = accused_at(told, review.clock_start)
    parts = [
        f"round {told.round}" if told.round is not None else "between rounds",
        *([plain_place(told.at)] if told.at else []),
        f"{shown:%H:%M:%S}" if shown is not None else f"{clock_text(None, told.t_start)} into the recording",
    ]
    return escaped(", ".join(parts))


def _looks(one: Unconfirmed) -> str:
    """Return what the first and the closer look said, on a line each."""
    told = _said(one.told)
    other = "; ".join(
        _said(held) if held.clause == one.told.clause else f"{held.title}, {_said(held)}" for held in one.instead
    )
    other = other or "nothing of the kind there"
    first, closer = (told, other) if one.look == "first" else (other, told)
    return f"First look: {first}\nCloser look: {closer}"


def _said(finding: Finding) -> str:
    """`violation, 93% sure: The payoff stayed a stack.`"""
    certainty = plain_certainty(finding, origin="software")
    return f"{finding.verdict}, {certainty}: {capital(finding.worded_now().observed)}"
