"""The script that Streamlit runs for every page: who is signed in, the menu, the page."""

from __future__ import annotations

import streamlit as st

from verifier.dashboard.access import person
from verifier.dashboard.account_page import known_to_another
from verifier.dashboard.common import escaped, pending, store
from verifier.dashboard.decision import tell_refused
from verifier.dashboard.help import help_button, help_key
from verifier.dashboard.navigation import menu
from verifier.dashboard.settings import LOGO
from verifier.review.people.demo import is_demo
from verifier.review.people.roles import ROLE_WORDS, Act, Person
from verifier.review.queue import OPEN, Filters, counts

_STYLE = """<style>
.stMainBlockContainer { padding-top: 2.5rem; }
img.still { display: block; width: 100%; border-radius: 6px; background: #10160f; }
[data-testid^=stBaseButton-primary], [data-testid=stMultiSelectTagsContainer] [data-tag] {
  background: #0b5c3b; color: #fff;
}
[data-testid^=stBaseButton-primary]:hover { background: #0d6e47; color: #fff; }
[data-testid^=stBaseButton-primary] kbd { color: #fff !important; opacity: 1 !important; }
@media print {
  .stSidebar, .stAppHeader, .stToolbar, .stVideo, .stFileUploader, button { display: none !important; }
  .stApp, .stAppViewContainer, .stMain {
    position: static !important; overflow: visible !important; height: auto !important;
  }
  .stMainBlockContainer { max-width: none; padding: 0; }
  .stImage, .stAlert { break-inside: avoid; }
}
</style>"""


def _title(name: str, somebody: Person) -> str:
    """Return the tab's title: the page, and how many findings are open for whoever may read them."""
    if not somebody.may(Act.READ):
        return f"{name} - Verifier"
    return f"{name} ({counts(store(), somebody, Filters())[OPEN]}) - Verifier"


st.set_page_config(page_title="Verifier", page_icon="🂡", layout="wide", initial_sidebar_state="auto")
st.html(_STYLE)
st.logo(LOGO, size="large")
somebody = person()
page = st.navigation(menu(somebody), expanded=True)
st.set_page_config(page_title=_title(page.title, somebody))
if page.url_path != "finding":
    pending().go_on(somebody)
tell_refused(somebody)
with st.sidebar:
    help_key()
page.run()
with st.sidebar:
    help_button()
    st.markdown(f":material/person: **{escaped(somebody.full_name)}**  \n{ROLE_WORDS[somebody.role]}")
    known_to_another(somebody)
    if is_demo(store()):
        st.html("<a href='/try' target='_self'>Try another role</a>")
    st.html("<form method='post' action='/sign-out'><button type='submit'>Sign out</button></form>")
