"""What runs in a worker process: tasks that come through a pipe, one at a time, within limits."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from typing import Final

from verifier.domain.errors import BadInput
from verifier.review.batch.engines.base import Limits
from verifier.review.batch.engines.process import hold_to, limit_memory, limit_threads, return_memory
from verifier.review.batch.tasks import Failed, Outcome, Setup, Task, perform
from verifier.review.pipeline.chain import load_chain

BEAT_S: Final = 0.5
"""Seconds between two signs of life."""

RESERVED: Final = 4
"""Times the memory in use that a process may reserve: models reserve more than they touch. What it has in use is
watched from outside; this stops a single request that is far too large."""
ONE_CHIP_GROUP: Final = {"MALLOC_ARENA_MAX": "1"}
"""Environment of a worker: glibc would give each thread a heap of its own, and gives back only the first one's end."""
IDLE_S: Final = 1.0
"""Seconds after which an idle worker looks whether the night that began it is still there."""

Message = tuple[str, float | Outcome]
"""("beat", seconds of media time done) or ("ended", the outcome)."""


def serve(pipe: Connection, setup: Setup, limits: Limits, cores: set[int]) -> None:
    """Perform the tasks that come through `pipe` until None comes or the process that began this one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _confine(limits, cores)
    beat = _Beat(pipe)
    with contextlib.suppress(BadInput):  # the first task tells it
        load_chain(setup.chain)
    beat(0.0)  # from now on silence counts
    while True:
        try:
            while not pipe.poll(IDLE_S):
                beat.check()
            task: Task | None = pipe.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        outcome = perform(setup, task, beat)
        return_memory()
        beat.check()
        pipe.send(("ended", outcome))
        if isinstance(outcome, Failed) and outcome.kind == "memory":
            return  # what it holds may be in the way of the next task


def _confine(limits: Limits, cores: set[int]) -> None:
    """Set the limits of this process, and the cores it runs on."""
    limit_memory(RESERVED * limits.memory)
    if cores:
        hold_to(cores)
    limit_threads(len(cores))


class _Beat:
    """Says now and then how far a task is; ends this process where the night that began it has ended."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._last = pipe, 0.0
        self._parent = multiprocessing.parent_process()

    def __call__(self, done: float) -> None:
        self.check()
        now = time.monotonic()
        if now - self._last >= BEAT_S:
            self._last = now
            self._pipe.send(("beat", done))

    def check(self) -> None:
        """End this process where nobody waits for it any more: another night may be at the same work."""
        if self._parent is not None and not self._parent.is_alive():
            os._exit(1)
