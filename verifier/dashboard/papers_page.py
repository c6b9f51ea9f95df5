"""All documents that were made, newest first: to read, to hand on, to compare with their hashes."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import go_to, store
from verifier.dashboard.downloads import downloads, may_read
from verifier.review.people.roles import Act, Person
from verifier.review.wording import local_time
from verifier.store.papers import Document, DocumentKind, Papers

_WORDS: Final[dict[DocumentKind, str]] = {
    "weekly": "Weekly review documentation",
    "daily": "Daily surveillance review log",
    "hold": "Percent-of-hold",
    "sample": "Sample recording",
}
_PER_PAGE: Final = 12


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.title("Kept documents")
    st.caption("Every version that was made. A correction is a new version; the earlier ones stay as they are.")
    shown = _chosen(person)
    if not shown:
        st.info("No document of this kind was made yet.")
        return
    pages = -(-len(shown) // _PER_PAGE)
    number = int(st.number_input(f"Page (of {pages})", 1, pages)) if pages > 1 else 1
    for document in shown[(number - 1) * _PER_PAGE : number * _PER_PAGE]:
        _row(person, document)


def _chosen(person: Person) -> list[Document]:
    """Documents by kind and site; those that show pictures of a recording are for who may see video."""
    kinds = [kind for kind in _WORDS if kind != "sample" or person.may(Act.VIDEO)]
    left, right = st.columns(2)
    kind = left.selectbox("Kind", kinds, index=None, format_func=_WORDS.__getitem__, placeholder="all")
    found = [one for one in Papers(store()).documents(kind) if one.kind in kinds and may_read(person, one)]
    site = right.selectbox("Site", sorted({one.site for one in found}), index=None, placeholder="all")
    return [one for one in found if site in (None, one.site)]


def _row(person: Person, document: Document) -> None:
    with st.container(border=True):
        says, files = st.columns([3, 2], vertical_alignment="center")
        says.markdown(f"**{_WORDS[document.kind]}**, version {document.version}")
        says.text(f"Site {document.site or '?'}, {document.period}")
        says.caption(f"{document.made_by}, {local_time(document.made_at)}")
        if document.reason:
            says.text(f"Made anew because: {document.reason}")
        with files:
            downloads(document)
        for name, digest in document.files.items():
            if name.endswith(".pdf"):
                says.caption(f"SHA-256 of the PDF: {digest}")
        if person.may(Act.EXPORT) and files.button(
            "Export as evidence", key=f"evidence {document.id}", width="stretch"
        ):
            st.session_state["evidence of"] = ("A document", str(document.id))
            go_to("evidence")
