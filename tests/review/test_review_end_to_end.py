"""The shipped sample recordings through the whole chain: real pixels, real models, real law, no network."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import imageio_ffmpeg
import msgspec
import pytest
from batch_night import run_night
from demo_papers import listed_as_left, with_papers

from verifier.formats.events import read_events
from verifier.review.pipeline.chain import OWN
from verifier.review.pipeline.plan import SEGMENT_S
from verifier.review.recording import Reviewed, review_recording
from verifier.review.score import score_folders
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord, StoredFinding

SAMPLES = Path(__file__).parents[2] / "sample_videos"
PARTS = ("video.mp4", "layout.yaml", "house.yaml")

pytestmark = pytest.mark.slow


def review(sample: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, length: float = SEGMENT_S) -> Reviewed:
    """Review a recording in a home of its own, from which no connection can be opened."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("a connection was opened")

    monkeypatch.setenv("VERIFIER_HOME", str(folder / "home"))
    monkeypatch.delenv("VERIFIER_DATABASE_URL", raising=False)
    for call in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, call, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return review_recording(*(sample / part for part in PARTS), folder / "out", length=length)


def test_the_clean_sample_gives_no_violation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewed = review(SAMPLES / "clean", tmp_path, monkeypatch)
    score = score_folders(SAMPLES / "clean", tmp_path / "out", 2.0)
    assert [one.finding.clause for one in reviewed.findings if one.finding.verdict == "violation"] == []
    assert score.events_placed.f1 is not None
    assert score.events_placed.f1 > 0.7
    assert reviewed.coverage.complete


def test_a_review_finds_each_planted_deviation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In two segments."""
    sample = SAMPLES / "flagged"
    reviewed = review(sample, tmp_path, monkeypatch, length=60.0)
    score = score_folders(sample, tmp_path / "out", 2.0)
    planted = json.loads((sample / "truth.deviations.json").read_text())
    assert len(planted) == 3
    assert [one.outcome for one in score.deviations] == ["violation"] * 3
    assert reviewed.exit_code == 4
    for stored in reviewed.findings:
        assert (tmp_path / "out" / str(stored.clip)).stat().st_size > 10_000
        assert stored.stills
    report = with_papers(read_events(tmp_path / "out" / "events.jsonl"), reviewed.coverage.recorded)
    assert {row.clause for row in report.clauses if row.verdict == "not_assessed"} == listed_as_left()
    assert len([one for one in report.findings if one.verdict == "violation"]) == len(planted)


def test_a_night_gives_the_same_bytes_as_a_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both in two segments: the shipped recording's last 23 s, in which the dealer leaves without showing the hands."""
    cut = tmp_path / "cut"
    cut.mkdir()
    copied = ["-ss", "90", "-i", str(SAMPLES / "flagged" / "video.mp4"), "-c", "copy", str(cut / "video.mp4")]
    subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", *copied], check=True)
    for part in PARTS[1:]:
        shutil.copy(SAMPLES / "flagged" / part, cut)
    reviewed = review(cut, tmp_path, monkeypatch, length=12.0)
    assert "ND-08-11.18.a-show-hands" in {one.finding.clause for one in reviewed.findings if one.clip and one.stills}
    alone = kept()
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "night"))
    run_night(cut, length=12.0, chain=OWN)
    assert kept() == alone


def kept() -> tuple[ReviewRecord, Sequence[StoredFinding], dict[str, bytes]]:
    """The only review of this home, its findings and its files; without where and when they were made."""
    (one,) = Store().reviews()
    files = {str(path.relative_to(one.folder)): path.read_bytes() for path in Path(one.folder).rglob("*.*")}
    return msgspec.structs.replace(one, folder="", reviewed_at=""), Store().findings(), files
