"""A recording is reviewed as twenty-one: a rulebook of another game is refused before anything is watched."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.review.pipeline.conclude import options_of
from verifier.review.pipeline.values import Source


def source(tmp_path: Path, options: str, rulebook: str | None) -> Source:
    house = tmp_path / "house.yaml"
    house.write_text(options, encoding="utf-8")
    return Source(path="night.mp4", layout="layout.yaml", house=str(house), day=None, rulebook=rulebook)  # type: ignore[arg-type]


@pytest.mark.parametrize(("options", "rulebook"), [("deck_count: 6\n", "nd-poker"), ("rulebook: nd-poker\n", None)])
def test_poker_is_refused(tmp_path: Path, options: str, rulebook: str | None) -> None:
    with pytest.raises(BadInput, match=r"nd-poker judges poker, a recording is reviewed as twenty-one"):
        options_of(source(tmp_path, options, rulebook))


@pytest.mark.parametrize("rulebook", [None, "nd-twenty-one", "wa-blackjack-a", "house-manual"])
def test_rulebooks_of_twenty_one_are_taken(tmp_path: Path, rulebook: str | None) -> None:
    assert options_of(source(tmp_path, "deck_count: 6\n", rulebook)).rulebook == rulebook
