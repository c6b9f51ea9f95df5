"""Frames that nobody looks at are not decoded, and nothing else changes by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from numbered import number_of

from verifier.recording.decode import Decoder
from verifier.recording.probe import probe
from verifier.recording.references import Packets
from verifier.vision.motion import MotionGate, Pace, looks, wanted

Encode = Callable[..., Path]
SMOOTH = [i * 1000 // 30 for i in range(150)]
UNEVEN = [0, 33, 67, 100, 133, 400, 433, 467, 500, 533, 1900, 1933, 1967, 2000, 2033, 2067, 2100]


@pytest.mark.parametrize("name", ["video.mp4", "video.mkv", "video.ts"])
def test_spare_frames_are_those_that_the_decoder_can_do_without(encode: Encode, name: str) -> None:
    facts = probe(encode(SMOOTH, name, b_frames=2))
    with av.open(str(facts.path)) as container:
        stream = container.streams.video[0]
        stream.codec_context.skip_frame = "NONREF"
        kept = sum(1 for _ in container.decode(stream))
    assert 0.2 < facts.spare.mean() < 0.8
    assert len(facts.spare) - int(facts.spare.sum()) == kept


def test_without_b_frames_nothing_is_spare(encode: Encode) -> None:
    assert not probe(encode(SMOOTH)).spare.any()


def test_h265_is_told_by_the_kind_of_its_units() -> None:
    needed, spare = b"\x02\x01" + bytes(8), b"\x00\x01" + bytes(8)
    packets = Packets("hevc", None)
    assert [packets.spare(b"\x00\x00\x01" + unit) for unit in (needed, spare, b"\x40\x01" + bytes(8))] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("times", [SMOOTH, [5000 + t for t in SMOOTH], UNEVEN], ids=["steady", "late start", "uneven"])
@pytest.mark.parametrize("b_frames", [0, 2, 4])
@pytest.mark.parametrize("gop", [12, 250])
def test_every_wanted_frame_comes_with_its_own_picture(
    encode: Encode, times: list[int], b_frames: int, gop: int
) -> None:
    facts = probe(encode(times, b_frames=b_frames, gop=gop))
    want = wanted(facts, 7.5)
    frames = {f.index: (round(f.t * 1000), number_of(f.bgr())) for f in Decoder(facts, wanted=want)}
    assert frames == {i: (times[i] - times[0], i) for i in frames}
    assert set(np.flatnonzero(want)) <= set(frames)
    if b_frames and times is SMOOTH:
        assert len(frames) < 0.8 * len(times)


@pytest.mark.parametrize("b_frames", [0, 2, 4])
def test_sparing_leaves_the_pace_as_it_is(encode: Encode, b_frames: int) -> None:
    facts = probe(encode(SMOOTH, b_frames=b_frames))
    want = wanted(facts, 7.5)
    seen = [look.frame.index for look in looks(Decoder(facts, wanted=want), MotionGate(Pace()))]
    assert seen == np.flatnonzero(want).tolist()
    assert np.diff(facts.times[want]).max() <= 0.21


def test_motion_between_two_like_key_frames_is_looked_at(encode: Encode) -> None:
    def passing(picture: np.ndarray, time: int) -> None:
        picture[:] = 90
        if 2300 <= time < 2600:
            picture[80:140, time // 10 - 100 : time // 10 - 60] = 200

    facts = probe(encode(range(0, 6000, 33), b_frames=2, gop=60, draw=passing))
    seen = [look.frame.t for look in looks(Decoder(facts, wanted=wanted(facts, 7.5)), MotionGate(Pace()))]
    assert len([t for t in seen if 2.3 <= t < 2.6]) >= 2


def test_damage_is_a_gap_though_frames_are_spared(encode: Encode) -> None:
    path = encode([i * 40 for i in range(250)], gop=25, b_frames=2)
    data = bytearray(path.read_bytes())
    start = len(data) * 4 // 10
    data[start : start + len(data) // 10] = bytes(len(data) // 10)
    path.write_bytes(data)
    facts = probe(path)
    decoder = Decoder(facts, wanted=wanted(facts, 7.5))
    last = list(decoder)[-1]
    assert last.t == pytest.approx(9.96, abs=0.13)
    assert decoder.coverage.gaps
    assert decoder.coverage.reviewed < 9.9
