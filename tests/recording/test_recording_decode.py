from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numbered import number_of

from verifier.domain.errors import BadInput
from verifier.recording.decode import Decoder
from verifier.recording.probe import probe
from verifier.vision.background import Background

Encode = Callable[..., Path]
STEADY = [i * 40 for i in range(75)]


def times_of(decoder: Decoder) -> list[int]:
    return [round(frame.t * 1000) for frame in decoder]


def test_a_steady_recording_is_described(encode: Encode) -> None:
    info = probe(encode(STEADY)).info
    assert (info.width, info.height, info.frames) == (320, 240, 75)
    assert info.duration == pytest.approx(3.0, abs=0.002)
    assert info.variable_frame_rate is False
    assert info.fps_nominal == 25.0
    assert info.sha256 is not None
    assert len(info.sha256) == 64


@pytest.mark.parametrize("name", ["video.mp4", "video.mkv", "video.ts"])
def test_every_frame_comes_once_in_order_with_its_time(encode: Encode, name: str) -> None:
    frames = [(frame.index, round(frame.t * 1000), number_of(frame.bgr())) for frame in Decoder(encode(STEADY, name))]
    assert frames == [(i, time, i) for i, time in enumerate(STEADY)]


def test_b_frames_come_in_order_of_presentation(encode: Encode) -> None:
    frames = [(round(f.t * 1000), number_of(f.bgr())) for f in Decoder(encode(STEADY, b_frames=3))]
    assert frames == [(time, i) for i, time in enumerate(STEADY)]


def test_a_variable_frame_rate_keeps_its_exact_times(encode: Encode) -> None:
    times = [0, 33, 67, 200, 233, 700, 733, 1733, 1766, 1800]
    path = encode(times, b_frames=2)
    info = probe(path).info
    assert info.variable_frame_rate is True
    assert times_of(Decoder(path)) == times


@pytest.mark.parametrize("name", ["video.mp4", "video.mkv", "video.ts"])
def test_media_time_begins_with_the_first_frame(encode: Encode, name: str) -> None:
    path = encode([5000 + time for time in STEADY], name)
    decoder = Decoder(path)
    assert times_of(decoder) == STEADY
    assert decoder.coverage.complete, decoder.coverage


def test_a_whole_recording_is_covered(encode: Encode) -> None:
    decoder = Decoder(encode(STEADY))
    list(decoder)
    assert decoder.coverage.complete
    assert decoder.coverage.reviewed == pytest.approx(3.0, abs=0.05)


@pytest.mark.parametrize("name", ["video.mp4", "video.mkv"])
def test_a_file_cut_in_its_pictures_is_reviewed_up_to_the_cut(encode: Encode, name: str) -> None:
    path = encode([i * 40 for i in range(250)], name, options={"movflags": "faststart"} if "mp4" in name else None)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10])
    decoder = Decoder(path)
    times = times_of(decoder)
    coverage = decoder.coverage
    assert 3000 < times[-1] < 8000
    assert coverage.recorded == pytest.approx(10.0, abs=0.1)
    assert coverage.reviewed == pytest.approx(times[-1] / 1000 + 0.04, abs=0.05)
    (gap,) = coverage.gaps
    assert gap.end == pytest.approx(10.0, abs=0.1)
    assert gap.cause == "the file is cut off here"
    assert not coverage.complete


def test_damage_in_the_middle_is_a_gap_and_the_rest_goes_on(encode: Encode) -> None:
    path = encode([i * 40 for i in range(250)], gop=25)
    data = bytearray(path.read_bytes())
    start = len(data) * 4 // 10
    data[start : start + len(data) // 10] = bytes(len(data) // 10)
    path.write_bytes(data)
    decoder = Decoder(path)
    times = times_of(decoder)
    assert times[-1] == 9960
    assert len(times) < 250
    assert decoder.coverage.gaps
    assert decoder.coverage.reviewed < 9.9


def test_an_mp4_without_its_index_is_refused(encode: Encode) -> None:
    path = encode(STEADY)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(BadInput, match=r"video\.mp4: is cut off: its index is missing.*copy the recording again"):
        probe(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is empty"),
        (b"date,table\n2026-11-02,2\n" * 50, "holds text, not video"),
        (bytes(range(256)) * 40, "is not a video that can be read"),
    ],
)
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "recording.mp4"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=f"recording.mp4: {complaint}; "):
        probe(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        probe(tmp_path / "none.mp4")
    with pytest.raises(BadInput, match="is a folder"):
        probe(tmp_path)


def test_a_file_with_sound_only_is_refused(sound_only: Path) -> None:
    with pytest.raises(BadInput, match="holds no picture track"):
        probe(sound_only)


def test_a_file_without_frames_is_refused(encode: Encode) -> None:
    with pytest.raises(BadInput):
        probe(encode([]))


def test_an_exception_of_the_thread_comes_out_in_the_caller() -> None:
    def numbers() -> Iterator[int]:
        yield 1
        raise BadInput("x", "broken", "mend it")

    stream = Background(numbers)
    assert next(stream) == 1
    with pytest.raises(BadInput, match="broken"):
        next(stream)
    with pytest.raises(StopIteration):
        next(stream)


def test_the_thread_waits_for_a_slow_caller_and_ends_when_left() -> None:
    made: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number

    with Background(numbers, size=3) as stream:
        assert next(stream) == 0
    assert len(made) <= 6


def test_a_small_grey_picture_is_the_decoders_luma(encode: Encode) -> None:
    frame = next(iter(Decoder(encode(STEADY))))
    grey = frame.luma(64, 48)
    assert grey.shape == (48, 64)
    assert abs(int(grey[5, 5]) - 90) < 12


ENTERED = """
import sys
from verifier.recording.decode import Decoder
from verifier.recording.probe import probe
recording = probe(sys.argv[1])
for number in range(12):
    for frame in Decoder(recording.stretch(recording.length * (number + 0.5) / 12, recording.length)):
        print(frame.index, flush=True)
        break
"""


def test_a_decoder_that_is_left_early_never_waits_for_its_threads(tmp_path: Path) -> None:
    """HEVC's threads drop pictures after a key picture in the middle; a wait without end would hold all of Python."""
    file = tmp_path / "hevc.mp4"
    noise = np.random.default_rng(0).integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    ground = cv2.GaussianBlur(noise, (0, 0), 3)
    with av.open(str(file), "w") as container:
        stream = container.add_stream(
            "libx265", rate=15, options={"preset": "ultrafast", "x265-params": "log-level=none"}
        )
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = 1280, 720, "yuv420p", 30
        for number in range(150):
            frame = av.VideoFrame.from_ndarray(np.asarray(np.roll(ground, 4 * number, axis=1), np.uint8), "bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    done = subprocess.run([sys.executable, "-c", ENTERED, str(file)], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert [int(line) for line in done.stdout.split()] == pytest.approx([12.5 * (n + 0.5) for n in range(12)], abs=1)
