"""The law room lies in the order of the law: each section has a folder with its clauses, figures and checks."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

import verifier.law.nd_twenty_one
from verifier.law.attested import attestations
from verifier.law.registry import Check, checks

FOLDER = Path(verifier.law.nd_twenty_one.__file__).parent
SECTIONS = sorted(FOLDER.glob("s08_*"))


def place(module: str) -> tuple[str, str]:
    """Section and subsection of a module, as `08-11` and `16`."""
    found = re.fullmatch(r"verifier\.law\.nd_twenty_one\.s08_(\d\d)\.sub(\d\d)[a-z]?_\w+", module)
    assert found, module
    return f"08-{found[1]}", str(int(found[2]))


def of_clause(clause: str) -> tuple[str, str]:
    section, _, rest = clause.removeprefix("ND-").partition(".")
    found = re.match(r"\d+", rest)
    assert found, clause
    return section, found[0]


def own_checks() -> list[Check]:
    """All but what a person attests, which is of all sections and lies beside them."""
    return [check for check in checks("nd-twenty-one") if check.of_session is not attestations]


def test_each_check_lies_in_the_section_of_the_first_clause_that_it_names() -> None:
    for check in own_checks():
        module = (check.of_round or check.of_session).__module__
        assert place(module)[0] == of_clause(check.clauses[0])[0], check.name


def test_a_module_bears_the_number_of_a_subsection_that_its_checks_name() -> None:
    named: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for check in own_checks():
        named[(check.of_round or check.of_session).__module__].update(map(of_clause, check.clauses))
    for module, clauses in named.items():
        assert place(module) in clauses, module


@pytest.mark.parametrize("section", SECTIONS, ids=lambda path: path.name)
def test_a_section_s_clauses_and_figures_are_its_own(section: Path) -> None:
    own = section.name.removeprefix("s").replace("_", "-")
    clauses = yaml.safe_load((section / "clauses.yaml").read_text())
    assert clauses and {of_clause(clause["id"])[0] for clause in clauses} == {own}
    figures = section / "figures.yaml"
    if figures.exists():
        assert all(f"99-01.3-{own}" in figure["cite"] for figure in yaml.safe_load(figures.read_text()).values())


def test_there_is_a_folder_for_each_of_the_sixteen_sections() -> None:
    assert [path.name for path in SECTIONS] == [f"s08_{number:02d}" for number in range(1, 17)]
