"""This morning: the first page. What the night found, what was not watched, what is owed, one button to begin."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import (
    VERDICT_WORDS,
    escaped,
    go_to,
    open_finding,
    still,
    store,
    sure_text,
    where_text,
)
from verifier.dashboard.orders_panel import orders_panel
from verifier.review.batch.report_files import summary
from verifier.review.batch.to_look_at import what_to_do
from verifier.review.documents.rules import rules_at
from verifier.review.morning import Due, Morning, NotWatched, Owed, this_morning
from verifier.review.people.roles import Act, Person
from verifier.review.queue import Filters, QueueItem, next_open
from verifier.review.weeks import plain_week
from verifier.review.wording import accusation
from verifier.store.queue import ReviewQueue

_MOST = 8


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.title("This morning")
    morning = this_morning(store(), person, datetime.now())
    _night(morning)
    _begin(person, morning)
    if not store().review_count() and morning.night is None:
        orders_panel(person, only_open=True)
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        _findings(person, morning)
    with right:
        if ReviewQueue(store()).open_orders():
            st.subheader("Under way")
            orders_panel(person, only_open=True)
        _not_watched(morning.not_watched)
        _owed(morning.owed)
        _due(morning.due)


def _night(morning: Morning) -> None:
    """Show the night in a sentence; what is not complete is never shown as fine."""
    night = morning.night
    if night is None:
        if not store().review_count():
            st.info("Nothing was reviewed yet.")
        return
    told = f"Night of {night.night}: {summary(night)}"
    if night.complete:
        st.success(escaped(told), icon=":material/check_circle:")
    else:
        st.warning(escaped(told), icon=":material/warning:")


def _begin(person: Person, morning: Morning) -> None:
    """Draw the one button: for the first open finding, else for a new review."""
    first = next_open(store(), person, Filters(), None) if morning.open_findings else None
    if first is not None:
        label = "Start with the first open finding"
        if st.button(label, type="primary", icon=":material/play_arrow:", shortcut="Enter", key="today start"):
            open_finding(first)
            go_to("finding")
    elif person.may(Act.BEGIN) and st.button(
        "Begin a new review", type="primary", icon=":material/add_circle:", key="today new"
    ):
        go_to("new")


def _findings(person: Person, morning: Morning) -> None:
    st.subheader(f"Open findings: {morning.open_findings}")
    if not morning.findings:
        st.caption("No finding waits for a decision.")
    for one in morning.findings:
        _finding(person, one)
    if morning.open_findings > len(morning.findings) and st.button("All findings", icon=":material/checklist:"):
        go_to("queue")


def _finding(person: Person, one: QueueItem) -> None:
    finding = one.stored.finding
    with st.container(border=True):
        picture, text = st.columns([1, 2], vertical_alignment="center")
        folder = Path(one.review.folder)
        there = [number for number, file in enumerate(one.stored.stills) if store().keeps(folder / file)]
        if there and person.may(Act.VIDEO):
            with picture:
                still(one.stored.id, there[-1], finding.title)
        else:
            picture.caption("No picture" if person.may(Act.VIDEO) else "You may not see pictures")
        text.markdown(f"{VERDICT_WORDS[finding.verdict]} **{escaped(accusation(finding))}**")
        text.caption(escaped(f"{sure_text(one)}. {where_text(one)}"))
        text.caption(escaped(f"{finding.title}, {finding.cite}. {what_to_do(finding)}"))
        if text.button("Look at it", key=f"today {one.stored.id}"):
            open_finding(one.stored.id)
            go_to("finding")


def _not_watched(missed: list[NotWatched]) -> None:
    st.subheader("Not watched")
    if not missed:
        st.caption("Everything that was recorded and reviewed was watched.")
    for one in missed[:_MOST]:
        st.markdown(f":material/visibility_off: **{escaped(one.where)}**  \n{escaped(one.when)}: {escaped(one.why)}")
    if len(missed) > _MOST:
        with st.expander(f"{len(missed) - _MOST} more"):
            for one in missed[_MOST:]:
                st.text(f"{one.where}, {one.when}: {one.why}")


def _owed(owed: list[Owed]) -> None:
    st.subheader("Minutes still to watch")
    if not owed:
        st.caption("Every table has its hour of each week.")
        return
    rules = rules_at(store(), sorted({one.site for one in owed}))
    says = "an hour of video a week for each table, watched by a person."
    st.caption(escaped(rules.cited("99-01.3-08-04(8)", says)))
    for one in owed[:_MOST]:
        where = escaped(f"Site {one.site}, table {one.table}")
        st.markdown(f"**{where}**: {one.minutes:.0f} min · {escaped(plain_week(one.week))}")
    if st.button("Watch a recording", icon=":material/play_circle:"):
        go_to("watch")


def _due(due: list[Due]) -> None:
    st.subheader("Documents due")
    if not due:
        st.caption("No document is due.")
    for number, one in enumerate(due[:_MOST]):
        text, button = st.columns([3, 1], vertical_alignment="center")
        text.markdown(escaped(one.says))
        if button.button("Write it", key=f"due {number}", width="stretch"):
            go_to(one.page)
