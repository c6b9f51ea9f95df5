"""Sends a recording in pieces, with a bar."""

from __future__ import annotations

from typing import Final

import streamlit as st

from verifier.dashboard.parts import source
from verifier.review.orders.uploads import PIECE_BYTES

_RENDER: Final = st.components.v2.component(
    "verifier_upload", html=source("upload.html"), css=source("upload.css"), js=source("upload.js")
)


def upload(key: str) -> str | None:
    """Draw it; give the id of a recording that has just come whole, else None."""
    result = _RENDER(key=key, data={"piece": PIECE_BYTES}, on_uploaded_change=lambda: None)
    told = getattr(result, "uploaded", None)
    return str(told["id"]) if isinstance(told, dict) and "id" in told else None
