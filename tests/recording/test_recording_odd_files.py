"""Recordings that begin amid a group of pictures, tell no times of presentation, or hold none in a stretch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numbered import SIZE, number_of, picture_at

from verifier.domain.errors import BadInput
from verifier.recording.decode import Decoder
from verifier.recording.probe import Gap, Probe, probe
from verifier.recording.timeline import Reading
from verifier.vision.motion import wanted

Encode = Callable[..., Path]
TS_PACKET = 188
STEADY = [i * 40 for i in range(150)]


def seen(facts: Probe) -> dict[int, tuple[int, int]]:
    """Milliseconds and the number in the picture, by the number of the frame."""
    return {frame.index: (round(frame.t * 1000), number_of(frame.bgr())) for frame in Decoder(facts)}


@pytest.fixture
def cut(encode: Encode) -> Path:
    """A TS whose first key frame, the 50th picture, comes two thirds through the first group that is left."""
    path = encode(STEADY, "video.ts", b_frames=2, gop=50)
    with av.open(str(path)) as container:
        places = [packet.pos for packet in container.demux(video=0) if packet.pos is not None]
    data = path.read_bytes()
    path.write_bytes(data[: 3 * TS_PACKET] + data[places[20] :])
    return path


@pytest.fixture
def avi(tmp_path: Path) -> Path:
    """AVI with B-frames: it tells when packets are decoded, and nothing else."""
    path = tmp_path / "video.avi"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.options = {"bf": "2", "g": "50", "preset": "veryfast"}
        for number in range(len(STEADY)):
            frame = av.VideoFrame.from_ndarray(picture_at(number), "bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def test_what_cannot_be_decoded_at_the_beginning_is_a_gap(cut: Path) -> None:
    facts = probe(cut)
    for part in (facts, facts.stretch(0.0, 2.0)):
        decoder = Decoder(part)
        first = next(iter(decoder)).t
        assert 0.5 < first < 1.5
        (gap,) = (gap for gap in decoder.coverage.gaps if gap.start < first)
        assert gap == Gap(0.0, pytest.approx(first, abs=0.002), "damaged: cannot be decoded")


def test_a_stretch_without_a_key_frame_is_one_gap(cut: Path) -> None:
    decoder = Decoder(probe(cut).stretch(0.0, 0.4))
    assert list(decoder) == []
    assert (decoder.coverage.reviewed, len(decoder.coverage.gaps)) == (0.0, 1)


def test_whole_and_in_stretches_a_frame_has_the_same_time(cut: Path) -> None:
    facts = probe(cut)
    whole = seen(facts)
    assert min(time for time, _ in whole.values()) > 500
    assert whole == seen(facts.stretch(0.0, 2.0)) | seen(facts.stretch(2.0, 9.0))


def test_frames_that_are_told_as_they_are_decoded_get_their_times_in_order(avi: Path) -> None:
    facts = probe(avi)
    want = wanted(facts, 7.5)
    decoder = Decoder(facts, wanted=want)
    shown = [(f.index, round(f.t * 1000), number_of(f.bgr())) for f in decoder]
    assert shown == [(number, STEADY[number], number) for number, _, _ in shown]
    assert {number for number, _, _ in shown} >= set(np.flatnonzero(want).tolist())
    assert decoder.coverage.complete
    assert seen(facts) == {number: (time, number) for number, time in enumerate(STEADY)}
    assert seen(facts) == seen(facts.stretch(0.0, 3.1)) | seen(facts.stretch(3.1, 9.0))


def test_damage_shifts_no_times_beyond_the_next_key_frame(avi: Path) -> None:
    data = bytearray(avi.read_bytes())
    with av.open(str(avi)) as container:
        for packet in itertools.islice(container.demux(video=0), 20, 30):
            assert packet.pos is not None
            data[packet.pos + 8 : packet.pos + packet.size] = bytes(packet.size - 8)
    avi.write_bytes(data)
    told = seen(probe(avi))
    assert len(told) < len(STEADY)
    assert {number: one for number, one in told.items() if number >= 50} == {n: (STEADY[n], n) for n in range(50, 150)}


def test_a_stamp_that_is_behind_for_a_moment_shifts_none_after_it(encode: Encode, tmp_path: Path) -> None:
    path, swapped = tmp_path / "swapped.mkv", {10: 11, 11: 10}
    with av.open(str(encode(STEADY))) as whole, av.open(str(path), "w") as made:
        stream = whole.streams.video[0]
        copied = made.add_stream_from_template(stream)
        for number, packet in enumerate(p for p in whole.demux(stream) if p.size):
            packet.pts = round(STEADY[swapped.get(number, number)] / 1000 / packet.time_base)
            packet.dts, packet.stream = packet.dts - round(1 / packet.time_base), copied
            made.mux(packet)
    times = [round(frame.t * 1000) for frame in Decoder(path)]
    assert times == [*STEADY[:10], 440, 460, *STEADY[12:]]


def test_a_clock_that_runs_back_goes_on_at_the_usual_step(encode: Encode, tmp_path: Path) -> None:
    halves = [encode([start + time for time in STEADY[:75]], f"{start}.ts") for start in (60_000, 0)]
    path = tmp_path / "restarted.ts"
    path.write_bytes(b"".join(half.read_bytes() for half in halves))
    facts = probe(path)
    assert [round(frame.t * 1000) for frame in Decoder(facts)] == STEADY
    assert seen(facts) == seen(facts.stretch(0.0, 2.9)) | seen(facts.stretch(2.9, 9.0))
    (note,) = Decoder(facts).coverage.notes
    assert (note.t, note.text) == (3.0, "the stamps leap by -63.0 s here; the time goes on at the usual step")


@pytest.mark.parametrize("b_frames", [0, 2])
@pytest.mark.parametrize("zeros", [1, 187, 188, 189, 500])
def test_zeros_behind_a_transport_stream_cost_no_picture(encode: Encode, b_frames: int, zeros: int) -> None:
    path = encode(STEADY[:30], "video.ts", b_frames=b_frames)
    whole = seen(probe(path))
    path.write_bytes(path.read_bytes() + bytes(zeros))
    assert seen(probe(path)) == whole and len(whole) == 30


def test_a_stretch_without_frames_decodes_nothing(encode: Encode) -> None:
    decoder = Decoder(probe(encode(STEADY)).stretch(2.001, 2.003))
    assert list(decoder) == []
    assert (decoder.coverage.recorded, decoder.coverage.gaps) == (0.002, ())


@pytest.mark.parametrize("b_frames", [0, 2])
def test_a_bare_stream_is_refused_with_what_to_do(encode: Encode, b_frames: int) -> None:
    path = encode(STEADY[:25], "video.h264", b_frames=b_frames)
    with pytest.raises(BadInput, match=r"video\.h264: carries no times: .*; give its pictures a second with --fps"):
        probe(path)
    assert seen(probe(path, Reading(rate=25.0))) == {number: (time, number) for number, time in enumerate(STEADY[:25])}
