"""What the paperwork's pages share: where files are kept, downloads, earlier versions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from verifier.dashboard.common import store
from verifier.review.documents.keeping import Made
from verifier.store.database import home
from verifier.store.papers import DocumentKind, Papers

KINDS: Final = {
    ".pdf": "application/pdf",
    ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}


def folder() -> Path:
    """Where the dashboard keeps documents."""
    return home() / "documents"


def offer(made: Made) -> None:
    """A download button for each file of a document that was just made."""
    st.success(f"Version {made.document.version} made and kept.", icon=":material/check_circle:")
    for column, path in zip(st.columns(len(made.files)), made.files.values(), strict=True):
        with column:
            download(path, f"Download the {path.suffix[1:].upper()}")


def download(path: Path, label: str) -> None:
    """A download button for one file."""
    st.download_button(
        label, path.read_bytes(), file_name=path.name, mime=KINDS[path.suffix], width="stretch", key=f"get {path.name}"
    )


def versions(kind: DocumentKind, site: str, period: str) -> int:
    """Lists the versions made so far, each with its downloads; gives how many there are."""
    made = Papers(store()).documents(kind, site, period)
    if made:
        with st.expander(f"Made before: {len(made)} version{'s' if len(made) > 1 else ''}"):
            for one in made:
                why = f", corrected: {one.reason}" if one.reason else ""
                st.text(f"Version {one.version}: {one.made_by}, {one.made_at.replace('T', ' ')[:16]} UTC{why}")
                for name in one.files:
                    path = Path(one.folder) / name
                    if path.is_file():
                        download(path, name)
    return len(made)


def ask_reason(earlier: int) -> str:
    """Asks why a document is made anew, where it was made before."""
    if not earlier:
        return ""
    return st.text_input("What is corrected (a new version is made, the old one stays)")
