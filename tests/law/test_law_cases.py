"""The cases that are written as YAML, and what becomes of a file with a mistake in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from case_files import FOLDER, Case, Expected, judged, read_cases, wrong
from reports import FOLDER as REPORTS
from reports import hold, hold_titles

from verifier.domain.errors import BadInput
from verifier.domain.findings import FindingsReport
from verifier.law.catalogue import clauses

FILES = sorted(FOLDER.rglob("*.yaml"))
CASES = [(file, case) for file in FILES for case in read_cases(file)]
GOOD = """cases:
- case: a payoff is not fanned
  rounds: [{wagers: {2: 10.00}, cards: Th 7d 9s Tc}]
  but:
  - leave_out: {event: chips_fanned, owner: payoff}
  expect: {violation: [08-11.16.a-fan-payoff]}
"""


@pytest.mark.parametrize(
    ("file", "case"), CASES, ids=[f"{file.parent.name}-{file.stem}-{case.case}" for file, case in CASES]
)
def test_case(file: Path, case: Case) -> None:
    report = judged(case, file)
    assert wrong(case, report) == []
    hold(_group(file), case.case, report, _plain())


def test_each_kept_report_is_of_a_case() -> None:
    for file in FILES:
        hold_titles(_group(file), [case.case for other, case in CASES if other == file])
    assert {file.relative_to(FOLDER).with_suffix("") for file in FILES} == {
        file.relative_to(REPORTS).with_suffix("") for file in REPORTS.glob("08-*/*.txt")
    }


def _group(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


@cache
def _plain() -> FindingsReport:
    """The report of the play that a case has unless it says else."""
    return judged(Case(case="plain", expect=Expected()), FOLDER)


def test_each_section_has_cases_and_they_name_its_clauses() -> None:
    sections = {clause.id[3:8] for clause in clauses()}
    assert {file.parent.name for file in FILES} == sections
    for file, case in CASES:
        named = [clause for clause, _ in case.expect.rows()]
        assert any(clause.startswith(f"ND-{file.parent.name}.") for clause in named), (file.name, case.case)
    titles = [(file, case.case) for file, case in CASES]
    assert len(set(titles)) == len(titles)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cases.yaml"
    path.write_text(text)
    return path


def test_a_case_with_another_verdict_or_another_finding_fails(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    (case,) = read_cases(path)
    report = judged(case, path)
    assert wrong(case, report) == []
    case.expect = Expected(passed=("08-11.16.a-fan-payoff",))
    assert len(wrong(case, report)) == 2
    case.expect = Expected(passed=("08-11.16.a-fan-wager",))
    assert len(wrong(case, report)) == 1
    fan = ("08-11.16.a-fan-payoff",)
    case.expect = Expected(violation=fan, says=("was not fanned",), findings=1)
    assert wrong(case, report) == []
    case.expect = Expected(violation=fan, says=("was fanned",), findings=2)
    assert len(wrong(case, report)) == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("leave_out", "leave", "leave"),
        ("chips_fanned", "chips_fan", "there is no event 'chips_fan'"),
        ("owner: payoff", "ower: payoff", "chips_fanned has no field ower"),
        ("owner: payoff", "owner: tip", "nothing in the play is"),
        ("fan-payoff]", "fan-payof]", "there is no clause ND-08-11.16.a-fan-payof"),
        ("{violation: [08-11.16.a-fan-payoff]}", "{}", "it expects nothing"),
        ("violation", "violations", "violations"),
        ("10.00", "ten", "wagers"),
        ("- case", "  case", "line 1, field cases"),
        ("cases:", "case:", "case"),
    ],
)
def test_a_mistake_in_a_file_is_one_line(old: str, new: str, told: str, tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(BadInput) as caught:
        for case in read_cases(path):
            judged(case, path)
    assert told in str(caught.value) and "cases.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_change_without_what_it_becomes_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("leave_out", "change"))
    with pytest.raises(BadInput, match="line 2, case 'a payoff is not fanned': a change is not plain"):
        read_cases(path)
