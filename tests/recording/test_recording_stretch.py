"""A recording watched in stretches is the recording watched whole: no frame twice, none lost, gaps in their place."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from numbered import number_of

from verifier.recording.decode import Decoder
from verifier.recording.probe import Probe, probe

Encode = Callable[..., Path]
SMOOTH = [i * 1000 // 30 for i in range(240)]
UNEVEN = [5000 + t for t in (0, 33, 67, 100, 133, 400, 433, 467, 500, 533, 1900, 1933, 1967, 2000, 2033, 2067, 2100)]


def seen(facts: Probe) -> list[tuple[int, float, int]]:
    return [(frame.index, frame.t, number_of(frame.bgr())) for frame in Decoder(facts)]


@pytest.mark.parametrize("name", ["video.mp4", "video.mkv", "video.ts"])
@pytest.mark.parametrize("times", [SMOOTH, UNEVEN], ids=["steady", "uneven, late start"])
@pytest.mark.parametrize("b_frames", [0, 2])
def test_stretches_make_up_the_whole(encode: Encode, name: str, times: list[int], b_frames: int) -> None:
    facts = probe(encode(times, name, b_frames=b_frames, gop=12))
    assert facts.divisible
    cuts = [0.0, 0.41, 1.9, 2.05, 9.0]
    pieces = [facts.stretch(a, b) for a, b in itertools.pairwise(cuts)]
    assert [one for piece in pieces for one in seen(piece)] == seen(facts)


def test_stretches_of_a_whole_file_have_no_gaps_and_add_up(encode: Encode) -> None:
    facts = probe(encode(SMOOTH, b_frames=2))
    decoders = [Decoder(facts.stretch(a, a + 2.0)) for a in (0.0, 2.0, 4.0, 6.0)]
    for decoder in decoders:
        assert list(decoder)
        assert decoder.coverage.complete
    assert sum(decoder.coverage.recorded for decoder in decoders) == pytest.approx(8.0, abs=0.02)


def test_damage_is_a_gap_of_the_stretch_it_lies_in(encode: Encode) -> None:
    path = encode(SMOOTH, "video.ts", gop=30)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + len(data) // 8] = bytes(len(data) // 8)
    path.write_bytes(bytes(data))
    facts = probe(path)
    decoders = [Decoder(facts.stretch(a, a + 2.0)) for a in (0.0, 2.0, 4.0, 6.0)]
    for decoder in decoders:
        list(decoder)
    assert (decoders[0].coverage.complete, decoders[2].coverage.complete) == (True, False)
    whole = Decoder(facts)
    assert len(list(whole)) < len(SMOOTH)
    missed = sum(gap.end - gap.start for decoder in decoders for gap in decoder.coverage.gaps)
    assert missed == pytest.approx(sum(gap.end - gap.start for gap in whole.coverage.gaps), abs=0.01)
