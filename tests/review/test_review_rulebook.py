"""A recording is reviewed as the game of its layout: a rulebook of another is refused before anything is watched."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.domain.rulebooks import ABOUT
from verifier.formats.house_words import groups_of, house_words
from verifier.review.pipeline.conclude import options_of
from verifier.review.pipeline.values import Source


def source(tmp_path: Path, options: str, rulebook: str | None) -> Source:
    house = tmp_path / "house.yaml"
    house.write_text(options, encoding="utf-8")
    return Source(path="night.mp4", layout="layout.yaml", house=str(house), day=None, rulebook=rulebook)  # type: ignore[arg-type]


@pytest.mark.parametrize(("options", "rulebook"), [("deck_count: 6\n", "nd-poker"), ("rulebook: nd-poker\n", None)])
def test_poker_is_refused_at_a_table_of_twenty_one(tmp_path: Path, options: str, rulebook: str | None) -> None:
    with pytest.raises(BadInput, match=r"nd-poker judges poker, the layout is of a twenty-one table"):
        options_of(source(tmp_path, options, rulebook))


@pytest.mark.parametrize(
    ("options", "rulebook"), [("seats: ['seat:1']\npoker_game: high\n", "nd-poker"), ("rulebook: nd-poker\n", None)]
)
def test_poker_is_taken_at_a_poker_table(tmp_path: Path, options: str, rulebook: str | None) -> None:
    assert options_of(source(tmp_path, options, rulebook), "poker").rulebook == "nd-poker"


@pytest.mark.parametrize("rulebook", [None, "nd-twenty-one", "house-manual"])
def test_twenty_one_is_refused_at_a_poker_table(tmp_path: Path, rulebook: str | None) -> None:
    with pytest.raises(BadInput, match="judges twenty-one, the layout is of a poker table"):
        options_of(source(tmp_path, "deck_count: 1\n", rulebook), "poker")


def test_poker_options_are_read_in_a_file_that_names_poker(tmp_path: Path) -> None:
    options = "rulebook: nd-poker\npoker_variant: holdem\nseats: ['seat:1', 'seat:2']\n"
    assert options_of(source(tmp_path, options, None), "poker").seats == ["seat:1", "seat:2"]


@pytest.mark.parametrize("rulebook", [None, "nd-twenty-one", "wa-blackjack-a", "house-manual"])
def test_rulebooks_of_twenty_one_are_taken(tmp_path: Path, rulebook: str | None) -> None:
    assert options_of(source(tmp_path, "deck_count: 6\n", rulebook)).rulebook == rulebook


@pytest.mark.parametrize(
    ("rulebook", "known", "unknown"),
    [
        (None, "deck_count: 6", "wa_min_bank: 5000"),
        ("nd-twenty-one", "even_money: true", "surrender_allowed: true"),
        ("house-manual", "surrender_allowed: true", "wa_resplit: false"),
        ("wa-blackjack-a", "wa_min_bank: 5000", "burn_cards: 1"),
        ("wa-blackjack-b", "seats: ['seat:1', 'seat:2']", "poker_game: high"),
    ],
)
def test_an_option_that_the_rulebook_does_not_know_is_refused(
    tmp_path: Path, rulebook: str | None, known: str, unknown: str
) -> None:
    first = "" if rulebook is None else f"rulebook: {rulebook}\n"
    assert options_of(source(tmp_path, f"{first}{known}\n", None)).rulebook == rulebook
    name = unknown.split(":")[0]
    with pytest.raises(BadInput, match=f"rulebook {rulebook or 'nd-twenty-one'} does not know {name}") as told:
        options_of(source(tmp_path, f"{first}{known}\n{unknown}\n", None))
    assert f"line {2 + bool(rulebook)}" in str(told.value)


def test_another_rulebook_may_be_told_for_a_file_with_options_of_its_own(tmp_path: Path) -> None:
    told = options_of(source(tmp_path, "rulebook: wa-blackjack-a\nwa_min_bank: 5000\n", "nd-twenty-one"))
    assert told.rulebook == "nd-twenty-one"


def test_every_option_is_known_to_some_rulebook() -> None:
    groups = {group for rulebook in ABOUT for group in groups_of(rulebook)}
    assert {one.group for one in house_words()} == groups
