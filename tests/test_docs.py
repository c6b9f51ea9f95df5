"""The documents: links lead somewhere, the commands and options that they show exist, the folders are those there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import click
import pytest
from click.testing import CliRunner

from verifier import cli
from verifier.domain.house import House
from verifier.formats.house import read_house
from verifier.formats.record_kinds import record_kinds

ROOT = Path(__file__).parents[1]
FOLDERS = [ROOT / "docs", ROOT / "docs" / "decisions", ROOT / "benchmarks" / "results"]
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(page for folder in FOLDERS for page in sorted(folder.glob("*.md"))),
]


def named(page: Path) -> str:
    return page.name


def links(page: Path) -> Iterator[str]:
    return (link for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")) if "://" not in link)


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def commands(page: Path) -> Iterator[str]:
    """Lines of code that call `verifier`, what stands behind `#` left out."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    for line in lines:
        if match := re.match(r"(?:\S*/)?verifier ([a-z][a-z-]*\b.*)", line.strip()):
            yield match[1].partition(" #")[0]


def options(words: list[str]) -> tuple[str, set[str]]:
    """The command that the words begin with, as far as it goes, and its options."""
    command, path = cli.load_command(words[0]), words[0]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    if isinstance(command, click.Group) and len(words) > 1 and words[1] in command.commands:
        command, path = command.commands[words[1]], f"{path} {words[1]}"
        known |= {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    return path, known | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_and_options_shown_exist(page: Path) -> None:
    for line in commands(page):
        words = line.split()
        assert words[0] in cli.COMMANDS, line
        path, known = options(words)
        unknown = set(re.findall(r"(?<![\w-])--[a-z-]+", line)) - known
        assert not unknown, f"verifier {path} has no {unknown}"


def test_every_page_has_its_place_in_the_site() -> None:
    folder = ROOT / "docs"
    index = (folder / "index.md").read_text(encoding="utf-8")
    trees = re.findall(r"^```\{toctree\}\n(?::[^\n]*\n)*\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
    listed = [line for tree in trees for line in tree.split()]
    pages = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")} - {"index"}
    assert sorted(listed) == sorted(pages)


def test_some_commands_are_looked_at() -> None:
    assert sum(len(list(commands(page))) for page in PAGES) > 40


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_scripts_and_modules_named_exist(page: Path) -> None:
    names = re.findall(r"\b(?:benchmarks|docs|tests|verifier)/[\w/]+\.(?:py|md)\b", page.read_text(encoding="utf-8"))
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_the_rooms_of_the_architecture_are_the_folders() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = set(re.findall(r"^\| `([a-z]+)/` \|", page, re.MULTILINE))
    assert rooms == {path.parent.name for path in (ROOT / "verifier").glob("*/__init__.py")}


def test_the_make_targets_named_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named_ones = {name for page in PAGES for name in re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8"))}
    assert named_ones <= targets


def test_every_dependency_is_explained_and_pinned() -> None:
    """Those of `train` are left out: PyTorch is the machine's own choice, with or without a GPU."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").lower()
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower()
    lists = re.findall(r"^(?:dependencies|cluster|test|dev) = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
    names = {re.split(r"[\[<>=]", name)[0].lower() for one in lists for name in re.findall(r'"([^"]+)"', one)}
    assert len(names) > 30
    for name in names:
        assert name in page, name
        assert re.search(rf"^{re.escape(name)}(\[\w+\])?==", pinned, re.MULTILINE), name


def test_every_house_option_is_told_with_all_its_values_and_the_example_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "house-options.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    told = {name: row for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert set(told) == set(House.__struct_fields__)
    for name, kind in get_type_hints(House).items():
        values = [value for one in (kind, *get_args(kind)) if get_origin(one) is Literal for value in get_args(one)]
        assert [value for value in values if f"`{value}`" not in told[name]] == []
    example = tmp_path / "house.yaml"
    example.write_text(re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0], encoding="utf-8")
    assert read_house(example).deck_count == 6


def test_every_kind_of_records_is_listed_with_what_names_it() -> None:
    """docs/law-records.md: the kinds that can be imported, and their keys."""
    page = (ROOT / "docs" / "law-records.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]+) \|$", page, flags=re.MULTILINE)
    assert {name: key.split(", ") for name, key in rows} == {one.name: one.key for one in record_kinds().values()}


def test_the_page_of_poker_tells_how_many_of_its_clauses_are_checked() -> None:
    told = CliRunner().invoke(cli.cli, ["rules", "--rulebook", "nd-poker"]).output
    counted = re.search(r"(\d+) clauses, (\d+) checked", told)
    assert counted is not None
    page = (ROOT / "docs" / "poker.md").read_text(encoding="utf-8")
    assert f"{counted[1]} clauses, {counted[2]} of them checked" in page
