"""The rulebooks beside each other: names, standing, the page that compares them, the commands that choose one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from law_build import hand_out
from manual_build import Manual
from washington_build import Washington

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.rulebooks import ABOUT, name_of
from verifier.engine.rules import rules_of
from verifier.engine.totals import hand_total
from verifier.formats.events import write_events
from verifier.law.catalogue import RULEBOOKS, by_id, clauses
from verifier.law.commands import check_command, rules_command
from verifier.law.comparing import BLACKJACK, TOPICS, comparison_page
from verifier.law.judge import judge
from verifier.law.registry import PACKAGES, checks


def test_every_rulebook_has_a_name_a_standing_and_a_package() -> None:
    assert set(ABOUT) == set(RULEBOOKS) == set(PACKAGES)
    assert name_of("wa-blackjack-b") == "Washington blackjack, proposal B"
    assert name_of("nd-bingo") == "nd-bingo"


@pytest.mark.parametrize("rulebook", ["wa-blackjack-a", "wa-blackjack-b"])
def test_no_proposal_is_shown_as_law_in_force(rulebook: str) -> None:
    about = ABOUT[rulebook]
    assert not about.law
    assert "not shown as adopted" in about.standing and "repealed" in about.standing
    assert "not shown as adopted" in CliRunner().invoke(rules_command, ["--rulebook", rulebook]).output
    assert "WA-125.R-repealer" not in by_id(rulebook)


def test_the_page_that_compares_the_rulebooks_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "rulebooks.md"
    assert page.read_text() == CliRunner().invoke(rules_command, ["--compare"]).output


def test_every_clause_of_a_topic_is_in_a_catalogue() -> None:
    known = {clause.id for name in BLACKJACK for clause in clauses(name)}
    named = {prefix + part for sides in TOPICS.values() for prefix, parts in sides.items() for part in parts}
    assert named <= known
    assert "says nothing of it" in comparison_page()


@pytest.mark.parametrize(
    ("rulebook", "cards", "option", "may", "must"),
    [
        ("nd-twenty-one", "A6", None, False, False),
        ("nd-twenty-one", "A6", True, True, False),
        ("nd-twenty-one", "A24", True, True, False),
        ("wa-blackjack-a", "A6", None, False, False),
        ("wa-blackjack-a", "A6", True, True, True),
        ("wa-blackjack-b", "A24", True, False, False),
        ("house-manual", "A6", None, True, True),
        ("house-manual", "A24", None, True, True),
        ("house-manual", "A24", False, False, False),
        ("house-manual", "T7", None, False, False),
        ("nd-twenty-one", "T6", None, True, True),
    ],
)
def test_soft_seventeen_separates_the_rulebooks(
    rulebook: str, cards: str, option: bool | None, may: bool, must: bool
) -> None:
    rules = rules_of(rulebook, House(hit_soft_17=option))
    total = hand_total(cards)
    assert (rules.may_draw(total, len(cards)), rules.must_draw(total, len(cards))) == (may, must)


@pytest.mark.parametrize("rulebook", BLACKJACK)
def test_names_of_checks_tell_them_apart(rulebook: str) -> None:
    names = [check.name for check in checks(rulebook)]
    assert len(names) == len(set(names))
    assert all((check.of_round or check.of_session).__doc__ for check in checks(rulebook))  # type: ignore[union-attr]


def test_check_follows_the_header_and_the_option_goes_before_it(tmp_path: Path) -> None:
    path = tmp_path / "a.events.jsonl"
    write_events(path, Manual().play("Th Tc 9d 9s 8c 9h", choices={}).log.build(rulebook="house-manual"))
    own = CliRunner().invoke(check_command, [str(path), "--json"])
    assert own.exit_code == 0
    assert json.loads(own.output)["rulebook"] == "house-manual"
    other = CliRunner().invoke(check_command, [str(path), "--rulebook", "nd-twenty-one", "--json"])
    assert other.exit_code == 4
    assert json.loads(other.output)["rulebook"] == "nd-twenty-one"


def test_the_three_games_do_not_accuse_by_each_others_clauses() -> None:
    for game, prefix in ((Manual(), "HM-"), (Washington("a"), "WA-"), (Washington("b"), "WA-")):
        report = game.play().judge()
        assert all(row.clause.startswith(prefix) for row in report.clauses)
    assert all(r.clause.startswith("ND-") for r in hand_out("Th 7d 9s Tc", {2: 1000}).judge().clauses)


def test_a_rulebook_of_another_game_is_refused() -> None:
    log = hand_out("Th 8d 9s 9c", {2: 1000}).build()
    for rulebook in BLACKJACK:
        judge(log, rulebook)
    with pytest.raises(BadInput, match=r"nd-twenty-one is of twenty-one, nd-poker judges poker"):
        judge(log, "nd-poker")
