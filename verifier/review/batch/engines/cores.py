"""Which cores a worker runs on: its own, so that no two are in each other's way."""

from __future__ import annotations

import fcntl
import os
import socket
from functools import lru_cache
from typing import IO

from verifier.formats.whole import make_folder, make_private
from verifier.store.home import home


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
    folder = home() / "cores" / socket.gethostname()
    make_private(home())
    make_folder(folder)
    for core in sorted(os.sched_getaffinity(0)):
        lock = os.fdopen(os.open(folder / str(core), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "rb+")
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
