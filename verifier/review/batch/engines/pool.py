"""A pool of processes on this computer that survives the death of any of them, and ends those that hang or swell."""

from __future__ import annotations

import multiprocessing
import os
import time
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from msgspec import Struct

from verifier.review.batch.engines.base import Ended, Limits
from verifier.review.batch.engines.cores import cores_of
from verifier.review.batch.engines.process import resident_bytes, usable_cores
from verifier.review.batch.engines.worker import ONE_CHIP_GROUP, serve
from verifier.review.batch.tasks import Failed, Kind, Setup, Task

START_S: Final = 180.0
"""Seconds that a new worker may take before its first sign of life: it loads libraries, on a computer that is busy."""


class _Worker(Struct):
    """A process, our end of its pipe, and what it is at."""

    process: BaseProcess
    pipe: Connection
    number: int | None = None
    heard: float = 0.0
    done: float = 0.0
    allowed: float = 0.0
    ready: bool = False


class Pool:
    """So many workers, each begun afresh: libraries with threads of their own must not be forked."""

    METHOD: Final = "spawn"
    """How `multiprocessing` begins a worker."""

    def __init__(self, setup: Setup, workers: int, limits: Limits) -> None:
        self._context = multiprocessing.get_context(self.METHOD)
        os.environ.update(ONE_CHIP_GROUP)
        self._setup, self._limits = setup, limits
        self.slots = workers
        self._workers = [self._begin(place) for place in range(workers)]

    def give(self, number: int, task: Task) -> None:
        """Give a task to a free worker."""
        place = next(i for i, worker in enumerate(self._workers) if worker.number is None)
        worker = self._workers[place]
        try:
            worker.pipe.send(task)
        except OSError:  # it died while it was idle
            worker = self._workers[place] = self._begin(place)
            worker.pipe.send(task)
        worker.number, worker.heard, worker.done = number, time.monotonic(), 0.0
        worker.allowed = self._limits.silence_of(task)

    def wait(self, seconds: float) -> list[Ended]:
        """Return what ended meanwhile; end workers that hang or use too much memory."""
        busy = {worker.pipe: place for place, worker in enumerate(self._workers) if worker.number is not None}
        if not busy:
            time.sleep(seconds)
            return []
        told = wait(list(busy), seconds)
        ended = [self._hear(place) for pipe, place in busy.items() if pipe in told]
        ended += [self._watch_over(place) for place in busy.values()]
        return [one for one in ended if one is not None]

    def progress(self) -> dict[int, float]:
        """Seconds of media time that the running tasks have done."""
        return {worker.number: worker.done for worker in self._workers if worker.number is not None}

    def close(self) -> None:
        """End all workers; what they were at is lost."""
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()
        self.slots = 0

    def _begin(self, place: int) -> _Worker:
        ours, theirs = self._context.Pipe()
        arguments = (theirs, self._setup, self._limits, cores_of(place, self.slots))
        process = self._context.Process(target=serve, args=arguments, name=f"watch-{place}", daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _hear(self, place: int) -> Ended | None:
        worker = self._workers[place]
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, OSError):
            return self._bury(place, "killed", "its process was killed")
        worker.heard, worker.ready = time.monotonic(), True
        if kind == "beat":
            worker.done = value
            return None
        number, worker.number = worker.number, None
        if isinstance(value, Failed) and value.kind == "memory":
            self._renew(place)  # it ends by itself, and must get no task any more
        return None if number is None else Ended(number, value)

    def _watch_over(self, place: int) -> Ended | None:
        worker = self._workers[place]
        if worker.number is None:
            return None
        silence = self._silence_of(worker)
        if silence > (worker.allowed if worker.ready else max(worker.allowed, START_S)):
            return self._bury(place, "hung", f"no sign of life for {silence:.0f} s")
        if resident_bytes(worker.process.pid) > self._limits.memory:
            return self._bury(place, "memory", f"more than {self._limits.memory >> 20} MiB of memory")
        return None

    def _silence_of(self, worker: _Worker) -> float:
        """Seconds for which a busy worker has said nothing."""
        return time.monotonic() - worker.heard

    def _bury(self, place: int, kind: Kind, cause: str) -> Ended | None:
        """End a worker, put another in its place, and return its task as failed."""
        worker = self._renew(place)
        return None if worker.number is None else Ended(worker.number, Failed(kind=kind, cause=cause))

    def _renew(self, place: int) -> _Worker:
        """Put another worker in a place; return the one that was there, ended."""
        worker = self._workers[place]
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self._workers[place] = self._begin(place)
        return worker


def usual_workers() -> int:
    """One worker for each core."""
    return len(usable_cores())
