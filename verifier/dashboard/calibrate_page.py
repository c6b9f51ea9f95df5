"""Drawing the zones of a table on a still: a proposal, dragging, what is wrong with it, a preview, storing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

import cv2
import msgspec
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import shown_errors, store, views
from verifier.dashboard.parts.canvas import canvas
from verifier.dashboard.recordings import chosen_recording
from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.recording.probe import Probe
from verifier.review.calibrate.drawing import (
    REMOVABLE,
    Side,
    Table,
    drawing_of_layout,
    keep_layout,
    kept_layout,
    layout_of_drawing,
    without,
)
from verifier.review.calibrate.proposal import Drawing, Picture, propose
from verifier.review.people.roles import Act, Person
from verifier.review.playback import recording
from verifier.review.stepping import Stepper
from verifier.review.stills import draw_over
from verifier.vision.eyes import Eyes, load_eyes
from verifier.vision.still import decoded_picture, detect_image
from verifier.zones import Proposal
from verifier.zones import propose as propose_zones

_UPLOAD_MB: Final = 20
SIDES: Final[tuple[Side, ...]] = get_args(Side)
_LAYERS: Final = frozenset({"cards", "chips", "bills", "hands", "zones"})


def show() -> None:
    """Draws the page."""
    person = person_who_may(Act.CALIBRATE)
    st.title("Draw a table's zones")
    picture, proposal = _still(person)
    if picture is None:
        return
    left, middle, right, side = st.columns(4)
    site = left.text_input("Site", key="calibrate site", max_chars=40)
    number = middle.text_input("Table", key="calibrate table", max_chars=40)
    found = len(proposal.layout.spaces) if proposal is not None else 7
    spaces = int(right.number_input("Betting spaces", 1, 7, found, disabled=proposal is not None))
    if not site or not number:
        st.info("Write the site and the table's number first.")
        return
    table = Table(site=site, table=number, size=(picture.shape[1], picture.shape[0]))
    known = proposal.layout if proposal is not None else kept_layout(table)
    seen = known.dealer_side if known is not None else SIDES[0]
    dealer = side.selectbox("The dealer sits at the", SIDES, SIDES.index(seen))
    table = msgspec.structs.replace(table, dealer_side=dealer)
    lacking = st.multiselect("The table lacks", REMOVABLE, format_func=lambda name: name.replace("_", " "))
    drawing = without(_draw(picture, table, spaces, proposal, lacking), lacking)
    layout = _checked(drawing, table)
    if layout is not None:
        _finish(person, picture, layout)


def _still(person: Person) -> tuple[Picture | None, Proposal | None]:
    """The picture to draw on: a moment of a reviewed recording, or an uploaded one; and what was proposed for it."""
    first = "From a recording" if store().review_count() else "Upload"
    source = st.segmented_control("Picture", ["From a recording", "Upload"], default=first, required=True)
    if source == "Upload":
        given = st.file_uploader("A still of the table", type=["png", "jpg", "jpeg"], max_upload_size=_UPLOAD_MB)
        return None if given is None else _decoded(given.getvalue()), None
    review = chosen_recording()
    if review is None:
        return None, None
    found, video = recording(store(), person, review.id)
    proposal = _proposed(review.id, video)
    if proposal is not None:
        return proposal.still, proposal
    moment = st.slider("Moment (s)", 0.0, max(1.0, found.duration or 1.0), 0.0, step=1.0)
    views().note(person, f"review/{found.id}", "still")
    frame = Stepper().frame(video, moment)
    st.session_state.setdefault("calibrate site", found.site or "")
    st.session_state.setdefault("calibrate table", found.table or "")
    return None if frame is None else frame.picture, None


def _proposed(review: object, video: Probe) -> Proposal | None:
    """The proposal for a recording, once a person asked for it; kept while they stay at this recording."""
    kept: tuple[object, Proposal] | None = st.session_state.get("zones proposal")
    if st.button("Propose the zones from this recording", icon=":material/auto_fix_high:"):
        with shown_errors():
            bar = st.progress(0.0, "Looking at the first ten minutes …")

            def show_share(share: float) -> None:
                bar.progress(min(1.0, share))

            proposal = propose_zones(video, on_progress=show_share, eyes=_eyes())
            bar.empty()
            kept = (review, proposal)
            st.session_state["zones proposal"] = kept
            st.session_state["calibrate site"] = proposal.layout.site or ""
            st.session_state["calibrate table"] = proposal.layout.table or ""
    if kept is None or kept[0] != review:
        return None
    for name, reason in kept[1].reasons.items():
        st.caption(f":material/help: {name.replace('_', ' ')}: {reason}")
    return kept[1]


def _decoded(data: bytes) -> Picture:
    return decoded_picture(data, "the upload")


def _draw(picture: Picture, table: Table, spaces: int, proposal: Proposal | None, lacking: Sequence[str]) -> Drawing:
    name = f"{table.site}/{table.table}/{table.size}/{spaces}"
    before = kept_layout(table)
    usable = before is not None and before.image_size == table.size and len(before.spaces) == spaces
    anew = st.button("Start again from a proposal", icon=":material/auto_fix_high:")
    turn = int(st.session_state.get("proposed", 0)) + anew
    st.session_state["proposed"] = turn
    if proposal is not None:
        st.caption("Proposed from the recording: look at every zone, and drag what is not right.")
        first = drawing_of_layout(proposal.layout)
    elif before is not None and usable and not turn:
        st.caption("These zones were drawn before.")
        first = drawing_of_layout(before)
    else:
        st.caption("A proposal: drag every zone to its place. Fit the dashed card to a card that lies on the table.")
        first = propose(picture, spaces)
    version = f"{name}/{turn}/{hash(picture.tobytes()[::997])}"
    last: dict[str, Drawing] = st.session_state.setdefault("drawn zones", {})
    begun: dict[str, Drawing] = st.session_state.setdefault("begun zones", {})
    shown = f"{version}/{','.join(lacking)}"
    begun.setdefault(shown, without(first | last.get(version, {}), lacking))
    drawing = canvas("zones", picture, begun[shown], shown)
    last[version] = last.get(version, {}) | drawing
    return drawing


def _checked(drawing: Drawing, table: Table) -> Layout | None:
    try:
        layout = layout_of_drawing(drawing, table)
    except BadInput as error:
        st.error(str(error), icon=":material/error:")
        return None
    st.success(f"The drawing is a valid layout; {layout.scale:.3f} pixels are a millimetre.")
    return layout


def _finish(person: Person, picture: Picture, layout: Layout) -> None:
    preview, keep = st.columns(2)
    if preview.button("Preview with what the software sees", icon=":material/visibility:", width="stretch"):
        with st.spinner("Looking at the still …"):
            seen = detect_image(picture, _eyes())
        drawn = draw_over(picture, seen, layout, None, _LAYERS)
        st.image(cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB), width="stretch")
        st.caption(f"{len(seen.cards)} cards, {len(seen.chips)} chips, {len(seen.hands)} hands were found.")
    if keep.button("Store the layout", type="primary", icon=":material/save:", width="stretch"):
        with shown_errors():
            path = keep_layout(store(), person, layout)
            st.success(f"Stored: {path}")
            st.download_button("Download it", path.read_bytes(), file_name=path.name, mime="text/yaml")


@st.cache_resource
def _eyes() -> Eyes:
    return load_eyes(None)
