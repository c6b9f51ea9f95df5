"""Tries one change of one module with its tests, in memory only: what every run of mutations shares."""

from __future__ import annotations

import ast
import contextlib
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, Literal

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
FIXED: Final = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
"""Options of pytest: in this process, the same examples each time."""
Outcome = Literal["killed", "survived", "no test"]
WAITS: Final = 20
"""A process that waits instead of counting is ended after so many times the processor seconds that it may take."""


@dataclass(frozen=True)
class Mutant:
    """One change: `index` counts the places of its file that can be changed, in the order in which they are found."""

    file: str
    index: int
    line: int
    change: str
    source: str


def module_of(file: str) -> str:
    """Return the dotted name of a module by its path from the root."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads one module with its change, all others as they are."""

    def __init__(self, file: str, change: Callable[[ast.Module], ast.Module]) -> None:
        self.module, self.change = module_of(file), change
        super().__init__(self.module, str(ROOT / file))

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.module else None

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        return compile(self.change(tree), self.path, "exec")


def outcome(
    file: str,
    change: Callable[[ast.Module], ast.Module],
    tests: Sequence[str],
    longest_s: float,
    plugins: Sequence[object] = (),
) -> Outcome:
    """Run the tests with the changed module, in a process of its own, which leaves this one as it is.

    A change counts as killed after `longest_s` seconds of a processor: its tests go on for ever. On a busy computer
    tests that are merely slow are not taken for such. "no test": there is none to run, or one is not found.
    """
    if not tests:
        return "no test"
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            resource.setrlimit(resource.RLIMIT_CPU, (round(longest_s), round(longest_s)))
            _run(file, change, tests, plugins)
        os._exit(1)
    began = time.monotonic()
    while time.monotonic() - began < WAITS * longest_s:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
                return "no test"
            return "survived" if code == 0 else "killed"
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "killed"


def _run(
    file: str, change: Callable[[ast.Module], ast.Module], tests: Sequence[str], plugins: Sequence[object]
) -> None:
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    sys.meta_path.insert(0, _Changed(file, change))
    os._exit(int(pytest.main([*FIXED, *tests], list(plugins))))
