"""The lines of a review's streams that belong to a stretch of time, word for word."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

import msgspec
from msgspec import Struct

AROUND_S = 10.0
"""Seconds before and after a finding whose observations and events go with it."""


class Stretch(Struct, frozen=True):
    """Seconds of media time, both ends included."""

    start: float
    end: float

    def around(self, seconds: float = AROUND_S) -> Stretch:
        """Return the stretch with some time before and after."""
        return Stretch(self.start - seconds, self.end + seconds)


class _Timed(Struct):
    """When a line of either stream is: observations have `t`, events `t_start` and `t_end`."""

    id: str | None = None
    t: float | None = None
    t_start: float | None = None
    t_end: float | None = None

    def within(self, stretch: Stretch) -> bool:
        start = self.t if self.t is not None else self.t_start
        end = self.t if self.t is not None else self.t_end
        return start is not None and end is not None and start <= stretch.end and end >= stretch.start


def excerpt(path: Path, stretch: Stretch | None, cited: frozenset[str] = frozenset()) -> bytes:
    """Return the header and the lines of `path` (plain or .gz) within the stretch (None: all), and those cited by
    id.
    """
    return b"".join(_lines(path, stretch, cited))


def _lines(path: Path, stretch: Stretch | None, cited: frozenset[str]) -> Iterator[bytes]:
    decoder = msgspec.json.Decoder(_Timed)
    with _opened(path) as file:
        yield file.readline()
        for line in file:
            if stretch is None:
                yield line
                continue
            timed = decoder.decode(line)
            if timed.within(stretch) or timed.id in cited:
                yield line


def _opened(path: Path) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")
