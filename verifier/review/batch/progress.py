"""Shows a night's progress: one line that is renewed on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.status import Status

from verifier.review.batch.tally import Tally

EVERY_S = 60.0


class Progress:
    """Tells on stderr how far the night is; `quiet` tells nothing."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, quiet=quiet)
        self._status: Status | None = None
        self._due = 0.0

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._status = self._console.status("Looking at the recordings")
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, tally: Tally) -> None:
        if self._status is not None:
            self._status.update(progress_line(tally))
        elif time.monotonic() >= self._due:
            self._due = time.monotonic() + EVERY_S
            self._console.print(progress_line(tally), soft_wrap=True)


def progress_line(tally: Tally) -> str:
    """The night in one line."""
    if not tally.planned and not tally.skipped and not tally.stored:
        return f"Looking at {tally.files} recordings"
    parts = [f"{_hours(tally.seen)} of {_hours(tally.planned)} watched"]
    if tally.looked_at < tally.files:
        parts[0] += f" in the first {tally.looked_at} of {tally.files} recordings"
    if tally.before:
        parts.append(f"{_hours(tally.before)} already watched in an earlier run")
    if tally.pace is not None:
        parts.append(f"{tally.pace:.1f} times real time")
    if tally.remaining:
        parts.append(f"about {_span(tally.remaining)} left")
    parts.append(f"{tally.stored} reviews stored, {tally.skipped} made before, {tally.failed} failed")
    return ", ".join(parts)


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


def _span(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
