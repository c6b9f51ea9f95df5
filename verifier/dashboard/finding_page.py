"""One finding: the clip, what the rule expects, what was seen, and the person's decision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from verifier.dashboard.common import (
    SEVERITY_WORDS,
    VERDICT_WORDS,
    events_of,
    go_to,
    open_finding,
    state_text,
    store,
    where_text,
)
from verifier.dashboard.decision import decision_form
from verifier.dashboard.round_panel import round_panel
from verifier.law.catalogue import by_id
from verifier.review.alternatives import alternatives
from verifier.review.queue import QueueItem, load_queue, neighbours
from verifier.review.wording import plain_sentence


def show() -> None:
    """Draws the page for the chosen finding."""
    items = _queue()
    item = _chosen(items)
    if item is None:
        st.title("One finding")
        st.info("Choose a finding in the list first.")
        if st.button("To the list"):
            go_to("queue")
        return
    _walk(items, item)
    _heading(item)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _pictures(item)
    with right:
        _texts(item)
        decision_form(item, items)
        _rule(item)
    log = events_of(item)
    if log is not None and item.stored.current:
        round_panel(log, item.stored.finding)
    else:
        st.caption("The cards and money of this round are not shown: a newer review replaced its events.")


def _queue() -> list[QueueItem]:
    """The findings in the order and choice of the list, or all of them."""
    items = {item.stored.id: item for item in load_queue(store())}
    wanted = st.session_state.get("queue", list(items))
    return [items[name] for name in wanted if name in items] or list(items.values())


def _chosen(items: Sequence[QueueItem]) -> QueueItem | None:
    name = st.session_state.get("finding") or st.query_params.get("id")
    return next((item for item in items if item.stored.id == name), None)


def _walk(items: Sequence[QueueItem], item: QueueItem) -> None:
    before, after = neighbours(items, item.stored.id)
    place = [one.stored.id for one in items].index(item.stored.id) + 1
    back, count, forward = st.columns([1, 4, 1], vertical_alignment="center")
    if back.button("← Previous", disabled=before is None, width="stretch") and before:
        open_finding(before)
        st.rerun()
    count.markdown(f"Finding **{place}** of **{len(items)}**, decision: **{state_text(item.state)}**")
    if forward.button("Next →", disabled=after is None, width="stretch") and after:
        open_finding(after)
        st.rerun()


def _heading(item: QueueItem) -> None:
    finding = item.stored.finding
    st.header(finding.title)
    st.markdown(f"{VERDICT_WORDS[finding.verdict]} {SEVERITY_WORDS[finding.severity]}, {finding.p:.0%} sure")
    st.caption(where_text(item))
    if finding.verdict == "undetermined":
        st.markdown("The picture did not show enough for the software to decide. Please look yourself.")


def _pictures(item: QueueItem) -> None:
    folder = Path(item.review.folder)
    clip = folder / item.stored.clip if item.stored.clip else None
    if clip is not None and clip.exists():
        st.video(clip.read_bytes(), format="video/mp4", loop=True, autoplay=True, muted=True)
    else:
        st.warning("The clip is no longer on this computer.")
    stills = [folder / name for name in item.stored.stills if (folder / name).exists()]
    if stills:
        st.markdown(
            "**The moments that matter**, with what the software saw drawn over them. Point at one to enlarge it."
        )
        columns = st.columns(min(2, len(stills)))
        for index, still in enumerate(stills):
            columns[index % 2].image(str(still), width="stretch")


def _texts(item: QueueItem) -> None:
    finding = item.stored.finding
    with st.container(border=True):
        st.markdown("**The rule expects**")
        st.text(plain_sentence(finding.expected))
        st.markdown("**The software saw**")
        st.text(plain_sentence(finding.observed))
    log = events_of(item)
    others = alternatives(log, finding) if log is not None and item.stored.current else []
    if others:
        st.markdown("**It could also be**")
        st.markdown("\n".join(f"- {_escaped(text)}" for text in others))


def _rule(item: QueueItem) -> None:
    finding = item.stored.finding
    clause = by_id(item.review.rulebook).get(finding.clause)
    with st.container(border=True):
        st.markdown(f"**The rule** ({_escaped(finding.cite)})")
        if clause is not None:
            st.text(clause.requirement)
        st.caption(f"Clause {finding.clause}")
        if finding.also:
            st.caption("The same incident also touches: " + ", ".join(finding.also))


def _escaped(text: str) -> str:
    return "".join("\\" + letter if letter in r"\`*_{}[]<>()#+-!|~:$" else letter for letter in text)
