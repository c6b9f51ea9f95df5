"""One finding: the clip, frame by frame, what the rule expects, what was seen, and the person's decision."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Final

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import (
    VERDICT_WORDS,
    escaped,
    events_of,
    go_to,
    open_finding,
    state_text,
    still,
    store,
    sure_text,
    tell_faults,
    views,
    where_text,
)
from verifier.dashboard.decision import decision_form, tell_done, tell_waiting
from verifier.dashboard.filters import filters_in_use, keep_in_address
from verifier.dashboard.frames_panel import frames_panel
from verifier.dashboard.recordings import open_recording_before
from verifier.dashboard.round_panel import STYLE, round_table, steps_panel
from verifier.domain.errors import BadInput
from verifier.domain.rulebooks import described
from verifier.law.catalogue import by_id
from verifier.law.judge import judge
from verifier.law.registry import spoken_clauses
from verifier.law.sentences import capital
from verifier.review.alternatives import Alternative, alternatives
from verifier.review.bundle.collect import finding_things
from verifier.review.looked_at import layout_of
from verifier.review.people.roles import Act, Person
from verifier.review.queue import Filters, QueueItem, counts, item, neighbours, next_open, place_of
from verifier.review.recheck import stale_speech
from verifier.review.round_view import RoundView, Step, view_round
from verifier.review.table_clock import clock_near
from verifier.review.wording import accusation
from verifier.store.repository import Store

AHEAD_S: Final = 1.0
"""Seconds after which the next findings are read: this one's pictures come first. Our own choice."""


def show() -> None:
    """Draw the page for the chosen finding."""
    person = person_who_may(Act.READ)
    tell_done()
    above = st.container(key="above")  # what comes and goes stands in it, so that the player below stays where it is
    found = item(store(), person, st.session_state.get("finding") or st.query_params.get("id"))
    if found is None:
        st.title("One finding")
        st.info("Choose a finding in the list first.")
        if st.button("To the list"):
            go_to("queue")
        return
    open_finding(found.stored.id)
    filters = filters_in_use()
    keep_in_address(filters)
    with above:
        st.html(STYLE)
        with st.container(key="walk"):
            _walk(person, filters, found)
        tell_faults({f"reviews/{found.review.id}"} | finding_things(store(), found.review, found.stored))
    log = events_of(found)
    view = view_round(log, found.stored.finding) if log is not None and found.stored.current else None
    left, right = st.columns([3, 2], gap="medium")
    coming = _coming(person, filters, found)
    with left, st.container(key="seen"):
        seen = _pictures(person, found, view.steps if view is not None else [], coming)
        _ways_on(person, found)
    with right:
        with st.container(key="accusation"):
            _texts(found, view)
        with st.container(key="decision"):
            decision_form(person, found, filters, seen)
    _more(person, found, view)
    _fetch_ahead(person, coming)


def _coming(person: Person, filters: Filters, found: QueueItem) -> list[str]:
    """Return the findings that may be looked at next: the one after this one, and the next open one."""
    name = found.stored.id
    after = neighbours(store(), person, filters, name)[1], next_open(store(), person, filters, name)
    return [one for one in dict.fromkeys(after) if one]


def _fetch_ahead(person: Person, coming: Sequence[str]) -> None:
    """Read what the next findings rest on, a moment later: while the person looks at this one."""
    later = Timer(AHEAD_S, _prepare, (store(), person, coming))
    later.daemon = True
    later.start()


def _prepare(kept: Store, person: Person, names: Sequence[str]) -> None:
    """Fill the caches for these findings. What cannot be read is reported by the finding's own page."""
    with suppress(BadInput, OSError):
        for found in (item(kept, person, name) for name in names):
            if found is not None:
                _others(found.stored.id, found)
                layout_of(Path(found.review.folder))


def _walk(person: Person, filters: Filters, found: QueueItem) -> None:
    name = found.stored.id
    before, after = neighbours(store(), person, filters, name)
    place = place_of(store(), person, filters, name)
    total = sum(counts(store(), person, filters).values())
    back, count, forward = st.columns([1, 5, 1], vertical_alignment="center")
    if (
        back.button("← Previous", disabled=before is None, width="stretch", shortcut="P", key=f"previous {name}")
        and before
    ):
        open_finding(before)
        st.rerun()
    where = f"Finding **{place}** of **{total}**" if place is not None else "A finding outside of the list's filters"
    with count:
        if not tell_waiting(person):
            st.markdown(f"{where}, decision: **{state_text(found.state)}**")
    if forward.button("Next →", disabled=after is None, width="stretch", shortcut="N", key=f"next {name}") and after:
        open_finding(after)
        st.rerun()


