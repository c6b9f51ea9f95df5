"""Follows objects from look to look by place, so that each keeps its id and gathers evidence over its looks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from verifier.vision.detection import Detection
from verifier.vision.geometry import Floats

E = TypeVar("E")
FAR: Final = 1e6
RESTING: Final = 0.3
"""An object has stayed in its place if it is within so many of its own sizes of its last place."""
LOOK: Final = 0.15
"""Seconds between two looks while something moves."""
REST_TIME: Final = 0.4
"""Seconds of staying after which an object rests."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a family moves: `speed` in own sizes a second, and how long it may be out of sight at rest or moving (s).

    `leap`: own sizes from where it rested within which an object is taken for the same that has moved off.
    """

    speed: float
    rest_gap: float
    moving_gap: float
    leap: float = math.inf


CARD_RULES: Final = Rules(speed=14.0, rest_gap=4.0, moving_gap=0.4, leap=0.3)
CHIP_RULES: Final = Rules(speed=10.0, rest_gap=4.0, moving_gap=0.3, leap=0.3)
"""Of the leaps from rest by more than 0.6 own sizes in 47 recordings (2026-11-23) 5 of 84 were of the same card and 28
of 330 of the same chip: the others were of one missed for some looks and of another one, or of none, beside it."""
HAND_RULES: Final = Rules(speed=12.0, rest_gap=0.7, moving_gap=0.7)


@dataclass(slots=True)
class Track(Generic[E]):
    """One followed object: `place` and `size` of its last detection, times in seconds, and the evidence gathered."""

    id: int
    place: tuple[float, float]
    size: float
    seen: float
    moved: float
    evidence: E
    read: float = -1e9
    doubts: int = 0
    stirred: float = -1e9
    """When something last came to lie at it, which may have lain on it before."""
    away: float = 0.0
    """Seconds out of sight before the last detection; a pause in looking counts as one look."""

    def resting(self, t: float) -> bool:
        """Tell whether the object has lain still for a while."""
        return t - self.moved >= REST_TIME

    def update(self, found: Detection, t: float) -> None:
        """Take a new detection."""
        if distance(self.place, found.centre) > RESTING * self.size:
            self.moved = t
            self.place = found.centre
        self.size, self.seen = size_of(found), t


class Tracker(Generic[E]):
    """Tracks of one family. `make` begins the evidence of a new object, `ids` numbers it."""

    def __init__(self, rules: Rules, ids: Iterator[int], make: Callable[[], E]) -> None:
        self._rules = rules
        self._ids = ids
        self._make = make
        self._tracks: list[Track[E]] = []
        self._looked = -1e9

    def update(self, t: float, found: Sequence[Detection], strangeness: Floats | None = None) -> list[Track[E] | None]:
        """Return the track of each object found at time `t`, in the same order; None for a faint one that no track
        leads to.

        `strangeness` (tracks, found), if given for the tracks of `candidates`, makes unlikely pairs dearer.
        """
        tracks = self.candidates(t)
        self._tracks = tracks
        for known in tracks:
            known.away = self._age(known, t)
        matched = self._match(t, tracks, found, strangeness)
        self._looked = t
        result: list[Track[E] | None] = []
        for number, seen in enumerate(found):
            track = matched.get(number)
            if track is None and not seen.faint:
                track = self._begin(seen, t)
            if track is not None:
                track.update(seen, t)
            result.append(track)
        return result

    def candidates(self, t: float) -> list[Track[E]]:
        """Tracks that may still go on at time `t`."""
        return [track for track in self._tracks if self._age(track, t) <= self._patience(track)]

    def renew(self, track: Track[E], t: float) -> Track[E]:
        """Begin a new track where `track` is, because another object lies there now."""
        self._tracks.remove(track)
        fresh = Track(next(self._ids), track.place, track.size, t, t, self._make())
        self._tracks.append(fresh)
        return fresh

    def _age(self, track: Track[E], t: float) -> float:
        """Seconds out of sight; a pause in looking counts as one look, because nothing moved in it."""
        return self._looked - track.seen + min(t - self._looked, LOOK)

    def _patience(self, track: Track[E]) -> float:
        return self._rules.rest_gap if track.resting(track.seen) else self._rules.moving_gap + REST_TIME

    def _begin(self, found: Detection, t: float) -> Track[E]:
        track = Track(next(self._ids), found.centre, size_of(found), t, t, self._make())
        self._tracks.append(track)
        return track

    def _match(
        self, t: float, tracks: Sequence[Track[E]], found: Sequence[Detection], strangeness: Floats | None
    ) -> dict[int, Track[E]]:
        if not tracks or not found:
            return {}
        places = np.array([track.place for track in tracks])
        sizes = np.array([track.size for track in tracks])
        ages = np.array([self._age(track, t) for track in tracks])
        away = np.linalg.norm(places[:, None] - np.array([d.centre for d in found])[None], axis=2) / sizes[:, None]
        leaps = np.array([self._rules.leap if track.resting(track.seen) else math.inf for track in tracks])
        reach = RESTING + np.where(ages <= self._rules.moving_gap, np.minimum(self._rules.speed * ages, leaps), 0.0)
        cost = away if strangeness is None else away + strangeness
        cost = np.where(away <= reach[:, None], cost, FAR)
        stayed = np.where(away <= RESTING, cost, FAR)
        pairs = _pairs(stayed)
        if len(pairs) < min(cost.shape):
            cost[list(pairs), :] = FAR
            cost[:, list(pairs.values())] = FAR
            pairs |= _pairs(cost)
        return {column: tracks[row] for row, column in pairs.items()}


def _pairs(cost: Floats) -> dict[int, int]:
    """Cheapest pairing of rows with columns, without the impossible pairs."""
    possible = cost < FAR
    if possible.sum(axis=0).max() <= 1 and possible.sum(axis=1).max() <= 1:  # nothing to choose
        return {int(r): int(c) for r, c in np.argwhere(possible)}
    rows, columns = linear_sum_assignment(cost)
    return {int(r): int(c) for r, c in zip(rows, columns, strict=True) if cost[r, c] < FAR}


def size_of(found: Detection) -> float:
    """Side of a square of the object's area, in pixels."""
    return max(1.0, float(np.sqrt(found.box[2] * found.box[3])))


def distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Pixels between two points."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
