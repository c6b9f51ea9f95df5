"""Objects at rest: cards and chips that stay put, remembered while a hand or a forearm hides them.

Detections are matched to tracks by position alone, for track ids break exactly where play happens. A track has dwells:
the periods in which its object lay still. It ends when the object is not seen although nothing covers its place.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover
from verifier.reconstruct.parameters.tolerances import Tolerances
from verifier.reconstruct.resting.tracks import Dwell, S, Track
from verifier.reconstruct.resting.visitors import Visitors
from verifier.reconstruct.table.detections import ChipDetection
from verifier.reconstruct.table.runs import nearest_first
from verifier.reconstruct.table.zones import centre_of, distance


class Settler(Generic[S]):
    """Follows objects of one kind. Feed `step` with every frame; ended tracks that had rested collect in `ended`."""

    def __init__(self, tolerances: Tolerances) -> None:
        self._tol = tolerances
        self._next = 0
        self._hands = Visitors()
        self.tracks: list[Track[S]] = []
        self.ended: list[Track[S]] = []

    def step(self, t: float, detections: Sequence[S], cover: Cover) -> None:
        """Take the looks of the frame at `t`, under `cover` (what hides the table then)."""
        self._hands.remember(t, cover)
        for detection in self._match(t, detections):
            if not self.stray(detection):
                self._begin(t, detection)
        for track in self.tracks:
            if track.t_last < t:
                self._miss(t, track, cover)
        kept = []
        for track in self.tracks:
            if track.gone is not None:
                self.ended.append(track)
            elif track.settled or t - track.t_last <= self._remembered(track):
                kept.append(track)
        self.tracks = kept

    def _remembered(self, track: Track[S]) -> float:
        return par.REST_ALONE_S if self._seldom(track) else self.forgotten_after(track)

    def _seldom(self, track: Track[S]) -> bool:
        """Tell whether an object was surely seen twice at one place: it lies there, though it is missed most of
        the time.
        """
        still = len(track.trail) > 1 and distance(track.trail[0][1].xy, track.now) <= self._tol.still
        return still and 0.0 < self._tol.sure <= min(detection.p for _, detection in track.trail)

    def settled(self) -> list[Track[S]]:
        """Tracks that are on the table now."""
        return [track for track in self.tracks if track.settled]

    def give_up(self, lost: Callable[[Track[S]], bool]) -> None:
        """End the tracks at rest that are `lost`, as of when their places began to look bare."""
        for track in self.settled():
            if track.gone is None and lost(track):
                track.gone = track.bare_since

    def forget_before(self, t: float) -> None:
        """Drop ended tracks whose place was bare before `t`."""
        self.ended = [track for track in self.ended if track.gone is None or track.gone >= t]

    def _match(self, t: float, detections: Sequence[S]) -> list[S]:
        pairs = []
        for i, detection in enumerate(detections):
            for j, track in enumerate(self.tracks):
                gap = distance(detection.xy, track.now)
                if gap <= self._tol.match and self.fits(track, detection):
                    pairs.append((gap - (par.REST_SETTLED_MM if track.settled else 0.0), i, j))
        found = nearest_first(pairs)
        for i, j in found.items():
            self._see(t, self.tracks[j], detections[i])
        return [detection for i, detection in enumerate(detections) if i not in found]

    def _begin(self, t: float, detection: S) -> None:
        if self._reclaim(t, detection):
            return
        track: Track[S] = Track(self._next, detection.xy, t, t)
        track.trail.append((t, detection))
        self._next += 1
        self.tracks.append(track)

    def _reclaim(self, t: float, detection: S) -> bool:
        """Give a look back to the resting object for which a passing one was taken; that object gets the looks
        since.
        """
        for track in self.tracks:
            left = track.dwells[-1].t1 if track.dwells else -math.inf
            away = track.dwells and distance(track.now, track.xy) > self._tol.dwell
            soon = t - left <= par.DRAGGED_S or (t - left <= par.DRAGGED_ALIKE_S and self.alike(track, detection))
            if not (away and distance(detection.xy, track.xy) <= par.DRAGGED_MM and soon):
                continue
            moved = [pair for pair in track.trail if pair[0] > left]
            track.trail = deque([pair for pair in track.trail if pair[0] <= left], maxlen=par.TRAIL_LOOKS)
            if moved:  # else its place had only crept
                other: Track[S] = Track(self._next, track.now, moved[0][0], track.t_last)
                other.trail.extend(moved)
                self._next += 1
                self.tracks.append(other)
            self._see(t, track, detection)
            return True
        return False

    def _see(self, t: float, track: Track[S], detection: S) -> None:
        if self._glimpsed(t, track, detection):
            track.trail.clear()
            track.t_first = t
        track.trail.append((t, detection))
        track.now, track.t_last = detection.xy, t
        track.missed += track.bare_frames
        track.bare_since, track.bare_frames = None, 0
        recent = self._recent(t, track)
        if (
            not self.enough(recent)
            or t - recent[-1][0] < self._tol.rest
            or not (track.settled or self._confirmed(track))
        ):
            return
        if max(distance(a[1].xy, b[1].xy) for a in recent for b in recent) > self._tol.still:
            return
        middle = centre_of([seen.xy for _, seen in recent])
        dwell = track.dwells[-1] if track.dwells else None
        if dwell is not None and distance(middle, dwell.xy) <= self._tol.dwell:
            dwell.n += 1
            share = max(par.REST_PLACE_SHARE, 1.0 / dwell.n)
            dwell.xy = (
                dwell.xy[0] + share * (detection.xy[0] - dwell.xy[0]),
                dwell.xy[1] + share * (detection.xy[1] - dwell.xy[1]),
            )
            dwell.t1 = t
        else:
            track.missed = track.missed if dwell is None else 0
            if dwell is not None:  # the last looks at the old place may already show the new one, not yet far off
                dwell.t1 = min(dwell.t1, recent[-1][0])
            track.dwells.append(Dwell(middle, recent[-1][0], t, len(recent)))
            self._revive(track)

    def _glimpsed(self, t: float, track: Track[S], detection: S) -> bool:
        """Tell whether all that was seen of a track is one look, longer ago than a thing that lies is missed: a
        doubtful one, or at another thing than this sight.
        """
        if len(track.trail) != 1 or t - track.t_last <= self._tol.clear:
            return False
        first = track.trail[0][1]
        return first.p < self._tol.sure or self.other(first, detection)

    def _confirmed(self, track: Track[S]) -> bool:
        """Tell whether an object is sure, was looked at more than once, or has its spot for itself.

        A detection that is repeated to the last digit is one look, told again because nothing moved there.
        """
        first = track.trail[0][1]
        if first.p >= self._tol.sure or any((s.xy, s.p) != (first.xy, first.p) for _, s in track.trail):
            return True
        others = (other for other in self.tracks if other is not track and other.settled)
        return all(distance(other.now, first.xy) > self._tol.crowd for other in others)

    def _recent(self, t: float, track: Track[S]) -> list[tuple[float, S]]:
        """Return the last looks, newest first: three, and as many more as it takes to span the time of rest."""
        recent: list[tuple[float, S]] = []
        for seen in reversed(track.trail):
            recent.append(seen)
            if len(recent) >= par.REST_ENOUGH_LOOKS and t - seen[0] >= self._tol.rest:
                break
        return recent

    def _revive(self, track: Track[S]) -> None:
        """Join a track to one that ended at the same place a moment before: the object had only been missed."""
        if len(track.dwells) > 1:
            return
        for old in reversed(self.ended):
            if old.gone is None or track.t_rest - old.gone > par.VISITOR_HANDS_S:
                continue
            late = track.t_rest - old.gone > self._tol.revive
            if late and self._hands.carried(old.xy, old.t_last, old.gone, track.t_first):
                continue
            if distance(old.xy, track.xy) <= self._tol.back and self.same(old, track):
                self.ended.remove(old)
                track.number, track.t_first = old.number, old.t_first
                track.dwells = [*old.dwells, *track.dwells]
                track.trail = deque([*old.trail, *track.trail], maxlen=par.TRAIL_LOOKS)
                return

    def same(self, old: Track[S], new: Track[S]) -> bool:
        """Tell whether two tracks at one place may be one object; kinds of objects refine it."""
        return True

    def fits(self, track: Track[S], detection: S) -> bool:
        """Tell whether a detection at an object's place may be of it at all; kinds of objects refine it."""
        return True

    def other(self, first: S, detection: S) -> bool:
        """Tell whether two detections at one place read as two things; kinds of objects tell."""
        return False

    def enough(self, recent: Sequence[tuple[float, S]]) -> bool:
        """Tell whether so many looks, newest first, tell that an object lies still; kinds of objects refine it."""
        return len(recent) >= par.REST_ENOUGH_LOOKS

    def forgotten_after(self, track: Track[S]) -> float:
        """After how many seconds out of sight what never lay still is forgotten; kinds of objects refine it."""
        return self._tol.forget

    def stray(self, detection: S) -> bool:
        """Tell whether a detection that fits no object begins none either; kinds of objects tell."""
        return False

    def alike(self, track: Track[S], detection: S) -> bool:
        """Tell whether a detection is of this very object, which no other could be taken for; kinds of objects tell."""
        return False

    def _miss(self, t: float, track: Track[S], cover: Cover) -> None:
        if cover.hides(track.now):
            track.bare_since, track.bare_frames = None, 0
            return
        track.bare_since = t if track.bare_since is None else track.bare_since
        track.bare_frames += 1
        if (
            not track.settled
            or track.bare_frames < par.REST_BARE_LOOKS
            or t - track.bare_since < self._tol.clear
            or _only_missed(t, track)
        ):
            return
        came = self._hands.first(track.now, track.t_last, par.VISITOR_BEFORE_S)
        bare = track.bare_since if came is None else max(track.bare_since, came)
        if t - bare >= (par.REST_ALONE_S if came is None else self._tol.clear):
            track.gone = bare


def _only_missed(t: float, track: Track[S]) -> bool:
    """Tell whether a detector that sees an object in as few looks as so far may just have missed it in the last
    ones.
    """
    seldom = (track.missed + 1) / (track.dwells[-1].n + track.missed + 2)
    return seldom**track.bare_frames > par.LOST_CHANCE_P and t - (track.bare_since or t) < par.REST_ALONE_S


# Chips


class ChipSettler(Settler[ChipDetection]):
    """Follows chips: print that passed for one of another value once is no first look at it."""

    def other(self, first: ChipDetection, detection: ChipDetection) -> bool:
        return first.cents != detection.cents

    def forget_before(self, t: float) -> None:
        """As of all objects, and the dwells of which no detection is kept any more: print may seem to go to and fro."""
        super().forget_before(t)
        for track in self.tracks:
            del track.dwells[: sum(later.t0 <= track.trail[0][0] for later in track.dwells[1:])]
