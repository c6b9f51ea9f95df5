"""Worker processes of training end with what began them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.train.workers import worker_pool

SCRIPT = """
import sys, time
from verifier.train.workers import worker_pool

def begin(path):
    import os
    open(path, "w").write(str(os.getpid()))

if __name__ == "__main__":
    with worker_pool(1, begin, sys.argv[1]) as pool:
        pool.submit(time.sleep, 120).result()
"""
PATIENCE_S = 60.0


def test_workers_begin_once_and_do_the_tasks_in_order() -> None:
    with worker_pool(1) as pool:
        assert list(pool.map(abs, [-1, 2, -3])) == [1, 2, 3]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_worker_amid_a_task_ends_when_what_began_it_is_killed(tmp_path: Path) -> None:
    script, told = tmp_path / "script.py", tmp_path / "pid"
    script.write_text(SCRIPT)
    parent = subprocess.Popen([sys.executable, str(script), str(told)])
    try:
        assert _within(lambda: told.exists() and told.read_text() != "")
    finally:
        parent.kill()
        parent.wait()
    worker = int(told.read_text())
    assert _within(lambda: not _alive(worker))


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().split()[2] if Path("/proc").is_dir() else True


def _within(holds: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
    """Whether something comes to hold before the patience ends."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False
