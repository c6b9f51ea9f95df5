"""How long each stage of a task took, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Laps:
    """Begins now; `took` is seconds on the wall by stage, in their order."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = now()
        self.took: dict[str, float] = {}

    def end(self, stage: str) -> None:
        """End the stage here; the next one begins."""
        now = self._now()
        self.took[stage] = now - self._since
        self._since = now

    def ending(self, stage: str, call: Callable[[A], B]) -> Callable[[A], B]:
        """`call`, whose first return ends the stage; what it does later belongs to the stages that go on then."""

        def called(value: A) -> B:
            made = call(value)
            if stage not in self.took:
                self.end(stage)
            return made

        return called
