"""Keys of the page of one finding: the space bar plays and pauses, and no key reaches a finding that just came up."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.parts import source

_RENDER: Final = st.components.v2.component("verifier_keys", js=source("keys.js"))


def clip_keys(finding: str) -> None:
    """Listens on the page of a finding. When another finding comes up, the focus goes to its heading."""
    _RENDER(key="keys", data={"finding": finding})
