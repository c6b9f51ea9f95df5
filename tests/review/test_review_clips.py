"""Clips are copied where that shows the same pictures, and encoded anew where it would not."""

from __future__ import annotations

from pathlib import Path

import av
import ffmpeg
import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.review.clips import copy_clip, cut_clip

RATE, SECONDS = 10, 12


def picture(number: int) -> np.ndarray:
    """A picture that tells its number by its grey."""
    return np.full((96, 128, 3), 20 + 2 * number % 220, np.uint8)


def recording(path: Path, codec: str = "libx264", size: tuple[int, int] = (128, 96), gop: int = 20) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=RATE)
        stream.width, stream.height = size
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        if codec == "libx264":
            stream.options = {"bf": "2", "g": str(gop), "sc_threshold": "0", "crf": "10"}
        for number in range(RATE * SECONDS):
            frame = av.VideoFrame.from_ndarray(picture(number), "bgr24").reformat(*size)
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def shown(video: Path) -> list[tuple[float, float]]:
    """When the frames of a file are shown, and how grey they are."""
    with av.open(str(video)) as container:
        frames = [(float(f.time), f.to_ndarray(format="bgr24").mean()) for f in container.decode(video=0)]
    return [(round(t, 2), round(float(grey), 2)) for t, grey in frames]


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
@pytest.mark.parametrize("start", [0.0, 3.3, 5.9])
def test_a_copy_begins_with_the_very_picture_wherever_the_key_frames_lie(
    tmp_path: Path, start: float, ending: str
) -> None:
    video, clip = recording(tmp_path / f"video{ending}"), tmp_path / "clip.mp4"
    assert copy_clip(video, start, start + 4, clip)
    own, first = shown(clip), round(start * RATE)
    assert own[:40] == [(n / RATE, grey) for n, (_, grey) in enumerate(shown(video)[first : first + 40])]
    assert len(own) <= 43


def test_a_copy_shows_what_a_clip_encoded_anew_shows(tmp_path: Path) -> None:
    video = recording(tmp_path / "video.mp4")
    copy_clip(video, 2.5, 6.5, tmp_path / "copy.mp4")
    cut_clip(video, 2.5, 6.5, tmp_path / "cut.mp4")
    copied, cut = shown(tmp_path / "copy.mp4"), shown(tmp_path / "cut.mp4")
    assert len(cut) == 40
    for (t, grey), (own_t, own) in zip(cut, copied, strict=False):
        assert t == own_t
        assert grey == pytest.approx(own, abs=1.5)  # two pictures that follow each other differ by 2


@pytest.mark.parametrize("start", [0.0, 1.1, 3.5, 11.2])
def test_a_clip_of_a_ts_begins_where_it_was_asked_to(tmp_path: Path, start: float) -> None:
    video = recording(tmp_path / "video.ts", gop=80)
    cut_clip(video, start, start + 0.5, tmp_path / "cut.mp4")
    whole, cut = shown(video), shown(tmp_path / "cut.mp4")
    assert len(cut) == 5
    assert cut[0][1] == pytest.approx(whole[round(start * RATE)][1], abs=0.9)  # the picture before differs by 2


def test_what_browsers_do_not_play_or_is_too_wide_or_begins_too_far_back_is_not_copied(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    assert not copy_clip(recording(tmp_path / "a.mkv", "mjpeg"), 1.0, 3.0, clip)
    assert not copy_clip(recording(tmp_path / "b.mp4", size=(2560, 96)), 1.0, 3.0, clip)
    assert not copy_clip(recording(tmp_path / "c.mp4", gop=500), 11.0, 12.0, clip)
    assert not copy_clip(recording(tmp_path / "d.avi"), 1.0, 3.0, clip)
    with pytest.raises(BadInput, match="no such file"):
        copy_clip(tmp_path / "none.mp4", 1.0, 3.0, clip)
    assert not clip.exists()


def test_damaged_packets_are_not_copied(tmp_path: Path) -> None:
    video = recording(tmp_path / "video.mp4")
    with av.open(str(video)) as container:
        places = [(packet.pos, packet.size) for packet in container.demux(video=0) if packet.size]
    with video.open("r+b") as stream:
        stream.seek(places[50][0])
        stream.write(bytes(range(7, 7 + min(40, places[50][1]))))
    assert not copy_clip(video, 4.5, 6.0, tmp_path / "clip.mp4")
    assert copy_clip(video, 8.5, 10.0, tmp_path / "clip.mp4")


def test_what_would_be_too_large_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    video = recording(tmp_path / "video.mp4")
    monkeypatch.setattr("verifier.recording.clips._COPIED_RATE", 10)
    assert not copy_clip(video, 1.0, 3.0, tmp_path / "clip.mp4")


def test_a_full_disk_is_told_from_a_recording_that_cannot_be_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    video = recording(tmp_path / "video.mp4")
    program = tmp_path / "ffmpeg"
    monkeypatch.setattr("verifier.recording.clips.ffmpeg_program", lambda: str(program))
    for told, cause in (("Error writing trailer: No space left on device", OSError), ("Invalid data", ffmpeg.Error)):
        program.write_text(f"#!/bin/sh\necho '{told}' >&2; echo 'Conversion failed!' >&2; exit 1\n")
        program.chmod(0o755)
        with pytest.raises(BadInput, match=r"^clips/one\.mp4: the clip could not be made") as caught:
            cut_clip(video, 1.0, 2.0, tmp_path / "clips" / ".one.mp4")
        assert isinstance(caught.value.__cause__, cause)
