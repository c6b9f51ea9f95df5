"""Stretches in which the very same picture comes again and again: the camera or the recorder stands still."""

from __future__ import annotations

from typing import Final

import numpy as np

from verifier.recording.decode import Picture

TICKING_S: Final = 5.0
"""Seconds of one picture that are a freeze where a burned-in clock with seconds is read: it would have ticked."""
SILENT_S: Final = 61.0
"""The same without such a clock: one that shows minutes alone would have changed."""
APART_S: Final = 3.0
"""Seconds between two pictures above which nothing is told of the time between: slow recorders take one a second."""


class Freezes:
    """Follows small grey pictures in order of time; `stretches` are those of one picture, from and to in seconds."""

    def __init__(self) -> None:
        self._kept: list[tuple[float, float]] = []
        self._before: Picture | None = None
        self._since = self._last = 0.0

    def take(self, t: float, grey: Picture) -> None:
        """Take the next picture (h, w) uint8, at `t` seconds."""
        same = self._before is not None and t - self._last <= APART_S and np.array_equal(grey, self._before)
        if not same:
            self._close()
            self._since = t
        self._before, self._last = grey, t

    def _close(self) -> None:
        if self._before is not None and self._last - self._since >= TICKING_S:
            self._kept.append((self._since, self._last))

    def stretches(self, ticking: bool) -> list[tuple[float, float]]:
        """Those that are freezes; `ticking` is whether a burned-in clock with seconds was read."""
        least = TICKING_S if ticking else SILENT_S
        now = [(self._since, self._last)] if self._before is not None else []
        return [(start, end) for start, end in [*self._kept, *now] if end - start >= least]
