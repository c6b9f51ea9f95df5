"""Cards that passed each other and were taken for each other: two alike, slid apart for a split."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import posterior, suit_of
from verifier.reconstruct.resting.lives import Life
from verifier.reconstruct.table.sights import CardSight

Face = tuple[str, str]


def uncrossed(lives: Sequence[Life[CardSight]]) -> list[Life[CardSight]]:
    """Return the lives, each cut in two where another card took its place in it.

    From there on it reads otherwise, at a new place of rest, just as a card that read so is lost and one that reads as
    it had comes into sight elsewhere.
    """
    return [part for life in lives for part in _parts(life, lives)]


def _parts(life: Life[CardSight], lives: Sequence[Life[CardSight]]) -> list[Life[CardSight]]:
    for index in range(1, len(life.stays)):
        left = life.stays[index - 1].t1
        later = [pair for pair in life.trail if pair[0] > left]
        before = _face([sight for t, sight in life.trail if t <= left][-par.CROSSED_LOOKS :])
        after = _face([sight for t, sight in later if t >= life.stays[index].t0][: par.CROSSED_LOOKS])
        if before is None or after is None or before == after:
            continue
        t = next((t for t, sight in later if _face([sight]) == after), life.stays[index].t0)
        lost = (o for o in lives if o is not life and abs(o.t_last - t) <= par.MOVED_AT_ONCE_S)
        come = (o for o in lives if o is not life and abs(o.t_first - t) <= par.MOVED_AT_ONCE_S)
        if any(_ends_as(o, after) for o in lost) and any(_begins_as(o, before) for o in come):
            return _cut(life, index, t)
    return [life]


def _cut(life: Life[CardSight], index: int, t: float) -> list[Life[CardSight]]:
    """Return a life until `t`, and as another one since, from its dwell `index` on."""
    first = deque((pair for pair in life.trail if pair[0] < t), maxlen=par.TRAIL_LOOKS)
    second = deque((pair for pair in life.trail if pair[0] >= t), maxlen=par.TRAIL_LOOKS)
    ended = replace(
        life, now=life.stays[index - 1].xy, t_last=first[-1][0], trail=first, stays=life.stays[:index], gone=t
    )
    begun = replace(life, number=-1 - life.number, t_first=t, trail=second, stays=life.stays[index:])
    return [ended, begun]


def _face(sights: Sequence[CardSight]) -> Face | None:
    """Return the rank and suit that some looks plainly read."""
    ranks, suit = posterior(sights), suit_of(sights)
    rank = max(ranks, key=lambda rank: ranks[rank], default=None)
    return (rank, suit) if rank is not None and suit is not None and ranks[rank] >= par.CROSSED_P else None


def _ends_as(life: Life[CardSight], face: Face) -> bool:
    return _face([sight for _, sight in life.trail][-par.CROSSED_LOOKS :]) == face


def _begins_as(life: Life[CardSight], face: Face) -> bool:
    return _face([sight for _, sight in life.trail][: par.CROSSED_LOOKS]) == face
