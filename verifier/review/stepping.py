"""One frame back and forth: the exact frame of a moment, with the times of the frames before and after it."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.review.frames import beginning, decoded, open_for_pictures, sought
from verifier.vision.upright import picture_of

SAME_S: Final = 0.0011
"""Two times this near are one frame's: observations are written to the millisecond."""
_BEFORE, _AFTER = 24, 8
"""Frames kept before and after the wanted one, so that stepping seldom decodes."""
_WINDOWS = 4
_MARGINS: Final = (0.0, 1.0, 4.0, 16.0, 64.0)


class Frame(Struct, frozen=True, kw_only=True):
    """A decoded frame: `t` is its own presentation time less the first frame's (s), `picture` BGR (height, width, 3).

    `before` and `after` are the times of its neighbours in order of presentation; None at the recording's ends.
    """

    t: float
    picture: NDArray[np.uint8]
    before: float | None
    after: float | None


def moved(frame: Frame, by: float) -> Frame:
    """The frame with its times `by` seconds later: a file's own time made the review's."""
    before, after = (None if t is None else t + by for t in (frame.before, frame.after))
    return msgspec.structs.replace(frame, t=frame.t + by, before=before, after=after)


class _Window(Struct, frozen=True):
    """Frames that follow one another, each with its time; whether they reach the recording's first and last frame."""

    shots: Sequence[tuple[float, Any]]
    first: bool
    last: bool

    def place(self, t: float) -> int | None:
        """Where the frame that shows at `t` stands, if it and both its neighbours are known."""
        shown = [index for index, (time, _) in enumerate(self.shots) if time <= t + SAME_S]
        place = shown[-1] if shown else (0 if self.first else -1)
        inside = (place > 0 or self.first) and (place + 1 < len(self.shots) or self.last)
        return place if place >= 0 and inside and self.shots else None


class Stepper:
    """Gives frames of recordings; keeps a few stretches decoded. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._windows: OrderedDict[tuple[str, float], _Window] = OrderedDict()

    def frame(self, video: Path, t: float) -> Frame | None:
        """The frame that shows at `t` seconds (the last one that began by then); None where none can be decoded.

        Raises BadInput where the file cannot be opened.
        """
        key = (str(video), video.stat().st_mtime if video.exists() else 0.0)
        with self._lock:
            window = self._windows.get(key)
            place = window.place(t) if window is not None else None
            if window is None or place is None:
                window = _around(video, t)
                place = window.place(t)
                self._keep(key, window)
            if place is None:
                return None
            return _frame(window, place)

    def _keep(self, key: tuple[str, float], window: _Window) -> None:
        self._windows[key] = window
        self._windows.move_to_end(key)
        while len(self._windows) > _WINDOWS:
            self._windows.popitem(last=False)


def _frame(window: _Window, place: int) -> Frame:
    time, shot = window.shots[place]
    return Frame(
        t=round(time, 6),
        picture=picture_of(shot),
        before=round(window.shots[place - 1][0], 6) if place else None,
        after=round(window.shots[place + 1][0], 6) if place + 1 < len(window.shots) else None,
    )


def _around(video: Path, t: float) -> _Window:
    """The frames around `t`, decoded from ever further back until the one before it is known."""
    origin = beginning(video)
    with open_for_pictures(video) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        first = next(decoded(container), None)
        if first is None:
            return _Window((), True, True)
        origin = float(first.time) if origin is None else origin
        head = float(first.time) - origin
        for margin in _MARGINS:
            start = t - margin
            if start <= 0:
                break
            window = _read(sought(container, stream, start + origin), origin, head, t)
            if window.place(t) is not None:
                return window
    with open_for_pictures(video) as container:
        return _read(decoded(container), origin, head, t)


def _read(frames: Iterator[Any], origin: float, head: float, t: float) -> _Window:
    """The frames about `t`, times less `origin`; `head` is the time of the first one that can be decoded."""
    kept: deque[tuple[float, Any]] = deque(maxlen=_BEFORE + _AFTER)
    after = 0
    for frame in frames:
        time = float(frame.time) - origin
        if kept and time <= kept[-1][0]:
            continue
        kept.append((time, frame))
        after += time > t + SAME_S
        if after >= _AFTER:
            return _Window(tuple(kept), bool(kept[0][0] < head + SAME_S), False)
    return _Window(tuple(kept), bool(kept and kept[0][0] < head + SAME_S), True)
