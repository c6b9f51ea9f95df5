"""How many small changes of the law room its tests notice.

    python benchmarks/law_mutations.py --sample 150 --seed 43 --out out/mutations

A random sample of comparisons, boolean operators, constants, additions and subtractions of `verifier/law` is changed,
one at a time, in memory only. For each, those files of `tests/law` run that name a clause of the changed module or
import it, the shortest first. Of a module that names none, such as `fold.py` or `judge.py`, they are those of the
modules that use it, too, directly or through others, and all files that lie in no folder of a section. The change is
killed when a test fails, the module cannot be imported, or the tests do not end. `--out` keeps the outcomes
(`mutants.json`), `--again` runs only what survived there. `--minutes` ends the run; what was not tried is not counted.

A tool that runs all tests for each change needs about 90 s of a core for each survivor.
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
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from mutations import ROOT, Mutant, module_of, outcome

LAW = ROOT / "verifier" / "law"
TESTS = "tests/law"
CASES = f"{TESTS}/test_law_cases.py"
"""The test that reads the cases written as YAML."""
LONGEST = 300
"""Processor seconds after which a change counts as killed: its tests go on for ever."""
SOURCE_READERS = (
    "test_law_sentences.py::test_no_module_reads_a_sentence_to_decide_something",
    "test_law_sentences.py::test_no_check_puts_a_sentence_together_itself",
    "test_law_sentences.py::test_each_figure_that_is_told_is_one_of_the_law",
)
"""Tests that read the source from its files, where no change stands: they cannot notice one."""
CLAUSE = re.compile(r'"(?:ND-08-|ND-09-04\.|HM-|WA-125\.)([^"]+)"')
"""A clause, and what tests call it: by its section and paragraph (`11.16.a-fan-payoff`, `17-split-pair`)."""
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


# Places that can be changed


class Places(ast.NodeVisitor):
    """Nodes that can be changed, with what becomes of them; annotations are no code."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str]] = []

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
        self._operator(node, node.ops[0])

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._operator(node, node.op)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._operator(node, node.op)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.found.append((node, "not taken out"))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool | int | float):
            self.found.append((node, f"{node.value} became {_constant(node.value)}"))

    def _operator(self, node: ast.AST, operator: ast.AST) -> None:
        other = OTHER.get(type(operator))
        if other is not None:
            self.found.append((node, f"{type(operator).__name__} became {other.__name__}"))
        self.generic_visit(node)


def _constant(value: float) -> float:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 1.1


def places(tree: ast.AST) -> list[tuple[ast.AST, str]]:
    """Every place of a module that can be changed, and what becomes what."""
    visitor = Places()
    visitor.visit(tree)
    return visitor.found


def changed(tree: ast.Module, index: int) -> ast.Module:
    """Change the place of that number in the module, and return the module (the same tree)."""
    node = places(tree)[index][0]
    if isinstance(node, ast.Compare):
        node.ops[0] = OTHER[type(node.ops[0])]()  # type: ignore[call-overload]
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
        for index, (node, change) in enumerate(places(ast.parse(source))):
            line = getattr(node, "lineno", 0)
            yield Mutant(str(file.relative_to(ROOT)), index, line, change, lines[line - 1].strip())


# Which tests a change is tried with


