"""Reviews that were asked for: how far each is, stopping it, going on, and what it found."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from verifier.dashboard.common import VERDICT_WORDS, escaped, go_to, open_finding, shown_errors, store
from verifier.domain.findings import Finding
from verifier.law.sentences import capital
from verifier.review.order_values import OrderProgress, Preview, ReviewOrder, order_of, progress_of
from verifier.review.orders.fit_told import fit_sentences
from verifier.review.orders.start import ensure_runner
from verifier.review.people.roles import Act, Person
from verifier.review.wording import local_time
from verifier.store.home import database_url
from verifier.store.night.lease import Lease
from verifier.store.queue import OPEN_STATES, Ordered, ReviewQueue

EVERY_S: Final = 2.0
_SHOWN: Final = 8
_FINDINGS: Final = 5
_STATES: Final = {
    "waiting": ":material/schedule: Waits for its turn",
    "running": ":material/play_circle: Under way",
    "night": ":material/bedtime: Under way",
    "done": ":material/check_circle: Done",
    "failed": ":material/error: Not done",
    "cancelled": ":material/stop_circle: Stopped",
}


@st.fragment(run_every=EVERY_S)
def orders_panel(person: Person, *, only_open: bool = False) -> None:
    """Draw the reviews that were asked for, and keep them up to date by itself.

    They are worked off by a process apart: whoever reloads, signs out or closes the browser changes nothing.
    """
    ensure_runner(store())
    queue = ReviewQueue(store())
    orders = queue.open_orders() if only_open else queue.orders(limit=_SHOWN)
    orders = [one for one in orders if not order_of(one).propose]
    if not orders:
        st.caption("No review is under way.")
    for one in orders:
        with st.container(border=True, key=f"order {one.id}"):
            _order(person, one, order_of(one), progress_of(one))


def _order(person: Person, one: Ordered, order: ReviewOrder, progress: OrderProgress) -> None:
    left, right = st.columns([5, 1], vertical_alignment="center")
    where = f" · site {order.site}, table {order.table}" if order.table else ""
    what = _night_name(order) if order.night else ", ".join(order.names)
    left.markdown(f"{_STATES[one.state]} · **{escaped(what)}**{escaped(where)}")
    if one.state == "night" and Lease(database_url(), "night").held_by() is None:
        left.caption(
            "The night shift ended before it was done. The same command, 'verifier batch', goes on from there."
        )
        return
    _buttons(right, person, one, order)
    if one.state in OPEN_STATES:
        st.progress(progress.share, text=_line(one, progress))
    else:
        left.caption(escaped(f"Asked for by {one.asked_by} on {local_time(one.asked_at)}"))
    for told in progress.told:
        st.warning(escaped(told), icon=":material/warning:")
    if order.night:
        st.caption("'This morning' and the morning report show its findings that are stored.")
    elif one.state in ("done", "failed", "cancelled", "running"):
        _found(order, progress, one.state)
    if one.state == "running":
        for preview in progress.previews:
            _preview(preview)


def _night_name(order: ReviewOrder) -> str:
    count = "1 recording" if len(order.files) == 1 else f"{len(order.files)} recordings"
    return f"Night shift of {order.night}: {count}"


def _line(one: Ordered, progress: OrderProgress) -> str:
    """How far it is in words: `Watching: 2.1 of 30.0 min, 6.2 times real time, about 5 min left`."""
    if one.state == "waiting":
        return "Begins when those before it are done, and no night shift has its recording in hand"
    if one.cancelled:
        return "Stopping: what was watched is kept …"
    if not progress.planned:
        return f"{progress.stage or 'Starting'} …"
    parts = [f"{progress.stage}: {progress.seen / 60:.1f} of {progress.planned / 60:.1f} min"]
    if progress.pace:
        parts.append(f"{progress.pace:.1f} times real time")
    if progress.left:
        parts.append(f"about {span(progress.left)} left")
    return ", ".join(parts)


def span(seconds: float) -> str:
    """Seconds as a person says them."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def _buttons(place: st.delta_generator.DeltaGenerator, person: Person, one: Ordered, order: ReviewOrder) -> None:
    if not person.may(Act.BEGIN) or (order.night and one.state not in OPEN_STATES):
        return
    with shown_errors():
        if one.state in OPEN_STATES and not one.cancelled:
            if place.button("Stop", key=f"stop {one.id}", icon=":material/stop:", width="stretch"):
                ReviewQueue(store()).cancel(one.id, person.name)
                st.rerun(scope="fragment")
        elif one.state in ("cancelled", "failed") and place.button(
            "Go on", key=f"go on {one.id}", icon=":material/play_arrow:", width="stretch"
        ):
            ReviewQueue(store()).go_on(one.id, person.name)
            st.rerun(scope="fragment")


def _found(order: ReviewOrder, progress: OrderProgress, state: str) -> None:
    """Draw the reviews of the order's recordings that are stored by now, with their most serious findings."""
    if state == "running":
        reviews = [one for one in store().reviews_of(order.files) if one.superseded_by is None]
    else:
        reviews = store().reviews(ids=progress.reviews) if progress.reviews else []
    if not reviews and state == "done":
        st.caption("Nothing of it could be reviewed.")
    for review in reviews:
        stored = [one for one in store().findings([review.id]) if one.current]
        worst = sorted(stored, key=lambda one: _rank(one.finding))
        watched = f"{100 * review.coverage:.0f} % watched" if review.coverage < 0.9995 else "all of it watched"
        st.caption(escaped(f"{review.video_name}: {watched}, {_count(len(stored))}."))
        fits, says = fit_sentences(Path(review.folder))
        if not fits:
            st.error(escaped(f"The layout does not fit this recording: {' '.join(says)}"), icon=":material/error:")
        for one in worst[:_FINDINGS]:
            verdict, text, look = st.columns([2, 6, 2], vertical_alignment="center")
            verdict.markdown(VERDICT_WORDS[one.finding.verdict])
            text.markdown(f"**{escaped(one.finding.title)}**  \n{escaped(capital(one.finding.worded_now().observed))}")
            if look.button("Look at it", key=f"look {one.id}", width="stretch"):
                open_finding(one.id)
                go_to("finding")


def _preview(preview: Preview) -> None:
    """Draw what a recording shows so far. It cannot be decided here: there is no clip yet, and the review looks
    closer.
    """
    until = f"the first {preview.until / 60:.0f} min of {preview.name}"
    if not preview.whole:
        told = f"Not all of {until} was watched, or the layout does not fit. The review will tell what and why."
        st.warning(escaped(told), icon=":material/warning:")
    if not preview.count:
        if preview.whole:
            st.caption(escaped(f"So far no violation was seen in {until}."))
        return
    st.markdown(f"**{escaped(f'So far {_violations(preview.count)} in {until}.')}**")
    for one in preview.worst:
        at = one.clock or f"{one.t_start / 60:.1f} min"
        st.markdown(f"{escaped(at)} · **{escaped(one.title)}**  \n{escaped(capital(one.observed))}")
    st.caption(
        "Preliminary: before the review stores them, it looks at these moments again at a larger scale, and may "
        "withdraw some. They can be decided when it is done, with their clips."
    )


def _violations(count: int) -> str:
    return "1 violation" if count == 1 else f"{count} violations"


def _count(findings: int) -> str:
    return "no finding" if not findings else ("1 finding" if findings == 1 else f"{findings} findings")


def _rank(finding: Finding) -> tuple[bool, int, float]:
    severity = ("critical", "major", "minor").index(finding.severity)
    return finding.verdict != "violation", severity, -finding.p
