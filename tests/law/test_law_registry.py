"""The catalogues and the registry hold together: every clause is checked or says why not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from law_build import hand_out, play

from verifier.domain.errors import BadInput
from verifier.domain.findings import FindingsReport
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.law.assessed import NO_CHECK, OUT_OF_REACH, PERMISSION, PERMISSIONS, reason_without_check
from verifier.law.catalogue import RULEBOOKS, clauses
from verifier.law.commands import check_command, rules_command
from verifier.law.registry import checked_clauses, checks
from verifier.review.rules_command import rules_command as whole_rules_command

COUNTS = {"nd-twenty-one": 411, "house-manual": 43, "nd-poker": 61}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_ids_are_unique_and_cited(rulebook: str) -> None:
    rows = clauses(rulebook)
    assert len({row.id for row in rows}) == len(rows) == COUNTS.get(rulebook, len(rows))
    assert all(row.cite and row.title and row.requirement for row in rows)


def test_the_two_washington_proposals_share_what_both_say() -> None:
    both = {row.id for row in clauses("wa-blackjack-a")} & {row.id for row in clauses("wa-blackjack-b")}
    assert len(both) == 46


def test_every_checked_clause_is_in_the_catalogue() -> None:
    assert checked_clauses("nd-twenty-one") <= {row.id for row in clauses()}


def test_every_clause_is_checked_or_says_why_not() -> None:
    checked = checked_clauses("nd-twenty-one")
    heard = ("video", "audio", "records")
    reasons = {row.id: reason_without_check(row, heard) for row in clauses() if row.id not in checked}
    assert NO_CHECK not in reasons.values()
    assert set(reasons.values()) <= {PERMISSION, *OUT_OF_REACH.values()}
    assert len(reasons) + len(checked) == 411
    assert len(checked) >= 355


def test_a_reason_is_given_only_where_no_check_stands() -> None:
    checked = checked_clauses("nd-twenty-one")
    assert not checked & (OUT_OF_REACH.keys() | PERMISSIONS)
    assert {*OUT_OF_REACH, *PERMISSIONS} <= {row.id for row in clauses()}


def test_what_a_person_attests_is_judged_by_statements_alone() -> None:
    for check in checks("nd-twenty-one"):
        attested = {row.id for row in clauses() if row.attested is not None} & set(check.clauses)
        assert not attested or check.reads == ("attestation",)


def test_without_audio_and_records_their_clauses_are_not_assessed() -> None:
    report = hand_out("Th 7d 9s Tc", {2: 1000}).judge()
    kinds = {row.id: row.observability for row in clauses()}
    said = {r.clause: r for r in report.clauses if kinds[r.clause] in ("audio", "records")}
    assert {r.verdict for r in said.values()} <= {"not_assessed", "not_applicable"}
    assert said["ND-08-11.1-announce-upcard"].why == "no audio"
    assert said["ND-08-04.8-six-weeks"].why == "records not given"


def test_every_check_has_a_docstring_and_a_name_of_its_own() -> None:
    names = [check.name for check in checks("nd-twenty-one")]
    assert len(set(names)) == len(names)
    assert all((check.of_round or check.of_session).__doc__ for check in checks("nd-twenty-one"))  # type: ignore[union-attr]


def test_an_unknown_rulebook_is_refused() -> None:
    with pytest.raises(BadInput, match="not known"):
        clauses("nd-bingo")


def test_an_unknown_house_option_is_refused() -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.house["hit_soft_seventeen"] = True
    with pytest.raises(BadInput, match="house options"):
        log.judge()


def test_the_report_names_every_clause_and_counts_its_findings() -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.drop(*log.all("chips_fanned", owner="payoff"))
    report = log.judge()
    assert [row.clause for row in report.clauses] == [clause.id for clause in clauses()]
    assert report.summary["violation"] == 1
    assert all(row.why for row in report.clauses if row.verdict == "not_assessed")
    assert report.law_as_of == "2025-01-01"


def test_the_verdict_does_not_depend_on_the_order_of_equal_times() -> None:
    log = play(3, 3)
    for record in log.records:
        record["t_end"] = round(record["t_end"])
        record["t_start"] = min(record["t_start"], record["t_end"])
    forward = log.judge()
    log.records.reverse()
    assert log.judge() == forward == log.judge()


@pytest.mark.parametrize(("mistake", "code"), [(False, 0), (True, 4)])
def test_check_command(mistake: bool, code: int, tmp_path: object) -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    if mistake:
        log.drop(*log.all("chips_fanned", owner="payoff"))
    path = f"{tmp_path}/a.events.jsonl"
    write_events(path, log.build())  # type: ignore[arg-type]
    plain = CliRunner().invoke(check_command, [path])
    assert plain.exit_code == code
    assert ("fan-payoff" in plain.output) == mistake
    as_json = CliRunner().invoke(check_command, [path, "--json"])
    assert as_json.exit_code == code
    report = json.loads(as_json.output)
    assert report["format"] == "verifier-findings"
    assert set(report) == set(FindingsReport.__struct_fields__)


def test_rules_command() -> None:
    result = CliRunner().invoke(rules_command, ["--json"])
    rows = json.loads(result.output)
    assert len(rows) == 411
    assert {"id", "cite", "observability", "implemented"} <= set(rows[0])
    assert re.search(r"411 clauses, \d+ checked", CliRunner().invoke(rules_command, []).output)


def test_the_page_of_what_is_checked_is_up_to_date() -> None:
    page = (Path(__file__).parents[2] / "docs" / "law-coverage.md").read_text()
    told, _, left = page.partition("\n## Left open by the review in demo (")
    assert told == CliRunner().invoke(whole_rules_command, ["--markdown"]).output
    assert int(left.partition(" of 411)")[0]) == left.count("\n- `") <= 60


def test_the_page_of_what_is_checked_counts_each_clause_once() -> None:
    page = CliRunner().invoke(whole_rules_command, ["--markdown"]).output
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| 99-")]
    counts = [[int(cell.partition(" ")[0]) for cell in row[1:]] for row in rows]
    assert len(rows) == 16 and sum(row[0] for row in counts) == 411
    assert all(row[0] == sum(row[1:]) for row in counts)
    planted = [line for line in page.splitlines() if line.startswith("| `") and not line.endswith("| - |")]
    assert len(planted) == sum(int(row[2].partition("(")[2].rstrip(")")) for row in rows)


def test_what_a_review_left_open_is_listed_under_its_reasons(tmp_path: Path) -> None:
    report = hand_out("Th 7d 9s Tc", {2: 1000}).judge()
    write_findings(tmp_path / "findings.json", report)
    page = CliRunner().invoke(whole_rules_command, ["--markdown", "--review", str(tmp_path)]).output
    open_ = [row.clause for row in report.clauses if row.verdict == "not_assessed"]
    assert f"({len(open_)} of 411)" in page
    assert all(f"- `{clause}` " in page.partition("## Left open")[2] for clause in open_)


@pytest.mark.parametrize(
    ("arguments", "least", "most"),
    [
        (["--unchecked"], 5, 25),
        (["--checked", "--observability", "records"], 99, 99),
        (["--section", "08-12"], 18, 18),
        (["--severity", "critical", "--search", "fan payoff"], 1, 3),
        (["--option", "hit_soft_17"], 2, 8),
        (["--search", "no such words"], 0, 0),
    ],
)
def test_rules_are_filtered(arguments: list[str], least: int, most: int) -> None:
    found = json.loads(CliRunner().invoke(rules_command, [*arguments, "--json"]).output)
    assert least <= len(found) <= most


def test_every_checked_clause_stands_in_a_test() -> None:
    text = "".join(file.read_text() for kind in ("*.py", "*.yaml") for file in Path(__file__).parent.rglob(kind))
    untested = [clause for clause in checked_clauses("nd-twenty-one") if clause.removeprefix("ND-08-") not in text]
    assert not untested, sorted(untested)
