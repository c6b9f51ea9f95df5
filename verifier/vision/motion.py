"""Decides which frames are worth a look, on small grey pictures: often while something moves, seldom otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Frame, Picture
from verifier.recording.probe import Probe
from verifier.recording.stamps import Flags
from verifier.vision.frozen import Freezes
from verifier.vision.regions import WHOLE_PICTURE, Region, regions_of

GATE_WIDTH: Final = 320
"""Width in pixels of the grey picture: a fingertip of 15 mm is about 3 pixels wide on it."""
STEP: Final = 9
"""Grey levels by which a pixel must change to count; well above sensor and coding noise after scaling."""
PIXELS: Final = 10
"""Changed pixels that make motion: less than a tapping finger changes."""
HOLD: Final = 0.6
"""Seconds for which looking goes on after the last motion, so that a pose that is held is seen at rest."""

REST: Final = 0.4
"""Seconds without a look that are a rest, the end of which is looked at: the calm pace leaves no longer ones."""
SOON: Final = 0.3
"""Share of a step by which a look may come later where that spares decoding a frame."""
WHOLE_EVERY: Final = 3.0
"""Seconds after which the whole picture is searched again, wherever it moved."""


CALM: Final = 2.5
"""Looks a second while something only trembles, or moves where nothing is at stake."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Looks a second while something moves, while it only trembles, and while nothing does."""

    moving: float = 7.5
    calm: float = CALM
    idle: float = 1.0


class Grid:
    """Says of times in order which are due: the first at or after each point of a grid of `hz` points a second.

    Held to a grid so that the pace does not drift with the frame rate; where a gap passes several points, one is due.
    """

    def __init__(self, hz: float) -> None:
        self._step = 1 / hz
        self._next = -1.0

    def due(self, t: float) -> bool:
        """Tell whether the frame at `t` seconds is due."""
        if t + 1e-6 < self._next:
            return False
        self._next = max(self._next + self._step, t + self._step / 2) if self._next >= 0 else t + self._step
        return True


def wanted(facts: Probe, hz: float) -> Flags:
    """Which of a recording's frames the gate will want to see: (frames,) bool.

    A frame that no other is built on makes way for the next one, if that is decoded anyway and follows soon.
    """
    grid = Grid(hz)
    times, spare = facts.times - facts.times[:1], facts.spare
    soon = np.diff(times, append=np.inf) <= SOON / hz
    passed = spare & ~np.append(spare[1:], True) & soon
    due = (not over and grid.due(t) for t, over in zip(times.tolist(), passed.tolist(), strict=True))
    return np.fromiter(due, np.bool_, len(times))


@dataclass(frozen=True, slots=True)
class Look:
    """A frame to look at, and the regions of it that differ from the look before."""

    frame: Frame
    regions: tuple[Region, ...]


class MotionGate:
    """Chooses the frames to look at; `ignore` masks places that change by themselves, such as a clock.

    A frame is due when the moving pace has elapsed since the last due one. Of the due frames those are looked at at
    which something moves, against the last look or the due frame before, or did so within `HOLD`; at the calm pace
    those at which something only trembles, or moves outside of `stake`; and the rest at the idle pace. The first frame
    always is. So is the last one of a longer rest, as soon as it has ended: what rested until then is known, and what
    moved since. Masks are (h, w) uint8 of the small grey picture; no `stake` means everywhere.
    """

    def __init__(self, pace: Pace = Pace(), *, ignore: Picture | None = None, stake: Picture | None = None) -> None:
        self._pace = pace
        self._counts = None if ignore is None else np.where(ignore > 0, 0, 255).astype(np.uint8)
        self._stake = stake
        self._grid = Grid(pace.moving)
        self._looked = -1e9
        self._moved = -1e9
        self._whole = -1e9
        self._before: Picture | None = None
        self._seen: Picture | None = None
        self._passed: Frame | None = None
        self.freezes = Freezes()

    def look(self, frame: Frame) -> list[Look]:
        """Return the looks to take now that this frame has come, in order."""
        if not self._grid.due(frame.t):
            return []
        grey, before, passed = self._small(frame), self._before, self._passed
        self.freezes.take(frame.t, grey)
        changed = self._changed(grey, self._seen)
        if self._moved_from(self._seen, grey, changed) or self._moved_from(before, grey, self._changed(grey, before)):
            self._moved = frame.t
        self._before, self._passed = grey, None
        pace = self._pace.calm if moves(changed) else self._pace.idle
        if frame.t - self._moved > HOLD and frame.t - self._looked < 1 / pace - 1e-6:
            self._passed = frame
            return []
        if passed is None or before is None or self._moved < frame.t or frame.t - self._looked < REST:
            return [self._taken(frame, grey)]
        return [self._taken(passed, before), self._taken(frame, grey)]

    def _taken(self, frame: Frame, grey: Picture) -> Look:
        changed = self._changed(grey, self._seen)
        whole = frame.t - self._whole >= WHOLE_EVERY - 1e-6
        regions = WHOLE_PICTURE if whole or changed is None else regions_of(changed) if moves(changed) else ()
        self._whole = frame.t if regions == WHOLE_PICTURE else self._whole
        self._looked, self._seen = frame.t, grey
        return Look(frame, regions)

    def _small(self, frame: Frame) -> Picture:
        width, height = frame.size
        return frame.luma(GATE_WIDTH, max(1, round(GATE_WIDTH * height / width)))

    def _changed(self, grey: Picture, other: Picture | None) -> Picture | None:
        """Return a mask of the pixels that differ; None if there is nothing to compare with."""
        if other is None or other.shape != grey.shape:
            return None
        return self._where(cv2.absdiff(grey, other))

    def _where(self, unlike: cv2.typing.MatLike) -> Picture:
        """Return a mask of the pixels that differ by more than STEP grey levels, without those to ignore."""
        _, changed = cv2.threshold(unlike, STEP, 255, cv2.THRESH_BINARY)
        if self._counts is not None and self._counts.shape == changed.shape:
            changed = cv2.bitwise_and(changed, self._counts)
        return np.asarray(changed, np.uint8)

    def _moved_from(self, other: Picture | None, grey: Picture, changed: Picture | None) -> bool:
        """Tell whether something at stake has moved by more than half a pixel since `other`: less is trembling.

        A pixel that lies between its old value and halfway to those of its neighbours may be a shifted edge. The others
        are some of those that have `changed`, so that where these are too few nothing else is asked.
        """
        if other is None or changed is None:
            return True
        if not moves(changed):
            return False
        low = cv2.addWeighted(other, 0.5, cv2.erode(other, _AROUND), 0.5, 0)
        high = cv2.addWeighted(other, 0.5, cv2.dilate(other, _AROUND), 0.5, 0)
        beyond = self._where(cv2.add(cv2.subtract(low, grey), cv2.subtract(grey, high)))
        if self._stake is not None and self._stake.shape == beyond.shape:
            beyond = np.asarray(cv2.bitwise_and(beyond, self._stake), np.uint8)
        return moves(beyond)


_AROUND: Final = np.ones((3, 3), np.uint8)


def moves(changed: Picture | None) -> bool:
    """Tell whether a mask of changed pixels shows motion."""
    return changed is None or cv2.countNonZero(changed) >= PIXELS


def looks(frames: Iterable[Frame], gate: MotionGate) -> Iterator[Look]:
    """Yield the looks that the motion gate wants, in order."""
    return (look for frame in frames for look in gate.look(frame))
