"""What the night needs of an engine."""

from __future__ import annotations

from typing import Final, Protocol

from msgspec import Struct

from verifier.domain.names import path_of
from verifier.review.batch.tasks import Conclude, Examine, Outcome, Task

SLOWEST: Final = 5e6
"""Bytes a second at which even a slow share is read."""
CONCLUDING: Final = 20.0
"""Concluding a review may be silent for so many times the usual limit."""


class Limits(Struct, frozen=True, kw_only=True):
    """What one task may use: bytes of memory, and seconds without a sign of life."""

    memory: int = 3 << 29
    silence: float = 180.0

    def silence_of(self, task: Task) -> float:
        """Seconds for which this task may be silent: at first it reads a whole file; the law judges a log at once."""
        if isinstance(task, Examine):
            return self.silence + _bytes(task.source.path) / SLOWEST
        return self.silence * (CONCLUDING if isinstance(task, Conclude) else 1.0)


class Ended(Struct, frozen=True):
    """A task that ended, by the number under which it was given."""

    number: int
    outcome: Outcome


def _bytes(path: str) -> int:
    try:
        return path_of(path).stat().st_size
    except OSError:
        return 0


class Engine(Protocol):
    """Runs tasks somewhere. A task whose process dies ends as failed; nothing is run twice by itself."""

    @property
    def slots(self) -> int:
        """How many tasks run at once; may change."""

    def give(self, number: int, task: Task) -> None:
        """Take a task; there must be a free slot."""

    def wait(self, seconds: float) -> list[Ended]:
        """Return what ended meanwhile; wait up to `seconds` for the first."""

    def progress(self) -> dict[int, float]:
        """How far the running tasks are, in seconds of media time, where that is known."""

    def close(self) -> None:
        """Stop everything."""
