"""Poker from pixel to finding: a hand is played, drawn, encoded, watched by the shipped networks and judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from verifier.formats.events import read_events
from verifier.formats.findings import read_findings
from verifier.review.recording import review_recording
from verifier.simulate.commands import simulate_command

pytestmark = pytest.mark.slow
PLAYED = "--seed 710002 --rulebook nd-poker --rounds 1 --spaces 3 --size 960x540 --fps 15 --difficulty easy --quiet"


def test_a_card_that_was_not_burned_is_found_in_the_picture(tmp_path: Path) -> None:
    folder = tmp_path / "played"
    arguments = [*PLAYED.split(), "--deviate", "no_burn", "--out", str(folder)]
    assert CliRunner().invoke(simulate_command, arguments, standalone_mode=False).exception is None
    out = tmp_path / "review"
    review_recording(folder / "video.mp4", folder / "layout.yaml", folder / "house.yaml", out)
    told, true = read_events(out / "events.jsonl"), read_events(folder / "truth.events.jsonl")
    (button,) = [event.to for event in told.events if event.name == "button_moved"]
    assert button == next(event.to for event in true.events if event.name == "button_moved")
    board = [event.card for event in true.events if event.name == "card_dealt" and event.to == "board"]
    assert [event.card for event in told.events if event.name == "card_dealt" and event.to == "board"] == board
    report = read_findings(out / "findings.json")
    assert [(one.clause, one.verdict) for one in report.findings] == [("ND-09-04.14-burn-policy", "violation")]
    assert list((out / "clips").iterdir())
