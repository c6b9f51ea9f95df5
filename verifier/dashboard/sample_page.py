"""A blind sample: rounds shown without what the software says, to learn how much it misses."""

from __future__ import annotations

from functools import partial

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import shown_errors, store
from verifier.dashboard.parts.player import player
from verifier.dashboard.recordings import chosen_recording
from verifier.review.originals import number_at, stretch_of
from verifier.review.people.roles import Act, Person
from verifier.review.playback import recording_file
from verifier.review.watch.marks import bookmark
from verifier.review.watch.minutes import report
from verifier.review.watch.policy import fastest
from verifier.review.watch.sampling import ANSWERS, Answer, Misses, Round, answer, misses, next_round
from verifier.store.values import ReviewRecord

_AROUND_S = 2.0
_KEYS: dict[Answer, str] = {"clean": "1", "deviation": "2", "cannot_tell": "3"}


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.WATCH)
    st.title("Blind sample")
    st.caption(
        "Rounds with and without findings are mixed; nothing tells which. Your answers on the rounds without "
        "findings tell how much the software misses."
    )
    _estimate(misses(store(), person))
    review = chosen_recording()
    if review is None:
        return
    shown = next_round(store(), person, review.id)
    if shown is None:
        st.success("You have judged every round of this recording. Thank you.")
        return
    number = number_at(review, shown.t_start)
    recording_file(store(), person, review.id, number)
    first, last = stretch_of(review, number)
    stretch = max(first, shown.t_start - _AROUND_S), min(last, shown.t_end + _AROUND_S)
    told = player(
        f"blind {review.id} {shown.number}",
        review,
        number,
        start=stretch[0],
        stretch=stretch,
        fastest=fastest(store(), review.site or ""),
        blind=True,
        marked=partial(_mark, person, review),
    )
    if told.watched is not None:
        report(store(), person, review.id, *told.watched)
    _question(shown)


def _mark(person: Person, review: ReviewRecord, t: float) -> None:
    bookmark(store(), person, review.id, t)
    st.toast("Bookmarked.")


def _question(shown: Round) -> None:
    st.markdown(f"**Was everything right in this round?** ({shown.t_start:.0f} s to {shown.t_end:.0f} s)")
    note = st.text_input("What was not right", key=f"sample note {shown.number}", max_chars=2000)
    for column, (said, words) in zip(st.columns(3), ANSWERS.items(), strict=True):
        if column.button(words, key=f"sample {said}", shortcut=_KEYS[said], width="stretch"):
            with shown_errors():
                answer(store(), person_who_may(Act.WATCH), shown, said, note)
                st.rerun()


def _estimate(found: Misses) -> None:
    if found.share is None:
        st.info("Nobody has judged a round without findings yet, so it is not known how much is missed.")
        return
    st.metric(
        "Rounds without findings that had a deviation after all",
        f"{found.missed} of {found.judged} ({found.share:.0%})",
        help=f"With 95 % confidence the true share lies between {found.low:.1%} and {found.high:.1%}.",
    )
    st.caption(f"95 % confidence: between {found.low:.1%} and {found.high:.1%}")
