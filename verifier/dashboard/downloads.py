"""What the paperwork's pages share: where files are kept, downloads, earlier versions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from verifier.dashboard.common import store, tell_faults
from verifier.review.bundle.collect import document_things
from verifier.review.documents.drafts import drafts_folder, drop_draft, keep_body
from verifier.review.documents.keeping import Made, shows_video
from verifier.review.people.roles import Act, Person
from verifier.review.wording import local_time
from verifier.store.database import home
from verifier.store.papers import Document, DocumentKind, Papers

KINDS: Final = {
    ".pdf": "application/pdf",
    ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".json": "application/json",
    ".zip": "application/zip",
}


def folder() -> Path:
    """Where the dashboard keeps documents."""
    return home() / "documents"


def place_of(person: Person, *, attested: bool) -> Path:
    """Where a document is written: a draft lies apart, for the person alone."""
    return folder() if attested else drafts_folder(person)


def settle(person: Person, made: Made) -> None:
    """Keep what a draft says until the document is attested, so that a reload loses nothing; then remove it."""
    document = made.document
    if made.draft:
        keep_body(person, document.kind, document.site, document.period, document.body)
    else:
        drop_draft(person, document.kind, document.site, document.period)


def offer(made: Made) -> None:
    """Draw a download button for each paper of a document that was just made; its pictures stay beside it."""
    if made.draft:
        st.info(
            "A draft was made. It says so on every page, can be made anew any number of times, and is no record: "
            "attest the document to keep it.",
            icon=":material/edit_document:",
        )
    else:
        st.success(f"Version {made.document.version} made and kept.", icon=":material/check_circle:")
        tell_faults(document_things(made.document))
    papers = [path for path in made.files.values() if path.suffix in KINDS]
    for column, path in zip(st.columns(len(papers)), papers, strict=True):
        with column:
            download(path, f"Download the {path.suffix[1:].upper()}")


def download(path: Path, label: str) -> None:
    """Draw a download button for one file, which is read when it is asked for."""
    st.download_button(
        label,
        path.read_bytes,
        file_name=path.name,
        mime=KINDS[path.suffix],
        width="stretch",
        key=f"get {label} {path.name}",
        on_click="ignore",
    )


def downloads(document: Document) -> None:
    """Draw a download button for each paper of a document; say which are no longer there, or not as they were made."""
    tell_faults(document_things(document))
    for path in (Path(document.folder) / name for name in document.files):
        if path.suffix not in KINDS:
            continue
        if store().keeps(path):
            download(path, path.name)
        else:
            st.caption(f"{path.name} is no longer on this computer.")


def may_read(person: Person, document: Document) -> bool:
    """Tell whether a person may read a document: one that shows pictures of a recording only who may see video."""
    return person.may(Act.VIDEO) or not shows_video(document)


def versions(person: Person, kind: DocumentKind, site: str, period: str) -> int:
    """List the versions made so far, each with its downloads; return how many there are."""
    made = Papers(store()).documents(kind, site, period)
    if made:
        with st.expander(f"Made before: {len(made)} version{'s' if len(made) > 1 else ''}"):
            for one in made:
                why = f", corrected: {one.reason}" if one.reason else ""
                st.text(f"Version {one.version}: {one.made_by}, {local_time(one.made_at)}{why}")
                if may_read(person, one):
                    downloads(one)
                else:
                    st.caption("It shows stills of video, which your account may not see.")
    return len(made)


def ask_reason(earlier: int) -> str:
    """Asks why a document is made anew, where it was made before."""
    if not earlier:
        return ""
    return st.text_input("What is corrected (a new version is made, the old one stays)")
