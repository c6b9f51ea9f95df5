"""Single pictures of a recording at given moments."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.recording.decode import Decoder, Frame
from verifier.recording.probe import Probe, probed

_FURTHER = 64
"""Pictures that are looked through for one that can be decoded, before twice as many are."""


def frames_at(video: Path | Probe, times: Iterable[float]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Yield (wanted time, BGR picture) for each wanted media time in rising order, each the first frame from then on.

    Times are seconds of media time. A moment beyond what can be decoded gives the last picture before it, and nothing
    where there is none. Raises BadInput if the file cannot be opened.
    """
    whole = video if isinstance(video, Probe) else probed(video)
    wanted = [(t, whole.timeline.from_then(t)) for t in sorted(set(times))]
    for group in _together(whole, wanted):
        came = _decoded(whole, [number for _, number in group])
        for t, number in group:
            frame = came.get(number) or nearest(whole, number)
            if frame is not None:
                yield t, frame.bgr()


def _together(whole: Probe, wanted: list[tuple[float, int]]) -> Iterator[list[tuple[float, int]]]:
    """Yield the wanted pictures in groups that one pass of decoding gives."""
    group: list[tuple[float, int]] = []
    for one in wanted:
        if group and whole.timeline.begin_for(one[1]) > whole.timeline.packet[group[-1][1]]:
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _decoded(whole: Probe, numbers: list[int]) -> dict[int, Frame]:
    part = whole.pictures(numbers[0], numbers[-1] + 1)
    wanted = np.zeros(len(part.times), np.bool_)
    wanted[np.asarray(numbers) - numbers[0]] = True
    return {frame.index: frame for frame in _frames(part, wanted) if wanted[frame.index - numbers[0]]}


def _frames(part: Probe, wanted: NDArray[np.bool_] | None = None) -> Iterator[Frame]:
    """Yield the frames of a stretch as a part of the recording, so that it is no error when there are none."""
    if part.last - part.first < len(part.timeline):
        yield from Decoder(part, wanted=wanted)
    else:
        yield from Decoder(part.pictures(0, part.last), wanted=wanted)


def nearest(whole: Probe, number: int) -> Frame | None:
    """Return the first picture from `number` on that can be decoded, else the last one before it."""
    return following(whole, number) or preceding(whole, number)


def following(whole: Probe, number: int) -> Frame | None:
    """Return the first picture from `number` on that can be decoded."""
    return next(_frames(whole.pictures(number, len(whole.timeline))), None)


def preceding(whole: Probe, number: int) -> Frame | None:
    """Return the last picture before `number` that can be decoded."""
    end, further = number, _FURTHER
    while end > 0:
        begin = max(0, end - further)
        if last := deque(_frames(whole.pictures(begin, end)), maxlen=1):
            return last[0]
        end, further = begin, 2 * further
    return None
