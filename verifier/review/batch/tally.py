"""Counts a night's work while it goes on, and says how long the rest will take."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from verifier.review.batch.steps import Place
from verifier.review.order_values import OrderProgress

WINDOW_S: Final = 600.0
"""Seconds of work from which the pace is taken: a true remaining time follows what the night does now."""


NOWHERE: Final[Place] = (None, None)
"""The table of recordings of which no table is known."""


@dataclass(slots=True)
class AtTable:
    """Seconds of one table's recordings: to be watched, watched, and watched of the segments under way."""

    planned: float = 0.0
    done: float = 0.0
    running: float = 0.0


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
        self.tables: defaultdict[Place, AtTable] = defaultdict(AtTable)

    def plan(self, seconds: float, place: Place = NOWHERE) -> None:
        """So much is to be watched of a table."""
        self.planned += seconds
        self.tables[place].planned += seconds

    def resumed(self, seconds: float) -> None:
        """So much was watched in an earlier run."""
        self.before += seconds

    def skip(self, seconds: float) -> None:
        """So much was reviewed before."""
        self.known += seconds

    def watched(self, seconds: float, place: Place = NOWHERE) -> None:
        """Count a segment of so many seconds of a table as done."""
        self.done += seconds
        self.tables[place].done += seconds

    def spent(self, took: Mapping[str, float]) -> None:
        """Workers spent so many seconds on the wall on these stages."""
        for stage, seconds in took.items():
            self.took[stage] += seconds

    def progress(self, running: Mapping[int, float], places: Mapping[int, Place] | None = None) -> None:
        """Seconds that the running tasks have watched, by their numbers, and at which tables; remembers the pace."""
        self._running = sum(running.values())
        for table in self.tables.values():
            table.running = 0.0
        for number, seconds in running.items():
            self.tables[(places or {}).get(number, NOWHERE)].running += seconds
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


def under_way(tally: Tally) -> OrderProgress:
    """Return the progress that a night's tally tells."""
    whole = tally.planned + tally.before
    stage = "Looking at the recording" if not whole else "Watching"
    if whole and tally.seen >= tally.planned:
        stage = "Reconstructing, judging and cutting clips"
    return OrderProgress(
        stage=stage,
        seen=round(tally.seen + tally.before, 1),
        planned=round(whole, 1),
        pace=round(tally.pace, 2) if tally.pace else None,
        left=round(tally.remaining, 1) if tally.remaining else None,
    )
