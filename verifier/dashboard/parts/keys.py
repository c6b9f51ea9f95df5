"""Keys of the page of one finding: none decides by what is not in view. The player has keys of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from verifier.dashboard.parts import source
from verifier.review.judging import NOTE_MOST

_RENDER: Final = st.components.v2.component("verifier_keys", js=source("keys.js"))
SAFE: Final = ("Escape", "2", "u")
"""Keys that store nothing: the reasons are opened and closed, a decision is taken back."""


OPENS: Final = "2"
"""The key whose button brings further ones."""


def finding_keys(finding: str, buttons: Mapping[str, str], note: str, reveal: str, coming: Sequence[str] = ()) -> bool:
    """Listen on the page of a finding; return whether its decisive seconds were just shown.

    `buttons` are the keys (as browsers name them, letters small) with the `key=` of their buttons, `note` the `key=` of
    the note's field, whose text is kept while it is typed. What has the `key=` of `reveal` is brought into view.
    `coming` are the keys of the buttons that OPENS brings, while they are not drawn: one that is pressed then waits.
    """
    data = {
        "finding": finding,
        "safe": list(SAFE),
        "keys": {key: css_class(name) for key, name in buttons.items()},
        "note": css_class(note),
        "most": NOTE_MOST,
        "reveal": css_class(reveal) if reveal else "",
        "opens": OPENS,
        "coming": list(coming),
    }
    result = _RENDER(key="keys", data=data, on_shown_change=lambda: None)
    return getattr(result, "shown", None) == finding


def css_class(key: str) -> str:
    """Return the class that Streamlit gives the element that has this `key=`."""
    return "st-key-" + "".join(one if one.isascii() and (one.isalnum() or one in "_-") else "-" for one in key.strip())
