"""Which cards begin a round, and which hold it open: print, hands and shuffled cards may pass for cards of it."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardface import read_ranks
from verifier.reconstruct.resting.cardstory import longest_run
from verifier.reconstruct.resting.lives import Life
from verifier.reconstruct.table.sights import CardSight
from verifier.reconstruct.table.zones import TableMap


def begins_round(life: Life[CardSight], table: TableMap, *, hands: bool) -> bool:
    """Tell whether a face that can be read lies at a betting space: with it a round begins.

    Cards that are shuffled or cut show their backs, which may pass for faces that cannot be read. A bill in a player's
    hands may pass for one that can, but never surely: where `hands` are seen, too, a card must be seen so.
    """
    if hands and life.p < par.SURE_CARD_LOOK_P:
        return False
    last = [life.trail[-1 - i][1] for i in range(min(par.ROUND_LAST_LOOKS, len(life.trail)))]
    known = sum(sight.face == "up" and max(sight.ranks.values(), default=0.0) >= 0.5 for sight in last) >= 2
    read = known and max(read_ranks(life).values(), default=0.0) >= par.FIRST_CARD_READ_P
    return read and (table.card_place(life.xy) or "").startswith("space")


def faces_until(lives: Iterable[Life[CardSight]], start: float) -> float:
    """When a card of the round that began at `start` last showed its face."""
    faces = [life.t_last for life in lives if life.t_last >= start and life.trail[-1][1].face == "up"]
    return max(faces, default=start)


def fleeting(life: Life[CardSight], now: float, gap: float) -> bool:
    """Tell whether a back was seen for a moment at a time: a hand that rests where it passed for one hides it else.

    Sights less than `gap` seconds apart are of one moment.
    """
    if life.trail[-1][1].face == "up" or now - life.t_last < par.FLEETING_BACK_S:
        return False
    return longest_run([t for t, _ in life.trail], gap) < par.IN_TRANSIT_S[True]


def unseen(life: Life[CardSight], now: float) -> bool:
    """Tell whether a card's place has looked bare for a while, nothing hiding it."""
    return life.bare_since is not None and now - life.bare_since >= par.OPEN_ROUND_UNSEEN_S


def shuffled(life: Life[CardSight], faces: float) -> bool:
    """Tell whether a back came to rest long after the last face of its round was seen (`faces`): a shuffle's."""
    return life.trail[-1][1].face == "down" and life.t_rest > faces + par.ROUND_QUIET_S


def holding(lives: Iterable[Life[CardSight]], faces: float, now: float, gap: float) -> list[Life[CardSight]]:
    """Those of a round's cards that hold it open at `now`; none where no card that is seen is surely one."""
    held = [life for life in lives if not fleeting(life, now, gap) and not shuffled(life, faces)]
    return held if any(is_sure(life) and not unseen(life, now) for life in held) else []


def is_sure(life: Life[CardSight]) -> bool:
    """Tell whether a card is seen so surely that by itself it holds a round open: print and hands pass for worse
    ones.
    """
    up = sum(sight.face == "up" for _, sight in life.trail) / len(life.trail)
    return life.p >= par.SURE_CARD_P[up < 0.5]
