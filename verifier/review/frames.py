"""Single pictures of a recording at given moments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, dropwhile, islice
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.vision.upright import axes_of, picture_of

_SEEK_FROM_S = 2.0
"""A wanted picture further ahead than this is sought; a nearer one is reached by decoding on."""
_SEEK_EARLY_S = (0.0, 1.0, 10.0)
"""Seconds before a moment at which its key frame is sought, in turn: some containers land after it."""
_WHOLE_S = 0.5
"""Seconds before a wanted picture from which on every frame is decoded: it may be the last one that can be."""
_REORDERED = 32
"""Packets among which the one is that is shown first: codecs reorder 16 pictures at most."""


def frames_at(video: Path, times: Iterable[float]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Gives (wanted time, BGR picture) for each wanted media time in rising order, each the first frame from then on.

    Times are seconds after the first frame. A moment beyond what can be decoded gives the last picture before it, and
    nothing where there is none. Raises BadInput where the file cannot be opened.
    """
    wanted = sorted(set(times))
    if not wanted:
        return
    origin = beginning(video)
    with open_for_pictures(video) as container:
        yield from _walk(container, wanted, origin)


def open_for_pictures(video: Path) -> Any:
    """The opened recording, to be closed by `with`; raises BadInput where it cannot be opened."""
    try:
        return av.open(str(video))
    except (av.error.FFmpegError, OSError) as error:
        raise BadInput(video, f"cannot be opened for stills ({error})", "check that it is a whole video") from error


def beginning(video: Path) -> float | None:
    """When a recording's first frame is shown, can it be decoded or not: seconds as the file counts them.

    None where no packet tells. Raises BadInput where the file cannot be opened.
    """
    times: list[float] = []
    with open_for_pictures(video) as container:
        try:
            for packet in islice(container.demux(video=0), _REORDERED):
                if packet.size and packet.pts is not None and not packet.is_discard:
                    times.append(float(packet.pts * packet.time_base))
        except av.error.FFmpegError:
            pass  # damaged: what came before it tells
    return min(times, default=None)


def _walk(container: Any, wanted: list[float], origin: float | None) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    goal = -math.inf

    def near() -> float:
        return goal

    frames = decoded(container, near)
    last = next(frames, None)
    if last is None:
        return
    origin, axes = last.time if origin is None else origin, axes_of(last)
    for t in wanted:
        goal = t + origin - _WHOLE_S
        if t - (last.time - origin) > _SEEK_FROM_S:
            frames = _from_key_frame(container, stream, t + origin, near)
        while last.time - origin < t - 1e-3:
            frame = next(frames, None)
            if frame is None:
                break
            last = frame
        yield t, picture_of(last, axes)


def _from_key_frame(container: Any, stream: Any, time: float, goal: Callable[[], float]) -> Iterator[Any]:
    """Frames from a key frame on that lies at or before `time`, where one is found."""
    frames: Iterator[Any] = iter(())
    for early in _SEEK_EARLY_S:
        frames = sought(container, stream, time - early, goal)
        first = next(frames, None)
        if first is not None:
            frames = chain([first], frames)
            if first.time <= time + 1e-3:
                break
    return frames


def decoded(container: Any, goal: Callable[[], float] | None = None) -> Iterator[Any]:
    """Frames in order of presentation, up to the end or to the first place that cannot be decoded.

    Those before `goal` (seconds as the file counts them) come only where others are built on them.
    """
    stream = container.streams.video[0]
    try:
        for packet in container.demux(stream):
            if goal is not None and packet.pts is not None:
                early = packet.pts * packet.time_base < goal()
                stream.codec_context.skip_frame = "NONREF" if early else "DEFAULT"
            yield from (frame for frame in packet.decode() if frame.time is not None)
    except av.error.FFmpegError:
        return


def sought(container: Any, stream: Any, time: float, goal: Callable[[], float] | None = None) -> Iterator[Any]:
    """Frames from a key frame on, at or before `time` (seconds as the file counts them); some files land later.

    What comes before the key frame was built on pictures that were not read, and is left out; `goal` as in `decoded`.
    """
    try:
        container.seek(int(time / stream.time_base), stream=stream, backward=True)
    except av.error.FFmpegError:
        return iter(())
    return dropwhile(lambda frame: not frame.key_frame, decoded(container, goal))
