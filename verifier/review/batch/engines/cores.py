"""Which cores a worker runs on: its own, so that no two are in each other's way."""

from __future__ import annotations

import fcntl
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import IO


def cores_of(place: int, workers: int) -> set[int]:
    """The cores for one of so many workers: each has its own where there are enough."""
    cores = sorted(os.sched_getaffinity(0))
    if workers > len(cores):
        return {cores[place % len(cores)]}
    share = len(cores) // workers
    return set(cores[place * share : (place + 1) * share])


@lru_cache(maxsize=1)
def take_core() -> int | None:
    """Holds this process to a core that no other worker of this computer has taken, until it ends.

    None, and nothing is changed, where none is left. For workers that do not know of each other.
    """
    folder = Path(tempfile.gettempdir()) / f"verifier-cores-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    for core in sorted(os.sched_getaffinity(0)):
        lock = (folder / str(core)).open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        _held.append(lock)
        os.sched_setaffinity(0, {core})
        return core
    return None


_held: list[IO[bytes]] = []
"""The lock of the core that this process has taken: given back when it ends, however it ends."""
