"""Runs tests again and again with one function changed, in forks of a process that has loaded and collected them once.

`Warm` is a plugin of pytest. It loads the modules of one folder with a probe before each statement, collects the tests,
and runs them all once in a fork: that tells which tests execute which statement, and that all of them pass. From then
on each change runs in a fork of its own, with those tests that execute the changed statement, until the first fails.
In a fork the code of the functions of one module is exchanged; whoever imported such a function has the changed one.

What ran while the modules were loaded or the tests collected stands in tables and constants already, so that no
exchange of code would change it. `warm` is false for such a statement: it needs a fresh process.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import importlib
import importlib.machinery
import importlib.util
import itertools
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

PROBE: Final = "__probe__"
GREEN: Final = 0
RED: Final = 1
OPTIONS: Final = ("-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--assert=plain", "--tb=no")
WAITS: Final = 20
"""A change whose tests wait instead of counting is ended after so many times the processor seconds that it may take."""
SLOW: Final = 0.7
"""Processor seconds beyond which a test runs after all others."""
MEMORY: Final = 6 << 30
"""Bytes of address space after which a change that piles up values ends with an error."""


@dataclass(frozen=True)
class Ended:
    """How a run ended: `killed`, `survived` or `endless`, the test that failed, and the tests that ran."""

    outcome: str
    by: str = ""
    tests: int = 0


@dataclass
class Map:
    """Which tests execute which statement (file and line), and what each test takes in processor seconds."""

    seconds: dict[str, float] = field(default_factory=dict)
    """By test, in the order of their numbers."""
    tests: dict[str, int] = field(default_factory=dict)
    """By statement the tests that execute it: a bit each, by their number."""
    early: set[str] = field(default_factory=set)
    """Statements that ran while the modules were loaded or the tests collected."""

    def write(self, path: Path) -> None:
        bits = {statement: hex(tests) for statement, tests in self.tests.items()}
        path.write_text(json.dumps({"seconds": self.seconds, "tests": bits, "early": sorted(self.early)}))

    @classmethod
    def read(cls, path: Path) -> Map:
        told = json.loads(path.read_text())
        return cls(told["seconds"], {one: int(bits, 16) for one, bits in told["tests"].items()}, set(told["early"]))

    def of(self, *statements: str) -> list[str]:
        """Return the tests that execute one of the statements of a file, in the order of `ordered`."""
        bits = 0
        for statement in statements:
            bits |= self.tests.get(statement, 0)
        return self.ordered(_numbers(bits), statements[0].rpartition(":")[0] if statements else "")

    def ordered(self, tests: Iterable[int], file: str) -> list[str]:
        """Order tests by how much they are about a file, for their time: statements that few tests execute tell it."""
        about: dict[int, float] = defaultdict(float)
        for statement, bits in self.tests.items():
            if bits and statement.startswith(f"{file}:"):
                for number in _numbers(bits):
                    about[number] += 1 / bits.bit_count()
        names, times = list(self.seconds), list(self.seconds.values())
        ranked = sorted(tests, key=lambda n: (times[n] > SLOW, -about[n] / (times[n] + 0.02)))
        return [names[number] for number in ranked]

    def without(self, gone: Set[str]) -> Map:
        """Return the map without tests that are gone: no statement is executed by them; they keep their numbers."""
        kept = sum(1 << number for number, test in enumerate(self.seconds) if test not in gone)
        return Map(self.seconds, {statement: bits & kept for statement, bits in self.tests.items()}, self.early)


# Probes


def _numbers(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


class _Probes(ast.NodeTransformer):
    """Puts a probe before each statement, which tells that it is executed."""

    def __init__(self, file: str) -> None:
        self.file = file

    def visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list) and statements:
                setattr(node, name, list(self._with_probes(statements)))
        return node

    def _with_probes(self, statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        for statement in statements:
            early = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            told = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not early and not told and isinstance(statement, ast.stmt):
                probe = ast.parse(f"{PROBE}({f'{self.file}:{statement.lineno}'!r})").body[0]
                yield ast.fix_missing_locations(_at(probe, statement))
            yield statement


def _at(node: ast.stmt, place: ast.stmt) -> ast.stmt:
    for inner in ast.walk(node):
        ast.copy_location(inner, place)
    return node


def statements(tree: ast.Module) -> dict[ast.AST, int]:
    """Return for each node the line of the innermost statement that it lies in: what a probe of it is named by."""
    found: dict[ast.AST, int] = {}

    def walk(node: ast.AST, line: int) -> None:
        if isinstance(node, ast.stmt):
            line = node.lineno
        found[node] = line
        for inner in ast.iter_child_nodes(node):
            walk(inner, line)

    walk(tree, 0)
    return found


class _Probed(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_text(encoding="utf-8")
        tree = _Probes(str(Path(self.path).relative_to(Path.cwd()))).visit(ast.parse(source))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class _Finder:
    """Finds the modules of the probed package."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.package and not name.startswith(f"{self.package}."):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.origin is None:
            return spec
        places = spec.submodule_search_locations
        loader = _Probed(name, spec.origin)
        return importlib.util.spec_from_file_location(
            name, spec.origin, loader=loader, submodule_search_locations=places
        )


