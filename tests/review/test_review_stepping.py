"""Stepping frame by frame: the picture on screen is always the one of the time that is told."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from verifier.recording.decode import Decoder
from verifier.review.frames import frames_at
from verifier.review.stepping import Stepper

SIZE = (320, 192)
FRAMES = 90
CONSTANT = [index * 100 for index in range(FRAMES)]
VARIABLE = [index * 100 + (index % 3) * 30 + (index // 20) * 700 for index in range(FRAMES)]


def number_picture(number: int) -> np.ndarray:
    """A picture that carries its number in eight large squares."""
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for bit in range(8):
        if number >> bit & 1:
            cv2.rectangle(picture, (bit * 40 + 4, 60), (bit * 40 + 36, 130), (255, 255, 255), -1)
    return picture


def number_of(picture: np.ndarray) -> int:
    return sum(1 << bit for bit in range(8) if picture[95, bit * 40 + 20].mean() > 128)


def record(path: Path, times: list[int], *, b_frames: int, start: int = 0) -> Path:
    """A recording whose frame `n` shows `n` at `times[n]` ms after `start` ms."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        stream.codec_context.gop_size = 30
        stream.codec_context.options = {"bf": str(b_frames), "preset": "fast"}
        for number, time in enumerate(times):
            frame = av.VideoFrame.from_ndarray(number_picture(number), format="bgr24")
            frame.pts, frame.time_base = time + start, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


CASES = {
    "constant rate": ("v.mp4", CONSTANT, 0, 0),
    "variable rate": ("v.mp4", VARIABLE, 0, 0),
    "B-frames": ("v.mp4", CONSTANT, 3, 0),
    "variable rate with B-frames": ("v.mkv", VARIABLE, 3, 0),
    "does not start at zero": ("v.ts", CONSTANT, 2, 7000),
    "does not start at zero, variable": ("v.mkv", VARIABLE, 2, 5000),
}


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, list[int]]:
    name, times, b_frames, start = CASES[request.param]
    return record(tmp_path / name, times, b_frames=b_frames, start=start), times


def test_any_moment_gives_the_frame_that_shows_then(case: tuple[Path, list[int]]) -> None:
    video, times = case
    stepper = Stepper()
    for wanted in (60, 0, 31, 89, 30, 29):
        frame = stepper.frame(video, times[wanted] / 1000 + 0.005)
        assert frame is not None
        assert number_of(frame.picture) == wanted
        assert frame.t == pytest.approx(times[wanted] / 1000, abs=0.001)


def test_stepping_forth_and_back_meets_every_frame_once(case: tuple[Path, list[int]]) -> None:
    video, times = case
    stepper = Stepper()
    frame = stepper.frame(video, 0.0)
    forth = []
    while frame is not None:
        forth.append(number_of(frame.picture))
        last = frame
        frame = stepper.frame(video, frame.after) if frame.after is not None else None
    back = [number_of(last.picture)]
    while last.before is not None:
        last = stepper.frame(video, last.before) or pytest.fail("a frame that was told is not there")
        back.append(number_of(last.picture))
    assert forth == list(range(FRAMES))
    assert back == forth[::-1]
    assert len(times) == FRAMES


def test_beyond_the_end_the_last_frame_stays(tmp_path: Path) -> None:
    video = record(tmp_path / "v.mp4", CONSTANT, b_frames=2)
    frame = Stepper().frame(video, 1000.0)
    assert frame is not None
    assert (number_of(frame.picture), frame.after) == (FRAMES - 1, None)


def test_stills_show_the_first_picture_from_each_moment_on(case: tuple[Path, list[int]]) -> None:
    video, times = case
    wanted = [0, 1, 29, 30, 31, 44, 58, 61, 88, 89]
    given = [number_of(picture) for _, picture in frames_at(video, [times[n] / 1000 - 0.005 * (n > 0) for n in wanted])]
    assert given == wanted


def test_a_still_beyond_the_end_shows_the_last_picture(case: tuple[Path, list[int]]) -> None:
    video, times = case
    ((_, picture),) = frames_at(video, [times[-1] / 1000 + 0.3])
    assert number_of(picture) == FRAMES - 1


def test_a_recording_that_begins_amid_a_group_of_pictures_counts_from_its_first_packet(tmp_path: Path) -> None:
    video = record(tmp_path / "v.ts", CONSTANT, b_frames=2)
    with av.open(str(video)) as container:
        places = [packet.pos for packet in container.demux(video=0) if packet.pos is not None]
    data = video.read_bytes()
    video.write_bytes(data[: 3 * 188] + data[places[10] :])
    told = {round(frame.t, 3): number_of(frame.bgr()) for frame in Decoder(video)}
    assert min(told) > 0.3
    stepped = {t: Stepper().frame(video, t) for t in told}
    assert {t: number_of(frame.picture) for t, frame in stepped.items() if frame is not None} == told
    assert {t: number_of(picture) for t, picture in frames_at(video, told)} == told
