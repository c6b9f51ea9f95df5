"""One clause in words: its text, its dates, its figures, the functions that check it, and the tests that name it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from verifier.domain.errors import BadInput
from verifier.domain.money import dollars
from verifier.law.catalogue import RULEBOOKS, Clause, by_id, text_date
from verifier.law.figures import catalogue
from verifier.law.listing import rows
from verifier.law.registry import Check, checks

PROGRAM: Final = Path(__file__).parents[1]
TESTS: Final = PROGRAM.parent / "tests" / "law"
_CHAPTER: Final = re.compile(r"^(?:ND-08-|ND-09-04\.|HM-|WA-)")
"""What the tables of tests leave out before the number of a clause."""


def clause_page(clause_id: str, tests: Path = TESTS) -> str:
    """Return the page of a clause. `tests` is the folder in which its tests are looked for.

    Raises BadInput where no rulebook has the clause.
    """
    rulebook = rulebook_of(clause_id)
    (row,) = [row for row in rows(rulebook) if row.clause.id == clause_id]
    clause = row.clause
    own = [check for check in checks(rulebook) if clause_id in check.clauses]
    checked = [f"checked by {check.name} in {source(check)}" for check in own] or [f"not checked: {row.why}"]
    return "\n".join(
        [
            f"{clause.id}  ({rulebook}, {clause.severity}, {clause.observability})",
            f"{clause.cite}: {clause.title}",
            clause.requirement,
            _in_force(clause, rulebook),
            *_figures(clause_id),
            *checked,
            _tests(clause_id, tests),
        ]
    )


def rulebook_of(clause_id: str) -> str:
    """Return the first rulebook that has a clause. Raises BadInput where none has it."""
    rulebook = next((name for name in RULEBOOKS if clause_id in by_id(name)), None)
    if rulebook is None:
        raise BadInput(
            "rules", f"no rulebook has a clause {clause_id!r}", "list them with verifier rules --search WORDS"
        )
    return rulebook


def source(check: Check) -> str:
    """Return the file of a check's function below the program's folder, and its line."""
    function = check.of_round or check.of_session
    assert function is not None
    code = inspect.unwrap(function).__code__
    return f"{Path(code.co_filename).relative_to(PROGRAM).as_posix()}:{code.co_firstlineno}"


def _in_force(clause: Clause, rulebook: str) -> str:
    since, until = clause.in_force.from_, clause.in_force.to
    begun = f"in force since {since}" if since else f"in force as in the text of {text_date(rulebook)}"
    return begun + (f" until {until}" if until else "")


def _figures(clause_id: str) -> Iterator[str]:
    for name, figure in catalogue().items():
        if clause_id in figure.clauses:
            held = [_plain(name, one.value) + (f" from {one.from_}" if one.from_ else "") for one in figure.values]
            yield f"{figure.means}: {'; '.join(held)}"


def _plain(name: str, value: int | float | tuple[int, ...]) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:.0%}"
    return dollars(value) if name.endswith("_cents") else str(value)


def _tests(clause_id: str, folder: Path) -> str:
    """Return the files of tests and of cases that name the clause, with its chapter or without."""
    if not folder.is_dir():
        return "tests: they come with the program's source, not with an installed program"
    named = re.compile(rf"(?<![\w.])(?:{re.escape(clause_id)}|{re.escape(_CHAPTER.sub('', clause_id))})(?![\w.-])")
    files = sorted(f for kind in ("*.py", "*.yaml") for f in folder.rglob(kind) if named.search(_text(f)))
    below = [f.relative_to(folder.parent).as_posix() for f in files]
    return f"tests that name it: {', '.join(below)}" if below else "tests that name it: none"


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
