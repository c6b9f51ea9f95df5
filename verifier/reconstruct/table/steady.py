"""Takes a moved camera out: which observation belongs to which view, and the map from its pixels to the table.

Vision measures the drift every few seconds, so a knock is known some seconds after it happened. Observations are held
back for that long; where the view has changed among them, the things that lie still tell at which one it did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from verifier.domain.observations import Drift, Observation, Point
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.zones import TableMap, centre_of, distance


class Placed(Struct, frozen=True):
    """An observation with the map of the view it was made in; `table` is None where the view is lost."""

    observation: Observation
    table: TableMap | None


class Steadier:
    """Feed `step` with observations in order of time; each comes back once, at most `STEADY_LAG_S` later."""

    def __init__(self, table: TableMap, size: tuple[int, int]) -> None:
        self._reference, self._size = table, size
        self._drift: Drift | None = None
        self._lost = False
        self._table: TableMap | None = table
        self._waiting: deque[Placed] = deque()

    def step(self, observation: Observation) -> list[Placed]:
        """Take one observation, and return those whose view is settled. Without any word of the view none waits."""
        quality = observation.quality
        view = None if quality is None else quality.view
        if quality is not None and view is not None:
            self._see(view == "lost", quality.drift, observation)
        elif not self._waiting:
            return [Placed(observation, self._table)]
        self._waiting.append(Placed(observation, self._table))
        done = []
        while observation.t - self._waiting[0].observation.t > par.STEADY_LAG_S:
            done.append(self._waiting.popleft())
        return done

    def flush(self) -> list[Placed]:
        """End the recording, and return what still waits."""
        done = list(self._waiting)
        self._waiting.clear()
        return done

    def _see(self, lost: bool, drift: Drift | None, now: Observation) -> None:
        """Take a measured view: the one that is known, or a new one since some moment among those that wait."""
        if not lost and (drift is None or drift.p < par.STEADY_SURE_P):
            return
        if lost == self._lost and (lost or self._apart(drift) < par.STEADY_SAME_PX):
            return
        table = None if drift is None or lost else self._reference.drifted(drift)
        since = 0 if lost else self._moment(table, now)
        self._lost, self._table, self._drift = lost, table, None if lost else drift
        for index in range(since, len(self._waiting)):
            self._waiting[index] = Placed(self._waiting[index].observation, table)

    def _apart(self, drift: Drift | None) -> float:
        """How far apart the known view and this one put the picture's corners at most, in pixels."""
        corners = [(x, y) for x in (0.0, float(self._size[0])) for y in (0.0, float(self._size[1]))]
        views = [[one.now(c, self._size) if one else c for c in corners] for one in (self._drift, drift)]
        return max(distance(a, b) for a, b in zip(*views, strict=True))

    def _moment(self, table: TableMap | None, now: Observation) -> int:
        """Index among those that wait from which things lie where they lie now if seen through the new view."""
        before = self._table
        if before is None or table is None:
            return len(self._waiting)
        lying = [table.mm(point) for point in _things(now)]
        votes = [_vote(_things(one.observation), lying, before, table) for one in self._waiting]
        costs = [sum(v for v in votes[:k] if v > 0) - sum(v for v in votes[k:] if v < 0) for k in range(len(votes) + 1)]
        return min(range(len(costs)), key=lambda k: (costs[k], -k))


def _things(observation: Observation) -> list[Point]:
    """Middles of the cards and chips, in pixels."""
    quads = [card.quad for card in observation.cards]
    middles = [centre_of(quad) for quad in quads]
    return middles + [chip.center for chip in observation.chips]


def _vote(points: Sequence[Point], lying: Sequence[Point], before: TableMap, after: TableMap) -> int:
    """How many things fit better to where they lie now (mm) through the new view, less those through the old one."""
    votes = 0
    for point in points:
        old, new = (
            min((distance(view.mm(point), p) for p in lying), default=par.STEADY_NEAR_MM) for view in (before, after)
        )
        if min(old, new) < par.STEADY_NEAR_MM:
            votes += (new < old) - (old < new)
    return votes
