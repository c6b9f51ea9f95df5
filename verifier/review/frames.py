"""Single pictures of a recording at given moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput

_SEEK_FROM_S = 4.0
"""A wanted picture further ahead than this is sought; a nearer one is reached by decoding on."""


def frames_at(video: Path, times: Iterable[float]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Gives (wanted time, BGR picture) for each wanted media time in rising order, each the first frame from then on.

    Times are seconds after the first frame. A moment beyond what can be decoded gives the last picture before it, and
    nothing where there is none. Raises BadInput where the file cannot be opened.
    """
    wanted = sorted(set(times))
    if not wanted:
        return
    try:
        container = av.open(str(video))
    except (av.error.FFmpegError, OSError) as error:
        raise BadInput(video, f"cannot be opened for stills ({error})", "check that it is a whole video") from error
    with container:
        yield from _walk(container, wanted)


def _walk(container: Any, wanted: list[float]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    origin: float | None = None
    frames = _decode(container)
    last: Any = None
    for t in wanted:
        if last is not None and origin is not None and t - (last.time - origin) > _SEEK_FROM_S:
            frames = _sought(container, stream, t + origin)
        while last is None or origin is None or last.time - origin < t - 1e-3:
            frame = next(frames, None)
            if frame is None:
                break
            origin = frame.time if origin is None else origin
            last = frame
        if last is not None:
            yield t, last.to_ndarray(format="bgr24")


def _decode(container: Any) -> Iterator[Any]:
    """Frames up to the end or to the first place that cannot be decoded."""
    try:
        for frame in container.decode(video=0):
            if frame.time is not None:
                yield frame
    except av.error.FFmpegError:
        return


def _sought(container: Any, stream: Any, time: float) -> Iterator[Any]:
    try:
        container.seek(int(time / stream.time_base), stream=stream, backward=True)
    except av.error.FFmpegError:
        return iter(())
    return _decode(container)
