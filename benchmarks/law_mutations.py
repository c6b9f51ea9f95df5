"""How many small changes of the law room its tests notice.

    python benchmarks/law_mutations.py --sample 40 --seed 43 --out out/mutations

A random sample of comparisons, boolean operators, constants, additions and subtractions of `verifier/law` is
changed, one at a time, in memory only. A map, made once for a state of code and tests, tells which tests of
`tests/law` execute which statement. The tests that execute the changed statement run, each change in a fork of a
process that has loaded everything (`warm_tests.py`). A change of what runs while a module is loaded, such as a
constant, is tried with all tests in a process that loads the modules anew. The first test that fails ends it: the
change is killed. So does one that takes twice the time that the tests should take ("endless").

A run begins with its controls: all tests pass without a change, and changes that must be noticed (`KNOWN`), of either
kind, are. Changes that change nothing are listed with the reason in `law_mutations_equivalent.yaml`; the rate is told
with and without them. `--files` tries all changes of some files, `--out` keeps the outcomes (`mutants.json`),
`--again` runs only what survived there. `--minutes` ends the run; what was not tried is not counted.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from mutations import ROOT, Mutant, outcome
from warm_tests import Ended, Map, Warm, in_fork, statements, steady

LAW = ROOT / "verifier" / "law"
TESTS = "tests/law"
EQUIVALENT = Path(__file__).with_name("law_mutations_equivalent.yaml")
LONGEST = 20
"""Processor seconds that tests may take beyond twice what they take without a change."""
SOURCE_READERS = (
    "test_law_sentences.py::test_no_module_reads_a_sentence_to_decide_something",
    "test_law_sentences.py::test_no_check_puts_a_sentence_together_itself",
    "test_law_sentences.py::test_each_figure_that_is_told_is_one_of_the_law",
)
"""Tests that read the source from its files, where no change stands: they cannot notice one."""
LEFT_OUT = tuple(f"--deselect={TESTS}/{test}" for test in SOURCE_READERS)
KNOWN = (
    Mutant(
        "verifier/law/nd_twenty_one/s08_08/sub03_burns.py", 0, 0, "Or became And", "if burned or not after_shuffle:"
    ),
    Mutant("verifier/law/nd_twenty_one/s08_09/sub01_limits.py", 0, 0, "50 became 51", "FIFTY_CENTS = 50"),
)
"""Changes that every run must notice: one that code exchanged in a fork makes, one in a process that loads anew."""
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


# Places that can be changed


class Places(ast.NodeVisitor):
    """Nodes that can be changed, with what becomes of them; annotations are no code."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str, int]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        defaults = [default for default in node.args.kw_defaults if default is not None]
        for part in [*node.decorator_list, *node.args.defaults, *defaults, *node.body]:
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        return

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "rank":  # orders the clauses of an incident; one more changes nothing
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for number, operator in enumerate(node.ops):
            self._operator(node, operator, number)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._operator(node, node.op)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._operator(node, node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.found.append((node, "not taken out", 0))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool | int | float):
            self.found.append((node, f"{node.value} became {_constant(node.value)}", 0))

    def _operator(self, node: ast.AST, operator: ast.AST, number: int = 0) -> None:
        other = OTHER.get(type(operator))
        if other is not None:
            self.found.append((node, f"{type(operator).__name__} became {other.__name__}", number))


def _constant(value: float) -> float:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 1.1


def places(tree: ast.AST) -> list[tuple[ast.AST, str, int]]:
    """Every place of a module that can be changed, what becomes what, and of a chained comparison which one."""
    visitor = Places()
    visitor.visit(tree)
    return visitor.found


def changed(tree: ast.Module, index: int) -> ast.Module:
    """Change the place of that number in the module, and return the module (the same tree)."""
    node, _, number = places(tree)[index]
    if isinstance(node, ast.Compare):
        node.ops[number] = OTHER[type(node.ops[number])]()  # type: ignore[call-overload]
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
        yield from of_file(str(file.relative_to(ROOT)))


