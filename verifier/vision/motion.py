"""Decides which frames are worth a look, on small grey pictures: often while something moves, seldom otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from verifier.vision.decode import Frame, Picture

GATE_WIDTH: Final = 320
"""Width in pixels of the grey picture: a fingertip of 15 mm is about 3 pixels wide on it."""
STEP: Final = 9
"""Grey levels by which a pixel must change to count; well above sensor and coding noise after scaling."""
PIXELS: Final = 10
"""Changed pixels that make motion: less than a tapping finger changes."""
HOLD: Final = 0.6
"""Seconds for which looking goes on after the last motion, so that a pose that is held is seen at rest."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Looks a second while something moves, and while nothing does."""

    moving: float = 7.5
    idle: float = 1.0


class MotionGate:
    """Chooses the frames to look at; `ignore` masks places that change by themselves, such as a clock.

    A frame is due when the moving pace has elapsed since the last due one. Of the due frames those are looked at that
    differ from the last look or from the due frame before, or follow such a one within `HOLD`, or come after the idle
    pace. The first frame always is. Times are held to a grid, so that the pace does not drift with the frame rate.
    """

    def __init__(self, pace: Pace = Pace(), *, ignore: Picture | None = None) -> None:
        self._pace = pace
        self._ignore = ignore
        self._next = -1.0
        self._looked = -1e9
        self._moved = -1e9
        self._before: Picture | None = None
        self._seen: Picture | None = None

    def wants(self, frame: Frame) -> bool:
        """Whether this frame is to be looked at."""
        if frame.t + 1e-6 < self._next:
            return False
        step = 1 / self._pace.moving
        self._next = max(self._next + step, frame.t + step / 2) if self._next >= 0 else frame.t + step
        grey = self._small(frame)
        if self._differs(grey, self._before) or self._differs(grey, self._seen):
            self._moved = frame.t
        self._before = grey
        look = frame.t - self._moved <= HOLD or frame.t - self._looked >= 1 / self._pace.idle - 1e-6
        if look:
            self._looked, self._seen = frame.t, grey
        return look

    def _small(self, frame: Frame) -> Picture:
        height = max(1, round(GATE_WIDTH * frame.raw.height / frame.raw.width))
        return frame.luma(GATE_WIDTH, height)

    def _differs(self, grey: Picture, other: Picture | None) -> bool:
        if other is None or other.shape != grey.shape:
            return True
        changed = np.abs(grey.astype(np.int16) - other) > STEP
        if self._ignore is not None and self._ignore.shape == changed.shape:
            changed &= self._ignore == 0
        return int(np.count_nonzero(changed)) >= PIXELS


def looks(frames: Iterable[Frame], gate: MotionGate) -> Iterator[Frame]:
    """The frames that the gate wants, in order."""
    return (frame for frame in frames if gate.wants(frame))
