"""A player that tells which stretches of a recording were really played on screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import streamlit as st
from msgspec import Struct

from verifier.dashboard.parts import source
from verifier.domain.names import path_of
from verifier.review.originals import originals_of
from verifier.review.playback import PIECE_S, plays_in_browsers
from verifier.review.watch.minutes import REPORT_S, Stretch
from verifier.store.values import ReviewRecord

_RENDER: Final = st.components.v2.component(
    "verifier_player", html=source("player.html"), css=source("player.css"), js=source("player.js")
)


class Told(Struct, frozen=True):
    """What the player just told: a stretch that was played, a moment to be marked (s)."""

    watched: Stretch | None = None
    bookmark: float | None = None


@st.cache_data(max_entries=256)
def _whole(path: str, _changed: float) -> bool:
    return plays_in_browsers(path_of(path))


def player(
    key: str,
    review: ReviewRecord,
    number: int,
    *,
    start: float,
    stretch: Stretch,
    fastest: float,
    watched: Sequence[Stretch] = (),
    bookmarks: Sequence[float] = (),
) -> Told:
    """Plays `stretch` of file `number` of a recording from `start` on, at most `fastest` times as fast as recorded.

    All times are the review's, also those told; the file's own begin at its `at`.
    """
    original = originals_of(review)[number]
    video = original.file
    whole = _whole(original.path, video.stat().st_mtime)
    file = f"{review.id}/{number}"
    data = {
        "src": f"/room/video/{file}" if whole else f"/room/piece/{file}/",
        "piece": 0 if whole else PIECE_S,
        "at": original.at,
        "start": start,
        "from": stretch[0],
        "to": stretch[1],
        "fastest": fastest,
        "report": REPORT_S,
        "watched": [list(one) for one in watched],
        "bookmarks": list(bookmarks),
    }
    result = _RENDER(key=key, data=data, on_watched_change=lambda: None, on_bookmark_change=lambda: None)
    return Told(_stretch(getattr(result, "watched", None)), _number(getattr(result, "bookmark", None), "t"))


def _stretch(told: Any) -> Stretch | None:
    start, end = _number(told, "from"), _number(told, "to")
    return (start, end) if start is not None and end is not None else None


def _number(told: Any, name: str) -> float | None:
    value = told.get(name) if hasattr(told, "get") else None
    return float(value) if isinstance(value, int | float) else None
