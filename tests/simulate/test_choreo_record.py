"""A recorded folder: what it holds, how its video is encoded, and what the command refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import av
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from verifier.domain.errors import BadInput
from verifier.formats.events import read_events
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.simulate.commands import simulate_command
from verifier.simulate.perform import Performance, perform
from verifier.simulate.record import encode, pictures
from verifier.simulate.render import Camera, Look
from verifier.simulate.scene import Scene


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("recording") / "one"
    arguments = "--seed 71 --rounds 1 --spaces 1 --no-shuffle --no-shift-change --size 320x180 --fps 15 --quiet"
    arguments += " --deviate ND-08-11.16.a-fan-payoff"
    result = CliRunner().invoke(simulate_command, [*arguments.split(), "--out", str(out)], standalone_mode=False)
    assert result.exception is None, result.exception
    return out


def frames(folder: Path) -> Iterator[av.VideoFrame]:
    with av.open(str(folder / "video.mp4")) as container:
        yield from container.decode(video=0)


def test_folder_holds_what_the_format_wants(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "video.mp4",
        "layout.yaml",
        "house.yaml",
        "truth.events.jsonl",
        "truth.deviations.json",
        "scene.json",
    }


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "ended"])
def test_no_half_video_stays(error: BaseException, tmp_path: Path) -> None:
    (tmp_path / "video.mp4").write_bytes(b"the one before")

    def broken() -> Iterator[np.ndarray]:
        for _ in range(40):
            yield np.zeros((180, 320, 3), np.uint8)
        raise error

    with pytest.raises((BadInput, KeyboardInterrupt)):
        encode(tmp_path / "video.mp4", broken(), 60, (320, 180), 15, 200_000)
    assert [one.name for one in tmp_path.iterdir()] == ["video.mp4"]
    assert (tmp_path / "video.mp4").read_bytes() == b"the one before"


def test_truth_belongs_to_the_video(folder: Path) -> None:
    log = read_events(folder / "truth.events.jsonl")
    assert log.header.video is not None and len(log.header.video) == 64
    (planted,) = json.loads((folder / "truth.deviations.json").read_text())
    assert planted["clause"] == "ND-08-11.16.a-fan-payoff"
    assert set(planted) == {"clause", "round", "at", "t_start", "t_end"}


def test_layout_and_house_can_be_read(folder: Path) -> None:
    layout = read_layout(folder / "layout.yaml")
    assert layout.image_size == (320, 180)
    assert set(layout.spaces) == {1}
    assert read_house(folder / "house.yaml").video_surveillance == "present"


def test_video_is_h264_with_b_frames_and_exact_times(folder: Path) -> None:
    with av.open(str(folder / "video.mp4")) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.codec_context.has_b_frames
    times = [float(frame.time) for frame in frames(folder)]
    assert times[:3] == pytest.approx([0.0, 1 / 15, 2 / 15])
    assert len(times) == int(json.loads((folder / "scene.json").read_text())["duration"] * 15)


def test_index_stands_before_the_pictures(folder: Path) -> None:
    data = (folder / "video.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        (["--deviate", "ND-08-04.1.a-real-time"], "cannot be staged"),
        (["--size", "big"], "no picture size"),
        (["--size", "321x180"], "cannot be encoded"),
    ],
)
def test_refusals(more: list[str], cause: str, tmp_path: Path) -> None:
    arguments = ["--seed", "1", "--out", str(tmp_path / "x"), *more]
    result = CliRunner().invoke(simulate_command, arguments, standalone_mode=False)
    assert isinstance(result.exception, BadInput)
    assert cause in str(result.exception)


def test_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    arguments = ["--seed", "1", "--rounds", "1", "--quiet", "--out", str(tmp_path / "file" / "x")]
    result = CliRunner().invoke(simulate_command, arguments, standalone_mode=False)
    assert isinstance(result.exception, BadInput)


def test_a_resting_table_is_drawn_a_few_times_and_shown_in_turn() -> None:
    """Idle minutes render fast: equal instants share four pictures a second, which still differ in their noise."""
    performance = perform(77, rounds=1, minutes=2.0)
    look, camera = Look.sample(np.random.default_rng(1), "test"), Camera.straight((320, 180))
    shown = [picture.tobytes() for picture in pictures(Resting(performance), look, camera, 20)]
    assert len(shown) == 60
    assert 6 <= len({*shown}) <= 16


class Resting(Performance):
    """Three seconds in which nothing moves."""

    def __init__(self, performance: Performance) -> None:
        super().__init__(**{**vars(performance), "duration": 3.0})

    def scene_at(self, t: float) -> Scene:
        whole = super().scene_at(0.0)
        clock = f"2026-11-02 21:14:0{int(t)}"
        return msgspec.structs.replace(whole, t=t, clock=clock)
