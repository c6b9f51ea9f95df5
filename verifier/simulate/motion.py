"""Motion of points over time: pieces of minimum-jerk movement, exact at every instant.

Minimum jerk: Flash and Hogan, The coordination of arm movements, J. Neurosci. 5 (1985) 1688-1703.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Generic, TypeVar

from msgspec import Struct

Values = tuple[float, ...]
_T = TypeVar("_T")


def min_jerk(u: float) -> float:
    """Share of the way gone after share `u` of the time; 0 before the start and 1 after the end."""
    if u <= 0.0:
        return 0.0
    if u >= 1.0:
        return 1.0
    return u * u * u * (10.0 + u * (6.0 * u - 15.0))


def blend(start: Sequence[float], end: Sequence[float], share: float) -> Values:
    """Point between two equally long vectors."""
    return tuple(a + (b - a) * share for a, b in zip(start, end, strict=True))


def distance(a: Sequence[float], b: Sequence[float]) -> float:
    """Distance of two points in the plane, from their first two numbers."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


class Piece(Struct, frozen=True):
    """One movement from `start` at `t0` to `end` at `t1`.

    `lift` raises the third number and `bow` bends the path sideways (millimetres at its middle).
    """

    t0: float
    t1: float
    start: Values
    end: Values
    lift: float = 0.0
    bow: float = 0.0

    def at(self, t: float) -> Values:
        """Values at time `t`, held before the start and after the end."""
        if self.t1 <= self.t0:
            return self.end
        share = min_jerk((t - self.t0) / (self.t1 - self.t0))
        point = blend(self.start, self.end, share)
        hump = 4.0 * share * (1.0 - share)
        if hump == 0.0 or (self.lift == 0.0 and self.bow == 0.0):
            return point
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        length = math.hypot(dx, dy) or 1.0
        x = point[0] - dy / length * self.bow * hump
        y = point[1] + dx / length * self.bow * hump
        return (x, y, point[2] + self.lift * hump, *point[3:])


class Path:
    """Values over time: starts at rest and is extended by movements in the order of time."""

    def __init__(self, t: float, start: Values) -> None:
        self._pieces = [Piece(t, t, start, start)]
        self._times = [t]

    @property
    def free(self) -> float:
        """Time at which the last movement ends."""
        return self._pieces[-1].t1

    @property
    def last(self) -> Values:
        """Values after the last movement."""
        return self._pieces[-1].end

    def move(self, t0: float, t1: float, end: Values, *, lift: float = 0.0, bow: float = 0.0) -> None:
        """Add a movement. Raises ValueError when it begins before the last one has ended."""
        if t0 < self.free - 1e-6 or t1 < t0:
            raise ValueError(f"movement from {t0:.3f} to {t1:.3f} s overlaps the one that ends at {self.free:.3f} s")
        self._pieces.append(Piece(t0, t1, self.last, end, lift, bow))
        self._times.append(t0)

    def at(self, t: float) -> Values:
        """Values at time `t`."""
        return self._pieces[max(0, bisect_right(self._times, t) - 1)].at(t)


class Steps(Generic[_T]):
    """A value that changes at instants."""

    def __init__(self, t: float, value: _T) -> None:
        self._times = [t]
        self._values = [value]

    @property
    def last(self) -> _T:
        """The value after the last change."""
        return self._values[-1]

    def put(self, t: float, value: _T) -> None:
        """Change the value at time `t`, which must not lie before the last change."""
        if t < self._times[-1] - 1e-6:
            raise ValueError(f"change at {t:.3f} s is before the last one at {self._times[-1]:.3f} s")
        self._times.append(max(t, self._times[-1]))
        self._values.append(value)

    def at(self, t: float) -> _T:
        """Return the value at time `t`."""
        return self._values[max(0, bisect_right(self._times, t) - 1)]
