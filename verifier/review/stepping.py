"""One frame back and forth: the exact frame of a moment, with the times of the frames before and after it."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.recording.decode import Decoder
from verifier.recording.decode import Frame as Decoded
from verifier.recording.probe import Probe, probed
from verifier.recording.timeline import SAME_S
from verifier.review.frames import following, nearest, preceding

__all__ = ["SAME_S", "Frame", "Stepper", "moved"]

_BEFORE, _AFTER = 24, 8
"""Frames kept before and after the wanted one, so that stepping seldom decodes."""
_WINDOWS: Final = 4


class Frame(Struct, frozen=True, kw_only=True):
    """A decoded frame: `t` is its media time (s), `picture` BGR (height, width, 3).

    `before` and `after` are the times of its neighbours in order of presentation; None at the recording's ends.
    """

    t: float
    picture: NDArray[np.uint8]
    before: float | None
    after: float | None


def moved(frame: Frame, by: float) -> Frame:
    """Return the frame with its times `by` seconds later, which turns a file's own time into the review's."""
    before, after = (None if t is None else t + by for t in (frame.before, frame.after))
    return msgspec.structs.replace(frame, t=frame.t + by, before=before, after=after)


class _Window:
    """Decoded frames of a recording by number, in a stretch from `first` up to, not with, `last`."""

    def __init__(self, whole: Probe, number: int) -> None:
        self.first, self.last = max(0, number - _BEFORE), min(len(whole.timeline), number + _AFTER + 1)
        self._whole = whole
        self._frames = {frame.index: frame for frame in Decoder(whole.pictures(self.first, self.last))}

    def has(self, number: int) -> bool:
        """Tell whether the window holds a picture and both its neighbours."""
        return self.first <= max(0, number - 1) and min(len(self._whole.timeline), number + 2) <= self.last

    def frame(self, number: int) -> Frame | None:
        """Return the picture of that number, or where it cannot be decoded the one before it, else the one after."""
        shown = self._until(number) or nearest(self._whole, number)
        if shown is None:
            return None
        before, after = self._until(shown.index - 1), self._from(shown.index + 1)
        return Frame(
            t=shown.t,
            picture=shown.bgr(),
            before=before.t if before is not None else None,
            after=after.t if after is not None else None,
        )

    def _until(self, number: int) -> Decoded | None:
        known = [place for place in self._frames if place <= number]
        return self._frames[max(known)] if known else preceding(self._whole, number + 1)

    def _from(self, number: int) -> Decoded | None:
        if number >= len(self._whole.timeline):
            return None
        known = [place for place in self._frames if place >= number]
        return self._frames[min(known)] if known else following(self._whole, number)


class Stepper:
    """Gives frames of recordings; keeps a few stretches decoded. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._windows: OrderedDict[tuple[object, ...], _Window] = OrderedDict()

    def frame(self, video: Path | Probe, t: float) -> Frame | None:
        """Return the frame that shows at `t` seconds (the last one that began by then); None if none can be decoded.

        Raises BadInput if the file cannot be opened, or was exchanged.
        """
        whole = video if isinstance(video, Probe) else probed(video)
        number = whole.timeline.at(t)
        key = (str(whole.path), whole.facts.identity)
        with self._lock:
            window = self._windows.get(key)
            if window is None or not window.has(number):
                window = _Window(whole, number)
                self._keep(key, window)
            return window.frame(number)

    def _keep(self, key: tuple[object, ...], window: _Window) -> None:
        self._windows[key] = window
        self._windows.move_to_end(key)
        while len(self._windows) > _WINDOWS:
            self._windows.popitem(last=False)