# The warm process


class Warm:
    """The plugin: `job` is called once the tests are collected, and runs changes with `try_change`.

    `package` is the dotted name of the package that is changed, `tests` the folder of its tests, `left_out` are options
    of pytest that leave tests out. The working directory is the root of the repository.
    """

    def __init__(self, package: str, tests: Path, left_out: Sequence[str], job: Callable[[Warm], None]) -> None:
        self.package, self.folder = package, Path.cwd() / package.replace(".", "/")
        self.tests, self.left_out, self.job = tests, left_out, job
        self.seen: set[str] = set()
        self.map = Map()
        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[str, list[FunctionType]] = {}
        self.failed: str = ""

    def begin(self) -> int:
        """Load the modules with their probes. Return pytest's exit code of what follows."""
        setattr(builtins, PROBE, self.seen.add)
        sys.meta_path.insert(0, _Finder(self.package))
        return int(pytest.main([*OPTIONS, *self.left_out, str(self.tests)], [self]))

    def pytest_configure(self) -> None:
        steady()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        assert not session.testsfailed, "a test file cannot be loaded"
        self.items = {item.nodeid: item for item in session.items}
        for file in sorted(self.folder.rglob("*.py")):
            name = str(file.relative_to(Path.cwd())).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            importlib.import_module(name)
        self.map.early = set(self.seen)
        self.functions = self._functions()
        session.config.pluginmanager.unregister(name="terminalreporter")
        try:
            self.job(self)
        except SystemExit as ended:
            print(ended, file=sys.stderr)
            os._exit(RED)
        except BaseException:
            traceback.print_exc()
            raise
        sys.stdout.flush()
        os._exit(GREEN)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def make_map(self, path: Path, known: Map | None = None) -> None:
        """Run all tests once, in a fork: which statements each executes; of a map that is `known` only those that it
        lacks. Raises SystemExit where a test fails.
        """

        def run() -> int:
            found, slow = Map(known.seconds if known else {}, early=self.map.early), _caches(self.package)
            tests: dict[str, int] = defaultdict(int, known.tests if known else {})
            shared: dict[object, set[str]] = defaultdict(set)
            order = [item for name, item in self.items.items() if name not in found.seconds]
            first = len(found.seconds)
            for number, (item, after) in enumerate(itertools.pairwise([*order, None]), first):
                self.seen.clear()
                for one in slow:
                    one.cache_clear()
                began = time.process_time()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
                found.seconds[item.nodeid] = round(time.process_time() - began, 4)
                if (key := _shared_fixtures(item)) is not None:
                    shared[key] |= self.seen
                for statement in self.seen:
                    tests[statement] |= 1 << number
                if self.failed:
                    print(f"without any change this test fails: {self.failed}", file=sys.stderr)
                    return RED
            for number, item in enumerate(order, first):
                for statement in shared.get(_shared_fixtures(item), ()):
                    tests[statement] |= 1 << number
            found.tests = dict(tests)
            found.write(path)
            return GREEN

        if _forked(run, None) != GREEN:
            raise SystemExit("the tests are not green without any change, or the map could not be made")
        self.map = Map.read(path)

    def plain(self) -> None:
        """Take the probes out of all functions: from now on the code is that of the files."""
        for file in self.functions:
            self.exchange(file, ast.parse(Path(file).read_text(encoding="utf-8")))

    def exchange(self, file: str, tree: ast.Module) -> None:
        """Give the functions of a module the code that they have in the tree."""
        path = str(Path.cwd() / file)
        codes = dict(_named(compile(ast.fix_missing_locations(tree), path, "exec")))
        for function in self.functions.get(file, ()):
            function.__code__ = codes[_key(function.__code__)]

    def try_change(self, file: str, tree: ast.Module, tests: Sequence[str], longest_s: float) -> Ended:
        """Run tests in a fork with the functions of a module as in the tree, until the first fails."""
        if not tests:
            return Ended("survived")
        reader, writer = os.pipe()

        def run() -> int:
            os.close(reader)
            resource.setrlimit(resource.RLIMIT_CPU, (round(longest_s), round(longest_s) + 5))
            signal.alarm(round(WAITS * longest_s))
            self.exchange(file, tree)
            order = [self.items[test] for test in tests]
            for item, after in itertools.pairwise([*order, None]):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
                if self.failed:
                    os.write(writer, self.failed.encode())
                    return RED
            return GREEN

        code = _forked(run, writer)
        with os.fdopen(reader) as told:
            by = told.read()
        if code == RED and not by:
            raise SystemExit(f"a change of {file} could not be tried: see the error above")
        return Ended("survived" if code == GREEN else "killed" if by else "endless", by, len(tests))

    def _functions(self) -> dict[str, list[FunctionType]]:
        """Return the functions of the folder by file."""
        found: dict[str, list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and (path := Path(one.__code__.co_filename)).is_relative_to(self.folder):
                found[str(path.relative_to(Path.cwd()))].append(one)
        return found


def steady() -> None:
    """Make Hypothesis give the same examples each time, however busy the computer is; nothing is kept of failures."""
    settings.register_profile("steady", database=None, deadline=None, suppress_health_check=list(HealthCheck))
    settings.load_profile("steady")


def _caches(package: str) -> list[Any]:
    """Return the caches of the package's functions that nothing has filled yet: a test that finds one filled by
    another does not execute what filled it.
    """
    caches = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    own = [one for one in caches if getattr(one, "__module__", "").startswith(package)]
    return [one for one in own if not one.cache_info().currsize]


def _shared_fixtures(item: pytest.Item) -> object:
    """Return what tests have in common that share a fixture of their module; None where a test has none."""
    names: dict[str, Any] = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009
    shared = [name for name, defs in names.items() if defs[-1].scope == "module"]
    return (item.path, *sorted(shared)) if shared else None


def _key(code: CodeType) -> tuple[object, ...]:
    """Name a function within its file: lambdas of a line differ in where they end."""
    ends = [(line, column) for _, line, _, column in code.co_positions() if line is not None and column is not None]
    return code.co_qualname, code.co_firstlineno, max(ends) if code.co_name == "<lambda>" else None


def _named(code: CodeType) -> Iterator[tuple[tuple[object, ...], CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield _key(inner), inner
            yield from _named(inner)


def in_fork(run: Callable[[], int]) -> int:
    """Run something in a fork that writes where this process writes; return its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = RED
        try:
            code = run()
        finally:
            sys.stdout.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _forked(run: Callable[[], int], writer: int | None) -> int:
    """Run something in a fork; return its exit code, negative where a signal ended it."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = RED
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), 1)
            code = run()
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(code)
    if writer is not None:
        os.close(writer)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
