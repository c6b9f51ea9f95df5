"""Objects at rest: cards and chips that stay put, remembered while a hand or a forearm hides them.

Detections are matched to lives by position alone, for track ids break exactly where play happens. A life has stays: the
periods in which its object lay still. It ends when the object is not seen although nothing covers its place.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover
from verifier.reconstruct.parameters.tolerances import Tolerances
from verifier.reconstruct.resting.lives import Life, S, Stay
from verifier.reconstruct.resting.visitors import Visitors
from verifier.reconstruct.table.sights import ChipSight
from verifier.reconstruct.table.zones import centre_of, distance


class Settler(Generic[S]):
    """Follows objects of one kind. Feed `step` with every frame; ended lives that had rested collect in `ended`."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tol = tolerances
        self._next = 0
        self._hands = Visitors()
        self.lives: list[Life[S]] = []
        self.ended: list[Life[S]] = []

    def step(self, t: float, sights: Sequence[S], cover: Cover) -> None:
        """Take the looks of the frame at `t`, under `cover` (what hides the table then)."""
        self._hands.remember(t, cover)
        for sight in self._match(t, sights):
            if not self.stray(sight):
                self._begin(t, sight)
        for life in self.lives:
            if life.t_last < t:
                self._miss(t, life, cover)
        kept = []
        for life in self.lives:
            if life.gone is not None:
                self.ended.append(life)
            elif life.settled or t - life.t_last <= self._remembered(life):
                kept.append(life)
        self.lives = kept

    def _remembered(self, life: Life[S]) -> float:
        return par.REST_ALONE_S if self._seldom(life) else self.forgotten_after(life)

    def _seldom(self, life: Life[S]) -> bool:
        """Tell whether an object was surely seen twice at one place: it lies there, though it is missed most of
        the time.
        """
        still = len(life.trail) > 1 and distance(life.trail[0][1].xy, life.now) <= self._tol.still
        return still and 0.0 < self._tol.sure <= min(sight.p for _, sight in life.trail)

    def settled(self) -> list[Life[S]]:
        """Lives that are on the table now."""
        return [life for life in self.lives if life.settled]

    def give_up(self, lost: Callable[[Life[S]], bool]) -> None:
        """End the lives at rest that are `lost`, as of when their places began to look bare."""
        for life in self.settled():
            if life.gone is None and lost(life):
                life.gone = life.bare_since

    def forget_before(self, t: float) -> None:
        """Drop ended lives whose place was bare before `t`."""
        self.ended = [life for life in self.ended if life.gone is None or life.gone >= t]

    def _match(self, t: float, sights: Sequence[S]) -> list[S]:
        pairs = []
        for i, sight in enumerate(sights):
            for j, life in enumerate(self.lives):
                gap = distance(sight.xy, life.now)
                if gap <= self._tol.match and self.fits(life, sight):
                    pairs.append((gap - (par.REST_SETTLED_MM if life.settled else 0.0), i, j))
        pairs.sort()
        used_sights: set[int] = set()
        used_lives: set[int] = set()
        for _, i, j in pairs:
            if i not in used_sights and j not in used_lives:
                used_sights.add(i)
                used_lives.add(j)
                self._see(t, self.lives[j], sights[i])
        return [sight for i, sight in enumerate(sights) if i not in used_sights]

    def _begin(self, t: float, sight: S) -> None:
        if self._reclaim(t, sight):
            return
        life: Life[S] = Life(self._next, sight.xy, t, t)
        life.trail.append((t, sight))
        self._next += 1
        self.lives.append(life)

    def _reclaim(self, t: float, sight: S) -> bool:
        """Give a look back to the resting object for which a passing one was taken; that object gets the looks
        since.
        """
        for life in self.lives:
            left = life.stays[-1].t1 if life.stays else -math.inf
            away = life.stays and distance(life.now, life.xy) > self._tol.stay
            soon = t - left <= par.DRAGGED_S or (t - left <= par.DRAGGED_ALIKE_S and self.alike(life, sight))
            if not (away and distance(sight.xy, life.xy) <= par.DRAGGED_MM and soon):
                continue
            moved = [pair for pair in life.trail if pair[0] > left]
            life.trail = deque([pair for pair in life.trail if pair[0] <= left], maxlen=par.TRAIL_LOOKS)
            if moved:  # else its place had only crept
                other: Life[S] = Life(self._next, life.now, moved[0][0], life.t_last)
                other.trail.extend(moved)
                self._next += 1
                self.lives.append(other)
            self._see(t, life, sight)
            return True
        return False

    def _see(self, t: float, life: Life[S], sight: S) -> None:
        if self._glimpsed(t, life, sight):
            life.trail.clear()
            life.t_first = t
        life.trail.append((t, sight))
        life.now, life.t_last = sight.xy, t
        life.missed += life.bare_frames
        life.bare_since, life.bare_frames = None, 0
        recent = self._recent(t, life)
        if not self.enough(recent) or t - recent[-1][0] < self._tol.rest or not (life.settled or self._confirmed(life)):
            return
        if max(distance(a[1].xy, b[1].xy) for a in recent for b in recent) > self._tol.still:
            return
        middle = centre_of([seen.xy for _, seen in recent])
        stay = life.stays[-1] if life.stays else None
        if stay is not None and distance(middle, stay.xy) <= self._tol.stay:
            stay.n += 1
            share = max(par.REST_PLACE_SHARE, 1.0 / stay.n)
            stay.xy = (stay.xy[0] + share * (sight.xy[0] - stay.xy[0]), stay.xy[1] + share * (sight.xy[1] - stay.xy[1]))
            stay.t1 = t
        else:
            life.missed = life.missed if stay is None else 0
            if stay is not None:  # the last looks at the old place may already show the new one, not yet far off
                stay.t1 = min(stay.t1, recent[-1][0])
            life.stays.append(Stay(middle, recent[-1][0], t, len(recent)))
            self._revive(life)

    def _glimpsed(self, t: float, life: Life[S], sight: S) -> bool:
        """Tell whether all that was seen of a life is one look, longer ago than a thing that lies is missed: a
        doubtful one, or at another thing than this sight.
        """
        if len(life.trail) != 1 or t - life.t_last <= self._tol.clear:
            return False
        first = life.trail[0][1]
        return first.p < self._tol.sure or self.other(first, sight)

    def _confirmed(self, life: Life[S]) -> bool:
        """Tell whether an object is sure, was looked at more than once, or has its spot for itself.

        A sighting that is repeated to the last digit is one look, told again because nothing moved there.
        """
        first = life.trail[0][1]
        if first.p >= self._tol.sure or any((s.xy, s.p) != (first.xy, first.p) for _, s in life.trail):
            return True
        others = (other for other in self.lives if other is not life and other.settled)
        return all(distance(other.now, first.xy) > self._tol.crowd for other in others)

    def _recent(self, t: float, life: Life[S]) -> list[tuple[float, S]]:
        """Return the last looks, newest first: three, and as many more as it takes to span the time of rest."""
        recent: list[tuple[float, S]] = []
        for seen in reversed(life.trail):
            recent.append(seen)
            if len(recent) >= par.REST_LOOKS and t - seen[0] >= self._tol.rest:
                break
        return recent

    def _revive(self, life: Life[S]) -> None:
        """Join a life to one that ended at the same place a moment before: the object had only been missed."""
        if len(life.stays) > 1:
            return
        for old in reversed(self.ended):
            if old.gone is None or life.t_rest - old.gone > par.VISITOR_HANDS_S:
                continue
            late = life.t_rest - old.gone > self._tol.revive
            if late and self._hands.carried(old.xy, old.t_last, old.gone, life.t_first):
                continue
            if distance(old.xy, life.xy) <= self._tol.back and self.same(old, life):
                self.ended.remove(old)
                life.number, life.t_first = old.number, old.t_first
                life.stays = [*old.stays, *life.stays]
                life.trail = deque([*old.trail, *life.trail], maxlen=par.TRAIL_LOOKS)
                return

    def same(self, old: Life[S], new: Life[S]) -> bool:
        """Tell whether two lives at one place may be one object; kinds of objects refine it."""
        return True

    def fits(self, life: Life[S], sight: S) -> bool:
        """Tell whether a sight at an object's place may be of it at all; kinds of objects refine it."""
        return True

    def other(self, first: S, sight: S) -> bool:
        """Tell whether two sights at one place read as two things; kinds of objects tell."""
        return False

    def enough(self, recent: Sequence[tuple[float, S]]) -> bool:
        """Tell whether so many looks, newest first, tell that an object lies still; kinds of objects refine it."""
        return len(recent) >= par.REST_ENOUGH_LOOKS

    def forgotten_after(self, life: Life[S]) -> float:
        """After how many seconds out of sight what never lay still is forgotten; kinds of objects refine it."""
        return self._tol.forget

    def stray(self, sight: S) -> bool:
        """Tell whether a sight that fits no object begins none either; kinds of objects tell."""
        return False

    def alike(self, life: Life[S], sight: S) -> bool:
        """Tell whether a sight is of this very object, which no other could be taken for; kinds of objects tell."""
        return False

    def _miss(self, t: float, life: Life[S], cover: Cover) -> None:
        if cover.hides(life.now):
            life.bare_since, life.bare_frames = None, 0
            return
        life.bare_since = t if life.bare_since is None else life.bare_since
        life.bare_frames += 1
        if (
            not life.settled
            or life.bare_frames < par.REST_BARE_LOOKS
            or t - life.bare_since < self._tol.clear
            or _only_missed(t, life)
        ):
            return
        came = self._hands.first(life.now, life.t_last, par.VISITOR_BEFORE_S)
        bare = life.bare_since if came is None else max(life.bare_since, came)
        if t - bare >= (par.REST_ALONE_S if came is None else self._tol.clear):
            life.gone = bare


def _only_missed(t: float, life: Life[S]) -> bool:
    """Tell whether a detector that sees an object in as few looks as so far may just have missed it in the last
    ones.
    """
    seldom = (life.missed + 1) / (life.stays[-1].n + life.missed + 2)
    return seldom**life.bare_frames > par.LOST_CHANCE_P and t - (life.bare_since or t) < par.REST_ALONE_S


# Chips


class ChipSettler(Settler[ChipSight]):
    """Follows chips: print that passed for one of another value once is no first look at it."""

    def other(self, first: ChipSight, sight: ChipSight) -> bool:
        return first.cents != sight.cents

    def forget_before(self, t: float) -> None:
        """As of all objects, and the stays of which no sighting is kept any more: print may seem to go to and fro."""
        super().forget_before(t)
        for life in self.lives:
            del life.stays[: sum(later.t0 <= life.trail[0][0] for later in life.stays[1:])]
