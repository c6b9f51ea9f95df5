"""A program that has loaded what the dashboard rests on once, and begins each dashboard in a process of its own.

Loading takes seconds that each of the tests in a browser would spend again. Each dashboard has the environment of its
test, and shares no state with another: what was loaded is all that they have in common.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Final

PATIENCE_S: Final = 60
"""Seconds in which a dashboard ends that is asked to."""

_PROGRAM: Final = """
import json, os, signal, sys, threading, time
import streamlit.web.bootstrap, streamlit.web.cli, streamlit.testing.v1, uvicorn
import verifier.dashboard.web.server, verifier.review.orders.start
from verifier.cli import main
from verifier.dashboard.web import warm

warm.load()
assert threading.active_count() == 1, "a thread is lost where the process is forked"

def serve(asked):
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["verifier", *asked["arguments"]]
    main()

def ended(process, until):
    while not (done := os.waitpid(process, os.WNOHANG))[0]:
        if time.monotonic() > until:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.02)
    return os.waitstatus_to_exitcode(done[1])

for line in sys.stdin:
    asked = json.loads(line)
    if "ended" in asked:
        print(ended(asked["ended"], time.monotonic() + asked["patience"]), flush=True)
        continue
    child = os.fork()
    if not child:
        code = 1
        try:
            serve(asked)
        except SystemExit as end:
            code = end.code or 0
        finally:
            os._exit(code)
    print(child, flush=True)
"""


class WarmServer:
    """The program. A dashboard that it begins is ended by `end`."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _PROGRAM]
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        """Ends the program."""
        self._program.communicate()

    def begin(self, *arguments: str) -> int:
        """Begins `verifier` with these arguments and the environment of now; gives its process."""
        return self._asked({"arguments": arguments, "environment": dict(os.environ)})

    def end(self, process: int) -> None:
        """Asks a process to end, and waits until it has. Kills one that does not end, and fails."""
        os.kill(process, signal.SIGTERM)
        code = self._asked({"ended": process, "patience": PATIENCE_S})
        assert code != -signal.SIGKILL, "the dashboard did not end"

    def _asked(self, what: dict[str, object]) -> int:
        assert self._program.stdin is not None and self._program.stdout is not None
        self._program.stdin.write(f"{json.dumps(what)}\n")
        self._program.stdin.flush()
        return int(self._program.stdout.readline())
