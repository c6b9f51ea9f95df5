"""Seconds that run down in the browser, so that the server is asked only when they are over."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.parts import source

_RENDER: Final = st.components.v2.component(
    "verifier_countdown", html="<span role='timer'></span>", js=source("countdown.js")
)


def countdown(key: str, left: float) -> None:
    """Show `left` seconds running down, and run the page again when they are over."""
    _RENDER(key=key, data={"left": left}, on_over_change=lambda: None, width="content")
