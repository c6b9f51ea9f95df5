"""One's own account: what it may do, and one's own password, which nobody else should know."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import escaped, shown_errors, store
from verifier.review.people.accounts import change_own_password, full_names, password_by_another
from verifier.review.people.passwords import LONGEST, SHORTEST
from verifier.review.people.roles import ROLE_WORDS, Act, Person


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.READ)
    st.title("Your account")
    st.markdown(f"**{escaped(person.full_name)}**, signed in as **{escaped(person.name)}**: {ROLE_WORDS[person.role]}")
    st.text("You may: " + ", ".join(act.value for act in Act if person.may(act)) + ".")
    st.subheader("Change your password")
    st.caption("What you decide and sign stands under your name, so nobody else should know your password.")
    with st.form("own password", clear_on_submit=True):
        old = st.text_input("Password now", type="password", max_chars=LONGEST)
        new = st.text_input(f"New password, at least {SHORTEST} characters", type="password", max_chars=LONGEST)
        again = st.text_input("The new password again", type="password", max_chars=LONGEST)
        if st.form_submit_button("Change it and sign out everywhere", type="primary"):
            with shown_errors():
                change_own_password(store(), person, old, new, again)
                st.success("Changed. Sign in with the new password.", icon=":material/check_circle:")
                st.link_button("Sign in", "/sign-in")
                st.stop()


def known_to_another(person: Person) -> None:
    """Warns a person whose password somebody else chose; asked of the store once a connection."""
    if "password by" not in st.session_state:
        st.session_state["password by"] = password_by_another(store(), person)
    if other := st.session_state["password by"]:
        name = full_names(store()).get(other, other)
        st.warning(f"{escaped(name)} chose your password and knows it.", icon=":material/key:")
        st.page_link(st.session_state["pages"]["account"], label="Change it", icon=":material/arrow_forward:")
