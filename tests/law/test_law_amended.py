"""Trials of the design: an amendment of the law is a line of its section's YAML, tried on a copy of the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from law_build import Log, hand_out

from verifier.formats.events import write_events

PROGRAM = Path(__file__).parents[2] / "verifier"
NEEDED = ("cli.py", "__init__.py", "domain", "engine", "formats", "law")
"""What `verifier check` imports."""
SETS, TAP = "ND-08-11.16.a-sets-of-five", "ND-08-11.13-tap-push"


def amended(folder: Path, figure: str, line: str) -> Path:
    """A copy of the program in which a figure of section 08-11 has one more line."""
    copy = folder / "verifier"
    copy.mkdir()
    for name in NEEDED:
        source = PROGRAM / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    text = copy / "law" / "nd_twenty_one" / "s08_11" / "figures.yaml"
    lines = text.read_text().splitlines()
    values = lines.index("  values:", lines.index(f"{figure}:"))
    lines.insert(values + 2, line)
    text.write_text("\n".join(lines) + "\n")
    return folder


def verdicts(program: Path, log: Log, day: str | None, clause: str, **header: str) -> str:
    """The verdict of `verifier check` of the copy."""
    path = program / "log.events.jsonl"
    write_events(path, log.build(date=day, **header))
    done = subprocess.run(
        [sys.executable, "-c", "from verifier.cli import main; main()", "check", str(path), "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=program,
        env={**os.environ, "PYTHONPATH": str(program)},
    )
    assert done.returncode in (0, 4), done.stderr
    rows = json.loads(done.stdout)["clauses"]
    return next(str(row["verdict"]) for row in rows if row["clause"] == clause)


@pytest.fixture(scope="module")
def fours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    line = '    - {value: 4, from: "2027-01-01"}'
    return amended(tmp_path_factory.mktemp("fours"), "chips_in_set", line)


@pytest.fixture(scope="module")
def taps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    line = '    - {value: 2, from: "2027-01-01"}'
    return amended(tmp_path_factory.mktemp("taps"), "taps_at_tie", line)


@pytest.mark.parametrize(
    ("day", "sizes", "verdict"),
    [
        ("2026-12-31", [5, 3], "pass"),
        ("2026-12-31", [4, 4], "violation"),
        ("2027-01-01", [4, 4], "pass"),
        ("2027-01-01", [5, 3], "violation"),
    ],
)
def test_payoffs_are_fanned_in_sets_of_four_from_2027(fours: Path, day: str, sizes: list[int], verdict: str) -> None:
    log = hand_out("Th 7d 9s Tc", {2: 800})
    log.change(log.one("chips_fanned", owner="wager"), set_sizes=sizes, chips={"100": 8}, cents=800)
    assert verdicts(fours, log, day, SETS) == verdict


@pytest.mark.parametrize(
    ("day", "times", "verdict"),
    [
        ("2026-12-31", 1, "pass"),
        ("2027-01-01", 0, "violation"),
        ("2027-01-01", 1, "violation"),
        ("2027-01-01", 2, "pass"),
        (None, 1, "violation"),
    ],
)
def test_a_push_is_tapped_twice_from_2027(taps: Path, day: str | None, times: int, verdict: str) -> None:
    log = hand_out("Th 7d 7s Tc", {2: 1000})
    tap = log.one("push_tapped")
    if times == 0:
        log.drop(tap)
    if times == 2:
        log.insert_after(tap, "push_tapped", at="space:2")
    assert verdicts(taps, log, day, TAP) == verdict


def test_of_a_recording_too_few_taps_stay_open(taps: Path) -> None:
    log = hand_out("Th 7d 7s Tc", {2: 1000})
    assert verdicts(taps, log, "2027-01-01", TAP, video="0" * 64) == "undetermined"
    assert verdicts(taps, log, "2026-12-31", TAP, video="0" * 64) == "pass"
