"""Single pictures of a recording at given moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput

_SEEK_FROM_S = 4.0
"""A wanted picture further ahead than this is sought; a nearer one is reached by decoding on."""
_SEEK_EARLY_S = 1.0
"""Some containers land a little after the moment that was sought."""


def frames_at(video: Path, times: Iterable[float]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Gives (wanted time, BGR picture) for each wanted media time in rising order, each the first frame from then on.

    Times are seconds after the first frame. A moment beyond what can be decoded gives the last picture before it, and
    nothing where there is none. Raises BadInput where the file cannot be opened.
    """
    wanted = sorted(set(times))
    if not wanted:
        return
    with open_for_pictures(video) as container:
        yield from _walk(container, wanted)


def open_for_pictures(video: Path) -> Any:
    """The opened recording, to be closed by `with`; raises BadInput where it cannot be opened."""
    try:
        return av.open(str(video))
    except (av.error.FFmpegError, OSError) as error:
        raise BadInput(video, f"cannot be opened for stills ({error})", "check that it is a whole video") from error


def _walk(container: Any, wanted: list[float]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    frames = decoded(container)
    last = next(frames, None)
    if last is None:
        return
    origin = last.time
    for t in wanted:
        if t - (last.time - origin) > _SEEK_FROM_S:
            frames = sought(container, stream, t + origin - _SEEK_EARLY_S)
        while last.time - origin < t - 1e-3:
            frame = next(frames, None)
            if frame is None:
                break
            last = frame
        yield t, last.to_ndarray(format="bgr24")


def decoded(container: Any) -> Iterator[Any]:
    """Frames in order of presentation, up to the end or to the first place that cannot be decoded."""
    try:
        for frame in container.decode(video=0):
            if frame.time is not None:
                yield frame
    except av.error.FFmpegError:
        return


def sought(container: Any, stream: Any, time: float) -> Iterator[Any]:
    """Frames from a key frame on, at or before `time` (seconds as the file counts them); some files land later.

    What comes before the key frame was built on pictures that were not read, and is left out.
    """
    try:
        container.seek(int(time / stream.time_base), stream=stream, backward=True)
    except av.error.FFmpegError:
        return iter(())
    return dropwhile(lambda frame: not frame.key_frame, decoded(container))
