"""Watching a recording oneself: minutes that count, bookmarks, findings of one's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, log_of, shown_errors, store
from verifier.dashboard.fit_panel import fit_alarm, fit_panel
from verifier.dashboard.one_look_panel import one_look_panel
from verifier.dashboard.own_finding import begin_own_finding, own_finding_form, table_clock
from verifier.dashboard.parts.marks import mark_of
from verifier.dashboard.parts.player import player
from verifier.dashboard.recordings import asked_for, chosen_recording, open_recording
from verifier.review.documents.rules import rules_of
from verifier.review.originals import number_at, originals_of, stretch_of
from verifier.review.people.accounts import full_names
from verifier.review.people.roles import Act, Person
from verifier.review.playback import recording, recording_file
from verifier.review.watch.marks import NOTE_MOST, Bookmark, bookmark, bookmarks, forget_bookmark, say_bookmark
from verifier.review.watch.minutes import report, watched
from verifier.review.watch.policy import SPEEDS, allow, fastest
from verifier.review.watch.whole import along
from verifier.review.wording import clock_text
from verifier.store.values import ReviewRecord

_SAYS: Final = (
    "at least one hour of video a week for each active table, watched by a person. "
    "Only what plays on your screen counts, every minute once; what the software watched does not count."
)


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.WATCH)
    st.title("Watch a recording")
    review = chosen_recording()
    if review is None:
        return
    recording(store(), person, review.id)
    fit_alarm(review)
    _below(person, review)


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
def _below(person: Person, review: ReviewRecord) -> None:
    """Draw the player and all that stands below it.

    All of it is one fragment. A browser tells a bookmark's typed words and the press that follows at once in one
    message, which reruns the fragment of the words only: a button of the page would be no part of it, and its press be
    lost.
    """
    _watch(person, review)
    st.caption(escaped(rules_of([review.rulebook]).cited("99-01.3-08-04(8)", _SAYS)))
    fit_panel(review)
    one_look_panel(person, review)
    own_finding_form(person, review)
    if person.may(Act.POLICY):
        _policy(person, review)


def _watch(person: Person, review: ReviewRecord) -> None:
    so_far = watched(store(), person, review.id)
    marks = bookmarks(store(), person, review.id)
    start = st.session_state.setdefault(f"resume {review.id}", so_far.position)
    number = _file(review, float(start))
    recording_file(store(), person, review.id, number)
    told = player(
        f"watch {review.id} {number} {start} {asked_for(review)}",
        review,
        number,
        start=float(start),
        stretch=stretch_of(review, number),
        fastest=fastest(store(), review.site or ""),
        watched=so_far.stretches,
        bookmarks=[one.t for one in marks],
        marks=[mark_of(one) for one in along(store(), person, review, log_of(review))],
        own=person.may(Act.JUDGE),
        marked=partial(bookmark, store(), person, review.id),
    )
    if told.watched is not None:
        with shown_errors():
            so_far = report(store(), person, review.id, *told.watched)
    table_clock(review, told.clock)
    if told.own is not None:
        begin_own_finding(review, told.own)
        st.rerun()
    whole = max((review.duration or 0.0) / 60, 0.01)
    st.progress(
        min(1.0, so_far.seconds / 60 / whole),
        text=f"You have watched **{so_far.seconds / 60:.1f}** of {whole:.1f} minutes (striped green in the bar above)",
    )
    for one in marks:
        place, jump, gone = st.columns([4, 1, 1], vertical_alignment="center")
        with place:
            _bookmark(person, review, one)
        jump.button("Go there", key=f"jump {one.id}", width="stretch", on_click=open_recording, args=(review, one.t))
        if one.person == person.name:
            drop = (store(), person, one.id)
            gone.button("Remove", key=f"gone {one.id}", width="stretch", on_click=forget_bookmark, args=drop)


def _bookmark(person: Person, review: ReviewRecord, one: Bookmark) -> None:
    """Draw a bookmark by the table's clock, with its words, which its own person writes.

    The words are stored before anything is drawn: a browser tells typed words and the press that follows at once in one
    message, and a run that began anew over the words would lose the press. The field is the same before and after.
    """
    at = clock_text(table_clock(review), one.t)
    when = f":material/bookmark: **{at}**"
    if one.person != person.name:
        who = full_names(store()).get(one.person, one.person)
        st.markdown(f"{when} {escaped(who)}: {escaped(one.note)}")
        return
    left, right = st.columns([1, 4], vertical_alignment="center")
    left.markdown(when)
    label = f"Words of the bookmark at {at}"
    key = f"words {one.id}"
    st.session_state.setdefault(key, one.note)
    right.text_input(
        label,
        key=key,
        label_visibility="collapsed",
        placeholder="Words",
        on_change=_say,
        args=(person, one.id, key),
    )


def _say(person: Person, number: int, key: str) -> None:
    words = str(st.session_state[key])
    if len(words) > NOTE_MOST:
        st.session_state[key] = words[:NOTE_MOST]
        st.toast(f"The words had {len(words)} characters. The first {NOTE_MOST} are kept.")
    say_bookmark(store(), person, number, words)


def _policy(person: Person, review: ReviewRecord) -> None:
    site = review.site or ""
    with st.expander(f"Site {site or '?'}: the fastest speed at which watching counts", icon=":material/speed:"):
        now = fastest(store(), site)
        speed = st.selectbox("Fastest speed", SPEEDS, index=SPEEDS.index(now), format_func=lambda one: f"{one:g}×")
        if st.button("Store for this site", disabled=speed == now):
            with shown_errors():
                allow(store(), person, site, speed)
                st.rerun()
