"""How many small changes of the law room its tests notice.

    python benchmarks/law_mutations.py --sample 150 --seed 43 --out out/mutations

A random sample of comparisons, boolean operators, constants, additions and subtractions of `verifier/law` is changed,
one at a time, in memory only. For each, those tests of `tests/law` run that call the changed function; for what a
module does when it is imported, those that call any function of that module or of one that imports it. The change is
killed when a test fails or the module cannot be imported. `--out` keeps which test calls which function (`reach.json`)
and the outcome of each change (`mutants.json`); `--again` runs only what survived there.

A mutation tool that runs all tests for each change needs about 90 s of a core for each survivor; this needs 5 to 20 s.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAW = ROOT / "verifier" / "law"
TESTS = "tests/law"
FIXED = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
LONGEST = 300
"""Seconds after which a change counts as killed: its tests go on for ever."""
IMPORTED = ""
"""The function of what a module does when it is imported."""
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: `index` counts the places of its file in the order of `places`."""

    file: str
    index: int
    line: int
    function: str
    change: str
    source: str


# Places that can be changed


class Places(ast.NodeVisitor):
    """Nodes that can be changed, each with the function it stands in (its first line); annotations are no code."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str, str]] = []
        self.function = IMPORTED

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        outer = self.function
        self.function = outer or str(min([node.lineno, *(d.lineno for d in node.decorator_list)]))
        for part in [*node.args.defaults, *(d for d in node.args.kw_defaults if d), *node.body]:
            self.visit(part)
        self.function = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        return

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "rank":  # orders the clauses of an incident; one more changes nothing
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        self._operator(node, node.ops[0])

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._operator(node, node.op)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._operator(node, node.op)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.found.append((node, self.function, "not taken out"))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool | int | float):
            self.found.append((node, self.function, f"{node.value} became {_constant(node.value)}"))

    def _operator(self, node: ast.AST, operator: ast.AST) -> None:
        other = OTHER.get(type(operator))
        if other is not None:
            self.found.append((node, self.function, f"{type(operator).__name__} became {other.__name__}"))
        self.generic_visit(node)


def _constant(value: float) -> float:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 1.1


def places(tree: ast.AST) -> list[tuple[ast.AST, str, str]]:
    """Every place of a module that can be changed: node, first line of its function, what becomes what."""
    visitor = Places()
    visitor.visit(tree)
    return visitor.found


def changed(tree: ast.Module, index: int) -> ast.Module:
    """The module with the place of that number changed (in the same tree)."""
    node = places(tree)[index][0]
    if isinstance(node, ast.Compare):
        node.ops[0] = OTHER[type(node.ops[0])]()  # type: ignore[assignment]
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = OTHER[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Constant):
        node.value = _constant(node.value)  # type: ignore[arg-type]
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()  # `+` of a bool is its number: true where it was not
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    return ast.fix_missing_locations(tree)


def candidates() -> Iterator[Mutant]:
    """All changes of the law room."""
    for file in sorted(LAW.rglob("*.py")):
        source = file.read_text()
        lines = source.splitlines()
        for index, (node, function, change) in enumerate(places(ast.parse(source))):
            line = getattr(node, "lineno", 0)
            yield Mutant(str(file.relative_to(ROOT)), index, line, function, change, lines[line - 1].strip())


# Which test calls which function


class Reach:
    """A pytest plugin: the functions of the law room that each test calls, and how long it takes."""

    def __init__(self) -> None:
        self.calls: dict[str, list[str]] = {}
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        seen: set[CodeType] = set()

        def called(frame: FrameType, _event: str, _arg: Any) -> None:
            seen.add(frame.f_code)

        began = time.process_time()
        sys.settrace(called)
        yield
        sys.settrace(None)
        self.seconds[item.nodeid] = time.process_time() - began
        law = {code for code in seen if code.co_filename.startswith(str(LAW))}
        self.calls[item.nodeid] = sorted({f"{Path(c.co_filename).relative_to(ROOT)}:{c.co_firstlineno}" for c in law})


def reach(file: Path) -> None:
    """Runs all tests once and writes what each calls."""
    plugin = Reach()
    code = pytest.main([TESTS, *FIXED], plugins=[plugin])
    if code:
        raise SystemExit(f"the tests fail as they are (exit code {code})")
    file.write_text(json.dumps({"calls": plugin.calls, "seconds": plugin.seconds}))


class Chosen:
    """The tests that a change is tried with, the quickest first."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = told["seconds"]
        self.of_file: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for test, called in told["calls"].items():
            for place in called:
                file, line = place.rsplit(":", 1)
                self.of_file[file][int(line)].add(test)
        self.importers = _importers()

    def tests(self, mutant: Mutant) -> list[str]:
        if mutant.function == IMPORTED:
            files = [mutant.file, *self.importers[mutant.file]]
            found = {test for file in files for tests in self.of_file[file].values() for test in tests}
        else:
            found = self.of_file[mutant.file].get(int(mutant.function), set())
        return sorted(found, key=lambda test: (self.seconds[test], test))