def _pictures(person: Person, found: QueueItem, steps: list[Step], coming: Sequence[str]) -> bool:
    """Draw the player; return whether what happened can be shown."""
    if not person.may(Act.VIDEO):
        st.info(
            "Recordings may be seen only by a gaming or shift manager or an independent person "
            "(N.D. Admin. Code 99-01.3-08-04(4)(a)); your account has no such authority.",
            icon=":material/visibility_off:",
        )
        return False
    _note_view(person, found)
    clip = Path(found.review.folder) / found.stored.clip if found.stored.clip else None
    there = clip is not None and store().keeps(clip)
    if not there and found.stored.origin == "software":
        st.warning("The clip is no longer on this computer.")
    return frames_panel(person, found, there, steps, coming)


def _note_view(person: Person, found: QueueItem) -> None:
    """Write down who saw which finding's pictures."""
    views().note(person, f"finding/{found.stored.id}")


@st.cache_data(max_entries=64, show_spinner=False)
def _others(finding_id: str, _found: QueueItem) -> Sequence[Alternative]:
    log = events_of(_found)
    return alternatives(log, _found.stored.finding, judge) if log is not None and _found.stored.current else []


def _stale(found: QueueItem) -> list[str]:
    """Return what of the recording's transcripts is not as it was, as far as this finding rests on what was said."""
    log = events_of(found)
    if log is None:
        return []
    cited = set(found.stored.finding.events)
    heard = any(one.id in cited and one.source == "audio" for one in log.events)
    unsaid = found.stored.finding.clause in spoken_clauses(found.review.rulebook)
    return [one.says for one in stale_speech(found.review, log)] if heard or unsaid else []


def _texts(found: QueueItem, view: RoundView | None) -> None:
    """Draw the accusation, the round as a table, expected against seen, what it could also be, and the rule's words."""
    finding = found.stored.finding
    told = accusation(finding)
    st.header(escaped(told))
    st.markdown(f"{VERDICT_WORDS[finding.verdict]} {sure_text(found)}. {escaped(where_text(found))}")
    if not found.stored.current:
        st.warning("Withdrawn: the newest review of this recording no longer makes this finding.")
    if finding.verdict == "undetermined":
        st.markdown("The picture did not show enough for the software to decide. Please look yourself.")
    if view is not None:
        round_table(view, finding.at)
    else:
        st.caption("The cards and money of this round are not shown: a newer review replaced its events.")
    for stale in _stale(found):
        st.warning(escaped(f"{capital(stale)}."), icon=":material/hearing_disabled:")
    shown = finding.worded_now()
    st.text(f"Expected: {capital(shown.expected)}")
    if shown.shortened:
        st.text(f"Seen: {capital(shown.observed)}")
    with st.spinner("Trying the other readings of the cards …"):
        others = _others(found.stored.id, found)
    if others:
        st.text(f"It could also be: {others[0].text}")
    if others[1:]:
        with st.expander(f"What else it could be ({len(others) - 1})"):
            st.markdown("\n".join(f"- {escaped(one.text)}" for one in others[1:]))
    clause = by_id(found.review.rulebook).get(finding.clause)
    st.markdown(f"**The rule: {escaped(finding.title)}** ({escaped(finding.cite)})")
    if clause is not None:
        st.text(clause.requirement)


def _more(person: Person, found: QueueItem, view: RoundView | None) -> None:
    """Draw what a reviewer seldom needs, below."""
    finding = found.stored.finding
    if view is not None:
        log = events_of(found)
        near = clock_near(log, finding) if log is not None else None
        steps_panel(view, finding, near or found.review.clock_start)
    folder = Path(found.review.folder)
    stills = [number for number, name in enumerate(found.stored.stills) if store().keeps(folder / name)]
    if stills and person.may(Act.VIDEO):
        with st.expander("The moments that matter, as the review kept them"):
            columns = st.columns(2)
            for index, number in enumerate(stills):
                with columns[index % 2]:
                    still(found.stored.id, number, f"Moment {number + 1} of {finding.title}")
    also = f" The same incident also touches: {', '.join(finding.also)}." if finding.also else ""
    law = described(found.review.rulebook, found.review.law_as_of)
    st.caption(escaped(f"Finding {found.stored.id}. Clause {finding.clause}. {law}.{also}"))


def _ways_on(person: Person, found: QueueItem) -> None:
    """To the whole recording at this moment, and to the signed export."""
    watch, export = st.columns(2)
    if person.may(Act.WATCH) and watch.button(
        "Watch the recording from here", icon=":material/play_circle:", width="stretch", wrap=True
    ):
        open_recording_before(found.review, found.stored.finding)
        go_to("watch")
    if person.may(Act.EXPORT) and export.button("Export as evidence", icon=":material/verified_user:", width="stretch"):
        st.session_state["evidence of"] = ("One finding", found.stored.id)
        go_to("evidence")
