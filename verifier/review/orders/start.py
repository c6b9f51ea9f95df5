"""Begins the runner where there is work and none runs: apart from the process that asks, which may end before it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from threading import Thread
from typing import Final

from verifier.review.orders.runner import LEASE
from verifier.review.pipeline.chain import OWN
from verifier.store.home import database_url, home
from verifier.store.night.lease import Lease
from verifier.store.queue import ReviewQueue
from verifier.store.repository import Store

_AGAIN_S: Final = 60.0
"""Seconds that a runner may take until it holds its lease; no second one is begun meanwhile."""
_DETACHED_IN_A_GROUP: Final = 0x00000208
"""Windows: DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP."""
_begun_at = -_AGAIN_S


def ensure_runner(store: Store, chain: str = OWN) -> int | None:
    """Begin a runner where orders are open and none is at work; give its process number, else None."""
    global _begun_at
    if time.monotonic() - _begun_at < _AGAIN_S:
        return None
    if not any(one.state in ("waiting", "running") for one in ReviewQueue(store).open_orders()):
        return None
    if Lease(database_url(), LEASE).held_by() is not None:
        return None
    _begun_at = time.monotonic()
    return begin(chain)


def begin(chain: str = OWN) -> int:
    """Begin a runner in a session of its own: a signal or the end of this process does not reach it."""
    log = home() / "logs" / "runner.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "verifier.review.orders.runner", chain],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            close_fds=True,
            start_new_session=os.name != "nt",
            creationflags=_DETACHED_IN_A_GROUP if os.name == "nt" else 0,
        )
    Thread(target=process.wait, daemon=True).start()  # one that has ended is no zombie, which would seem to work
    return int(process.pid)
