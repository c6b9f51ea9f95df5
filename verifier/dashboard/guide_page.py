"""First steps in an own home: the administrator makes the first manager, and says where the recordings lie."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, go_to, shown_errors, store
from verifier.review.documents.rules import rules_at
from verifier.review.orders.browse import allow
from verifier.review.people.accounts import NewAccount, accounts, create
from verifier.review.people.passwords import LONGEST, SHORTEST
from verifier.review.people.roles import Act, Person, Role
from verifier.store.floor import Floor


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.FOLDERS)
    st.title("First steps")
    managers = [one.person for one in accounts(store(), person) if one.person.role is Role.MANAGER]
    folders = Floor(store()).folders()
    _manager(person, managers)
    _folder(person, folders)
    st.subheader("3 · Begin")
    if managers and folders:
        names = escaped(", ".join(one.full_name for one in managers))
        st.success(f"All is ready. {names} signs in, chooses 'New review', and begins. You may sign out.")
    else:
        st.caption("When both are done, the manager signs in and chooses 'New review'.")


def _manager(person: Person, managers: list[Person]) -> None:
    st.subheader("1 · The first manager")
    if managers:
        st.markdown(f":material/check_circle: {escaped(', '.join(one.signature for one in managers))}")
        return
    cite = " (99-01.3-08-04(4)(a))" if rules_at(store(), store().review_sites()).north_dakota else ""
    st.caption(
        f"A gaming or shift manager sees video, decides findings and begins reviews{cite}; you, the administrator, "
        "do not."
    )
    with st.form("first manager"):
        name = st.text_input("Name to sign in with")
        full_name = st.text_input("Full name, as in documents")
        password = st.text_input(f"First password, at least {SHORTEST} characters", type="password", max_chars=LONGEST)
        if st.form_submit_button("Make the manager's account", type="primary"):
            with shown_errors():
                new = NewAccount(name=name, full_name=full_name, role=Role.MANAGER, password=password)
                create(store(), person, new)
                st.rerun()


def _folder(person: Person, folders: list[str]) -> None:
    st.subheader("2 · The site and its recordings")
    for folder in folders:
        site = Floor(store()).site_of_folder(folder)
        st.markdown(f":material/check_circle: {escaped(folder)}{escaped(f', site {site}' if site else '')}")
    if folders:
        if st.button("Another folder", icon=":material/folder_shared:"):
            go_to("folders")
        return
    with st.form("first folder"):
        site = st.text_input("Site, as its sign in the picture says", placeholder="0131")
        path = st.text_input("Folder on this computer into which the recorder's files come", placeholder="/recordings")
        if st.form_submit_button("Allow this folder", type="primary"):
            with shown_errors():
                allow(store(), person, path, site)
                st.rerun()