def _importers() -> dict[str, list[str]]:
    """File to the files of the law room that import from it."""
    found = defaultdict(list)
    for file in sorted(LAW.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("verifier.law"):
                found[node.module.replace(".", "/") + ".py"].append(str(file.relative_to(ROOT)))
    return found


# One change


class Changed(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Loads one module with its change, all others as they are."""

    def __init__(self, mutant: Mutant) -> None:
        self.module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.mutant = mutant
        super().__init__(self.module, str(ROOT / mutant.file))

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> Any:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.module else None

    def get_code(self, fullname: str) -> CodeType:
        tree = changed(ast.parse(Path(self.path).read_text()), self.mutant.index)
        return compile(tree, self.path, "exec")


def outcome(mutant: Mutant, tests: Sequence[str]) -> str:
    """`killed`, `survived` or `untested`: in a process of its own, which leaves this one as it is."""
    if not tests:
        return "untested"
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            sys.meta_path.insert(0, Changed(mutant))
            os._exit(int(pytest.main([*FIXED, *tests])))
        os._exit(1)
    began = time.monotonic()
    while time.monotonic() - began < LONGEST:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            if code == pytest.ExitCode.USAGE_ERROR:
                raise SystemExit(f"a test is not found: run it with an empty --out ({mutant})")
            return "survived" if code == 0 else "killed"
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "killed"


def main() -> None:
    """Runs the sample and prints killed of all, and what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=43)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutations")
    parser.add_argument("--again", action="store_true", help="only what survived in --out")
    parser.add_argument("--reach", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / TESTS)]
    if asked.reach:
        reach(asked.reach)
        return
    asked.out.mkdir(parents=True, exist_ok=True)
    told, kept = asked.out / "reach.json", asked.out / "mutants.json"
    if not told.exists() or asked.again:
        subprocess.run([sys.executable, __file__, "--reach", str(told)], check=True, stdout=subprocess.DEVNULL)
    chosen = Chosen(json.loads(told.read_text()))
    before = json.loads(kept.read_text()) if asked.again else []
    everything = {(m.file, m.source, m.change, m.index): m for m in candidates()}
    if asked.again:
        wanted = [m for row in before if row["outcome"] != "killed" for m in _same(everything.values(), row)]
    else:
        wanted = random.Random(asked.seed).sample(list(everything.values()), asked.sample)
    _load_ahead()
    rows = [row for row in before if row["outcome"] == "killed"]
    for mutant in wanted:
        rows.append({**asdict(mutant), "outcome": outcome(mutant, chosen.tests(mutant))})
        kept.write_text(json.dumps(rows, indent=1))
        print(f"{rows[-1]['outcome']:9} {mutant.file}:{mutant.line} {mutant.change} | {mutant.source}", flush=True)
    killed = sum(row["outcome"] == "killed" for row in rows)
    print(f"{killed} of {len(rows)} killed: {killed / len(rows):.2f}, out of {len(everything)} possible changes")


def _same(mutants: Any, row: dict[str, Any]) -> list[Mutant]:
    """The change as it stands in the file now, whose lines may have moved."""
    same = [m for m in mutants if all(getattr(m, k) == row[k] for k in ("file", "change", "source"))]
    return sorted(same, key=lambda m: abs(m.index - row["index"]))[:1]


def _load_ahead() -> None:
    """What every child needs and no change touches."""
    for name in ("av", "numpy", "hypothesis", "msgspec", "yaml", "pokerkit", "verifier.engine.deal", "verifier.domain"):
        importlib.import_module(name)
    loaded = [name for name in sys.modules if name.startswith("verifier.law")]
    assert not loaded, f"loaded before its change: {loaded}"


if __name__ == "__main__":
    main()
