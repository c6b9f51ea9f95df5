"""Compares the shape of the code and the documents at two commits: sizes, cycles, exceptions from the rules, words.

`python benchmarks/shape.py [--before 98f4169c] [--after HEAD] [--out benchmarks/results/shape.md]`

Each commit is unpacked into a folder of its own; nothing of it is run. The rules and the list of retired words are
those of this checkout, so that both commits are measured by one yardstick.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
BEFORE: Final = "98f4169c"
"""Version 0.2.0, of 25 November 2026."""
GENERATED: Final = ("law-coverage.md", "reconstruction-parameters.md", "rulebooks.md")
"""Pages that a program writes."""
LONG: Final = 40
"""Lines of a function that deserves another look."""
Measure = Callable[[Path], str]


def main() -> None:
    """Print the table, and write it where `--out` says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--after", default="HEAD")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    table = compared(asked.before, asked.after)
    print(table, end="")
    if asked.out is not None:
        asked.out.parent.mkdir(parents=True, exist_ok=True)
        asked.out.write_text(table, encoding="utf-8")


def compared(before: str, after: str) -> str:
    """Return a Markdown table with a row for each measure."""
    with tempfile.TemporaryDirectory() as folder:
        trees = [unpacked(commit, Path(folder) / str(place)) for place, commit in enumerate((before, after))]
        rows = [(name, *(measure(tree) for tree in trees)) for name, measure in MEASURES.items()]
    heads = ("", *(described(commit) for commit in (before, after)))
    lines = [heads, ("--", "--:", "--:"), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def described(commit: str) -> str:
    """Return the short hash and the day of a commit."""
    return git("show", "--no-patch", "--format=%h, %as", commit).decode().strip()


def git(*words: str) -> bytes:
    """Return what git prints."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def unpacked(commit: str, folder: Path) -> Path:
    """Unpack the text of a commit into a folder; weights and recordings are left out."""
    parts = [name for name in git("ls-tree", "--name-only", commit).decode().split("\n") if name]
    wanted = [name for name in parts if name not in ("models", "sample_videos")]
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit, *wanted))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def program(tree: Path) -> list[Path]:
    """Return the modules of the program, tests and benchmarks left out."""
    return [*sorted((tree / "verifier").rglob("*.py")), tree / "app.py"]


def code(tree: Path) -> list[Path]:
    """Return the modules of the program and of the benchmarks."""
    return [*program(tree), *sorted((tree / "benchmarks").rglob("*.py"))]


def lines_of(path: Path) -> int:
    """Return the number of lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(tree: Path) -> list[int]:
    """Return the lines of each function, from its name to its end."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for path in program(tree) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return [(node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes if isinstance(node, kinds)]


def sizes(counts: list[int]) -> str:
    """Return the median and the largest."""
    return f"{statistics.median(counts):.0f}; {max(counts)}"


def occurrences(pattern: str) -> Measure:
    """Return a measure that counts a pattern in the program's modules."""
    return lambda tree: str(sum(len(re.findall(pattern, path.read_text(encoding="utf-8"))) for path in program(tree)))


def named(name: str) -> Measure:
    """Return a measure that counts a name in the program's code, not in its texts."""
    return lambda tree: str(sum(names_in(path)[name] for path in program(tree)))


def names_in(path: Path) -> Counter[str]:
    """Return how often each name stands in a module."""
    with path.open("rb") as stream:
        return Counter(token.string for token in tokenize.tokenize(stream.readline) if token.type == tokenize.NAME)


def cycles(tree: Path) -> str:
    """Return how many packages hold siblings that import each other in a circle."""
    imports = [(name, target) for name, path in modules(tree).items() for target in imported(name, path)]
    packages = {name.rsplit(".", depth)[0] for name in modules(tree) for depth in range(1, name.count(".") + 1)}
    return str(sum(circular(package, imports) for package in packages))


def circular(package: str, imports: list[tuple[str, str]]) -> bool:
    """Tell whether the direct children of a package, each with all that is below it, import each other in a circle."""
    arrows: dict[str, set[str]] = {}
    for name, target in imports:
        one, other = child(package, name), child(package, target)
        if one and other and one != other:
            arrows.setdefault(one, set()).add(other)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError:
        return True
    return False


def child(package: str, module: str) -> str | None:
    """Return the child of a package that a module is, or lies in."""
    return module[len(package) + 1 :].split(".")[0] or None if module.startswith(f"{package}.") else None


def modules(tree: Path) -> dict[str, Path]:
    """Return each module of the program by its dotted name."""
    paths = (tree / "verifier").rglob("*.py")
    parts = {path: path.relative_to(tree).with_suffix("").parts for path in paths}
    return {".".join(part for part in names if part != "__init__"): path for path, names in parts.items()}


def imported(name: str, path: Path) -> Iterator[str]:
    """Return what a module imports of the program, within functions and for types only, too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.startswith("verifier."))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("verifier"):
            yield from (f"{node.module}.{one.name}" for one in node.names)


def moods(tree: Path) -> str:
    """Return how many docstrings do not begin in the imperative (ruff's D401)."""
    words = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "D401", "--output-format", "json"]
    done = subprocess.run([*words, "verifier"], cwd=tree, capture_output=True, check=False)
    return str(len(json.loads(done.stdout)))


def retired(tree: Path) -> str:
    """Return how many names hold a retired word, each counted once in each module."""
    sys.path.insert(0, str(ROOT / "tests"))
    from test_words import retired_in

    return str(sum(len(retired_in(path.read_text(encoding="utf-8"))) for path in code(tree)))


def words(tree: Path) -> str:
    """Return the words of the pages in docs/ that people write, and of those that a program writes."""
    pages = list((tree / "docs").rglob("*.md"))
    counts = {page: len(page.read_text(encoding="utf-8").split()) for page in pages}
    made = sum(count for page, count in counts.items() if page.name in GENERATED)
    return f"{sum(counts.values()) - made}; {made}"


def tests(tree: Path) -> str:
    """Return the number of test functions."""
    found = [len(re.findall(r"^def test_", path.read_text(), re.MULTILINE)) for path in (tree / "tests").rglob("*.py")]
    return str(sum(found))


MEASURES: Final[dict[str, Measure]] = {
    "files of the program": lambda tree: str(len(program(tree))),
    "lines of the program": lambda tree: str(sum(map(lines_of, program(tree)))),
    "lines of a file: median; largest": lambda tree: sizes([lines_of(path) for path in program(tree)]),
    "lines of a function: median; largest": lambda tree: sizes(functions(tree)),
    f"functions of more than {LONG} lines": lambda tree: str(sum(count > LONG for count in functions(tree))),
    "packages whose parts import each other in a circle": cycles,
    "`fmt: skip`": occurrences(r"# fmt: skip"),
    "`Any`": named("Any"),
    "`type: ignore`": occurrences(r"# type: ignore"),
    "`noqa`": occurrences(r"# noqa"),
    "docstrings not in the imperative (D401)": moods,
    "names with a retired word": retired,
    "lines of README.md": lambda tree: str(lines_of(tree / "README.md")),
    "words in docs/: written; made by a program": words,
    "pages in docs/": lambda tree: str(len(list((tree / "docs").rglob("*.md")))),
    "test functions": tests,
}
"""Name of each measure -> how it is taken of a tree."""


if __name__ == "__main__":
    main()