class Tests:
    """The law's tests by file, and the clauses that each module judges."""

    def __init__(self) -> None:
        self.texts = {str(f.relative_to(ROOT)): f.read_text() for f in sorted((ROOT / TESTS).rglob("test_*.py"))}
        self.texts[CASES] += "".join(f.read_text() for f in sorted((ROOT / TESTS).rglob("*.yaml")))
        sources = {str(f.relative_to(ROOT)): f.read_text() for f in sorted(LAW.rglob("*.py"))}
        named = {file: _constants(text) for file, text in sources.items() if file.endswith("clauses.py")}
        self.clauses = {file: set(CLAUSE.findall(text)) | _imported(text, named) for file, text in sources.items()}
        self.users = {
            file: [other for other, text in sources.items() if f"from {module_of(file)} import" in text]
            for file in sources
        }

    def of(self, mutant: Mutant) -> list[str]:
        """Return the files that name a clause of the changed module, or import it, the shortest first.

        A module that names none is shared machinery: what its users judge, and the tests of the whole room.
        """
        clauses, modules = set(self.clauses[mutant.file]), {mutant.file}
        shared = not clauses
        if shared:
            modules |= self._all_users(mutant.file)
            clauses = {clause for user in modules for clause in self.clauses[user]}
        wanted = [*clauses, *(f"from {module_of(file)} import" for file in modules)]
        found = [
            file
            for file, text in self.texts.items()
            if any(word in text for word in wanted) or (shared and str(Path(file).parent) == TESTS)
        ]
        return sorted(found or self.texts, key=lambda file: len(self.texts[file]))

    def _all_users(self, file: str) -> set[str]:
        """Return the modules that import one, directly or through others."""
        found, wanted = set[str](), [file]
        while wanted:
            new = set(self.users[wanted.pop()]) - found
            found |= new
            wanted += new
        return found


def _constants(text: str) -> dict[str, str]:
    """Return the clauses that a module gives names to, by name."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            for clause in CLAUSE.findall(ast.unparse(node.value).replace("'", '"')):
                found[node.target.id] = clause
    return found


def _imported(text: str, named: dict[str, dict[str, str]]) -> set[str]:
    """Return the clauses that a module knows by the names that such a module gave them."""
    of_module = {module_of(file): names for file, names in named.items()}
    return {
        of_module[node.module][one.name]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module in of_module
        for one in node.names
        if one.name in of_module[node.module]
    }


def main() -> None:
    """Run the sample; print how many of all were killed, and what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=43)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutations")
    parser.add_argument("--again", action="store_true", help="only what survived in --out")
    parser.add_argument("--minutes", type=float, default=60.0)
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / TESTS), str(ROOT / TESTS / "poker")]
    asked.out.mkdir(parents=True, exist_ok=True)
    kept, tests, until = asked.out / "mutants.json", Tests(), time.monotonic() + 60 * asked.minutes
    before = json.loads(kept.read_text()) if asked.again else []
    everything = list(candidates())
    if asked.again:
        wanted = [m for row in before if row["outcome"] != "killed" for m in _same(everything, row)]
    else:
        wanted = random.Random(asked.seed).sample(everything, asked.sample)
    _load_ahead()
    rows = [row for row in before if row["outcome"] == "killed"]
    for mutant in wanted:
        if time.monotonic() > until:
            break
        options = [f"--deselect={TESTS}/{test}" for test in SOURCE_READERS]
        chosen = [*options, *tests.of(mutant)]
        found = outcome(mutant.file, partial(changed, index=mutant.index), chosen, LONGEST)
        if found == "no test":
            raise SystemExit(f"a test is not found: run it with an empty --out ({mutant})")
        rows.append({**asdict(mutant), "outcome": found})
        kept.write_text(json.dumps(rows, indent=1))
        print(f"{rows[-1]['outcome']:9} {mutant.file}:{mutant.line} {mutant.change} | {mutant.source}", flush=True)
    killed = sum(row["outcome"] == "killed" for row in rows)
    print(f"{killed} of {len(rows)} killed: {killed / len(rows):.2f}, out of {len(everything)} possible changes")


def _same(mutants: Sequence[Mutant], row: dict[str, Any]) -> list[Mutant]:
    """Return the change as it stands in the file now, whose lines may have moved."""
    same = [m for m in mutants if all(getattr(m, k) == row[k] for k in ("file", "change", "source"))]
    return sorted(same, key=lambda m: abs(m.index - row["index"]))[:1]


def _load_ahead() -> None:
    """Load what every child needs and no change touches."""
    for name in ("av", "numpy", "hypothesis", "msgspec", "yaml", "pokerkit", "verifier.engine.deal", "verifier.domain"):
        importlib.import_module(name)
    loaded = [name for name in sys.modules if name.startswith("verifier.law")]
    assert not loaded, f"loaded before its change: {loaded}"


if __name__ == "__main__":
    main()
