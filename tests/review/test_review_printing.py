"""The findings on the terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from rich.console import Console

from verifier.domain.errors import BadInput
from verifier.review.printing import media_time, print_review
from verifier.review.recording import review_recording


def printed(folder: Path, *findings: object, until: float = 8.0) -> str:
    video, layout, house = write_inputs(folder)
    stages = fake_stages(*findings, until=until)  # type: ignore[arg-type]
    console = Console(file=io.StringIO(), width=180)
    print_review(console, review_recording(video, layout, house, folder / "out", stages=stages))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_row_says_all_that_is_needed(tmp_path: Path) -> None:
    text = printed(tmp_path, finding(observed="[red]stayed[/red] a stack"))
    for part in ("ND-08-11.16.a-fan-payoff", "99-01.3-08-11(16)(a)", "0:04.0", "violation", "93% sure", "space 1"):
        assert part in text
    assert "[red]stayed[/red] a stack" in text


def test_violations_stand_first_and_the_undetermined_are_gathered(tmp_path: Path) -> None:
    unsure = [finding(verdict="undetermined", at=f"space:{number}", t_start=1.0) for number in (1, 2, 2)]
    text = printed(tmp_path, *unsure, finding())
    assert text.index("violation") < text.index("undetermined")
    assert "and 2 more like it" in text
    assert "space 2" in text


def test_clips_that_could_not_be_made_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise BadInput("clips/one.mp4", "the clip could not be made", "check free space and the video")

    assert "without a clip" not in printed(tmp_path, finding())
    monkeypatch.setattr("verifier.review.evidence.make_clip", refused)
    (tmp_path / "again").mkdir()
    text = printed(tmp_path / "again", finding(t_start=1.0))
    assert "Findings with stills, but without a clip, which could not be made: 1. Try verifier doctor." in text


def test_nothing_found_is_said(tmp_path: Path) -> None:
    assert "No violation and nothing undetermined was found." in printed(tmp_path)


def test_a_gap_is_said_in_plain_words(tmp_path: Path) -> None:
    text = printed(tmp_path, SHOWN, until=3.0)
    assert "NOT WATCHED: 0:03.0 to 0:08.0: the file is cut off here. This part does not count as clean." in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "0:00.0"), (66.5, "1:06.5"), (59.96, "1:00.0"), (3599.96, "60:00.0")]
)
def test_media_time(seconds: float, text: str) -> None:
    assert media_time(seconds) == text
