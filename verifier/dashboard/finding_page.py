"""One finding: the clip, frame by frame, what the rule expects, what was seen, and the person's decision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import (
    VERDICT_WORDS,
    escaped,
    events_of,
    go_to,
    open_finding,
    state_text,
    store,
    sure_text,
    tell_faults,
    views,
    where_text,
)
from verifier.dashboard.decision import decision_form, tell_done, tell_waiting
from verifier.dashboard.filters import filters_in_use
from verifier.dashboard.frames_panel import frames_panel
from verifier.dashboard.recordings import open_recording_before
from verifier.dashboard.round_panel import round_panel
from verifier.domain.rulebooks import described
from verifier.law.catalogue import by_id
from verifier.law.judge import judge
from verifier.review.alternatives import Alternative, alternatives
from verifier.review.bundle.collect import finding_things
from verifier.review.clip_times import clip_times
from verifier.review.people.roles import Act, Person
from verifier.review.queue import Filters, QueueItem, counts, item, neighbours, place_of
from verifier.review.wording import plain_sentence


def show() -> None:
    """Draws the page for the chosen finding."""
    person = person_who_may(Act.READ)
    tell_done()
    tell_waiting(person)
    found = item(store(), person, st.session_state.get("finding") or st.query_params.get("id"))
    if found is None:
        st.title("One finding")
        st.info("Choose a finding in the list first.")
        if st.button("To the list"):
            go_to("queue")
        return
    open_finding(found.stored.id)
    filters = filters_in_use()
    _walk(person, filters, found)
    _heading(found)
    tell_faults({f"reviews/{found.review.id}"} | finding_things(store(), found.review, found.stored))
    left, right = st.columns([3, 2], gap="large")
    with left:
        _pictures(person, found)
    with right:
        _texts(found)
        decision_form(person, found, filters, _until(found))
        _rule(found)
        _ways_on(person, found)
    log = events_of(found)
    if log is not None and found.stored.current:
        round_panel(log, found.stored.finding)
    else:
        st.caption("The cards and money of this round are not shown: a newer review replaced its events.")


def _walk(person: Person, filters: Filters, found: QueueItem) -> None:
    name = found.stored.id
    before, after = neighbours(store(), person, filters, name)
    place = place_of(store(), person, filters, name)
    total = sum(counts(store(), person, filters).values())
    back, count, forward = st.columns([1, 4, 1], vertical_alignment="center")
    if (
        back.button("← Previous", disabled=before is None, width="stretch", shortcut="P", key=f"previous {name}")
        and before
    ):
        open_finding(before)
        st.rerun()
    where = f"Finding **{place}** of **{total}**" if place is not None else "A finding outside of the list's filters"
    count.markdown(f"{where}, decision: **{state_text(found.state)}**")
    if forward.button("Next →", disabled=after is None, width="stretch", shortcut="N", key=f"next {name}") and after:
        open_finding(after)
        st.rerun()


def _heading(found: QueueItem) -> None:
    finding = found.stored.finding
    st.header(escaped(finding.title))
    st.markdown(f"{VERDICT_WORDS[finding.verdict]} {sure_text(found)}")
    st.caption(escaped(f"{where_text(found)}. Finding {found.stored.id}"))
    if finding.verdict == "undetermined":
        st.markdown("The picture did not show enough for the software to decide. Please look yourself.")


def _pictures(person: Person, found: QueueItem) -> None:
    if not person.may(Act.VIDEO):
        st.info(
            "Recordings may be seen only by a gaming or shift manager or an independent person "
            "(N.D. Admin. Code 99-01.3-08-04(4)(a)); your account has no such authority.",
            icon=":material/visibility_off:",
        )
        return
    _note_view(person, found)
    folder = Path(found.review.folder)
    clip = _clip(found)
    if clip is not None:
        replayed = int(st.session_state.get("replayed", 0)) + st.button("↻ Play the clip again", shortcut="V")
        st.session_state["replayed"] = replayed
        times = clip_times(found.review, found.stored.finding)
        st.video(
            clip.read_bytes(),
            format="video/mp4",
            start_time=int(times.first - times.start),
            loop=bool(replayed % 2 == 0),
            autoplay=True,
            muted=True,
        )
    elif found.stored.origin == "software":
        st.warning("The clip is no longer on this computer.")
    frames_panel(person, found)
    stills = [folder / name for name in found.stored.stills if (folder / name).exists()]
    if stills:
        with st.expander(f"The {len(stills)} moments that matter, as the review kept them"):
            columns = st.columns(min(2, len(stills)))
            for index, still in enumerate(stills):
                columns[index % 2].image(str(still), width="stretch")


def _until(found: QueueItem) -> float | None:
    """Where the decisive seconds end in the finding's clip (s); None where there is no clip."""
    if _clip(found) is None:
        return None
    return clip_times(found.review, found.stored.finding).until


def _clip(found: QueueItem) -> Path | None:
    clip = Path(found.review.folder) / found.stored.clip if found.stored.clip else None
    return clip if clip is not None and clip.exists() else None


def _note_view(person: Person, found: QueueItem) -> None:
    """Writes down who saw which finding's pictures."""
    views().note(person, f"finding/{found.stored.id}")


@st.cache_data(max_entries=64, show_spinner="Trying the other readings of the cards …")
def _others(finding_id: str, _found: QueueItem) -> Sequence[Alternative]:
    log = events_of(_found)
    return alternatives(log, _found.stored.finding, judge) if log is not None and _found.stored.current else []


def _texts(found: QueueItem) -> None:
    finding = found.stored.finding
    with st.container(border=True):
        st.markdown("**The rule expects**")
        st.text(plain_sentence(finding.expected))
        st.markdown("**The software saw**")
        st.text(plain_sentence(finding.observed))
    others = _others(found.stored.id, found)
    if others:
        st.markdown("**It could also be**")
        st.markdown("\n".join(f"- {escaped(one.text)}" for one in others))


def _ways_on(person: Person, found: QueueItem) -> None:
    """To the whole recording at this moment, and to the signed export."""
    if person.may(Act.WATCH) and st.button(
        "Watch the recording from here", icon=":material/play_circle:", width="stretch"
    ):
        open_recording_before(found.review, found.stored.finding)
        go_to("watch")
    if person.may(Act.EXPORT) and st.button("Export as evidence", icon=":material/verified_user:", width="stretch"):
        st.session_state["evidence of"] = ("One finding", found.stored.id)
        go_to("evidence")


def _rule(found: QueueItem) -> None:
    finding = found.stored.finding
    clause = by_id(found.review.rulebook).get(finding.clause)
    with st.container(border=True):
        st.markdown(f"**The rule** ({escaped(finding.cite)})")
        if clause is not None:
            st.text(clause.requirement)
        st.caption(f"Clause {escaped(finding.clause)}")
        st.caption(escaped(described(found.review.rulebook, found.review.law_as_of)))
        if finding.also:
            st.caption(escaped("The same incident also touches: " + ", ".join(finding.also)))
