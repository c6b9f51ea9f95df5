"""What the paperwork's pages share: where files are kept, downloads, earlier versions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from verifier.dashboard.common import store, tell_faults
from verifier.review.bundle.collect import document_things
from verifier.review.documents.keeping import Made
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


def offer(made: Made) -> None:
    """A download button for each paper of a document that was just made; its pictures stay beside it."""
    st.success(f"Version {made.document.version} made and kept.", icon=":material/check_circle:")
    tell_faults(document_things(made.document))
    papers = [path for path in made.files.values() if path.suffix in KINDS]
    for column, path in zip(st.columns(len(papers)), papers, strict=True):
        with column:
            download(path, f"Download the {path.suffix[1:].upper()}")


def download(path: Path, label: str) -> None:
    """A download button for one file, which is read when it is asked for."""
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
    """A download button for each paper of a document; says which are no longer there, or not as they were made."""
    tell_faults(document_things(document))
    for path in (Path(document.folder) / name for name in document.files):
        if path.suffix not in KINDS:
            continue
        if store().keeps(path):
            download(path, path.name)
        else:
            st.caption(f"{path.name} is no longer on this computer.")


def versions(kind: DocumentKind, site: str, period: str) -> int:
    """Lists the versions made so far, each with its downloads; gives how many there are."""
    made = Papers(store()).documents(kind, site, period)
    if made:
        with st.expander(f"Made before: {len(made)} version{'s' if len(made) > 1 else ''}"):
            for one in made:
                why = f", corrected: {one.reason}" if one.reason else ""
                st.text(f"Version {one.version}: {one.made_by}, {local_time(one.made_at)}{why}")
                downloads(one)
    return len(made)


def ask_reason(earlier: int) -> str:
    """Asks why a document is made anew, where it was made before."""
    if not earlier:
        return ""
    return st.text_input("What is corrected (a new version is made, the old one stays)")
