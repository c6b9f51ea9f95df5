"""The folders of recordings from which reviews may be begun; an administrator allows them."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.review.orders.browse import allow, forbid
from verifier.review.people.roles import Act
from verifier.store.floor import Floor


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.FOLDERS)
    st.title("Folders of recordings")
    st.caption(
        "People who may begin reviews see the recordings in these folders and below them, and nothing else of this "
        "computer."
    )
    folders = Floor(store()).folders()
    if not folders:
        st.info("No folder is allowed yet: recordings can only be sent from a browser.")
    for folder in folders:
        left, right = st.columns([5, 1], vertical_alignment="center")
        site = Floor(store()).site_of_folder(folder)
        left.markdown(f":material/folder: **{escaped(folder)}**{escaped(f', site {site}' if site else '')}")
        if right.button("Take away", key=f"forbid {folder}", width="stretch"):
            with shown_errors():
                forbid(store(), person, folder)
                st.rerun()
    with st.form("allow", clear_on_submit=True):
        path = st.text_input("Folder on this computer", placeholder="/recordings")
        site = st.text_input("Site whose recordings lie there; empty where there are several", placeholder="0131")
        if st.form_submit_button("Allow this folder", type="primary"):
            with shown_errors():
                allow(store(), person, path, site)
                st.rerun()
