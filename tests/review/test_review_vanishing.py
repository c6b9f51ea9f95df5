"""A share that goes while clips are cut: one line, and the findings are stored all the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.domain.errors import BadInput
from verifier.review import clips, evidence
from verifier.review.recording import review_recording
from verifier.store.repository import Store


def first_clip_then(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Something happens when the second clip is begun."""
    begun: list[Path] = []

    def copy(video: Path, start: float, end: float, target: Path) -> None:
        begun.append(target)
        if len(begun) == 2:
            happens()
        clips.make_clip(video, start, end, target)

    monkeypatch.setattr(evidence, "make_clip", copy)


def test_the_findings_of_a_review_are_stored_when_the_recording_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    video, layout, house = write_inputs(tmp_path / "in")
    first_clip_then(monkeypatch, lambda: shutil.move(tmp_path / "in", tmp_path / "away"))
    with pytest.raises(BadInput, match="its findings are stored, but their clips and stills could not be made") as told:
        review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), SHOWN))
    assert "\n" not in str(told.value)
    (review,) = Store().reviews()
    assert [one.clip for one in Store().findings()] == [None, None]
    assert (Path(review.folder) / "observations.jsonl.gz").exists()

    shutil.move(tmp_path / "away", tmp_path / "in")
    again = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), SHOWN))
    assert [one.id for one in again.findings] == [one.id for one in Store().findings()]
    assert all((Path(again.review.folder) / str(one.clip)).exists() for one in again.findings)


def test_a_review_is_stored_with_its_clips_when_the_output_folder_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    video, layout, house = write_inputs(tmp_path / "in")
    out = tmp_path / "out"
    first_clip_then(monkeypatch, lambda: (shutil.rmtree(out), out.write_text("a file stands there now")))
    with pytest.raises(BadInput, match="the review is stored, but its files could not be written there"):
        review_recording(video, layout, house, out, stages=fake_stages(finding(), SHOWN))
    (review,) = Store().reviews()
    assert all((Path(review.folder) / str(one.clip)).exists() for one in Store().findings())
