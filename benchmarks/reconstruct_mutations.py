"""How many small changes of the reconstruction's thresholds and comparisons its tests notice.

    python benchmarks/reconstruct_mutations.py --map --out out/mutations
    python benchmarks/reconstruct_mutations.py --sample 60 --seed 44 --out out/mutations [--minutes 60] [--again]

A random sample: a parameter (`verifier/reconstruct/parameters/`) is moved by a fifth, up or down; a comparison of the
other modules is turned round (`<` to `>=`, `==` to `!=`). One at a time, in memory only. `--map` runs all files of
`tests/reconstruct` once and keeps which functions each calls and how long it takes; a call without a map makes it
first. The map tells functions by their lines: make it anew when the code has changed. A comparison is tried with every
file that calls its function, a parameter with those that call one that reads it, the quickest first. A change is
killed when a test fails or does not end. `--again` runs only what survived in `--out`.

A change that a test cannot notice, as that of a limit of memory, counts as survived.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache, partial
from math import inf
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest
from mutations import FIXED, ROOT, Mutant, outcome

ROOM = ROOT / "verifier" / "reconstruct"
PARAMETERS = ROOM / "parameters"
TESTS = ROOT / "tests" / "reconstruct"
LONGEST = 900
"""Seconds after which a change counts as killed: its tests go on for ever."""
PART = 0.2
ROUND: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
OF_THE_PAGE = "test_reconstruct_parameters.py"
"""The test that compares the parameters with their page: it would notice every change of one."""


def places(tree: ast.AST, parameters: bool) -> list[tuple[ast.Constant | ast.Compare, str]]:
    """Return what can be changed: the numbers of a module of parameters, the comparisons of another."""
    if parameters:
        numbers = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        return [
            (node, f"{node.value} became {_other(node.value, up)}")
            for node in numbers
            if type(node.value) in (int, float) and node.value
            for up in (True, False)
        ]
    compared = [node for node in ast.walk(tree) if isinstance(node, ast.Compare) and type(node.ops[0]) in ROUND]
    return [(one, f"{type(one.ops[0]).__name__} became {ROUND[type(one.ops[0])].__name__}") for one in compared]


def _other(value: Any, up: bool) -> float:
    if isinstance(value, int):
        return value + (1 if up else -1) * max(1, round(PART * value))
    return float(value * (1 + PART if up else 1 - PART))


def changed(tree: ast.Module, number: int, parameters: bool) -> ast.Module:
    """Return the tree with that place changed."""
    node, change = places(tree, parameters)[number]
    if isinstance(node, ast.Constant):
        node.value = ast.literal_eval(change.split(" became ")[1])
    else:
        node.ops[0] = ROUND[type(node.ops[0])]()
    return ast.fix_missing_locations(tree)


def candidates() -> Iterator[Mutant]:
    """All changes of the room."""
    for file in sorted(ROOM.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        lines, name = source.splitlines(), str(file.relative_to(ROOT))
        for number, (node, change) in enumerate(places(ast.parse(source), file.parent == PARAMETERS)):
            yield Mutant(name, number, node.lineno, change, lines[node.lineno - 1].strip())


# Which code reads what


class Span(NamedTuple):
    """Lines of a file: those of a function, or all of them."""

    file: str
    first: float
    last: float


@cache
def tree_of(file: Path) -> ast.Module:
    """Return a file's syntax tree, read once."""
    return ast.parse(file.read_text(encoding="utf-8"))


def around(file: Path, line: int) -> Span:
    """Return the innermost function round a line, or the whole file."""
    spans = [(0.0, inf)]
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *[one.lineno for one in node.decorator_list]])
            if first <= line <= (node.end_lineno or node.lineno):
                spans.append((first, node.end_lineno or node.lineno))
    return Span(str(file.relative_to(ROOT)), *max(spans))


