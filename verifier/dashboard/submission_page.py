"""The check of a sample recording: each item with its stills, the cover sheet, the PDF, earlier submissions."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
import msgspec
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import shown_errors, store
from verifier.dashboard.downloads import folder, offer
from verifier.dashboard.parts.marks import Mark
from verifier.dashboard.parts.player import player
from verifier.dashboard.recordings import chosen_recording
from verifier.domain.names import path_of
from verifier.review.originals import originals_of, stretch_of
from verifier.review.people.makers import maker_of
from verifier.review.people.roles import Act, Person
from verifier.review.playback import recording_file
from verifier.review.products import KEPT_LAYOUT
from verifier.review.sample_check.check import check_sample
from verifier.review.sample_check.files import history_of, judged, keep_sample, period_of
from verifier.review.sample_check.values import DUE_DAYS, Checked, Cover, ItemVerdict
from verifier.review.watch.marks import bookmark
from verifier.review.watch.minutes import report
from verifier.review.watch.policy import fastest
from verifier.review.wording import local_time
from verifier.store.values import ReviewRecord

_MARKS: Final = {
    "pass": ":material/check_circle: :green-badge[Pass]",
    "fail": ":material/cancel: :red-badge[Fail]",
    "cannot_tell": ":material/help: :orange-badge[Cannot tell]",
    "not_applicable": ":material/remove: :gray-badge[Not applicable]",
}
_TRIGGERS: Final = ("new site", "camera moved", "table moved", "equipment changed")


def show() -> None:
    """Draw the page."""
    me = person_who_may(Act.DOCUMENT)
    person_who_may(Act.VIDEO)
    st.title("Sample recording")
    st.caption(f"For the attorney general, N.D. Admin. Code 99-01.3-08-04(10): due {DUE_DAYS} days after the change.")
    review = chosen_recording()
    if review is None:
        return
    if not path_of(review.video_path).is_file():
        st.info("This recording is no longer in its place. Bring it back, or choose another one.")
        return
    _form(review, me)
    if "sample checked" in st.session_state:
        _result(st.session_state["sample checked"], me, review)


def _form(review: ReviewRecord, me: Person) -> None:
    with st.form("sample"):
        layout = st.file_uploader(
            "Another layout of the table (YAML); without one, that of the review",
            type=["yaml", "yml"],
            max_upload_size=2,
        )
        left, middle, right = st.columns(3)
        trigger = left.selectbox("Trigger", _TRIGGERS)
        changed = middle.date_input("Day of the change", value="today", format="YYYY-MM-DD")
        organization = right.text_input("Organization")
        equipment = st.text_input("Equipment: camera and recorder")
        if st.form_submit_button("Check the recording", type="primary"):
            cover = Cover(
                organization=organization,
                trigger=str(trigger),
                changed=(changed or date.today()).isoformat(),
                equipment=equipment,
                by=me.signature,
            )
            with shown_errors(), st.spinner("Looking through the recording; this takes about as long as it is."):
                given = layout.getvalue() if layout is not None else None
                st.session_state["sample checked"] = _checked(review, given, cover)


def _checked(review: ReviewRecord, layout: bytes | None, cover: Cover) -> Checked:
    """By the layout given, else by the one of the review, where it was kept."""
    kept = Path(review.folder) / KEPT_LAYOUT
    with TemporaryDirectory() as name:
        path = Path(name) / KEPT_LAYOUT
        if layout is not None:
            path.write_bytes(layout)
        elif kept.is_file():
            path = kept
        return check_sample(path_of(review.video_path), path if path.is_file() else None, cover=cover)


def _play(checked: Checked, me: Person, review: ReviewRecord) -> None:
    """Show the checked recording in the player: each item's stills are marks below it, which lead to their moments."""
    if checked.report.sha256 != review.video_sha256:
        st.caption("The check below is of another recording, not of the one that you chose.")
        return
    recording_file(store(), me, review.id, 0)
    at = originals_of(review)[0].at
    moments = [
        Mark(
            t=at + checked.times[name],
            t_end=at + checked.times[name],
            lane=item.title,
            label=f"Picture to: {item.title}",
        )
        for item in checked.report.items
        for name in item.stills
        if name in checked.times
    ]
    asked = st.session_state.get(f"sample moment {review.id}", 0.0)
    told = player(
        f"sample check {review.id} {asked}",
        review,
        0,
        start=max(stretch_of(review, 0)[0], float(asked)),
        stretch=stretch_of(review, 0),
        fastest=fastest(store(), review.site or ""),
        marks=moments,
        keep=me.may(Act.WATCH),
        marked=partial(_mark, me, review),
    )
    if told.watched is not None and me.may(Act.WATCH):
        report(store(), me, review.id, *told.watched)


def _mark(me: Person, review: ReviewRecord, t: float) -> None:
    bookmark(store(), me, review.id, t)
    st.toast("Bookmarked.")


def _show_moment(review: ReviewRecord, t: float) -> None:
    st.session_state[f"sample moment {review.id}"] = t


def _result(checked: Checked, me: Person, review: ReviewRecord) -> None:
    counts = checked.report.counts
    st.markdown(
        f"**{counts['pass']}** pass, **{counts['fail']}** fail, **{counts['cannot_tell']}** cannot tell. "
        f"Due {checked.report.cover.due}."
    )
    st.caption(
        "You always decide on currency, because the program never saw a real bill. Open the item, look, and say "
        "what you see."
    )
    with shown_errors():
        _play(checked, me, review)
    at = originals_of(review)[0].at
    same = checked.report.sha256 == review.video_sha256
    judgements: dict[str, ItemVerdict] = {}
    for item in checked.report.items:
        with st.expander(f"{_MARKS[item.verdict]} {item.title}", expanded=item.verdict == "fail"):
            st.text(f"{item.says} {item.measured}".strip())
            st.caption(item.cite)
            for name in item.stills:
                st.image(
                    cv2.cvtColor(checked.pictures[name], cv2.COLOR_BGR2RGB), f"Picture to: {item.title}", width=720
                )
                if same and name in checked.times:
                    st.button(
                        "Show it in the player",
                        key=f"show {name}",
                        icon=":material/play_circle:",
                        on_click=_show_moment,
                        args=(review, at + checked.times[name]),
                    )
            if item.verdict == "cannot_tell":
                words: dict[str, ItemVerdict] = {"pass": "pass", "fail": "fail"}
                said = st.radio("You look", ["open", *words], key=f"judge {item.key}", horizontal=True)
                if said in words:
                    judgements[item.key] = words[said]
    _keep(checked, judgements, me)


def _keep(checked: Checked, judgements: dict[str, ItemVerdict], me: Person) -> None:
    history = history_of(store(), checked.report)
    for one in history:
        why = f", again because: {one.reason}" if one.reason else ""
        st.text(f"Submission {one.version}: {one.made_by}, {local_time(one.made_at)}{why}")
    reason = st.text_input("Why it is submitted again") if history else ""
    if st.button("Keep this check and make the PDF", type="primary"):
        with shown_errors():
            full = msgspec.structs.replace(checked, report=judged(checked.report, judgements, me.signature))
            st.session_state["sample kept"] = keep_sample(store(), full, folder(), reason, maker_of(me))
    kept = st.session_state.get("sample kept")
    if kept is not None and kept.document.period == period_of(checked.report):
        offer(kept)
        st.caption("The stills are kept beside it. The page Evidence exports all of it, signed, with a list of hashes.")
