"""Counts a night's work while it goes on, and says how long the rest will take."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Final

WINDOW_S: Final = 600.0
"""Seconds of work from which the pace is taken: a true remaining time follows what the night does now."""


class Tally:
    """Seconds of recordings planned and done, jobs by how they ended, and processor time by stage."""

    def __init__(self, files: int, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._points: deque[tuple[float, float]] = deque([(now(), 0.0)])
        self._running = 0.0
        self.began = now()
        self.files = files
        self.looked_at = 0
        self.planned = self.done = self.before = self.known = 0.0
        self.stored = self.skipped = self.failed = 0
        self.failures: Counter[str] = Counter()
        self.took: defaultdict[str, float] = defaultdict(float)

    def plan(self, seconds: float) -> None:
        """So much is to be watched."""
        self.planned += seconds

    def resumed(self, seconds: float) -> None:
        """So much was watched in an earlier run."""
        self.before += seconds

    def skip(self, seconds: float) -> None:
        """So much was reviewed before."""
        self.known += seconds

    def watched(self, seconds: float) -> None:
        """A segment of so many seconds is done."""
        self.done += seconds

    def spent(self, took: Mapping[str, float]) -> None:
        """Workers spent so many seconds on the wall on these stages."""
        for stage, seconds in took.items():
            self.took[stage] += seconds

    def progress(self, running: Mapping[int, float]) -> None:
        """How far the running tasks are; remembers the pace."""
        self._running = sum(running.values())
        now = self._now()
        if now - self._points[-1][0] >= 1.0:
            self._points.append((now, self.done + self._running))
        while len(self._points) > 2 and now - self._points[0][0] > WINDOW_S:
            self._points.popleft()

    @property
    def pace(self) -> float | None:
        """Seconds of recording for a second on the wall, lately; None while that is not known."""
        (then, done), (now, more) = self._points[0], self._points[-1]
        return (more - done) / (now - then) if now - then >= 3.0 and more > done else None

    @property
    def remaining(self) -> float | None:
        """Seconds on the wall until all has been watched; a file not yet looked at counts as those that were."""
        pace = self.pace
        ahead = self.planned / self.looked_at * (self.files - self.looked_at) if self.looked_at else 0.0
        left = max(0.0, self.planned - self.seen) + ahead
        return None if pace is None else left / pace

    @property
    def seen(self) -> float:
        """Seconds of recordings watched, those of running segments included."""
        return self.done + self._running

    @property
    def seconds(self) -> float:
        """Seconds on the wall since the beginning."""
        return self._now() - self.began
