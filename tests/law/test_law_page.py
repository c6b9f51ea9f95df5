"""`verifier rules CLAUSE`: each part is there, for clauses of different kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.cli import run
from verifier.law.assessed import OUT_OF_REACH
from verifier.law.catalogue import RULEBOOKS
from verifier.law.page import PROGRAM, clause_page, source
from verifier.law.registry import checks


def page(clause: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert run(["rules", clause]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("clause", "text", "in_force", "figure", "checked", "test", "plant"),
    [
        (
            "ND-08-11.16.a-sets-of-five",
            "fan them in sets of five",
            "in force since 2023-01-01",
            "chips of one value in a set: 5",
            "checked by how_fanned in law/nd_twenty_one/s08_11/sub16_fans.py",
            "law/cases/08-11/16-payoffs.yaml",
            "plant: verifier simulate --deviate ND-08-11.16.a-sets-of-five, values_mixed in simulate/play/plants/chips",
        ),
        (
            "ND-08-12.12-miscount-playback",
            "must play back the cards",
            "in force since 2010-07-01",
            None,
            "checked by miscount in law/nd_twenty_one/s08_12/sub12_miscount.py",
            "law/s08_11/test_law_money.py",
            "plant: verifier simulate --deviate ND-08-12.12-miscount-playback",
        ),
        (
            "ND-08-04.8-six-weeks",
            "six continuous weeks",
            "in force as in the text of 2025-01-01",
            "percent-of-hold: 6",
            "checked by six_weeks in law/nd_twenty_one/s08_04/sub08_six_weeks.py",
            "law/s08_04/test_law_records_hold.py",
            "plant: none",
        ),
        (
            "ND-08-11.1-announce-upcard",
            "must announce the faceup card",
            "in force since 2023-01-01",
            None,
            "checked by upcard_announced in law/nd_twenty_one/s08_11/sub01_announced.py",
            "law/s08_11/test_law_announced.py",
            "plant: none",
        ),
        (
            "ND-08-11.2-no-pay-tie",
            "may not pay on a tie",
            "in force since 2023-01-01",
            None,
            "checked by settlement in law/nd_twenty_one/s08_11/sub12_settlement.py",
            "law/s08_11/test_law_money.py",
            "plant: verifier simulate --deviate ND-08-11.2-no-pay-tie, the same breach as ND-08-11.12-tie-push",
        ),
        (
            "ND-09-04.24-all-in-show",
            "All hands are shown without delay",
            "in force since 2018-07-01",
            None,
            "checked by all_in_show in law/poker/showdown.py",
            "law/poker/test_poker_clauses.py",
            "plant: none",
        ),
        (
            "HM-shoe.7-draw-under-21",
            "less than 21",
            "in force as in the text of",
            None,
            "checked by drawn_under_21 in law/manual/decisions.py",
            "law/test_law_manual.py",
            "plant: none",
        ),
        (
            "HM-shoe.3-burn",
            "remove at least one card",
            "in force as in the text of",
            None,
            "checked by burned_before_deal in law/manual/shoe.py",
            "law/test_law_manual.py",
            "plant: verifier simulate --rulebook house-manual --deviate HM-shoe.3-burn, the same breach",
        ),
    ],
)
def test_a_clause_is_told_with_all_its_parts(
    clause: str,
    text: str,
    in_force: str,
    figure: str | None,
    checked: str,
    test: str,
    plant: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = page(clause, capsys)
    assert told[0].startswith(clause)
    for part in (text, in_force, figure or in_force, test):
        assert any(part in line for line in told), part
    assert any(line.startswith(checked) for line in told)
    assert told[-1].startswith(plant)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("ND-08-08.2-cut-completion", OUT_OF_REACH["ND-08-08.2-cut-completion"]),
        ("ND-08-11.1-player-totals-optional", "a permission, which cannot be violated"),
        ("ND-09-04.3-replacement-colour", "the colour of the backs is not in an event log"),
    ],
)
def test_a_clause_without_a_check_says_why(clause: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"not checked: {why}" in page(clause, capsys)


def test_each_check_of_each_rulebook_is_found_at_its_own_line() -> None:
    for rulebook in RULEBOOKS:
        for check in checks(rulebook):
            file, _, line = source(check).rpartition(":")
            written = (PROGRAM / file).read_text().splitlines()[int(line) - 1 :]
            first = next(text for text in written if text.startswith("def "))
            assert first.startswith(f"def {check.name}("), (rulebook, check.name, file)


def test_a_test_names_a_clause_whole_or_without_its_chapter(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text('CASES = [("11.16.a-sets-of-five", "pass")]')
    (tmp_path / "b.yaml").write_text("expect: {pass: [08-11.16.a-sets-of-five]}")
    (tmp_path / "test_c.py").write_text('"ND-08-11.16.a-sets-of-five-or-six" "1.11.16.a-sets-of-five"')
    named = clause_page("ND-08-11.16.a-sets-of-five", tmp_path).splitlines()[-1]
    assert named.endswith("b.yaml, " + f"{tmp_path.name}/test_a.py") and "test_c" not in named


def test_without_the_source_it_says_where_the_tests_are(tmp_path: Path) -> None:
    assert "come with the program's source" in clause_page("ND-08-11.2-no-pay-tie", tmp_path / "none")


def test_an_unknown_clause_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "ND-08-99"]) == 2
    assert "ND-08-99" in capsys.readouterr().err
