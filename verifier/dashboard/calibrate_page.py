"""Drawing the zones of a table on a still: a proposal, dragging, what is wrong with it, a preview, keeping it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Final, get_args

import cv2
import msgspec
import streamlit as st
from msgspec import Struct

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, go_to, minutes_text, shown_errors, store, views
from verifier.dashboard.parts.canvas import canvas
from verifier.dashboard.parts.player import player
from verifier.dashboard.recordings import chosen_recording
from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.formats.layout import read_layout
from verifier.recording.probe import Probe
from verifier.review.calibrate.doubts import assumed, told_together
from verifier.review.calibrate.drafts import Draft, discard, draft_of, drafts, keep_draft, picture_id, picture_of
from verifier.review.calibrate.drawing import (
    REMOVABLE,
    Side,
    Table,
    drawing_of_layout,
    kept_layout,
    lacking_in,
    layout_of_drawing,
    with_usual,
    without,
)
from verifier.review.calibrate.proposal import Drawing, Picture, propose
from verifier.review.floor.keeping import keep_layout_version
from verifier.review.originals import number_at, originals_of, stretch_of
from verifier.review.people.roles import Act, Person
from verifier.review.playback import film, recording
from verifier.review.products import KEPT_LAYOUT
from verifier.review.stepping import Stepper
from verifier.review.stills import draw_over
from verifier.review.watch.minutes import report
from verifier.review.watch.policy import fastest
from verifier.review.wording import local_time
from verifier.store.floor import SINCE_EVER, Floor
from verifier.store.values import ReviewRecord
from verifier.vision.networks import Networks, load_networks
from verifier.vision.still import decoded_picture, detect_image
from verifier.zones import Proposal
from verifier.zones import propose as propose_zones
from verifier.zones.proposing import ASSUMED

_UPLOAD_MB: Final = 20
_SPACES: Final = 7
SIDES: Final[tuple[Side, ...]] = get_args(Side)
_LAYERS: Final = frozenset({"cards", "chips", "bills", "hands", "zones"})
_RECORDING: Final = "From a recording"
_UPLOAD: Final = "Upload"
_DRAFT: Final = "Not kept yet"
_DRAW_HERE: Final = "Draw on this picture"


class _Begun(Struct, frozen=True, kw_only=True):
    """What a drawing on a picture begins with, and how many times it was begun anew in this session."""

    draft: Draft
    turn: int = 0

    def anew(self, draft: Draft) -> _Begun:
        return _Begun(draft=draft, turn=self.turn + 1)


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.CALIBRATE)
    st.title("Draw a table's zones")
    if (told := st.session_state.pop("calibrate told", None)) is not None:
        st.success(escaped(told), icon=":material/check_circle:")
        if st.button("See the table and its house options", icon=":material/table_restaurant:"):
            go_to("tables")
    picture, first = _picture(person)
    if picture is None:
        return
    name = f"calibrate {picture_id(picture)}"
    if name not in st.session_state:
        st.session_state[name] = _Begun(draft=draft_of(person, picture) or first())
    begun: _Begun = st.session_state[name]
    draft = _drawn(picture, begun, name)
    _safe(person, picture, begun, draft)
    table = Table(
        site=draft.site,
        table=draft.table,
        size=(picture.shape[1], picture.shape[0]),
        dealer_side=draft.dealer_side,
        dealer_seat=draft.dealer_seat,
    )
    _anew(person, picture, begun, table, name)
    layout = _checked(draft.drawing, table)
    if layout is not None:
        _preview(picture, layout)
        _keep(person, picture, layout, begun, draft.day)


def _safe(person: Person, picture: Picture, begun: _Begun, draft: Draft) -> None:
    """Keep what was drawn for the person, as a draft."""
    kept = draft_of(person, picture)
    if kept is None and draft == begun.draft:
        return
    if kept is None or msgspec.structs.replace(draft, changed_at=kept.changed_at) != kept:
        keep_draft(person, picture, _changed_now(draft))
    told = "Your drawing waits on the server until you keep or discard it: a reload or signing out loses nothing."
    st.caption(f":material/cloud_done: {told}")


def _changed_now(draft: Draft) -> Draft:
    return msgspec.structs.replace(draft, changed_at=datetime.now().isoformat())


def _picture(person: Person) -> tuple[Picture | None, Callable[[], Draft]]:
    """Return the picture to draw on, and what makes the first drawing where the person has no draft on it."""
    waiting = drafts(person)
    first = _DRAFT if waiting else _RECORDING if store().review_count() else _UPLOAD
    sources = [_RECORDING, _UPLOAD, _DRAFT]
    source = st.segmented_control("Picture", sources, default=first, required=True, key="calibrate source")
    if source == _DRAFT:
        return _of_draft(person, waiting)
    if source == _UPLOAD:
        given = st.file_uploader("A still of the table", type=["png", "jpg", "jpeg"], max_upload_size=_UPLOAD_MB)
        if given is None:
            return None, _nothing
        picture = decoded_picture(given.getvalue(), "the upload")
        return picture, lambda: _usual(picture, _SPACES, _nothing())
    return _of_recording(person)


def _nothing() -> Draft:
    return Draft(drawing={})


def _of_draft(person: Person, waiting: dict[str, Draft]) -> tuple[Picture | None, Callable[[], Draft]]:
    if not waiting:
        st.info("You have no unsaved drawing.")
        return None, _nothing
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    name = left.selectbox("Drawing", list(waiting), format_func=lambda one: _title(waiting[one]))
    if right.button("Discard it", icon=":material/delete:", width="stretch"):
        _forget(person, name)
        st.rerun()
    with shown_errors():
        return picture_of(person, name), lambda: waiting[name]
    return None, _nothing


def _title(draft: Draft) -> str:
    where = f"site {draft.site or '?'}, table {draft.table or '?'}"
    return f"{where[:1].upper()}{where[1:]}, changed {local_time(draft.changed_at)}"


def _forget(person: Person, name: str) -> None:
    """Remove a draft, here and on the server."""
    discard(person, name)
    for key in [one for one in st.session_state if name in str(one)]:
        del st.session_state[key]


def _of_recording(person: Person) -> tuple[Picture | None, Callable[[], Draft]]:
    review = chosen_recording()
    if review is None:
        return None, _nothing
    found, video = recording(store(), person, review.id)
    proposal = _proposed(person, found, video)
    if proposal is not None:
        return proposal.still, lambda: _of_proposal(proposal, found.play_date)
    moment = _moment(person, found)
    number = number_at(found, moment)
    video, at = film(found, number), originals_of(found)[number].at
    views().note(person, f"review/{found.id}", "still")
    frame = Stepper().frame(video, moment - at)
    if frame is None:
        return None, _nothing
    plain = Draft(site=found.site or "", table=found.table or "", drawing={}, day=found.play_date)
    return frame.picture, lambda: _known(frame.picture, Path(found.folder) / KEPT_LAYOUT, plain)


def _moment(person: Person, review: ReviewRecord) -> float:
    """Return the moment of the recording (s of the review) whose picture is drawn on, as chosen in the player."""
    key = f"zones moment {review.id}"
    drawn_on = float(st.session_state.setdefault(key, stretch_of(review, 0)[0]))
    files = originals_of(review)
    with st.expander("Choose another picture of this recording", icon=":material/play_circle:"):
        number = number_at(review, drawn_on)
        if len(files) > 1:
            number = st.selectbox(
                f"This recording has {len(files)} files",
                range(len(files)),
                number,
                format_func=lambda one: Path(files[one].path).name,
                key=f"zones file {review.id}",
            )
        first, last = stretch_of(review, number)
        told = player(
            f"zones {review.id} {number}",
            review,
            number,
            start=min(max(first, drawn_on), last),
            stretch=(first, last),
            fastest=fastest(store(), review.site or ""),
            own=_DRAW_HERE,
            keep=False,
        )
    if told.watched is not None and person.may(Act.WATCH):
        report(store(), person, review.id, *told.watched)
    if told.own is not None and told.own != drawn_on:
        st.session_state[key] = told.own
        st.rerun()
    st.caption(f"You draw on the picture at {minutes_text(drawn_on)} of this recording.")
    return drawn_on


def _of_proposal(proposal: Proposal, day: str | None) -> Draft:
    layout, drawing = proposal.layout, drawing_of_layout(proposal.layout)
    return Draft(
        site=layout.site or "",
        table=layout.table or "",
        dealer_side=layout.dealer_side,
        drawing=drawing,
        lacking=lacking_in(drawing),
        doubts=proposal.reasons,
        day=day,
    )


def _known(picture: Picture, reviewed_by: Path, plain: Draft) -> Draft:
    """Return the zones that the table has now, else those by which the recording was reviewed, else the usual ones."""
    size = picture.shape[1], picture.shape[0]
    with shown_errors():
        table = Table(site=plain.site, table=plain.table, size=size)
        known = kept_layout(store(), table) if plain.site and plain.table else None
        if known is None and reviewed_by.exists():
            known = read_layout(reviewed_by)
        if known is not None and known.image_size == size:
            return _of_layout(known, plain)
    return _usual(picture, _SPACES, plain)


def _of_layout(layout: Layout, plain: Draft) -> Draft:
    drawing = drawing_of_layout(layout)
    return msgspec.structs.replace(
        plain,
        drawing=drawing,
        dealer_side=layout.dealer_side,
        dealer_seat=layout.dealer_seat,
        lacking=lacking_in(drawing),
        doubts={},
    )


def _usual(picture: Picture, spaces: int, plain: Draft) -> Draft:
    """Zones where they usually lie on the felt of a picture."""
    drawing = propose(picture, spaces)
    return msgspec.structs.replace(plain, drawing=drawing, lacking=lacking_in(drawing), doubts={})


def _proposed(person: Person, review: ReviewRecord, video: Probe) -> Proposal | None:
    """Return the proposal for a recording, once a person asked for it; keep it as a draft at once, for it took
    minutes.
    """
    kept: tuple[str, Proposal] | None = st.session_state.get("zones proposal")
    if st.button("Propose the zones from this recording", icon=":material/auto_fix_high:"):
        with shown_errors():
            bar = st.progress(0.0, "Looking at the first ten minutes …")

            def show_share(share: float) -> None:
                bar.progress(min(1.0, share))

            proposal = propose_zones(video, on_progress=show_share, networks=_networks())
            bar.empty()
            _forget(person, picture_id(proposal.still))
            keep_draft(person, proposal.still, _changed_now(_of_proposal(proposal, review.play_date)))
            kept = (review.id, proposal)
            st.session_state["zones proposal"] = kept
    return None if kept is None or kept[0] != review.id else kept[1]


def _drawn(picture: Picture, begun: _Begun, name: str) -> Draft:
    """Draw the fields and the canvas; return what they say now."""
    first, key = begun.draft, f"{name}/{begun.turn}"
    for names, why in told_together(first.doubts):
        st.caption(f":material/help: **{escaped(names)}**: {escaped(why)}")
    left, middle, right = st.columns(3)
    site = left.text_input("Site", first.site, key=f"{key} site", max_chars=40).strip()
    number = middle.text_input("Table", first.table, key=f"{key} table", max_chars=40).strip()
    side = right.selectbox("The dealer sits at the", SIDES, SIDES.index(first.dealer_side), key=f"{key} side")
    lacking = st.multiselect(
        "The table, or its picture, lacks",
        REMOVABLE,
        first.lacking,
        key=f"{key} lacking",
        format_func=lambda one: one.replace("_", " "),
        help="Take a name away from here to draw that zone.",
    )
    drawing, doubts = _canvas(picture, first, lacking, key)
    return msgspec.structs.replace(
        first, site=site, table=number, dealer_side=side, lacking=lacking, drawing=drawing, doubts=doubts
    )


def _canvas(picture: Picture, first: Draft, lacking: list[str], key: str) -> tuple[Drawing, dict[str, str]]:
    """Draw the canvas; return the drawing and what of it is not sure: also newly added parts, until they are moved."""
    last: Drawing = st.session_state.setdefault(f"{key} drawn", {})
    moved: set[str] = st.session_state.setdefault(f"{key} moved", set())
    begun: dict[str, Drawing] = st.session_state.setdefault(f"{key} begun", {})
    shown = f"{key}/{','.join(lacking)}"
    if shown not in begun:
        begun[shown] = without(with_usual(first.drawing | last, lacking, picture), lacking)
    unsure = first.doubts | {one: ASSUMED.reason for one in begun[shown] if one not in first.drawing}
    doubts = {one: why for one, why in unsure.items() if one not in moved}
    st.caption(
        "Drag every zone that is not right. Fit the dashed yellow card to a card on the table: it gives the scale."
    )
    drawing = canvas("zones", picture, begun[shown], shown, [one for one in assumed(unsure) if one in begun[shown]])
    moved.update(one for one, points in drawing.items() if points != begun[shown].get(one))
    last.update(drawing)
    gone = first.drawing.keys() - drawing.keys()
    return drawing, {one: why for one, why in doubts.items() if one not in moved and one not in gone}


def _anew(person: Person, picture: Picture, begun: _Begun, table: Table, name: str) -> None:
    """Beginning again: with the zones that are kept for the table, or with the usual ones for a number of spaces."""
    left, middle, right = st.columns([2, 1, 2], vertical_alignment="bottom")
    spaces = int(middle.number_input("Betting spaces", 1, _SPACES, min(_SPACES, max(1, begun.draft.spaces))))
    plain = msgspec.structs.replace(begun.draft, site=table.site, table=table.table)
    fresh: Draft | None = None
    if right.button("Start again with so many spaces", icon=":material/auto_fix_high:", width="stretch"):
        fresh = _usual(picture, spaces, plain)
    known = Floor(store()).table(table.site, table.table)
    version = known.in_force("layout", None) if known is not None else None
    if (
        version is not None
        and version.layout.image_size == table.size
        and left.button(f"Start again with the kept zones (version {version.version})", width="stretch")
    ):
        fresh = _of_layout(version.layout, plain)
    if fresh is not None:
        _forget(person, picture_id(picture))
        st.session_state[name] = begun.anew(fresh)
        st.rerun()


def _checked(drawing: Drawing, table: Table) -> Layout | None:
    if not table.site or not table.table:
        st.info("Write the site and the table's number above: then the drawing can be kept.")
        return None
    try:
        layout = layout_of_drawing(drawing, table)
    except BadInput as error:
        st.error(str(error), icon=":material/error:")
        return None
    st.success(f"The drawing is a valid layout; {layout.scale:.3f} pixels are a millimetre.")
    return layout


def _preview(picture: Picture, layout: Layout) -> None:
    if st.button("Preview with what the software sees", icon=":material/visibility:"):
        with st.spinner("Looking at the still …"):
            seen = detect_image(picture, _networks())
        drawn = draw_over(picture, seen, layout, None, _LAYERS)
        shows = "What the software sees, drawn over the picture"
        st.image(cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB), shows, width="stretch")
        st.caption(f"{len(seen.cards)} cards, {len(seen.chips)} chips, {len(seen.hands)} hands were found.")


def _keep(person: Person, picture: Picture, layout: Layout, begun: _Begun, day: str | None) -> None:
    """Keep the layout as a version of its table, in force from a day on."""
    name = f"calibrate {picture_id(picture)}"
    site, number = layout.site or "", layout.table or ""
    known = Floor(store()).table(site, number)
    versions = known.of("layout") if known is not None else []
    left, right = st.columns([1, 3])
    first = date.fromisoformat(day) if versions and day else None
    since = left.date_input(
        "Holds from", first, format="YYYY-MM-DD", help="Empty: ever.", key=f"{name} since {len(versions)}"
    )
    reason = right.text_input(
        "Why", "the camera was moved" if versions else "first drawn", key=f"{name} why {len(versions)}", max_chars=200
    )
    if versions:
        st.caption(
            f"Site {escaped(site)}, table {escaped(number)} has {len(versions)} layout versions. Recordings of "
            "days before this one are judged by the earlier version."
        )
    if not st.button("Keep the layout", type="primary", icon=":material/save:"):
        return
    with shown_errors():
        told = since.isoformat() if since else SINCE_EVER
        keep_layout_version(store(), person, layout, since=told, reason=reason)
        _forget(person, picture_id(picture))
        holds = f"from {told} on" if told else "for all days"
        st.session_state["calibrate told"] = (
            f"Kept: version {len(versions) + 1} of the layout of site {site}, table {number}. It holds {holds}."
        )
        st.session_state[name] = begun.anew(_of_layout(layout, Draft(site=site, table=number, drawing={}, day=day)))
        st.toast(escaped(st.session_state["calibrate told"]), icon=":material/check_circle:")
        st.rerun()


@st.cache_resource
def _networks() -> Networks:
    return load_networks(None)
