"""Gives each worker cores of its own, so that no two workers share one."""

from __future__ import annotations

import socket
from functools import lru_cache
from typing import Final

from filelock import BaseFileLock, FileLock, Timeout
from platformdirs import user_cache_path

from verifier.review.batch.engines.process import hold_to, usable_cores


def cores_of(place: int, workers: int) -> set[int]:
    """Return the cores for one of so many workers: each has its own where there are enough."""
    cores = usable_cores()
    if workers > len(cores):
        return {cores[place % len(cores)]}
    share = len(cores) // workers
    return set(cores[place * share : (place + 1) * share])


@lru_cache(maxsize=1)
def take_core() -> int | None:
    """Hold this process to a core that no other worker of this computer has taken, until it ends.

    None, and nothing is changed, where none is left. For workers that do not know of each other.
    """
    folder = user_cache_path("verifier") / "cores" / socket.gethostname()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for core in usable_cores():
        lock = FileLock(folder / f"{core}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        _held.append(lock)
        hold_to({core})
        return core
    return None


_held: Final[list[BaseFileLock]] = []
"""The lock of the core that this process has taken: the system gives it back when the process ends, however it ends."""
