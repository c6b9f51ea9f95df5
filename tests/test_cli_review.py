"""`verifier review` on input that cannot be used: exit code 2 and one line that names the file and what to do."""

from __future__ import annotations

import os
import wave
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from review_fakes import fake_stages, finding, make_layout, make_video, write_inputs

from verifier import cli
from verifier.formats.layout import write_layout
from verifier.review import recording


@pytest.fixture(autouse=True)
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(recording, "load_chain", lambda name: fake_stages(finding()))
    write_inputs(tmp_path)
    return tmp_path


def review(folder: Path, out: str = "out") -> int:
    names = [str(folder / name) for name in ("video.mp4", "layout.yaml", "house.yaml", out)]
    return cli.run(["review", names[0], "--layout", names[1], "--house", names[2], "--out", names[3], "--quiet"])


def cut_in_the_middle(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def sound_only(path: Path) -> None:
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 8000, 8000, "NONE", ""))
        sound.writeframes(b"\0\0" * 8000)


def crossing_zone(path: Path) -> None:
    layout = yaml.safe_load(path.read_text())
    layout["zones"]["dealer"] = [[10, 10], [90, 90], [90, 10], [10, 90]]
    path.write_text(yaml.safe_dump(layout))


BAD: list[tuple[str, Callable[[Path], object], str]] = [
    ("video.mp4", lambda path: path.unlink(), "no such file"),
    ("video.mp4", lambda path: path.write_bytes(b""), "is empty"),
    ("video.mp4", lambda path: path.write_text("hello, I am a letter\n" * 50), "text"),
    ("video.mp4", cut_in_the_middle, "cut off"),
    ("video.mp4", sound_only, "no picture"),
    ("layout.yaml", lambda path: path.unlink(), "no such file"),
    ("layout.yaml", lambda path: write_layout(path, make_layout((640, 360))), "320x180"),
    ("layout.yaml", crossing_zone, "dealer"),
    ("layout.yaml", lambda path: path.write_text("version: 1\nimage_size: [320, 180]\n"), "zones"),
    ("house.yaml", lambda path: path.write_text("hit_soft_18: true\n"), "hit_soft_18"),
    ("house.yaml", lambda path: path.write_text("[1, 2\n"), "house.yaml"),
]


@pytest.mark.parametrize(("name", "spoil", "says"), BAD)
def test_bad_input(
    inputs: Path, name: str, spoil: Callable[[Path], object], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(inputs / name)
    assert review(inputs) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err
    assert name in err
    assert not (inputs / "out" / "findings.json").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission_to_write(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inputs / "closed").mkdir(mode=0o500)
    assert review(inputs, "closed/out") == 2
    assert "closed" in capsys.readouterr().err


def test_the_output_folder_is_a_file(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert review(inputs, "video.mp4") == 2
    assert "video.mp4" in capsys.readouterr().err


def test_findings_give_exit_code_4_and_a_table(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert review(inputs) == 4
    out, err = capsys.readouterr()
    assert "ND-08-11.16.a-fan-payoff" in out
    assert err == ""


def test_a_long_name_and_an_odd_one(inputs: Path) -> None:
    make_video(inputs / "Tisch 2 – Säge's [final].mp4", seconds=2)
    names = [str(inputs / name) for name in ("Tisch 2 – Säge's [final].mp4", "layout.yaml", "house.yaml", "o u t")]
    assert cli.run(["review", names[0], "--layout", names[1], "--house", names[2], "--out", names[3], "--quiet"]) == 4
