"""Decides which frames are worth a look, on small grey pictures: often while something moves, seldom otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.vision.decode import Flags, Frame, Picture
from verifier.vision.probe import Times
from verifier.vision.regions import WHOLE_PICTURE, Region, regions_of

GATE_WIDTH: Final = 320
"""Width in pixels of the grey picture: a fingertip of 15 mm is about 3 pixels wide on it."""
STEP: Final = 9
"""Grey levels by which a pixel must change to count; well above sensor and coding noise after scaling."""
PIXELS: Final = 10
"""Changed pixels that make motion: less than a tapping finger changes."""
HOLD: Final = 0.6
"""Seconds for which looking goes on after the last motion, so that a pose that is held is seen at rest."""

WHOLE_EVERY: Final = 2.0
"""Seconds after which the whole picture is searched again, wherever it moved."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Looks a second while something moves, and while nothing does."""

    moving: float = 7.5
    idle: float = 1.0


class Grid:
    """Says of times in order which are due: the first at or after each point of a grid of `hz` points a second.

    Held to a grid so that the pace does not drift with the frame rate; where a gap passes several points, one is due.
    """

    def __init__(self, hz: float) -> None:
        self._step = 1 / hz
        self._next = -1.0

    def due(self, t: float) -> bool:
        """Whether the frame at `t` seconds is due."""
        if t + 1e-6 < self._next:
            return False
        self._next = max(self._next + self._step, t + self._step / 2) if self._next >= 0 else t + self._step
        return True


def wanted(times: Times, hz: float) -> Flags:
    """Which of the frames at `times` (n,) seconds the gate will want to see: (n,) bool."""
    grid = Grid(hz)
    return np.fromiter((grid.due(t) for t in (times - times[:1]).tolist()), np.bool_, len(times))


@dataclass(frozen=True, slots=True)
class Look:
    """A frame to look at, and the regions of it that differ from the look before."""

    frame: Frame
    regions: tuple[Region, ...]


class MotionGate:
    """Chooses the frames to look at; `ignore` masks places that change by themselves, such as a clock.

    A frame is due when the moving pace has elapsed since the last due one. Of the due frames those are looked at that
    differ from the last look or from the due frame before, or follow such a one within `HOLD`, or come after the idle
    pace. The first frame always is. Times are held to a grid, so that the pace does not drift with the frame rate.
    """

    def __init__(self, pace: Pace = Pace(), *, ignore: Picture | None = None) -> None:
        self._pace = pace
        self._ignore = ignore
        self._grid = Grid(pace.moving)
        self._looked = -1e9
        self._moved = -1e9
        self._whole = -1e9
        self._before: Picture | None = None
        self._seen: Picture | None = None

    def look(self, frame: Frame) -> Look | None:
        """What of this frame is to be looked at, None where nothing."""
        if not self._grid.due(frame.t):
            return None
        grey = self._small(frame)
        changed = self._changed(grey, self._seen)
        if moves(changed) or moves(self._changed(grey, self._before)):
            self._moved = frame.t
        self._before = grey
        if frame.t - self._moved > HOLD and frame.t - self._looked < 1 / self._pace.idle - 1e-6:
            return None
        whole = frame.t - self._whole >= WHOLE_EVERY - 1e-6 or changed is None
        regions = WHOLE_PICTURE if whole else regions_of(changed)
        self._whole = frame.t if regions == WHOLE_PICTURE else self._whole
        self._looked, self._seen = frame.t, grey
        return Look(frame, regions)

    def _small(self, frame: Frame) -> Picture:
        height = max(1, round(GATE_WIDTH * frame.raw.height / frame.raw.width))
        return frame.luma(GATE_WIDTH, height)

    def _changed(self, grey: Picture, other: Picture | None) -> Picture | None:
        """A mask of the pixels that differ; None where there is nothing to compare with."""
        if other is None or other.shape != grey.shape:
            return None
        _, changed = cv2.threshold(cv2.absdiff(grey, other), STEP, 255, cv2.THRESH_BINARY)
        if self._ignore is not None and self._ignore.shape == changed.shape:
            changed[self._ignore > 0] = 0
        return np.asarray(changed, np.uint8)


def moves(changed: Picture | None) -> bool:
    """Whether a mask of changed pixels shows motion."""
    return changed is None or int(np.count_nonzero(changed)) >= PIXELS


def looks(frames: Iterable[Frame], gate: MotionGate) -> Iterator[Look]:
    """The looks that the gate wants, in order."""
    return (look for frame in frames if (look := gate.look(frame)) is not None)
