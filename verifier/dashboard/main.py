"""The script that Streamlit runs: sets up the pages and who is reviewing."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard import finding_page, queue_page, weekly_page
from verifier.dashboard.common import shown_errors

st.set_page_config(page_title="Verifier", page_icon="🂡", layout="wide", initial_sidebar_state="expanded")

PAGES = {
    "queue": st.Page(queue_page.show, title="Findings", icon=":material/checklist:", url_path="queue", default=True),
    "finding": st.Page(finding_page.show, title="One finding", icon=":material/search:", url_path="finding"),
    "weekly": st.Page(weekly_page.show, title="Weekly document", icon=":material/description:", url_path="weekly"),
}
st.session_state["pages"] = PAGES

st.html("<style>.stMainBlockContainer { padding-top: 2.5rem; }</style>")
with st.sidebar:
    name = st.text_input(
        "Your name or initials",
        value=st.session_state.get("reviewer", ""),
        help="Stands beside every decision that you make.",
    )
    st.session_state["reviewer"] = name

with shown_errors():
    st.navigation(list(PAGES.values())).run()