def named(node: ast.AST) -> str:
    """Return the name that is read there, of a module or as `par.NAME`; else nothing."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "par":
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def made_at(file: Path, line: int) -> set[str]:
    """Return the parameter or class that the statement there makes, and all that are made of it."""
    made: dict[str, set[str]] = {}
    names: set[str] = set()
    for module in PARAMETERS.glob("*.py"):
        for statement in tree_of(module).body:
            targets = [one for one in ast.walk(statement) if isinstance(getattr(one, "ctx", None), ast.Store)]
            told = {getattr(statement, "name", ""), *map(named, targets)} - {""}
            made |= {name: {named(node) for node in ast.walk(statement)} for name in told}
            if module == file and statement.lineno <= line <= (statement.end_lineno or line):
                names |= told
    while more := {name for name, of in made.items() if of & names} - names:
        names |= more
    return names


def readers(names: set[str]) -> set[Span]:
    """Return where the room or its tests read one of these."""
    files = [one for folder in (ROOM, TESTS) for one in folder.rglob("*.py") if one.parent != PARAMETERS]
    found = {
        (file, node.lineno)
        for file in files
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Name | ast.Attribute) and named(node) in names
    }
    return {around(*one) for one in found}


# Which tests call what


class Calls:
    """A plugin that keeps which functions each file of tests calls, as it is imported and as it runs, and its time."""

    def __init__(self) -> None:
        self.codes: dict[str, dict[int, CodeType]] = defaultdict(dict)
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def _watched(self, file: str) -> Iterator[None]:
        codes, began = self.codes[file], time.monotonic()

        def called(frame: FrameType, event: str, _: Any) -> None:
            if event == "call":
                codes[id(frame.f_code)] = frame.f_code

        sys.setprofile(called)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.seconds[file] += time.monotonic() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Watch a module of tests as it is imported."""
        with self._watched(collector.nodeid.split("::")[0]):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Watch one test with its fixtures."""
        with self._watched(item.nodeid.split("::")[0]):
            return (yield)

    def kept(self) -> dict[str, Any]:
        """Each file's seconds, and the first lines of the functions that it calls, by their file."""
        told: dict[str, Any] = {}
        for file, codes in self.codes.items():
            if not file.endswith(".py") or file.endswith(OF_THE_PAGE):
                continue
            lines: dict[str, set[int]] = defaultdict(set)
            for code in codes.values():
                if Path(code.co_filename).is_relative_to(ROOM) or Path(code.co_filename).is_relative_to(TESTS):
                    lines[str(Path(code.co_filename).relative_to(ROOT))].add(code.co_firstlineno)
            called = {name: sorted(first) for name, first in lines.items()}
            told[file] = {"seconds": self.seconds[file], "called": called}
        return told


def mapped(kept: Path) -> int:
    """Run all tests of the room and keep what each file calls; return pytest's exit status."""
    calls = Calls()
    status = pytest.main([*[one for one in FIXED if one != "-x"], str(TESTS)], plugins=[calls])
    kept.write_text(json.dumps(calls.kept(), indent=1))
    return int(status)


def tests_of(mutant: Mutant, calls: dict[str, Any]) -> list[str]:
    """The files of tests that call what the change is in, or what reads it, the quickest first.

    What no function holds runs as its module is imported: all files are tried.
    """
    file = ROOT / mutant.file
    spans = readers(made_at(file, mutant.line)) if file.parent == PARAMETERS else {around(file, mutant.line)}

    def calling(tests: str) -> bool:
        called = calls[tests]["called"]
        return any(
            one.last == inf or any(one.first <= n <= one.last for n in called.get(one.file, [])) for one in spans
        )

    return sorted(filter(calling, calls), key=lambda one: float(calls[one]["seconds"]))


def sampled(number: int, seed: int) -> tuple[list[Mutant], int]:
    """Return a random sample of changes, half of them of parameters, and how many could be made."""
    every = list(candidates())
    of_parameters = [one for one in every if "parameters" in one.file]
    others = [one for one in every if "parameters" not in one.file]
    rng, half = random.Random(seed), number // 2
    wanted = [*rng.sample(of_parameters, half), *rng.sample(others, number - half)]
    rng.shuffle(wanted)
    return wanted, len(every)


def main() -> None:
    """Make the map, or run the sample and print how many changes were killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", action="store_true", help="run all tests of the room once, to know what each calls")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutations")
    parser.add_argument("--again", action="store_true", help="only what survived in --out")
    parser.add_argument("--minutes", type=float, default=60.0)
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(TESTS)]
    asked.out.mkdir(parents=True, exist_ok=True)
    calls_by, kept = asked.out / "calls.json", asked.out / "mutants.json"
    if asked.map:
        raise SystemExit(mapped(calls_by))
    if not calls_by.exists():
        # In a process of its own: what it imports must not be there before a change is.
        subprocess.run([sys.executable, __file__, "--map", "--out", str(asked.out.resolve())], check=True)
    calls, rows = json.loads(calls_by.read_text()), json.loads(kept.read_text()) if kept.exists() else []
    done = {(row["file"], row["change"], row["source"]): row for row in rows}
    wanted, possible = sampled(asked.sample, asked.seed)
    until = time.monotonic() + 60 * asked.minutes
    for mutant in wanted:
        key = (mutant.file, mutant.change, mutant.source)
        before = done.get(key)
        if before is not None and (not asked.again or before["outcome"] == "killed"):
            continue
        if time.monotonic() > until:
            break
        change = partial(changed, number=mutant.index, parameters="parameters" in mutant.file)
        done[key] = {**asdict(mutant), "outcome": outcome(mutant.file, change, tests_of(mutant, calls), LONGEST)}
        kept.write_text(json.dumps(list(done.values()), indent=1))
        print(f"{done[key]['outcome']:9} {mutant.file}:{mutant.line} {mutant.change} | {mutant.source}", flush=True)
    killed = sum(row["outcome"] == "killed" for row in done.values())
    print(f"{killed} of {len(done)} killed, out of {possible} possible changes")


if __name__ == "__main__":
    main()
