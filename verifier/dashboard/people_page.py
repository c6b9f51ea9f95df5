"""Accounts: who may sign in and what they may do."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from verifier.dashboard.access import person_who_may
from verifier.dashboard.common import shown_errors, store
from verifier.review.people.accounts import Account, NewAccount, accounts, change, create, set_password
from verifier.review.people.passwords import LONGEST, SHORTEST
from verifier.review.people.roles import ROLE_WORDS, Act, Person, Role
from verifier.review.wording import local_time

_ROLES: Final[list[Role]] = list(Role)
_VIDEO: Final = "Authorised for video under 99-01.3-08-04(4)(a) (a reviewer only; the roles above have it or never do)"


def show() -> None:
    """Draw the page."""
    person = person_who_may(Act.PEOPLE)
    st.title("People")
    known = accounts(store(), person)
    st.dataframe(
        pd.DataFrame(
            {
                "Name": one.person.name,
                "Full name": one.person.full_name,
                "Role": ROLE_WORDS[one.person.role],
                "Sees video": "yes" if one.person.may(Act.VIDEO) else "no",
                "Signs in by": "password" if one.local else "OpenID Connect",
                "State": _state(one),
            }
            for one in known
        ),
        hide_index=True,
        width="stretch",
    )
    left, right = st.columns(2, gap="large")
    with left:
        _new(person)
    with right:
        _change(person, known)


def _state(account: Account) -> str:
    if not account.active:
        return "shut"
    locked = account.locked_until
    return f"locked until {local_time(locked)}" if locked and locked > store().now() else "active"


def _new(person: Person) -> None:
    with st.form("new account", clear_on_submit=True):
        st.subheader("New account")
        name = st.text_input("Name to sign in with", help="With OpenID Connect: the person's e-mail address.")
        full_name = st.text_input("Full name, as in documents")
        role = st.selectbox("Role", _ROLES, index=0, format_func=ROLE_WORDS.__getitem__)
        authority = st.checkbox(_VIDEO)
        local = st.checkbox("Signs in with a password here", value=True)
        password = st.text_input(
            f"First password, at least {SHORTEST} characters; the person is asked to change it",
            type="password",
            max_chars=LONGEST,
        )
        if st.form_submit_button("Make the account", type="primary"):
            with shown_errors():
                new = NewAccount(
                    name=name,
                    full_name=full_name,
                    role=role,
                    password=password if local else None,
                    authority=authority and role is Role.REVIEWER,
                )
                made = create(store(), person, new)
                st.toast(f"{made.full_name} may sign in as {made.name}.")
                st.rerun()


def _change(person: Person, known: list[Account]) -> None:
    st.subheader("Change an account")
    names = [one.person.name for one in known]
    chosen = next(one for one in known if one.person.name == st.selectbox("Account", names))
    with st.form(f"change {chosen.person.name}"):
        role = st.selectbox("Role", _ROLES, index=_ROLES.index(chosen.person.role), format_func=ROLE_WORDS.__getitem__)
        authority = st.checkbox(_VIDEO, value=chosen.person.authority)
        active = st.checkbox("May sign in", value=chosen.active)
        if st.form_submit_button("Store; ends the sessions of that account"):
            with shown_errors():
                authorised = authority and role is Role.REVIEWER
                change(store(), person, chosen.person.name, role=role, authority=authorised, active=active)
                st.rerun()
    with st.form(f"password {chosen.person.name}", clear_on_submit=True):
        password = st.text_input("New password", type="password", max_chars=LONGEST)
        if st.form_submit_button("Set the password"):
            with shown_errors():
                set_password(store(), person, chosen.person.name, password)
                st.toast("The password is set; the account's sessions have ended.")
