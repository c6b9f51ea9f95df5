"""Who is at the page: asked of the store at every run of every page, never remembered."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.common import store
from verifier.dashboard.web.cookies import COOKIE
from verifier.review.people.roles import Act, Person, require
from verifier.review.people.sessions import person_of_session


def token() -> str | None:
    """Return the session's token that the browser sent when it connected."""
    found = st.context.cookies.get(COOKIE)
    return str(found) if found else None


def person() -> Person:
    """Who is signed in; stops the page with a way back to sign-in where the session has ended."""
    found = person_of_session(store(), token())
    if found is None:
        st.warning("You are signed out, or your session has ended. What you stored is kept.", icon=":material/lock:")
        st.link_button("Sign in", "/sign-in", type="primary")
        st.stop()
    return found


def person_who_may(act: Act) -> Person:
    """Who is signed in, where they may do `act`; raises Forbidden, which the page shows, where not."""
    found = person()
    require(found, act)
    return found
