"""The queue: all findings, the most serious and most certain first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import (
    VERDICT_WORDS,
    escaped,
    go_to,
    open_finding,
    state_text,
    store,
    sure_text,
    where_text,
)
from verifier.dashboard.filters import chosen_filters
from verifier.dashboard.recordings import NOTHING_REVIEWED
from verifier.review.people.roles import Act, Person
from verifier.review.queue import STATES, Filters, QueueItem, choices, counts, next_open, page
from verifier.review.wording import plain_sentence

_PER_PAGE: Final = 15
_PARTIAL_MOST: Final = 50


def show() -> None:
    """Draws the page."""
    person = person_who_may(Act.READ)
    st.title("Findings to look at")
    _unwatched()
    filters = chosen_filters(choices(store(), person))
    found = counts(store(), person, filters)
    if not sum(found.values()):
        _nothing(narrowed=filters != Filters())
        return
    _counts(person, filters, found)
    number = _page_number(sum(found.values()))
    for item in page(store(), person, filters, skip=(number - 1) * _PER_PAGE, most=_PER_PAGE):
        _row(item)


def _nothing(*, narrowed: bool) -> None:
    if narrowed:
        st.info("No finding fits this choice. Take a filter away on the left.")
    elif reviews := store().review_count():
        st.success(f"Nothing is left to look at. Recordings reviewed: {reviews}.")
    else:
        st.info(NOTHING_REVIEWED)


def _unwatched() -> None:
    """Says which recordings were watched only in part: what nobody watched never counts as clean."""
    partial = store().review_count(partial=True)
    if not partial:
        return
    with st.expander(f"⚠ Recordings watched only in part: {partial}. The rest of them does not count as clean."):
        for review in store().reviews(partial=True, limit=_PARTIAL_MOST):
            for start, end, why in review.gaps:
                until = "the end" if end is None else f"{end:.0f} s"
                day = review.play_date or "day unknown"
                which = f"Site {review.site or '?'}, table {review.table or '?'}, {day}, {review.video_name}"
                st.text(f"{which}: {start:.0f} s to {until} not watched, {why}")


def _counts(person: Person, filters: Filters, found: Mapping[str, int]) -> None:
    columns = st.columns(4)
    for column, state in zip(columns, STATES, strict=True):
        column.metric(state_text(state).split(":")[0], found[state])
    first = next_open(store(), person, filters, None)
    if first is not None and st.button(
        "Start with the first open finding", type="primary", key="start", shortcut="Enter"
    ):
        open_finding(first)
        go_to("finding")


def _page_number(findings: int) -> int:
    pages = max(1, -(-findings // _PER_PAGE))
    if pages == 1:
        return 1
    st.session_state["page"] = min(int(st.session_state.get("page", 1)), pages)
    back, place, forth = st.columns([1, 2, 1], vertical_alignment="bottom")
    if back.button("Earlier", icon=":material/arrow_back:", shortcut="Left", key="earlier", width="stretch"):
        st.session_state["page"] = max(1, st.session_state["page"] - 1)
    if forth.button("Later", icon=":material/arrow_forward:", shortcut="Right", key="later", width="stretch"):
        st.session_state["page"] = min(pages, st.session_state["page"] + 1)
    return int(place.number_input(f"Page (of {pages})", 1, pages, key="page", bind="query-params"))


def _row(item: QueueItem) -> None:
    finding = item.stored.finding
    with st.container(border=True):
        verdict, text, state = st.columns([2, 6, 2], vertical_alignment="center")
        verdict.markdown(VERDICT_WORDS[finding.verdict])
        verdict.caption(sure_text(item))
        text.markdown(f"**{escaped(finding.title)}**")
        text.caption(escaped(where_text(item)))
        text.text(plain_sentence(finding.observed))
        state.text(state_text(item.state).split(":")[0])
        if len(item.verdicts) > 1:
            state.caption(f"{len(item.verdicts)} decisions")
        if not item.stored.current:
            state.caption("No longer found by the newest review")
        if state.button("Look at it", key=f"open {item.stored.id}"):
            open_finding(item.stored.id)
            go_to("finding")
