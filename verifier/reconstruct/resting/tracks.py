"""Tracks of objects at rest: the detections of each, and where it stayed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.zones import Xy


class Located(Protocol):
    """Anything with a place and a probability."""

    @property
    def xy(self) -> Xy: ...
    @property
    def p(self) -> float: ...


S = TypeVar("S", bound=Located)


@dataclass(slots=True)
class Dwell:
    """A period of rest at `xy`, seen `n` times between `t0` and `t1`."""

    xy: Xy
    t0: float
    t1: float
    n: int


@dataclass(slots=True)
class Track(Generic[S]):
    """One object; `gone` is the first instant at which its bare place was seen, None while it may still lie there."""

    number: int
    now: Xy
    t_first: float
    t_last: float
    trail: deque[tuple[float, S]] = field(default_factory=lambda: deque(maxlen=par.TRAIL_LOOKS))
    dwells: list[Dwell] = field(default_factory=list)
    gone: float | None = None
    bare_since: float | None = None
    bare_frames: int = 0
    missed: int = 0
    """Looks that did not show it where it lies now, with nothing over it, before one that did."""

    @property
    def settled(self) -> bool:
        return bool(self.dwells)

    @property
    def t_rest(self) -> float:
        """Since when it first lay still."""
        return self.dwells[0].t0

    @property
    def xy(self) -> Xy:
        """Its last place of rest."""
        return self.dwells[-1].xy

    @property
    def p(self) -> float:
        """Mean probability of its detections."""
        return sum(detection.p for _, detection in self.trail) / len(self.trail)
