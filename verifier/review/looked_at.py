"""What the software saw in the frames that it looked at, for drawing over those very frames."""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from verifier.domain.layout import Layout
from verifier.domain.observations import Observation
from verifier.formats.layout import read_layout
from verifier.review.products import KEPT_LAYOUT, KEPT_OBSERVATIONS
from verifier.review.stepping import SAME_S


class _Moment(msgspec.Struct):
    t: float
    clock: str | None = None


def observations_in(packed: Path) -> Iterator[Observation]:
    """Yield the observations in a packed file that has no header, one by one."""
    whole = msgspec.json.Decoder(Observation)
    with gzip.open(packed, "rb") as lines:
        yield from map(whole.decode, lines)


def observations_between(folder: Path, start: float, end: float) -> list[Observation]:
    """Return the kept observations of a review between two moments (s), in order; none where they were not kept."""
    return list(_kept(folder, lambda t: t >= start, end))


def observations_near(folder: Path, times: Iterable[float], within: float) -> list[Observation]:
    """Return the kept observations of a review that lie `within` seconds of one of the times (s), in order."""
    wanted = sorted(set(times))

    def near(t: float) -> bool:
        place = bisect_left(wanted, t - within)
        return place < len(wanted) and wanted[place] <= t + within

    return list(_kept(folder, near, wanted[-1] + within)) if wanted else []


def _kept(folder: Path, wanted: Callable[[float], bool], end: float) -> Iterator[Observation]:
    """Yield the kept observations of a review up to `end` (s) whose moments are wanted; only these are decoded in
    full.
    """
    moment = msgspec.json.Decoder(_Moment)
    whole = msgspec.json.Decoder(Observation)
    for line in _lines(folder):
        t = moment.decode(line).t
        if t > end:
            return
        if wanted(t):
            yield whole.decode(line)


def _lines(folder: Path) -> Iterator[bytes]:
    """Yield the records of a review's kept observations as they were written; none where they were not kept."""
    path = folder / KEPT_OBSERVATIONS
    if not path.exists():
        return
    with gzip.open(path, "rb") as lines:
        next(lines, None)  # the header
        yield from lines


def readings_of(folder: Path) -> Iterator[tuple[float, str]]:
    """Yield the readings of the burned-in clock in a review's kept observations, with their moments (s), in order."""
    moment = msgspec.json.Decoder(_Moment)
    for line in _lines(folder):
        seen = moment.decode(line)
        if seen.clock is not None:
            yield seen.t, seen.clock


def layout_of(folder: Path) -> Layout | None:
    """Return the layout by which a review was made; None if it was not kept."""
    path = folder / KEPT_LAYOUT
    return _layout(path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=64)
def _layout(path: Path, _changed: int) -> Layout:
    return read_layout(path)


def seen_in_frame(seen: Sequence[Observation], t: float) -> Observation | None:
    """Return what was seen in the frame of time `t`; None if the software did not look at that frame."""
    return next((one for one in seen if abs(one.t - t) <= SAME_S), None)


def looked_at_around(seen: Sequence[Observation], t: float) -> tuple[float | None, float | None]:
    """Return the times of the nearest looked-at frames before and after `t`."""
    times = [one.t for one in seen]
    low, high = bisect_left(times, t - SAME_S), bisect_left(times, t + SAME_S)
    return (times[low - 1] if low else None), (times[high] if high < len(times) else None)
