"""Pictures from all parts of a stretch of a recording, for as little decoding as can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import av
import numpy as np

from verifier.recording.decode import Decoder, Frame, reading
from verifier.recording.probe import Probe
from verifier.recording.stamps import Numbers

KEYS_ENOUGH: Final = 20
"""Key pictures in a stretch that are enough to look at these alone. Recorders write one every one to four seconds."""


def glimpses(source: Probe, most: int) -> Iterator[Frame]:
    """At most `most` pictures of a stretch, evenly spread and in order.

    Where the stretch has KEYS_ENOUGH key pictures, only these are decoded, and the file is read once without seeking.
    Elsewhere every picture is decoded. Damaged pictures are left out. Raises BadInput as `Decoder` does.
    """
    keys = _key_pictures(source)
    if len(keys) >= min(KEYS_ENOUGH, most):
        yield from _decoded_alone(source, spread(keys, most))
        return
    numbers = set(spread(np.arange(source.first, source.last), most).tolist())
    wanted = np.isin(np.arange(source.first, source.last), list(numbers))
    yield from (frame for frame in Decoder(source, wanted=wanted) if frame.index in numbers)


def spread(numbers: Numbers, most: int) -> Numbers:
    """At most `most` of the numbers, evenly spread, the first and the last among them."""
    if len(numbers) <= most:
        return numbers
    return numbers[np.unique(np.linspace(0, len(numbers) - 1, most).round().astype(np.int64))]


def _key_pictures(source: Probe) -> Numbers:
    numbers = source.timeline.number[source.timeline.alone]
    return np.sort(numbers[(numbers >= source.first) & (numbers < source.last)])


def _decoded_alone(source: Probe, numbers: Numbers) -> Iterator[Frame]:
    """Key pictures, decoded without what lies between them."""
    timeline = source.timeline
    wanted = set(timeline.packet[numbers].tolist())
    with reading(source, min(wanted)) as (stream, packets):
        stream.thread_type = "AUTO"
        stream.codec_context.copy_opaque = True
        for number, packet in packets:
            if number > max(wanted):
                break
            if number in wanted:
                packet.opaque = number
                yield from _frames(source, stream, packet)
        yield from _frames(source, stream, None)
    source.check_same()


def _frames(source: Probe, stream: Any, packet: Any) -> Iterator[Frame]:
    timeline, shape = source.timeline, source.facts.shape
    try:
        for raw in stream.codec_context.decode(packet):
            fits = (raw.width, raw.height) == shape.stored and raw.rotation == shape.rotation
            if fits and not raw.is_corrupt and isinstance(raw.opaque, int):
                number = int(timeline.number[raw.opaque])
                yield Frame(number, round(float(timeline.times[number]), 6), raw, shape)
    except av.error.FFmpegError:
        return
