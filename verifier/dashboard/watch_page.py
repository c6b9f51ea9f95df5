"""Watching a recording oneself: minutes that count, bookmarks, findings of one's own."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, open_finding, shown_errors, store
from verifier.dashboard.parts.player import player
from verifier.dashboard.recordings import chosen_recording, open_recording
from verifier.law.catalogue import by_id
from verifier.review.originals import number_at, originals_of, stretch_of
from verifier.review.people.roles import Act, Person
from verifier.review.playback import recording, recording_file
from verifier.review.watch.marks import OwnFinding, add_own, bookmark, bookmarks, forget_bookmark
from verifier.review.watch.minutes import report, watched
from verifier.review.watch.policy import SPEEDS, allow, fastest
from verifier.store.values import ReviewRecord


def show() -> None:
    """Draws the page."""
    person = person_who_may(Act.WATCH)
    st.title("Watch a recording")
    st.caption(
        "N.D. Admin. Code 99-01.3-08-04(8): at least one hour of video a week for each active table, watched by a "
        "person. Only what plays on your screen counts, every minute once; what the software watched does not count."
    )
    review = chosen_recording()
    if review is None:
        return
    recording(store(), person, review.id)
    _watch(person, review)
    _own(person, review)
    if person.may(Act.POLICY):
        _policy(person, review)


def _file(review: ReviewRecord, t: float) -> int:
    """Which file of a recording plays: the one that shows the moment `t`, or another that the person chooses."""
    files = originals_of(review)
    key = f"file {review.id}"
    if len(files) == 1:
        return 0
    st.session_state.setdefault(key, number_at(review, t))
    chosen = st.segmented_control(
        f"This recording has {len(files)} files",
        range(len(files)),
        format_func=lambda one: f"{one + 1}: {Path(files[one].path).name}, from {files[one].begin / 60:.0f} min",
        key=key,
        required=True,
    )
    return chosen or 0


@st.fragment
def _watch(person: Person, review: ReviewRecord) -> None:
    so_far = watched(store(), person, review.id)
    marks = bookmarks(store(), person, review.id)
    start = st.session_state.setdefault(f"resume {review.id}", so_far.position)
    number = _file(review, float(start))
    recording_file(store(), person, review.id, number)
    told = player(
        f"watch {review.id} {number} {start}",
        review,
        number,
        start=float(start),
        stretch=stretch_of(review, number),
        fastest=fastest(store(), review.site or ""),
        watched=so_far.stretches,
        bookmarks=[one.t for one in marks],
    )
    if told.watched is not None:
        with shown_errors():
            so_far = report(store(), person, review.id, *told.watched)
    if told.bookmark is not None:
        bookmark(store(), person, review.id, told.bookmark)
        marks = bookmarks(store(), person, review.id)
    whole = max((review.duration or 0.0) / 60, 0.01)
    st.progress(
        min(1.0, so_far.seconds / 60 / whole),
        text=f"You have watched **{so_far.seconds / 60:.1f}** of {whole:.1f} minutes (striped green in the bar above)",
    )
    for one in marks:
        place, jump, gone = st.columns([4, 1, 1], vertical_alignment="center")
        place.markdown(f":material/bookmark: {one.t:.1f} s, {escaped(one.person)} {escaped(one.note)}")
        jump.button("Go there", key=f"jump {one.id}", width="stretch", on_click=open_recording, args=(review, one.t))
        if one.person == person.name and gone.button("Remove", key=f"gone {one.id}", width="stretch"):
            forget_bookmark(store(), person, one.id)
            st.rerun(scope="fragment")


def _own(person: Person, review: ReviewRecord) -> None:
    clauses = by_id(review.rulebook)
    with (
        st.expander("I saw something that the software did not say", icon=":material/add_alert:"),
        st.form("own finding", clear_on_submit=True),
    ):
        clause = st.selectbox(
            "Clause",
            list(clauses),
            format_func=lambda one: f"{clauses[one].title} ({one})",
            index=None,
            placeholder="type to search",
        )
        left, right, third = st.columns(3)
        length = float(review.duration or 0.0)
        start = left.number_input("From (s)", 0.0, length, step=1.0)
        end = right.number_input("To (s)", 0.0, length, step=1.0)
        space = third.selectbox("At", ["", *(f"space:{number}" for number in range(1, 8)), "dealer", "tray", "shoe"])
        observed = st.text_area("What you saw", max_chars=2000)
        if st.form_submit_button("Add the finding"):
            with shown_errors():
                own = OwnFinding(
                    clause=clause or "", t_start=start, t_end=max(start, end), observed=observed, at=space or None
                )
                name = add_own(store(), person, review.id, own)
                open_finding(name)
                st.success("Stored as your own finding, confirmed by you. It stands in the list of findings.")


def _policy(person: Person, review: ReviewRecord) -> None:
    site = review.site or ""
    with st.expander(f"Site {site or '?'}: the fastest speed at which watching counts", icon=":material/speed:"):
        now = fastest(store(), site)
        speed = st.selectbox("Fastest speed", SPEEDS, index=SPEEDS.index(now), format_func=lambda one: f"{one:g}×")
        if st.button("Store for this site", disabled=speed == now):
            with shown_errors():
                allow(store(), person, site, speed)
                st.rerun()
