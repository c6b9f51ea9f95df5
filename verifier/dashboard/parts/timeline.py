"""A timeline of events to click on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st
from msgspec import Struct, structs

from verifier.dashboard.parts import source

_RENDER: Final = st.components.v2.component(
    "verifier_timeline",
    html="<div class='timeline' role='group' aria-label='Events in order of time'></div>",
    css=source("timeline.css"),
    js=source("timeline.js"),
)


class Mark(Struct, frozen=True, kw_only=True):
    """An event on the timeline, seconds of media time; `lane` is the row in which it stands."""

    t: float
    t_end: float
    lane: str
    label: str
    cited: bool = False
    weak: bool = False


def timeline(key: str, start: float, end: float, now: float, marks: Sequence[Mark]) -> float | None:
    """Draws the timeline; gives the moment (s) that was just clicked, None otherwise."""
    data = {"start": start, "end": end, "now": now, "marks": [structs.asdict(mark) for mark in marks]}
    result = _RENDER(key=key, data=data, on_at_change=lambda: None)
    at = getattr(result, "at", None)
    return min(max(float(at), start), end) if isinstance(at, int | float) else None
