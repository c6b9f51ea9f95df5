"""Some pictures from all parts of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from verifier.recording.decode import Decoder, Picture
from verifier.recording.probe import Probe

PICTURES: Final = 3
"""Pictures of a recording, from all parts of it, in which signs and clock are read: 1 s of one core each."""
WITHIN_S: Final = 6.0
"""Seconds at the beginning from which they are taken where a file cannot be divided."""


def spread_pictures(probe: Probe, count: int = PICTURES) -> list[Picture]:
    """`count` pictures (h, w, 3) BGR from all parts of a recording; if it cannot be divided, from its beginning."""
    if not probe.divisible:
        return _taken(probe, [WITHIN_S * number / count for number in range(count)])
    times = [probe.length * (number + 0.5) / count for number in range(count)]
    return [picture for t in times for picture in _taken(probe.stretch(t, probe.length), [t])]


def _taken(probe: Probe, times: Sequence[float]) -> list[Picture]:
    """Return the first picture from each of these moments (s) on."""
    wanted, pictures = list(times), []
    for frame in Decoder(probe):
        if wanted and frame.t >= wanted[0] - 1e-6:
            pictures.append(frame.bgr())
            wanted.pop(0)
        if not wanted:
            break
    return pictures
