"""The list of the keys, which "?" opens on every page."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.parts import source
from verifier.dashboard.parts.keys import css_class

_KEYS: Final = """
| key | does |
|---|---|
| ? | this list |
| Enter | in the list of findings: the first open one |
| 1, 2, 3 | confirm, reject (then the reason's letter), cannot tell |
| Escape | closes the reasons |
| U | takes the decision back (10 seconds) |
| 0 | decide without the clip |
| N, P | next, previous finding |
| space, K | play, pause |
| L, J | faster, back 2 s |
| . , or → ← | one frame forth, back |
| ↑ ↓ | to the frame that the software looked at, after and before |
| V | the decisive seconds again |
| F | full screen |
| + - = | nearer, further, whole picture; a double click zooms there, dragging moves |
"""
"""What the keys do; those of a page do nothing on another one."""


_RENDER: Final = st.components.v2.component("verifier_help", js=source("help.js"))


def help_key() -> None:
    """Listen for "?", and mend what screen readers miss in Streamlit's own elements; draw nothing."""
    _RENDER(key="help key", data={"button": css_class("help")})


def help_button() -> None:
    """Draw the button."""
    if st.button("Keys (?)", icon=":material/keyboard:", key="help", width="stretch"):
        _list()


@st.dialog("Keys")
def _list() -> None:
    st.markdown(_KEYS)
