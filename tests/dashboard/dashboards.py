"""Dashboards of the tests in a browser, each in a program of its own that is begun afresh.

Nothing is forked from a program that has loaded the libraries: these begin threads of their own, which a fork loses.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

PATIENCE_S: Final = 60
"""Seconds in which a dashboard ends that is asked to."""


class Dashboards:
    """Begins `verifier` with arguments and the environment of now; what it began is ended by `end`."""

    def __init__(self) -> None:
        self._begun: dict[int, subprocess.Popen[bytes]] = {}

    def close(self) -> None:
        """Kill what nobody ended."""
        for program in self._begun.values():
            program.kill()
            program.wait()

    def begin(self, *arguments: str) -> int:
        """Begin `verifier` with these arguments; give its process."""
        command = [sys.executable, "-c", "from verifier.cli import main; main()", *arguments]
        program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._begun[program.pid] = program
        return program.pid

    def end(self, process: int) -> None:
        """Ask a process to end, and wait until it has. Kill one that does not end, and fail."""
        program = self._begun.pop(process)
        program.terminate()
        try:
            program.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
            raise AssertionError("the dashboard did not end") from None