def of_file(file: str) -> Iterator[Mutant]:
    """All changes of a module."""
    source = (ROOT / file).read_text()
    lines = source.splitlines()
    for index, (node, change, _) in enumerate(places(ast.parse(source))):
        line = getattr(node, "lineno", 0)
        yield Mutant(file, index, line, change, lines[line - 1].strip())


# What a change is tried with


class Chosen:
    """A plugin that runs tests in an order, and notes which one failed."""

    def __init__(self, order: Sequence[str], note: Path) -> None:
        self.order, self.note = {test: number for number, test in enumerate(order)}, note

    def pytest_configure(self) -> None:
        steady()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.order.get(item.nodeid, len(self.order)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.note.write_text(report.nodeid)


class Run:
    """One run: its changes, where their outcomes are kept, and until when it goes on."""

    def __init__(
        self,
        out: Path,
        mutants: Sequence[Mutant],
        rows: list[dict[str, Any]],
        until: float,
        old: Path | None,
        most: int | None,
    ) -> None:
        self.out, self.mutants, self.rows, self.until, self.most = out, mutants, rows, until, most
        self.map = out / f"map-{_state()}.json"
        if old is not None and not self.map.is_file():
            self.map.write_bytes(old.read_bytes())

    def warm(self, tests: Warm) -> None:
        """Try the changes that an exchange of code reaches; keep the others for fresh processes."""
        if self.map.is_file():
            known = Map.read(self.map)
            known = known.without(set(known.seconds) - set(tests.items))
            if set(tests.items) - set(known.seconds):
                tests.make_map(self.map, known)
            tests.map = known if tests.map.seconds == {} else tests.map
            tests.plain()
        else:
            tests.make_map(self.map)
            tests.plain()
            _control(tests)
        fresh = []
        for mutant in [*KNOWN, *self.mutants]:
            tree = ast.parse(Path(mutant.file).read_text())
            known = mutant in KNOWN
            index = _same(list(of_file(mutant.file)), asdict(mutant))[0].index if known else mutant.index
            statement = f"{mutant.file}:{statements(tree)[places(tree)[index][0]]}"
            if statement in tests.map.early:
                fresh.append({**asdict(mutant), "index": index})
            elif time.monotonic() < self.until:
                chosen = tests.map.of(statement)[: None if known else self.most]
                longest = 2 * sum(tests.map.seconds[test] for test in chosen) + LONGEST
                ended = tests.try_change(mutant.file, changed(tree, index), chosen, longest)
                self.keep(mutant, ended, known=known)
        (self.out / "fresh.json").write_text(json.dumps(fresh))

    def cold(self) -> None:
        """Try the changes of what runs while modules are loaded, each in a process that loads them anew."""
        found, note = Map.read(self.map), self.out / "failed.txt"
        self.rows = json.loads((self.out / "mutants.json").read_text())
        longest = 2 * sum(found.seconds.values()) + LONGEST
        for row in json.loads((self.out / "fresh.json").read_text()) if self.most is None else ():
            mutant = Mutant(**row)
            own = found.of(*(place for place in found.tests if place.startswith(f"{mutant.file}:")))
            order = [*own, *(test for test in found.seconds if test not in own)]
            if time.monotonic() > self.until:
                break
            note.unlink(missing_ok=True)
            plugins = [Chosen(order, note)]
            how = outcome(mutant.file, partial(changed, index=mutant.index), [*LEFT_OUT, TESTS], longest, plugins)
            by = note.read_text() if note.is_file() else "a module or a test cannot be loaded"
            known = any(_is(row, asdict(one)) for one in KNOWN)
            self.keep(mutant, Ended(how, by if how == "killed" else "", len(order)), known=known)

    def keep(self, mutant: Mutant, ended: Ended, *, known: bool) -> None:
        """Keep how a change ended. Raises SystemExit where one that every run must notice was not noticed."""
        if known and ended.outcome == "survived":
            raise SystemExit(f"the tests do not notice what they must notice: {mutant}")
        if not known:
            self.rows.append({**asdict(mutant), **asdict(ended)})
        (self.out / "mutants.json").write_text(json.dumps(self.rows, indent=1))
        known_word = " (control)" if known else ""
        place = f"{mutant.file}:{mutant.line} {mutant.change} | {mutant.source}"
        print(f"{ended.outcome:8} {ended.tests:5}{known_word} {place} | {ended.by}", flush=True)


def _control(tests: Warm) -> None:
    """Run every tenth test with the code as it stands, exchanged as a change is. Raises SystemExit where one fails.

    All tests ran without a change when the map was made; this is the control of the exchange.
    """
    first = next(iter(tests.functions))
    everything = list(tests.items)[::10]
    ended = tests.try_change(first, ast.parse(Path(first).read_text()), everything, 10_000)
    if ended.outcome != "survived":
        raise SystemExit(f"without any change this test fails: {ended.by}")
    print(f"all {len(tests.items)} tests pass, {len(everything)} also with code exchanged for its own", flush=True)


def _state() -> str:
    """Return the hash of all that the map of the tests depends on."""
    files = [*(ROOT / "verifier").rglob("*.py"), *LAW.rglob("*.yaml"), *(ROOT / TESTS).rglob("*")]
    told = sha256()
    for file in sorted({file for file in files if file.is_file() and file.suffix != ".pyc"}):
        told.update(str(file).encode() + file.read_bytes())
    return told.hexdigest()[:12]


def main() -> None:
    """Run the sample; print how many of all were killed, and what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=43)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutations")
    parser.add_argument("--again", action="store_true", help="only what survived in --out")
    parser.add_argument("--files", nargs="+", default=[], help="all changes of files whose path holds one of these")
    parser.add_argument("--map", type=Path, help="a map made before tests were added: only those that it lacks are run")
    parser.add_argument("--most", type=int, help="so many tests for each change: a quick look, no rate")
    parser.add_argument("--minutes", type=float, default=60.0)
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / TESTS), str(ROOT / TESTS / "poker")]
    asked.out.mkdir(parents=True, exist_ok=True)
    kept, everything = asked.out / "mutants.json", list(candidates())
    before = json.loads(kept.read_text()) if asked.again else []
    if asked.again:
        wanted = [m for row in before if row["outcome"] == "survived" for m in _same(everything, row)]
    elif asked.files:
        wanted = [m for m in everything if any(part in m.file for part in asked.files)]
    else:
        wanted = random.Random(asked.seed).sample(everything, asked.sample)
    rows = [row for row in before if row["outcome"] != "survived"]
    run = Run(asked.out, wanted, rows, time.monotonic() + 60 * asked.minutes, asked.map, asked.most)
    if in_fork(Warm("verifier.law", ROOT / TESTS, LEFT_OUT, run.warm).begin):
        raise SystemExit("the run ended early")
    run.cold()
    _tell(run.rows, len(wanted), len(everything))


def _tell(rows: Sequence[dict[str, Any]], wanted: int, possible: int) -> None:
    listed = yaml.safe_load(EQUIVALENT.read_text())
    killed = [row for row in rows if row["outcome"] != "survived"]
    same = [row for row in rows if row["outcome"] == "survived" and any(_is(row, one) for one in listed)]
    endless = sum(row["outcome"] == "endless" for row in rows)
    print(f"{len(rows)} of {wanted} tried, out of {possible} possible changes; {endless} noticed by tests without end")
    print(f"{_rate(len(killed), len(rows))} killed")
    print(f"{_rate(len(killed), len(rows) - len(same))} without {len(same)} listed in {EQUIVALENT.name}")


def _rate(part: int, whole: int) -> str:
    """Tell a share with its interval of 95 % confidence (Wilson)."""
    if not whole:
        return "0 of 0"
    share, z2 = part / whole, 1.96**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    half = 1.96 * (share * (1 - share) / whole + z2 / (4 * whole**2)) ** 0.5 / (1 + z2 / whole)
    return f"{part} of {whole}: {share:.2f} ({middle - half:.2f} to {middle + half:.2f})"


def _is(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(row[name] == other[name] for name in ("file", "change", "source"))


def _same(mutants: Sequence[Mutant], row: dict[str, Any]) -> list[Mutant]:
    """Return the change as it stands in the file now, whose lines may have moved."""
    same = [m for m in mutants if _is(asdict(m), row)]
    return sorted(same, key=lambda m: abs(m.index - row["index"]))[:1]


if __name__ == "__main__":
    main()
