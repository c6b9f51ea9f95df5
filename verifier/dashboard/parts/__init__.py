"""Small components of our own where Streamlit has none: a player, the keys of a finding, a canvas for zones."""

from __future__ import annotations

from pathlib import Path


def source(name: str) -> str:
    """Return the text of a script or style that lies beside this file."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
