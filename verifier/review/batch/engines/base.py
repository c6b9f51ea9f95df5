"""What the night needs of an engine."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from verifier.review.batch.tasks import Outcome, Task


class Limits(Struct, frozen=True, kw_only=True):
    """What one task may use: bytes of memory, and seconds without a sign of life."""

    memory: int = 3 << 29
    silence: float = 180.0


class Ended(Struct, frozen=True):
    """A task that ended, by the number under which it was given."""

    number: int
    outcome: Outcome


class Engine(Protocol):
    """Runs tasks somewhere. A task whose process dies ends as failed; nothing is run twice by itself."""

    @property
    def slots(self) -> int:
        """How many tasks run at once; may change."""

    def give(self, number: int, task: Task) -> None:
        """Takes a task; there must be a free slot."""

    def wait(self, seconds: float) -> list[Ended]:
        """What ended meanwhile; waits so long for the first."""

    def progress(self) -> dict[int, float]:
        """How far the running tasks are, in seconds of media time, where that is known."""

    def close(self) -> None:
        """Stops everything."""
