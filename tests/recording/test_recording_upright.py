from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from verifier.recording.decode import Decoder
from verifier.recording.probe import probe
from verifier.recording.upright import AS_STORED, axes_of, upright
from verifier.review.clips import copy_clip, cut_clip
from verifier.review.frames import frames_at
from verifier.review.stepping import Stepper

Encode = Callable[..., Path]
SHOWN = np.arange(12, dtype=np.uint8).reshape(3, 4)
"""A picture three high and four wide; each matrix below shows it, from what is stored."""


def flagged(source: Path, target: Path, degrees: int, mirrored: bool = False) -> Path:
    """A copy whose display matrix asks players to turn it by `degrees`, counterclockwise."""
    with av.open(str(source)) as given, av.open(str(target), "w") as made:
        stream = made.add_stream_from_template(given.streams.video[0])
        stream.set_display_rotation(degrees, hflip=mirrored)
        for packet in given.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                made.mux(packet)
    return target


@pytest.mark.parametrize(
    ("stored", "axes"),
    [
        (SHOWN, AS_STORED),
        (np.rot90(SHOWN), (0, 1, -1, 0)),
        (np.rot90(SHOWN, 2), (-1, 0, 0, -1)),
        (np.rot90(SHOWN, 3), (0, -1, 1, 0)),
        (SHOWN[:, ::-1], (-1, 0, 0, 1)),
        (SHOWN[::-1], (1, 0, 0, -1)),
        (SHOWN.T, (0, 1, 1, 0)),
    ],
)
def test_a_stored_picture_is_shown_as_its_matrix_says(stored: np.ndarray, axes: tuple[int, int, int, int]) -> None:
    assert np.array_equal(upright(stored, axes), SHOWN)


@pytest.mark.parametrize(
    ("name", "degrees", "mirrored"),
    [
        ("turned.mp4", 90, False),
        ("turned.mkv", 180, False),
        ("turned.mp4", 270, False),
        ("turned.mp4", 0, True),
        ("turned.mkv", 90, True),
    ],
)
def test_every_reader_of_a_turned_recording_sees_it_as_ffmpeg_shows_it(
    encode: Encode, tmp_path: Path, name: str, degrees: int, mirrored: bool
) -> None:
    video = flagged(encode(range(0, 800, 40)), tmp_path / name, degrees, mirrored)
    shown = tmp_path / "shown.mp4"
    cut_clip(video, 0.0, 0.7, shown)  # FFmpeg turns by itself, and its clips carry no flag
    wanted = next(iter(Decoder(shown))).bgr()
    first = next(iter(Decoder(video)))
    seen = [first.bgr(), next(frames_at(video, [0.0]))[1], Stepper().frame(video, 0.0).picture]
    info = probe(video).info
    assert (info.height, info.width) == wanted.shape[:2] == first.size[::-1]
    assert all(picture.shape == wanted.shape for picture in seen)
    assert all(np.abs(picture.astype(int) - wanted).mean() < 6 for picture in seen)
    grey = first.luma(*first.size)
    assert np.abs(grey.astype(int) - wanted.mean(axis=2)).mean() < 12


def test_a_clip_copied_from_a_turned_recording_is_shown_turned(encode: Encode, tmp_path: Path) -> None:
    video = flagged(encode(range(0, 800, 40)), tmp_path / "turned.mp4", 90)
    clip = tmp_path / "clip.mp4"
    assert copy_clip(video, 0.0, 0.5, clip)
    assert np.array_equal(next(iter(Decoder(clip))).bgr(), next(iter(Decoder(video))).bgr())


def test_a_matrix_that_turns_by_a_slant_is_left_aside(encode: Encode, tmp_path: Path) -> None:
    video = flagged(encode(range(0, 800, 40)), tmp_path / "slanted.mp4", 45)
    assert axes_of(next(iter(Decoder(video))).raw) == AS_STORED


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No garbage is collected, as within seconds of watching none is."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_frames_that_were_looked_at_are_let_go_at_once(encode: Encode) -> None:
    video, before = encode(range(0, 800, 20)), held_frames()
    assert (
        sum(frame.bgr().size > 0 and frame.luma(80, 45).size > 0 and frame.size[0] > 0 for frame in Decoder(video))
        == 40
    )
    assert len(list(frames_at(video, [0.1, 0.5, 0.9, 1.2]))) == 4
    assert held_frames() - before <= 3, "the first of each reader, and of what probes it"


def held_frames() -> int:
    return sum(isinstance(held, av.VideoFrame) for held in gc.get_objects())
