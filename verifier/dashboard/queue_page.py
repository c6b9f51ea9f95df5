"""The queue: all findings, the most serious and most certain first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import streamlit as st

from verifier.dashboard.common import (
    SEVERITY_WORDS,
    STATE_WORDS,
    VERDICT_WORDS,
    go_to,
    open_finding,
    state_text,
    store,
    where_text,
)
from verifier.review.queue import OPEN, STATES, Filters, QueueItem, chosen, load_queue
from verifier.review.wording import plain_sentence

_PER_PAGE = 20


def show() -> None:
    """Draws the page."""
    st.title("Findings to look at")
    _unwatched()
    items = load_queue(store())
    if not items:
        _nothing()
        return
    shown = chosen(items, _filters(items))
    st.session_state["queue"] = [item.stored.id for item in shown]
    _counts(shown)
    if not shown:
        st.info("No finding fits this choice. Take a filter away on the left.")
    for item in _page(shown):
        _row(item)


def _nothing() -> None:
    reviews = store().reviews()
    if reviews:
        st.success(f"{len(reviews)} recordings were reviewed and nothing is left to look at.")
    else:
        st.info("No recording was reviewed yet. Review one with: verifier review VIDEO --layout L --house H --out DIR")


def _unwatched() -> None:
    """Says which recordings were watched only in part: what nobody watched never counts as clean."""
    partial = [review for review in store().reviews() if review.gaps]
    if not partial:
        return
    with st.expander(f"⚠ Watched only in part: {len(partial)} recordings. The rest of them does not count as clean."):
        for review in partial:
            for start, end, why in review.gaps:
                until = "the end" if end is None else f"{end:.0f} s"
                st.text(f"{review.video_name}: {start:.0f} s to {until} not watched, {why}")


def _filters(items: Sequence[QueueItem]) -> Filters:
    def pick(title: str, values: Iterable[str], words: dict[str, str], default: Sequence[str] = ()) -> frozenset[str]:
        options = sorted(set(values), key=lambda value: list(words).index(value) if value in words else value)
        return frozenset(
            st.multiselect(
                title,
                options,
                default=[one for one in default if one in options],
                format_func=lambda value: words.get(value, value) or "(none)",
                placeholder="all",
                key=f"filter {title}",
            )
        )

    verdict_words = {"violation": "Violation", "undetermined": "Undetermined (the picture does not show it)"}
    with st.sidebar:
        st.subheader("Show only")
        return Filters(
            states=pick("Decision", STATES, STATE_WORDS),
            verdicts=pick("What the software says", [item.stored.finding.verdict for item in items], verdict_words),
            sites=pick("Site", [item.review.site or "" for item in items], {}),
            tables=pick("Table", [item.review.table or "" for item in items], {}),
            clauses=pick("Clause", [item.stored.finding.clause for item in items], {}),
        )


def _counts(items: Sequence[QueueItem]) -> None:
    counted = Counter(item.state for item in items)
    columns = st.columns(4)
    for column, state in zip(columns, STATES, strict=True):
        column.metric(state_text(state).split(":")[0], counted[state])
    first = next((item for item in items if item.state == OPEN), None)
    if first is not None and st.button("Start with the first open finding", type="primary", key="start"):
        open_finding(first.stored.id)
        go_to("finding")


def _page(items: Sequence[QueueItem]) -> Sequence[QueueItem]:
    pages = max(1, -(-len(items) // _PER_PAGE))
    if pages == 1:
        return items
    number = int(st.number_input(f"Page (of {pages})", 1, pages, 1))
    return items[(number - 1) * _PER_PAGE : number * _PER_PAGE]


def _row(item: QueueItem) -> None:
    finding = item.stored.finding
    with st.container(border=True):
        verdict, text, state = st.columns([2, 6, 2], vertical_alignment="center")
        verdict.markdown(VERDICT_WORDS[finding.verdict])
        verdict.caption(f"{SEVERITY_WORDS[finding.severity]}, {finding.p:.0%} sure")
        text.markdown(f"**{finding.title}**")
        text.caption(where_text(item))
        text.text(plain_sentence(finding.observed))
        state.text(state_text(item.state).split(":")[0])
        if not item.stored.current:
            state.caption("No longer found by the newest review")
        if state.button("Look at it", key=f"open {item.stored.id}"):
            open_finding(item.stored.id)
            go_to("finding")
