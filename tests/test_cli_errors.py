"""The command line: help for each command, exit codes, one line for whatever a person can act on."""

from __future__ import annotations

import errno
import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import click
import cv2
import numpy as np
import pytest

from verifier import cli
from verifier.dashboard.commands import check_port
from verifier.domain.errors import BadInput

SAMPLE = Path(__file__).parents[1] / "sample_videos" / "flagged"
VIDEO, LAYOUT, HOUSE = (str(SAMPLE / name) for name in ("video.mp4", "layout.yaml", "house.yaml"))
GIVEN_WRONGLY = {
    "a recording": ["review", "BAD", "--layout", LAYOUT, "--house", HOUSE, "--out", "OUT"],
    "a layout": ["review", VIDEO, "--layout", "BAD", "--house", HOUSE, "--out", "OUT"],
    "house options": ["review", VIDEO, "--layout", LAYOUT, "--house", "BAD", "--out", "OUT"],
    "events": ["check", "BAD"],
    "observations": ["reconstruct", "BAD", "--layout", LAYOUT, "--out", "OUT"],
    "a picture": ["detect", "BAD"],
    "models": ["detect", VIDEO, "--models", "BAD"],
    "poker hands": ["import-phh", "BAD", "--out", "OUT"],
    "options to recheck": ["recheck", "--house", "BAD"],
    "a review's folder": ["weekly", "--review", "BAD", "--out", "OUT"],
    "a roster": ["roster", "BAD"],
    "figures": ["hold", "--quarter", "2026-Q3", "--figures", "BAD", "--out", "OUT"],
    "checks": ["daily", "--site", "1", "--date", "2026-11-02", "--checks", "BAD", "--out", "OUT"],
    "a sample": ["sample-check", "BAD", "--layout", LAYOUT],
    "a sample's layout": ["sample-check", VIDEO, "--layout", "BAD"],
    "a bundle": ["evidence", "verify", "BAD"],
    "a key": ["evidence", "trust", "BAD", "--name", "x"],
    "a truth": ["score", "--truth", "BAD", "--review", str(SAMPLE)],
    "a scored review": ["score", "--truth", str(SAMPLE), "--review", "BAD"],
}
WRONG = {"empty": b"", "garbage": bytes(range(256)) * 20, "text": b"a: [1, 2\n b: {", "cut": b'{"format": '}


def run_command(monkeypatch: pytest.MonkeyPatch, act: object) -> int:
    """Runs a command whose body is `act`."""

    @click.command()
    def command() -> object:
        return act() if callable(act) else act

    monkeypatch.setattr(cli, "load_command", lambda name: command)
    return cli.run(["review"])


def raising(error: BaseException) -> object:
    def act() -> None:
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (BadInput("a.mp4", "is empty", "copy it again"), 2, "a.mp4: is empty; copy it again"),
        (BadInput("a.mp4", "two\nlines", "x"), 2, "a.mp4: two lines; x"),
        (OSError(errno.ENOSPC, "No space left on device", "/out/x"), 2, "/out/x: no space left on device; free some"),
        (PermissionError(errno.EACCES, "Permission denied", "/out"), 2, "/out: permission denied; check its perm"),
        (OSError("odd"), 2, "odd"),
        (click.UsageError("what?"), 2, "what?"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_errors_become_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, says: str
) -> None:
    assert run_command(monkeypatch, raising(error)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.count("\n") <= 1 + isinstance(error, KeyboardInterrupt)


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        run_command(monkeypatch, raising(ZeroDivisionError()))


@pytest.mark.parametrize("code", [0, 3, 4])
def test_the_exit_code_of_a_command_is_kept(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    assert run_command(monkeypatch, code) == code


@pytest.mark.parametrize("arguments", [["nonsense"], ["review", "--nonsense"], ["review", "x.mp4"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_missing_training_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(cli.importlib, "import_module", missing)
    with pytest.raises(BadInput, match=r"torch.*verifier\[train\]"):
        cli.load_command("train")


@pytest.mark.parametrize("name", list(cli.COMMANDS))
def test_every_command_has_help(name: str) -> None:
    command = cli.load_command(name)
    assert command.help
    if not isinstance(command, click.Group):
        assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys, verifier.cli as c; c.run(['--help']); "
        "heavy = {'cv2', 'torch', 'openvino', 'streamlit', 'pandas', 'sqlalchemy', 'numpy'} & set(sys.modules); "
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="is in use"):
            check_port(taken.getsockname()[1])


@pytest.mark.parametrize("kind", ["missing", "a folder", *WRONG])
@pytest.mark.parametrize("what", GIVEN_WRONGLY)
def test_a_wrong_file_is_one_line(what: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "given"
    if kind == "a folder":
        bad.mkdir()
    elif kind in WRONG:
        bad.write_bytes(WRONG[kind])
    places = {"BAD": str(bad), "OUT": str(tmp_path / "out")}
    assert cli.run([places.get(word, word) for word in GIVEN_WRONGLY[what]]) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "given" in err
    assert out == ""


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert cli.run(["simulate", "--seed", "1", "--rounds", "1", "--out", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_observations_of_another_picture_size_than_the_layouts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = tmp_path / "seen.observations.jsonl"
    video = '{"name": "a.mp4", "width": 1920, "height": 1080}'
    seen.write_text(f'{{"format": "verifier-observations", "version": 1, "video": {video}}}\n')
    assert cli.run(["reconstruct", str(seen), "--layout", LAYOUT, "--out", str(tmp_path / "events")]) == 2
    assert "1920x1080, but the layout is drawn in 1280x720" in capsys.readouterr().err
    assert not (tmp_path / "events").exists()


def test_a_picture_that_is_too_large_is_one_line(tmp_path: Path) -> None:
    """The case bombs: its size is judged before it is decoded, and no library's own warning is shown."""
    small = cv2.imencode(".png", np.zeros((8, 8), np.uint8))[1].tobytes()
    for width, height in ((6000, 7000), (12_000, 8000), (60_000, 60_000)):
        head = b"IHDR" + struct.pack(">II", width, height) + small[24:29]
        told = small[:12] + head + struct.pack(">I", zlib.crc32(head)) + small[33:]
        (tmp_path / f"{width}.png").write_bytes(told)
    program = """
import sys
from verifier.domain.errors import BadInput
from verifier.vision.still import read_picture
for path in sys.argv[1:]:
    try:
        read_picture(path)
    except BadInput as error:
        print(error, file=sys.stderr)
"""
    command = [sys.executable, "-c", program, *sorted(map(str, tmp_path.iterdir()))]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
    says = ["has 12000 x 8000 pixels", "has 6000 x 7000 pixels", "has more than 40 million pixels"]
    assert [one.split(": ")[1].partition(";")[0].partition(",")[0] for one in lines] == says


def test_a_broken_picture_is_told_in_one_line_without_the_decoders_own(tmp_path: Path) -> None:
    whole = cv2.imencode(".png", np.zeros((400, 400, 3), np.uint8))[1].tobytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) // 2])
    program = "import sys; from verifier.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, "detect", str(tmp_path / "cut.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
