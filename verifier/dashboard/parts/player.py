"""The player: plays a recording or a finding's clip, draws what was seen over it, steps, and tells what was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final, TypedDict

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
_LONGEST_S: Final = 1e7
"""Seconds beyond which nothing is a moment of a recording: four months."""
_SPEEDS: Final = (0.25, 0.5, 1, 1.25, 1.5, 2)


class Told(Struct, frozen=True):
    """What the player just told: a stretch that was played, the moment of an own finding (s).

    `clock` is what its clock shows at second 0 of the review (ISO 8601), at such a moment, where one was read.
    """

    watched: Stretch | None = None
    own: float | None = None
    clock: str | None = None


class Shown(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """What the player is to show: player.js says what each field means.

    `file` is part of the addresses by which frames are asked for, and looks unless `blind`.
    """

    key: str
    file: str
    src: str
    at: float
    start: float
    from_: float
    to: float
    extent: Stretch
    blind: bool = False
    marks: Sequence[Mark] = ()
    fastest: float = max(_SPEEDS)
    piece: float = 0
    report: float = 0
    watched: Sequence[Stretch] = ()
    bookmarks: Sequence[float] = ()
    keep: bool = False
    own: bool | str = False
    play: bool = False
    loop: Stretch | None = None
    finding: str | None = None
    moment: float | None = None
    span: Stretch | None = None
    place: Thing | None = None
    ahead: Sequence[str] = ()
    along: str | None = None

    def told(self) -> dict[str, object]:
        """Return what the browser gets: the fields, addresses, and the speeds up to the fastest."""
        return {
            **to_builtins(self),
            "speeds": [one for one in _SPEEDS if one <= self.fastest],
            "frame": f"/room/frame/{self.file}/",
            "clip_looks": None if self.blind else f"/room/looks/{self.file}/",
        }


class _Heard(TypedDict):
    """What is called where the player tells something."""

    on_watched_change: Callable[[], None]
    on_bookmark_change: Callable[[], None]
    on_own_change: Callable[[], None]


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
    shown = structs.replace(
        _of_file(key, review, number, start, stretch),
        blind=blind,
        fastest=fastest,
        watched=watched,
        bookmarks=bookmarks,
        keep=keep,
        own=own,
        marks=marks,
    )
    bookmarked = partial(_bookmarked, key, marked) if marked is not None else _nothing
    heard: _Heard = {"on_watched_change": _nothing, "on_bookmark_change": bookmarked, "on_own_change": _nothing}
    result = _RENDER(key=key, data=shown.told(), **heard)
    kept, begun = getattr(result, "bookmark", None), getattr(result, "own", None)
    watched_now = _stretch(getattr(result, "watched", None))
    return Told(watched=watched_now, own=_number(begun, "t"), clock=_clock(kept) or _clock(begun))


def _of_file(key: str, review: ReviewRecord, number: int, start: float, stretch: Stretch) -> Shown:
    """Return a file of a recording, whole where browsers play it, else in pieces."""
    whole = plays_in_browsers(film(review, number))
    file = f"{review.id}/{number}"
    return Shown(
        key=key,
        file=file,
        src=f"/room/video/{file}" if whole else f"/room/piece/{file}/",
        piece=0 if whole else PIECE_S,
        at=originals_of(review)[number].at,
        start=start,
        from_=stretch[0],
        to=stretch[1],
        report=REPORT_S,
        extent=stretch,
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

    The one component stays from finding to finding, so that no key is lost between them. Without a `clip`, the frames
    are shown one by one. What the findings of `ahead` need is fetched while this one is looked at. With `along` the
    whole recording stands below. Gives the moment outside of the clip (s) that the person has just chosen there.
    """
    shown = Shown(
        key=finding,
        file=f"{review.id}/{number}",
        src=f"/room/clip/{finding}" if clip else "",
        at=times.start,
        start=times.first,
        from_=times.start,
        to=times.end,
        play=True,
        loop=(times.first, times.last),
        finding=finding,
        moment=times.moment,
        span=span,
        extent=span,
        marks=marks,
        place=place,
        ahead=ahead,
        along=f"/room/along/{review.id}" if along else None,
    )
    result = _RENDER(key="finding player", data=shown.told(), on_away_change=_nothing)
    return _number(getattr(result, "away", None), "t")


def _nothing() -> None:
    """Do nothing: the page is drawn anew, and reads what the player told."""


def _bookmarked(key: str, marked: Callable[[float], None]) -> None:
    """Hand on the moment that the player of this key just told."""
    t = _number(getattr(st.session_state.get(key), "bookmark", None), "t")
    if t is not None:
        marked(t)


def _stretch(told: object) -> Stretch | None:
    start, end = _number(told, "from"), _number(told, "to")
    return (start, end) if start is not None and end is not None else None


def _number(told: object, name: str) -> float | None:
    """Return a number that the browser sent; None for anything else, also for what is no moment of a recording."""
    value = told.get(name) if isinstance(told, Mapping) else None
    return float(value) if isinstance(value, int | float) and abs(value) < _LONGEST_S else None


def _clock(told: object) -> str | None:
    """Return a moment that the browser sent as ISO 8601; None for anything else."""
    value = told.get("clock") if isinstance(told, Mapping) else None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None).isoformat() if isinstance(value, str) else None
    except ValueError:
        return None
