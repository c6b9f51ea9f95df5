"""The queue: all findings, the most serious and most certain first, as pictures or as a dense list."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pandas as pd
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import (
    VERDICT_WORDS,
    escaped,
    go_to,
    minutes_text,
    open_finding,
    state_text,
    still,
    store,
    sure_text,
    where_text,
)
from verifier.dashboard.filters import chosen_filters
from verifier.dashboard.recordings import NOTHING_REVIEWED
from verifier.review.judging import held
from verifier.review.people.roles import Act, Person
from verifier.review.queue import OPEN, STATES, Filters, QueueItem, choices, counts, next_open, page, tally
from verifier.review.wording import accusation

_PER_PAGE: Final = 15
_ACROSS: Final = 3
_PARTIAL_MOST: Final = 50
_VIEWS: Final = ("Pictures", "List")
_STYLE: Final = """<style>
.stMainBlockContainer { padding: 1.2rem 2rem 2rem; }
img.still { aspect-ratio: 16 / 9; object-fit: cover; object-position: top; }
.st-key-findings p, .st-key-findings [data-testid=stMarkdownContainer] { margin: 0; }
.st-key-findings [data-testid=stCaptionContainer] { margin: 0; }
@media (max-width: 768px) { .stMainBlockContainer { padding-top: 4rem; } }
[class*=st-key-card], [class*=st-key-row] { gap: 0.4rem; }
[class*=st-key-row] { border-bottom: 1px solid #d5dad7; padding-bottom: 0.3rem; }
</style>"""


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.html(_STYLE)
    st.title("Findings to look at")
    _unwatched()
    shown, beside = st.columns([4, 1], gap="medium")
    with beside:
        filters = chosen_filters(choices(store(), person))
        _counts(person, filters)
    with shown, st.container(key="findings"):
        _findings(person, filters)


def _findings(person: Person, filters: Filters) -> None:
    found = counts(store(), person, filters)
    if not sum(found.values()):
        _nothing(narrowed=filters != Filters())
        return
    view = _begin(person, filters, found)
    number = _page_number(sum(found.values()))
    items = page(store(), person, filters, skip=(number - 1) * _PER_PAGE, most=_PER_PAGE)
    looking = held(store(), person, [item.stored.id for item in items])
    if view == _VIEWS[1]:
        for item in items:
            _row(item, looking)
        return
    for start in range(0, len(items), _ACROSS):
        for column, item in zip(st.columns(_ACROSS), items[start : start + _ACROSS], strict=False):
            with column:
                _card(person, item, looking)


def _counts(person: Person, filters: Filters) -> None:
    """How many findings of the choice each table and day of play has, and how many of them are open; once asked for."""
    if not st.toggle("Counts by table and day", key="counts"):
        return
    rows: dict[tuple[str, str], list[int]] = {}
    for one in tally(store(), person, filters, ("day", "site", "table")):
        row = rows.setdefault((one.day or "day unknown", f"{one.site or '?'}, {one.table or '?'}"), [0, 0])
        row[0] += one.count
        row[1] += one.count if one.state == OPEN else 0
    told = [
        {"Day": day, "Site, table": where, "Findings": found, "Open": left}
        for (day, where), (found, left) in sorted(rows.items(), reverse=True)
    ]
    st.dataframe(pd.DataFrame(told), hide_index=True, width="stretch")


def _nothing(*, narrowed: bool) -> None:
    if narrowed:
        st.info("No finding fits these filters. Remove one of them.")
    elif reviews := store().review_count():
        st.success(f"Nothing is left to look at. Recordings reviewed: {reviews}.")
    else:
        st.info(NOTHING_REVIEWED)


def _unwatched() -> None:
    """Say which recordings were watched only in part: what nobody watched never counts as clean."""
    partial = store().review_count(partial=True)
    if not partial:
        return
    with st.expander(f"⚠ Recordings watched only in part: {partial}. The rest of them does not count as clean."):
        for review in store().reviews(partial=True, limit=_PARTIAL_MOST):
            for start, end, why in review.gaps:
                until = "the end" if end is None else minutes_text(end)
                day = review.play_date or "day unknown"
                which = f"Site {review.site or '?'}, table {review.table or '?'}, {day}, {review.video_name}"
                st.text(f"{which}: {minutes_text(start)} to {until} not watched, {why}")


def _begin(person: Person, filters: Filters, found: Mapping[str, int]) -> str:
    """Draw the button that begins, the counts, and the choice of the view; return the view."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        first = next_open(store(), person, filters, None)
        if first is not None and st.button(
            "Start with the first open finding", type="primary", key="start", shortcut="Enter"
        ):
            open_finding(first)
            go_to("finding")
        told = " · ".join(f"{state_text(state).split(':')[0]} **{found[state]}**" for state in STATES)
        st.markdown(told, width="content")
        chosen = st.segmented_control(
            "View",
            _VIEWS,
            default=_VIEWS[0],
            key="view",
            label_visibility="collapsed",
            bind="query-params",
            required=True,
            width="content",
        )
    return str(chosen)


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


def _card(person: Person, item: QueueItem, looking: Mapping[str, str]) -> None:
    """One finding with its last still, which shows it best."""
    finding, name = item.stored.finding, item.stored.id
    with st.container(border=True, key=f"card {name}"):
        folder = Path(item.review.folder)
        there = [number for number, file in enumerate(item.stored.stills) if store().keeps(folder / file)]
        if there and person.may(Act.VIDEO):
            still(name, there[-1], finding.title)
        else:
            st.caption("No picture" if person.may(Act.VIDEO) else "You may not see pictures")
        st.markdown(f"{VERDICT_WORDS[finding.verdict]} **{escaped(accusation(finding))}**")
        st.caption(escaped(f"{sure_text(item)}. {where_text(item)}"))
        _open(item, looking)


def _row(item: QueueItem, looking: Mapping[str, str]) -> None:
    """One finding in a line."""
    finding = item.stored.finding
    with st.container(key=f"row {item.stored.id}"):
        verdict, text, state = st.columns([1.6, 6, 2.4], vertical_alignment="center")
        verdict.markdown(VERDICT_WORDS[finding.verdict])
        text.markdown(f"**{escaped(accusation(finding))}**")
        text.caption(escaped(f"{sure_text(item)}. {where_text(item)}"))
        with state:
            _open(item, looking)


def _open(item: QueueItem, looking: Mapping[str, str]) -> None:
    """Draw what was decided, who looks at it now, and the way to the finding."""
    told = state_text(item.state).split(":")[0]
    if len(item.verdicts) > 1:
        told += f", {len(item.verdicts)} decisions"
    if not item.stored.current:
        told += ", no longer found by the newest review"
    if (who := looking.get(item.stored.id)) is not None:
        told += f", {who} is looking at it"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(told, width="stretch")
        if st.button("Look at it", key=f"open {item.stored.id}"):
            open_finding(item.stored.id)
            go_to("finding")
