"""Words of the house (docs/glossary.md): what was given another name does not come back."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RETIRED = {
    "sight": "detection",
    "sights": "detections",
    "sighting": "detection",
    "sightings": "detections",
    "life": "track",
    "lives": "tracks",
    "story": "card track",
    "stories": "card tracks",
    "heap": "chip group or pile",
    "heaps": "chip groups or piles",
    "trip": "hand path",
    "trips": "hand paths",
    "eyes": "networks",
    "mind": "reconstructor",
    "minds": "reconstructors",
    "reel": "recording set",
    "reels": "recording sets",
    "phantom": "false positive",
    "phantoms": "false positives",
    "glance": "evaluation sample",
    "glances": "evaluation samples",
}
"""Words that are no part of a name in the code, and what is said instead."""
ALONE = {"stay", "stays", "Stay", "ChipStay", "BillStay"}
"""Whole names that are retired, though their words are not: a dealer stays, a dwell is a noun."""
NEVER_WRITTEN = ("reel", "reels", "phantom", "phantoms", "sighting", "sightings", "glances")
"""Those of them that are no plain English either: they stand in no comment and no document."""
HISTORY = ("CHANGELOG.md", "benchmarks/results/accuracy-history.md")
SUSPECT = re.compile("|".join([*RETIRED, *ALONE]), re.IGNORECASE)
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def code() -> list[Path]:
    return [*ROOT.glob("verifier/**/*.py"), *ROOT.glob("benchmarks/**/*.py"), ROOT / "app.py"]


def retired_in(text: str) -> set[str]:
    """Names of a module that have a retired word as a part. A text without these letters is not taken apart."""
    if not SUSPECT.search(text):
        return set()
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    names = {token.string for token in tokens if token.type == tokenize.NAME}
    return {name for name in names if any(part.lower() in RETIRED for part in PARTS.findall(name)) or name in ALONE}


@pytest.mark.parametrize("path", code(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_name_has_a_retired_word(path: Path) -> None:
    found = retired_in(path.read_text(encoding="utf-8")) | retired_in(path.stem + "\n")
    assert not found, f"{path.name}: {found}; say instead: {RETIRED}"


ASKED = ("sight", "life", "story", "heap", "trip", "eyes", "mind", "reel", "phantom", "glance")
"""What a stranger could not understand in version 0.2.0; `stay` is another of them, see ALONE."""


def test_the_words_that_had_to_go_are_retired_and_those_instead_stand_in_the_glossary() -> None:
    assert set(ASKED) <= set(RETIRED) and "stay" in ALONE
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    instead = {word for told in RETIRED.values() for word in told.split(" or ")}
    assert sorted(word for word in instead if word.removesuffix("s") not in glossary) == []


@pytest.mark.parametrize("name", ["CardSight", "stays", "_one_trip", "HEAP_FAN_S", "load_eyes", "reel", "lives"])
def test_a_retired_word_is_found_in_any_form_of_a_name(name: str) -> None:
    assert retired_in(f"{name} = 1\n") == {name}


@pytest.mark.parametrize(
    "name", ["strip", "dealer_stays", "outlives", "insight", "history", "reminder", "stayed", "stripe_of"]
)
def test_other_words_are_left_alone(name: str) -> None:
    assert not retired_in(f"{name} = 1\n")


def test_no_document_and_no_comment_has_words_that_are_no_english() -> None:
    pattern = re.compile(rf"(?<![\w/])({'|'.join(NEVER_WRITTEN)})(?![\w/])", re.IGNORECASE)
    texts = [
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("models/*.md"),
        *ROOT.glob("benchmarks/**/*.md"),
        *ROOT.glob("*.md"),
        *code(),
    ]
    texts = [path for path in texts if path.relative_to(ROOT).as_posix() not in HISTORY]
    found = {path.name: pattern.findall(path.read_text(encoding="utf-8")) for path in texts}
    assert {name: words for name, words in found.items() if words} == {}


FILLERS = {"again", "another", "examined", "further", "misc", "more", "various"}
"""Words that tell when a file of tests was written, and not what it holds."""


def filler_in(name: str) -> set[str]:
    return FILLERS & set(name.removesuffix(".py").split("_"))


def test_the_name_of_a_file_of_tests_tells_what_it_holds() -> None:
    found = sorted(path.name for path in ROOT.glob("tests/**/test_*.py") if filler_in(path.name))
    assert found == [], "name each by what it holds"


@pytest.mark.parametrize(("name", "told"), [("test_law_more.py", True), ("test_law_moreover.py", False)])
def test_a_filler_is_a_whole_word_of_a_name(name: str, told: bool) -> None:
    assert bool(filler_in(name)) == told
