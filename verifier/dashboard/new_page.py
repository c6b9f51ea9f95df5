"""A new review: which recordings, of which table, and the one button to begin; what is under way stands below."""

from __future__ import annotations

from typing import Final

import msgspec
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.dashboard.new_table_panel import new_table_panel
from verifier.dashboard.orders_panel import orders_panel
from verifier.dashboard.parts.upload import upload
from verifier.domain.names import path_of
from verifier.review.order_values import ReviewOrder, ask
from verifier.review.orders.browse import Recording, chosen, listing
from verifier.review.orders.start import ensure_runner
from verifier.review.orders.transcripts import Said, keep_transcript
from verifier.review.orders.uploads import upload_of
from verifier.review.people.roles import Act, Person
from verifier.review.speech.beside import beside
from verifier.store.floor import Floor

_FOLDER: Final = "From a folder"
_UPLOAD: Final = "From this computer"
_BY_SIGN: Final = "Find it by folder, or by the signs in the picture"
_NEW: Final = "It is a new table"
_MOST: Final = 100
MOST_MB: Final = 8
"""Megabytes of a transcript, as `formats.files.MOST_FILE_BYTES` has it."""
_CHOICES: Final = ("new file ", "new table", "new upload", "new transcript", "new offset", "new complete")


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.BEGIN)
    st.title("New review")
    files = _recordings(person)
    if files:
        spoken = _transcript(files)
        _table_and_begin(person, files, spoken)
    st.subheader("Reviews")
    orders_panel(person)


def _recordings(person: Person) -> list[str]:
    """Step 1: the paths of the recordings that are chosen."""
    st.subheader("1 · Recordings")
    folders = Floor(store()).folders()
    first = _FOLDER if folders else _UPLOAD
    source = st.segmented_control("Where they are", [_FOLDER, _UPLOAD], default=first, required=True, key="new source")
    if source == _UPLOAD:
        return _uploaded(person)
    if not folders:
        st.info("No folder is allowed yet. An administrator allows the recorder's folder on the page 'Folders'.")
        return []
    root = folders[0] if len(folders) == 1 else st.selectbox("Folder", folders, key="new root")
    with shown_errors():
        return _browsed(person, root)
    return []


def _uploaded(person: Person) -> list[str]:
    """Draw the upload; return the recordings that this browser sent, which are known again after a reload."""
    done = upload("new upload")
    known = [one for one in str(st.query_params.get("upload", "")).split(",") if one]
    if done is not None and done not in known:
        known.append(done)
        st.query_params["upload"] = ",".join(known)
    paths: list[str] = []
    for one in known:
        with shown_errors():
            there = upload_of(person, one)
            if there.whole:
                st.markdown(f":material/movie: **{escaped(there.name)}**, {_size(there.size)}")
                paths.append(there.path)
    return paths


def _browsed(person: Person, root: str) -> list[str]:
    """Let the person choose recordings in an allowed folder; the place stands in the address, so that a reload
    keeps it.
    """
    inside = str(st.query_params.get("in", ""))
    found = listing(store(), person, root, inside)
    place = [root.rstrip("/").rpartition("/")[2] or root, *inside.split("/")] if inside else [root]
    st.caption(escaped(" › ".join(place)))
    columns = st.columns(4)
    if inside and columns[0].button("Back", icon=":material/arrow_back:", width="stretch", key="new back"):
        _go_in(inside.rpartition("/")[0])
    for number, name in enumerate(found.folders, start=1 if inside else 0):
        label = escaped(name)
        if columns[number % 4].button(label, icon=":material/folder:", width="stretch", key=f"new folder {name}"):
            _go_in(f"{inside}/{name}".lstrip("/"))
    names = [one.name for one in found.recordings[:_MOST] if _ticked(inside, one)]
    if not found.recordings and not found.folders:
        st.info("There is no recording in here.")
    if len(found.recordings) > _MOST:
        st.caption(f"The {_MOST} newest of {len(found.recordings)} recordings are shown.")
    return chosen(store(), person, root, inside, names)


def _go_in(inside: str) -> None:
    if inside:
        st.query_params["in"] = inside
    else:
        st.query_params.pop("in", None)
    st.rerun()


def _ticked(inside: str, one: Recording) -> bool:
    text = f"**{escaped(one.name)}** · {_size(one.bytes)} · {one.changed}"
    return st.checkbox(text, key=f"new file {inside}/{one.name}")


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def _transcript(files: list[str]) -> Said:
    """Return what is stated of what was said: by a file beside each recording, or one that is sent with a single
    recording.
    """
    for path in files:
        found = beside(path_of(path))
        if found is not None:
            st.caption(f":material/subtitles: {escaped(found.name)} tells what was said.")
    if len(files) != 1:
        return Said()
    with st.expander("A transcript of what was said"):
        st.caption("With one, the clauses of speech are judged too: SRT, VTT or JSON.")
        given = st.file_uploader(
            "Transcript", type=["srt", "vtt", "json"], max_upload_size=MOST_MB, key="new transcript"
        )
        offset = st.number_input("Second of the recording at which its time 0 lies", value=0.0, key="new offset")
        complete = st.checkbox("All that was said is in it", key="new complete")
    if given is None:
        return Said(offset=float(offset), complete=complete)
    return Said(name=given.name, content=given.getvalue(), offset=float(offset), complete=complete)


def _table_and_begin(person: Person, files: list[str], said: Said) -> None:
    """Draw steps 2 and 3: the table, and beginning the review."""
    st.subheader("2 · Table")
    tables = {one.label: one for one in Floor(store()).tables()}
    options = [*([_BY_SIGN] if tables else []), *tables, _NEW]
    choice = st.selectbox("Which table do they show?", options, key="new table")
    if choice == _NEW:
        made = new_table_panel(person, files)
        if made is None:
            return
        order = ReviewOrder(files=files, site=made.site, table=made.table)
    else:
        table = tables.get(choice)
        day = st.date_input(
            "Day of play, only where the picture shows no clock", value=None, format="YYYY-MM-DD", key="new day"
        )
        order = ReviewOrder(
            files=files,
            site=table.site if table else None,
            table=table.table if table else None,
            day=day.isoformat() if day else None,
        )
        count = "1 recording" if len(files) == 1 else f"{len(files)} recordings"
        if not st.button(f"Begin the review of {count}", type="primary", icon=":material/play_arrow:", key="begin"):
            return
    with shown_errors():
        ask(store(), person, msgspec.structs.replace(order, spoken=keep_transcript(store(), person, said)))
        ensure_runner(store())
        _forget_choice()
        st.toast("It is under way. You may close this page: the review goes on.")
        st.rerun()


def _forget_choice() -> None:
    """Unticks what was chosen, so that nothing is asked for twice."""
    for key in [one for one in st.session_state if str(one).startswith(_CHOICES)]:
        del st.session_state[key]
    st.query_params.pop("upload", None)
    st.query_params.pop("proposal", None)
