"""How many small changes of the reconstruction's thresholds and comparisons its tests notice.

    python benchmarks/reconstruct_mutations.py --map --out out/mutations
    python benchmarks/reconstruct_mutations.py --sample 60 --seed 44 --out out/mutations [--minutes 60] [--again]

A random sample: a parameter (`verifier/reconstruct/parameters/`) is moved by a fifth, up or down; a comparison of the
other modules is turned round (`<` to `>=`, `==` to `!=`). One at a time, in memory only. `--map` runs all files of
`tests/reconstruct` once and keeps which parameters each reads; a parameter is tried with the files that read it, a
comparison with those that read a parameter of its function (of its module where the function has none), the shortest
first. Without a map, with the files that import the module (of a parameter: one that reads it), or a module that
imports it: quicker, and some changes count as survived that a test of whole rounds would notice. A change is killed
when a test fails or does not end. `--again` runs only what survived in `--out`.

A change that a test cannot notice, as that of a limit of memory, counts as survived.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mutations import FIXED, ROOT, Mutant, module_of, outcome

ROOM = ROOT / "verifier" / "reconstruct"
TESTS = ROOT / "tests" / "reconstruct"
LONGEST = 900
"""Seconds after which a change counts as killed: its tests go on for ever."""
PART = 0.2
ROUND: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
OF_THE_PAGE = "test_reconstruct_parameters.py"
"""The test that compares the parameters with their page: it would notice every change of one."""


@dataclass(frozen=True)
class ReadingMutant(Mutant):
    """A change of a constant or comparison, counted in the order of `ast.walk`."""

    reads: tuple[str, ...]
    """Parameters that tell which tests it is tried with."""


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


def candidates() -> Iterator[ReadingMutant]:
    """All changes of the room."""
    for file in sorted(ROOM.rglob("*.py")):
        source, parameters = file.read_text(encoding="utf-8"), file.parent.name == "parameters"
        lines, tree = source.splitlines(), ast.parse(source)
        spans = _spans(tree, parameters)
        for number, (node, change) in enumerate(places(tree, parameters)):
            inner = [reads for first, last, reads in spans if first <= node.lineno <= last and reads]
            every = sorted(set(re.findall(r"\bpar\.(\w+)", source)))
            reads = tuple(inner[-1] if inner else every)
            yield ReadingMutant(
                str(file.relative_to(ROOT)), number, node.lineno, change, lines[node.lineno - 1].strip(), reads
            )


def _spans(tree: ast.Module, parameters: bool) -> list[tuple[int, int, list[str]]]:
    """First and last line of each function with the parameters that it reads, or of each statement with its names."""
    spans = []
    for node in ast.walk(tree):
        if parameters and isinstance(node, ast.Assign):
            names = [name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)]
        elif not parameters and isinstance(node, ast.FunctionDef):
            names = re.findall(r"\bpar\.(\w+)", ast.unparse(node))
        else:
            continue
        spans.append((node.lineno, node.end_lineno or node.lineno, names))
    return spans


# Which tests read which parameters


class Reading:
    """A plugin that keeps, for each file of tests, the parameters that are read while its tests run."""

    def __init__(self) -> None:
        self.by_file: dict[str, set[str]] = defaultdict(set)
        self.file = ""

    @pytest.hookimpl
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.file = nodeid.split("::")[0]

    def watch(self) -> None:
        """From now on what is read is kept."""
        par: ModuleType = importlib.import_module("verifier.reconstruct.parameters")
        reading = self

        class Watched(ModuleType):
            def __getattribute__(self, name: str) -> Any:
                if name.isupper():
                    reading.by_file[reading.file].add(name)
                return super().__getattribute__(name)

        par.__class__ = Watched


def mapped(kept: Path) -> int:
    """Run all tests of the room and keep which files each test reads; return pytest's exit status."""
    reading = Reading()
    reading.watch()
    status = pytest.main([*[one for one in FIXED if one != "-x"], str(TESTS)], plugins=[reading])
    kept.write_text(json.dumps({file: sorted(names) for file, names in reading.by_file.items() if file}, indent=1))
    return int(status)


def tests_of(mutant: ReadingMutant, read: dict[str, list[str]]) -> list[str]:
    """The files of tests that read what tells of the change, the shortest first."""
    files = [file for file, names in read.items() if set(names) & set(mutant.reads) and not file.endswith(OF_THE_PAGE)]
    return sorted(files, key=lambda file: (ROOT / file).stat().st_size)


class Importing:
    """Which files of tests import what: what stands for the map where there is none."""

    def __init__(self) -> None:
        sources = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in sorted(ROOM.rglob("*.py"))}
        self.modules = {module_of(file): text for file, text in sources.items()}
        self.tests = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in TESTS.glob("test_*.py")}

    def of(self, mutant: ReadingMutant) -> list[str]:
        """Return the test files that import the module, or one that imports it, the shortest first."""
        own = {module_of(mutant.file)}
        if "parameters" in mutant.file:
            reads = [re.compile(rf"\bpar\.{name}\b") for name in mutant.reads]
            own = {module for module, text in self.modules.items() if any(one.search(text) for one in reads)}
        files: list[str] = []
        for _ in range(2):
            files = [file for file, text in self.tests.items() if any(f"from {one} import" in text for one in own)]
            if files:
                break
            own = {one for one, text in self.modules.items() if any(f"from {other} import" in text for other in own)}
        return sorted((one for one in files if not one.endswith(OF_THE_PAGE)), key=lambda one: len(self.tests[one]))


def main() -> None:
    """Make the map, or run the sample and print how many changes were killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", action="store_true", help="run all tests of the room once, to know what each reads")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutations")
    parser.add_argument("--again", action="store_true", help="only what survived in --out")
    parser.add_argument("--minutes", type=float, default=60.0)
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(TESTS)]
    asked.out.mkdir(parents=True, exist_ok=True)
    read_by, kept = asked.out / "reads.json", asked.out / "mutants.json"
    if asked.map:
        raise SystemExit(mapped(read_by))
    read = json.loads(read_by.read_text()) if read_by.exists() else None
    importing = Importing()
    every, rows = list(candidates()), json.loads(kept.read_text()) if kept.exists() else []
    of_parameters = [one for one in every if "parameters" in one.file]
    others = [one for one in every if "parameters" not in one.file]
    rng, half = random.Random(asked.seed), asked.sample // 2
    wanted = [*rng.sample(of_parameters, half), *rng.sample(others, asked.sample - half)]
    rng.shuffle(wanted)
    done = {(row["file"], row["change"], row["source"]): row for row in rows}
    until = time.monotonic() + 60 * asked.minutes
    for mutant in wanted:
        key = (mutant.file, mutant.change, mutant.source)
        before = done.get(key)
        if before is not None and (not asked.again or before["outcome"] == "killed"):
            continue
        if time.monotonic() > until:
            break
        tests = tests_of(mutant, read) if read is not None else importing.of(mutant)
        change = partial(changed, number=mutant.index, parameters="parameters" in mutant.file)
        done[key] = {**asdict(mutant), "outcome": outcome(mutant.file, change, tests, LONGEST)}
        kept.write_text(json.dumps(list(done.values()), indent=1))
        print(f"{done[key]['outcome']:9} {mutant.file}:{mutant.line} {mutant.change} | {mutant.source}", flush=True)
    killed = sum(row["outcome"] == "killed" for row in done.values())
    print(f"{killed} of {len(done)} killed, out of {len(every)} possible changes")


if __name__ == "__main__":
    main()
