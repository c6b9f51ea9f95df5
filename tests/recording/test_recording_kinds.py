"""Whatever a recorder writes: every picture once, at its time, in frames, stretches, stills, steps and clips."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kinds import RATE, bare, dahua, packed, with_sound, write
from numbered import number_of

from verifier.domain.errors import BadInput
from verifier.recording.decode import Decoder
from verifier.recording.probe import Probe, probe
from verifier.recording.timeline import Reading
from verifier.review.clips import copy_clip, cut_clip, make_clip
from verifier.review.frames import frames_at
from verifier.review.stepping import Stepper
from verifier.vision.motion import wanted

COUNT = 75
REFRESHED = {"x264-params": "intra-refresh=1:keyint=15"}
KINDS: dict[str, Callable[[Path], Path]] = {
    "mp4": lambda folder: write(folder / "a.mp4"),
    "mp4, B-frames": lambda folder: write(folder / "a.mp4", b_frames=2),
    "mp4, HEVC": lambda folder: write(folder / "a.mp4", "libx265", b_frames=2),
    "mp4, MPEG-4": lambda folder: write(folder / "a.mp4", "mpeg4", b_frames=2),
    "mov": lambda folder: write(folder / "a.mov", b_frames=2),
    "matroska": lambda folder: write(folder / "a.mkv", b_frames=2),
    "webm": lambda folder: write(folder / "a.webm", "libvpx"),
    "flv": lambda folder: write(folder / "a.flv", b_frames=2),
    "avi, H.264 with B-frames": lambda folder: write(folder / "a.avi", b_frames=2),
    "avi, MPEG-4 with B-frames": lambda folder: write(folder / "a.avi", "mpeg4", b_frames=2),
    "avi, MPEG-4 with packed B-frames": lambda folder: packed(
        write(folder / "b.avi", "mpeg4", b_frames=2), folder / "a.avi"
    ),
    "mp4, pictures that are refreshed bit by bit": lambda folder: write(folder / "a.mp4", more=REFRESHED),
    "ts, pictures that are refreshed bit by bit": lambda folder: write(folder / "a.ts", more=REFRESHED, b_frames=2),
    "avi, Motion JPEG": lambda folder: write(folder / "a.avi", "mjpeg"),
    "asf": lambda folder: write(folder / "a.asf", b_frames=2),
    "wmv": lambda folder: write(folder / "a.wmv", "wmv2"),
    "ts": lambda folder: write(folder / "a.ts", b_frames=2),
    "ts named mp4": lambda folder: write(folder / "a.mp4", b_frames=2, container="mpegts"),
    "mp4 named avi": lambda folder: write(folder / "a.avi", b_frames=2, container="mp4"),
    "ts, HEVC": lambda folder: write(folder / "a.ts", "libx265", b_frames=2),
    "ts, MPEG-2": lambda folder: write(folder / "a.ts", "mpeg2video", b_frames=2),
    "mpeg, MPEG-2": lambda folder: write(folder / "a.mpg", "mpeg2video", b_frames=2),
    "mxf": lambda folder: write(folder / "a.mxf", "mpeg2video", b_frames=2),
    "dav": lambda folder: dahua(write(folder / "a.mp4"), folder / "a.dav"),
    "dav that begins amid a second": lambda folder: dahua(write(folder / "a.mp4"), folder / "a.dav", into=960),
    "late stamps": lambda folder: write(folder / "a.ts", b_frames=2, offset=4000.0),
    "early sound": lambda folder: with_sound(write(folder / "b.mp4", "libx265"), folder / "a.mp4", early=2.0),
    "early sound in matroska": lambda folder: with_sound(write(folder / "b.mp4"), folder / "a.mkv", early=0.4),
    "longer sound in matroska": lambda folder: with_sound(write(folder / "b.mp4"), folder / "a.mkv", longer=4.0),
    "longer sound in flv": lambda folder: with_sound(write(folder / "b.mp4"), folder / "a.flv", longer=4.0),
}


def seen(part: Probe) -> list[tuple[int, int, int]]:
    """Number, milliseconds, and the number in the picture, of each frame."""
    return [(frame.index, round(frame.t * 1000), number_of(frame.bgr())) for frame in Decoder(part)]


def clip_shows(clip: Path) -> list[tuple[int, int]]:
    made = probe(clip, sha256=False)
    return [(round((f.t + made.facts.player_zero) * 1000), number_of(f.bgr())) for f in Decoder(made)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_has_one_time_everywhere(kind: str, tmp_path: Path) -> None:
    """avi_b_frames, dahua_dav, early_sound, sound_and_matroska, mpeg2_30fps, ts_named_mp4 and their like."""
    path = KINDS[kind](tmp_path)
    facts = probe(path)
    whole = seen(facts)
    assert [(index, number) for index, _, number in whole] == [(n, n) for n in range(COUNT)]
    assert [time for _, time, _ in whole] == pytest.approx([n * 1000 / RATE for n in range(COUNT)], abs=1.01)
    _covered(facts)
    cuts = (0.0, 0.7, 0.71, 2.0, 9.0)
    parts = [seen(facts.stretch(a, b)) for a, b in itertools.pairwise(cuts)]
    assert [one for part in parts for one in part] == whole
    want = wanted(facts, 7.5)
    some = [(frame.index, number_of(frame.bgr())) for frame in Decoder(facts, wanted=want)]
    assert all(index == number for index, number in some)
    assert {index for index, _ in some} >= set(np.flatnonzero(want).tolist())
    moments = [0.0, 0.5, 1.29, 1.3, 2.2, 2.95]
    assert [number_of(picture) for _, picture in frames_at(path, moments)] == [0, 13, 33, 33, 55, 74]
    stepper = Stepper()
    frames = [stepper.frame(path, t) for t in moments]
    assert [number_of(one.picture) for one in frames if one is not None] == [0, 12, 32, 32, 55, 73]
    _clips(path)


def _covered(facts: Probe) -> None:
    decoder = Decoder(facts)
    list(decoder)
    assert decoder.coverage.gaps == ()
    assert decoder.coverage.recorded == decoder.coverage.reviewed == pytest.approx(COUNT / RATE, abs=0.01)


def _clips(path: Path) -> None:
    """Copied or encoded, a clip begins and ends with the right pictures, at the right times."""
    for number, (start, end) in enumerate(((0.0, 1.0), (0.68, 1.8), (2.0, 2.96))):
        clip = path.with_name(f"clip{number}.mp4")
        make_clip(path, start, end, clip)
        shown = clip_shows(clip)
        first, last = round(start * RATE), round(end * RATE) - 1
        assert [n for _, n in shown][: last - first + 1] == list(range(first, last + 1))
        assert len(shown) <= last - first + 1 + 4, "what a copied picture is built on may follow"
        assert all(abs(time - (n / RATE - start) * 1000) <= 2 for time, n in shown)


def test_a_clip_keeps_every_picture_of_a_variable_rate(tmp_path: Path) -> None:
    times = [0, 40, 80, 440, 460, 480, 1000, 1010, 1100, 1700, 1740, 1780]
    path, clip = write(tmp_path / "a.mkv", stamps=times, b_frames=2), tmp_path / "clip.mp4"
    cut_clip(path, 0.4, 1.75, clip)
    inside = [(time, number) for number, time in enumerate(times) if 400 < time < 1750]
    assert clip_shows(clip) == [(0, 2), *((time - 400, number) for time, number in inside)]
    assert copy_clip(path, 0.44, 1.75, clip)
    assert clip_shows(clip)[:8] == [(time - 440, number) for time, number in inside]


def test_pictures_that_come_in_bursts_have_clips(tmp_path: Path) -> None:
    """As where a recorder stamps pictures when the network brings them."""
    times = [1000 * second + place for second in range(3) for place in (1, 2, 2, 3, 4, 5, 6, 6, 7, 8)]
    path, clip = write(tmp_path / "a.mkv", stamps=times), tmp_path / "clip.mp4"
    cut_clip(path, 0.0, 1.5, clip)
    assert [n for _, n in clip_shows(clip)] == list(range(1, 20))


def test_a_clip_of_no_picture_says_so(tmp_path: Path) -> None:
    """And names the recording, not the file that would have been made."""
    path = write(tmp_path / "a.mkv", count=50)
    facts = probe(path)
    data = bytearray(path.read_bytes())
    begin = int(facts.timeline.place[12])
    data[begin + 30 : int(facts.timeline.place[40])] = bytes(int(facts.timeline.place[40]) - begin - 30)
    path.write_bytes(data)
    with pytest.raises(BadInput, match=r"a\.mkv: 0\.6 s to 1\.0 s shows no picture that can be decoded"):
        cut_clip(path, 0.6, 1.0, tmp_path / "clip.mp4")


def test_a_clip_that_does_not_show_the_recording_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = write(tmp_path / "a.mp4"), write(tmp_path / "b.mp4", first=300)
    clip = tmp_path / "clip.mp4"

    def wrong(part: Probe, start: float, target: Path) -> bool:
        target.write_bytes(other.read_bytes())
        return True

    monkeypatch.setattr("verifier.recording.clips.copied", wrong)
    assert not copy_clip(path, 0.0, 3.0, clip)
    assert not clip.exists()


def test_a_bare_stream_needs_its_rate_and_has_every_picture_then(tmp_path: Path) -> None:
    for codec, kind in (("libx264", "h264"), ("libx265", "hevc")):
        path = bare(write(tmp_path / f"{kind}.mp4", codec, b_frames=2), tmp_path / kind)
        whole = seen(probe(path, Reading(rate=RATE)))
        assert whole == [(n, n * 40, n) for n in range(COUNT)]
        assert seen(probe(path, Reading(rate=RATE)).stretch(1.0, 9.0)) == whole[25:]
