"""The player: plays a recording or a finding's clip, draws what was seen over it, steps, and tells what was played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

import streamlit as st
from msgspec import Struct, structs, to_builtins

from verifier.dashboard.parts import source
from verifier.dashboard.parts.marks import Mark
from verifier.review.clip_looks import Thing
from verifier.review.clip_times import ClipTimes
from verifier.review.originals import originals_of
from verifier.review.playback import PIECE_S, film, plays_in_browsers
from verifier.review.watch.minutes import REPORT_S, Stretch
from verifier.store.values import ReviewRecord

_RENDER: Final = st.components.v2.component(
    "verifier_player", html=source("player.html"), css=source("player.css"), js=source("player.js")
)
_SPEEDS: Final = (0.25, 0.5, 1, 1.25, 1.5, 2)


class Told(Struct, frozen=True):
    """What the player just told: a stretch that was played, the moment of an own finding (s).

    `clock` is what its clock shows at second 0 of the review (ISO 8601), at such a moment, where one was read.
    """

    watched: Stretch | None = None
    own: float | None = None
    clock: str | None = None


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
    marks: Sequence[Mark] = (),
    own: bool | str = False,
    blind: bool = False,
    keep: bool = True,
    marked: Callable[[float], None] | None = None,
) -> Told:
    """Play `stretch` of file `number` of a recording from `start` on, at most `fastest` times as fast as recorded.

    All times are the review's, also those told; the file's own begin at its `at`. `marks` stand on a timeline below;
    with `own` a finding of the person's own can be begun where the player stands, or what the words of `own` say; with
    `keep` the moment can be bookmarked: `marked` is called with it before the page is drawn, so that no press is lost
    where the next thing that is told begins the page anew. Where `blind`, nothing is drawn of what the software saw.
    """
    original = originals_of(review)[number]
    whole = plays_in_browsers(film(review, number))
    file = f"{review.id}/{number}"
    data = {
        "key": key,
        "src": f"/room/video/{file}" if whole else f"/room/piece/{file}/",
        "piece": 0 if whole else PIECE_S,
        "at": original.at,
        "start": start,
        "from": stretch[0],
        "to": stretch[1],
        "speeds": [one for one in _SPEEDS if one <= fastest],
        "fastest": fastest,
        "report": REPORT_S,
        "watched": [list(one) for one in watched],
        "bookmarks": list(bookmarks),
        "keep": keep,
        "own": own,
        "play": False,
        "loop": None,
        "finding": None,
        "moment": None,
        "clip_looks": None if blind else f"/room/looks/{file}/",
        "frame": f"/room/frame/{file}/",
        "span": None,
        "extent": list(stretch),
        "marks": [structs.asdict(one) for one in marks],
        "place": None,
    }
    heard: dict[str, Any] = {f"on_{name}_change": lambda: None for name in ("watched", "bookmark", "own")}
    if marked is not None:
        heard["on_bookmark_change"] = partial(_bookmarked, key, marked)
    result = _RENDER(key=key, data=data, **heard)
    kept, begun = getattr(result, "bookmark", None), getattr(result, "own", None)
    return Told(
        watched=_stretch(getattr(result, "watched", None)),
        own=_number(begun, "t"),
        clock=_clock(kept) or _clock(begun),
    )


def finding_player(
    finding: str,
    review: ReviewRecord,
    number: int,
    times: ClipTimes,
    *,
    clip: bool,
    span: Stretch,
    marks: Sequence[Mark],
    place: Thing | None,
    ahead: Sequence[str] = (),
    along: bool = False,
) -> float | None:
    """Play a finding's clip, its decisive seconds again and again; frames are stepped within `span`.

    The one component stays from finding to finding, so that no key is lost between them. Where there is no `clip`, the
    frames are shown one by one. What the findings of `ahead` need is fetched while this one is looked at. With `along`
    the whole recording stands below; the player asks for it a moment later. Gives the moment (s of the review's time)
    outside of the clip that the person has just chosen there.
    """
    file = f"{review.id}/{number}"
    data = {
        "key": finding,
        "src": f"/room/clip/{finding}" if clip else "",
        "piece": 0,
        "at": times.start,
        "start": times.first,
        "from": times.start,
        "to": times.end,
        "speeds": list(_SPEEDS),
        "fastest": max(_SPEEDS),
        "report": 0,
        "watched": [],
        "bookmarks": [],
        "keep": False,
        "own": False,
        "play": True,
        "loop": [times.first, times.last],
        "finding": finding,
        "moment": times.moment,
        "clip_looks": f"/room/looks/{file}/",
        "frame": f"/room/frame/{file}/",
        "span": list(span),
        "extent": list(span),
        "marks": [structs.asdict(one) for one in marks],
        "place": to_builtins(place),
        "ahead": list(ahead),
        "along": f"/room/along/{review.id}" if along else None,
    }
    result = _RENDER(key="finding player", data=data, on_away_change=lambda: None)
    return _number(getattr(result, "away", None), "t")


def _bookmarked(key: str, marked: Callable[[float], None]) -> None:
    """Hand on the moment that the player of this key just told."""
    t = _number(getattr(st.session_state.get(key), "bookmark", None), "t")
    if t is not None:
        marked(t)


def _stretch(told: Any) -> Stretch | None:
    start, end = _number(told, "from"), _number(told, "to")
    return (start, end) if start is not None and end is not None else None


def _number(told: Any, name: str) -> float | None:
    value = told.get(name) if hasattr(told, "get") else None
    return float(value) if isinstance(value, int | float) else None


def _clock(told: Any) -> str | None:
    """Return a moment that the browser sent as ISO 8601; None for anything else."""
    value = told.get("clock") if hasattr(told, "get") else None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None).isoformat() if isinstance(value, str) else None
    except ValueError:
        return None
