"""Every number that decides in `reconstruct/` stands once, in its `parameters/`, with its meaning, and is used."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "verifier" / "reconstruct"
PLAIN = {0, 1, 2, 0.5}
"""Numbers that count, halve and double, or are the ends of a scale. A threshold that is one of them is not noticed."""
ANGLES = {90.0, 180.0}
"""A right angle and a straight one."""
NO_PARAMETERS = {("table/fingers.py", "FINGERS"), ("emit.py", "_RANK")}
"""Names of constants that decide nothing: the numbers of a hand's points, and the order of events at one time."""


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


benchmark = _loaded(ROOT / "benchmarks" / "parameters.py")
EVERY = list(benchmark.parameters())
NAMES = [one.name for one in EVERY]


def sources() -> list[Path]:
    return [path for path in sorted(ROOM.rglob("*.py")) if "parameters" not in path.relative_to(ROOM).parts]


def _without_indexes(tree: ast.AST) -> Iterator[ast.Constant]:
    """Numbers of a module but indexes, the digits of `round`, annotations and what decides nothing."""
    left: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.Subscript):
            parts = [node.slice]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "round":
            parts = list(node.args[1:])
        left |= {below for part in parts if part is not None for below in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node not in left:
            yield node


def numbers(source: str, exempt: set[str] = frozenset()) -> list[float]:  # type: ignore[assignment]
    """The numbers of a module's source that decide."""
    tree = ast.parse(source)
    body = []
    for statement in tree.body:
        targets = [statement.target] if isinstance(statement, ast.AnnAssign) else getattr(statement, "targets", [])
        if not {target.id for target in targets if isinstance(target, ast.Name)} & exempt:
            body.append(statement)
    found = _without_indexes(ast.Module(body, []))
    return [one.value for one in found if one.value not in PLAIN | ANGLES]  # type: ignore[misc]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOM)))
def test_no_number_that_decides_stands_outside(path: Path) -> None:
    exempt = {name for file, name in NO_PARAMETERS if file == str(path.relative_to(ROOM))}
    assert numbers(path.read_text(encoding="utf-8"), exempt) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [("NEAR_MM = 24.0", [24.0]), ("def near(gap, most=3.5): return gap < most", [3.5]), ("x = round(p, 4)", []),
     ("x = sizes[3]", []), ("x = (one - other + 90.0) % 180.0", []), ("x = 2 * y + 1", []), ("x: int = 7", [7]),
     ("x = -0.3", [0.3]), ("ready = True", [])],
)  # fmt: skip
def test_which_numbers_are_noticed(source: str, found: list[float]) -> None:
    assert numbers(source) == found


def test_each_parameter_stands_once() -> None:
    assert [name for name, times in Counter(NAMES).items() if times > 1] == []


def test_each_parameter_tells_what_it_means() -> None:
    assert [one.name for one in EVERY if len(one.meaning.split()) < 3] == []  # told beside it or below it


def test_each_parameter_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in ROOM.rglob("*.py"))
    used = set(re.findall(r"\bpar\.(\w+)", text))
    assert sorted(set(NAMES) - used) == []


@pytest.mark.parametrize(
    ("name", "value", "up", "down"),
    [("NEAR_MM", 10.0, 12.0, 8.0), ("LEAST_LOOKS", 2, 3, 1), ("MOST_LOOKS", 15, 18, 12), ("SEEN_P", 0.5, 0.6, 0.4),
     ("SEEN_P", 0.9, 0.92, 0.72), ("NEAR_MM", (10.0, 20.0), (12.0, 24.0), (8.0, 16.0)),
     ("P", {1: 0.5}, {1: 0.6}, {1: 0.4})],
)  # fmt: skip
def test_a_parameter_moves_by_a_fifth(name: str, value: object, up: object, down: object) -> None:
    assert benchmark.moved(name, value, True) == pytest.approx(up)
    assert benchmark.moved(name, value, False) == pytest.approx(down)


def test_the_page_lists_every_parameter_as_it_stands() -> None:
    page = (ROOT / "docs" / "reconstruction-parameters.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([A-Z_0-9]+)` \| (.*?) \|", page, re.M)
    assert told == [(one.name, one.value) for one in EVERY], "benchmarks/parameters.py --write makes the page anew"
