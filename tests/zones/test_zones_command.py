"""`verifier zones`: what it writes, prints and refuses, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from review_fakes import make_layout, make_video

from verifier import cli
from verifier.formats.layout import read_layout
from verifier.recording.glimpses import glimpses, spread
from verifier.recording.probe import probe
from verifier.zones import Part, Proposal


def proposal(confidence: float) -> Proposal:
    names = ["dealer side", "direction", "scale", "spaces", "space 1 wager", "space 2 wager", "shoe"]
    parts = {name: Part(confidence=1.0) for name in names} | {"scale": Part(confidence=confidence, reason="no cards")}
    parts["shoe"] = Part(confidence=0.0, reason="not found")
    still = np.zeros((4, 4, 3), np.uint8)
    return Proposal(layout=make_layout(), parts=parts, still=still, mirrored=False, looked=9, seconds=18.0)


@pytest.mark.parametrize(("confidence", "code"), [(0.8, 0), (0.79, 3)])
def test_what_judging_needs_decides_the_exit_code(
    confidence: float, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("verifier.zones.propose", lambda *_, **__: proposal(confidence))
    out = tmp_path / "layout.yaml"
    assert cli.run(["zones", "video.mp4", "--json", "--out", str(out)]) == code
    told = json.loads(capsys.readouterr().out)
    assert told["unsure"] == ([] if code == 0 else ["scale"])
    assert told["parts"]["shoe"] == {"confidence": 0.0, "reason": "not found"}
    assert read_layout(out) == make_layout()


def test_a_layout_that_exists_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "layout.yaml"
    out.write_text("mine")
    assert cli.run(["zones", "video.mp4", "--out", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert out.read_text() == "mine"


def test_what_is_no_video_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "note.mp4"
    path.write_text("no video")
    assert cli.run(["zones", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_glimpses_have_the_times_of_the_timeline(tmp_path: Path) -> None:
    source = probe(make_video(tmp_path / "video.mp4"))
    some = list(glimpses(source, 5))
    assert [frame.index for frame in some] == spread(np.arange(len(source.timeline)), 5).tolist()
    assert [frame.t for frame in some] == [round(float(source.timeline.times[frame.index]), 6) for frame in some]


def test_glimpses_decode_key_pictures_alone_where_there_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = probe(make_video(tmp_path / "video.mp4"))
    keys = set(source.timeline.number[source.timeline.key].tolist())
    monkeypatch.setattr("verifier.recording.glimpses.KEYS_ENOUGH", len(keys))
    alone = list(glimpses(source, 500))
    assert {frame.index for frame in alone} == keys
    whole = {frame.index: frame.bgr() for frame in glimpses(source.pictures(0, 1), 1)}
    assert np.array_equal(alone[0].bgr(), whole[0])
