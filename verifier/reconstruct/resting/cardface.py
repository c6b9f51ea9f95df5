"""Which face, rank and suit all looks at a card tell.

The reading is a tempered geometric mean of the rank posteriors. Frames of one resting card are far from independent, so
that many of them count as little more than one look: a reader that errs, errs in all of them, and a tracker has joined
them already. Both constants make the readings of 564 cards of 21 recordings likeliest (benchmarks/replay.py's).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from verifier.domain.cards import RANKS
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.lives import Life
from verifier.reconstruct.table.sights import CardSight


def value_of(rank: str | None) -> str | None:
    """Return a rank, all of value ten alike: two of those may be split."""
    return "T" if rank is not None and rank in "TJQK" else rank


def rested(life: Life[CardSight]) -> list[tuple[float, CardSight]]:
    """Return the looks at a card at rest with their times; all where it never was."""
    return [(t, sight) for t, sight in life.trail if t >= life.t_rest] or list(life.trail)


def read_ranks(life: Life[CardSight]) -> dict[str, float]:
    """Rank posterior over all sightings of a life's face; empty where none was read."""
    return posterior([sight for _, sight in rested(life)])


def posterior(sights: Sequence[CardSight]) -> dict[str, float]:
    """Rank posterior over some looks; empty where they read none."""
    read = [sight for sight in sights if sight.ranks and sight.face == "up"]
    if not read:
        return {}
    weights = [look_weight(sight) for sight in read]
    total = sum(weights)
    power = pooling_power(len(read))
    logs = {
        rank: power
        * sum(w * math.log(max(par.FACE_FLOOR_P, s.ranks.get(rank, 0.0))) for w, s in zip(weights, read, strict=True))
        / total
        for rank in RANKS
    }
    top = max(logs.values())
    raw = {rank: math.exp(value - top) for rank, value in logs.items()}
    whole = sum(raw.values())
    return {rank: round(value / whole, 4) for rank, value in raw.items() if value / whole >= par.LEAST_KEPT_P}


def look_weight(sight: CardSight) -> float:
    """How much a look counts among those at one card."""
    return max(par.FACE_LEAST_VISIBLE_SHARE, sight.visible) ** 2 * sight.p


def pooling_power(looks: int) -> float:
    """As how many independent looks so many at one card count."""
    return min(par.FACE_INDEPENDENT_LOOKS, 1.0 + par.FACE_LOOK_WEIGHT * (looks - 1))


def agreement(a: Life[CardSight], b: Life[CardSight]) -> float | None:
    """Probability that two readings name the same rank; None where one has none."""
    one, other = read_ranks(a), read_ranks(b)
    return sum(one[rank] * other.get(rank, 0.0) for rank in one) if one and other else None


def suit_of(sights: Sequence[CardSight]) -> str | None:
    """Return the suit that most looks read; None where they are at odds."""
    votes = Counter(sight.suit for sight in sights if sight.suit and sight.face == "up")
    if not votes:
        return None
    suit, count = votes.most_common(1)[0]
    return suit if count >= par.VOTED_SHARE * votes.total() else None


def suit_near(life: Life[CardSight], t: float) -> str | None:
    """Return the suit as it was read about `t`: a card that others cover later may be misread then."""
    seen_at_rest = rested(life)
    return suit_of(
        [sight for seen, sight in seen_at_rest if abs(seen - t) <= par.SUIT_S] or [sight for _, sight in seen_at_rest]
    )


def faces_of(sights: Sequence[tuple[float, CardSight]]) -> tuple[str, tuple[float, float] | None]:
    """Return the face that it was laid with, and when it was turned up: last sight of its back, first of its face."""
    head = [sight.face for _, sight in sights[:7]]
    backs = list(itertools.takewhile(lambda pair: pair[1].face == "down", sights))
    lasting = len(backs) >= 2 and backs[-1][0] - backs[0][0] >= par.FACE_BACK_S
    if not lasting and head.count("down") * 2 <= len(head):
        return "up", None
    for i in range(2, len(sights) - 2):
        ahead = [sight.face for _, sight in sights[i : i + 5]]
        if (
            sights[i][1].face == "up"
            and ahead.count("up") >= min(par.FACE_AHEAD_LOOKS, len(ahead))
            and _stays_up(sights[i:])
        ):
            known = _read_before([sight for _, sight in sights[:i]], [sight for _, sight in sights[i:]])
            return ("up", None) if known else ("down", (sights[i - 1][0], sights[i][0]))
    return "down", None


def _read_before(before: Sequence[CardSight], after: Sequence[CardSight]) -> bool:
    """Tell whether a face was read, surely and as it is read later, before a card seemed to be turned: it had lain
    open.

    Once in many backs it was read for a moment with another card's reading.
    """
    later = posterior(after)
    read = [
        sight
        for sight in before
        if sight.face == "up" and sum(p * later.get(rank, 0.0) for rank, p in sight.ranks.items()) >= par.FACE_ALIKE_P
    ]
    return sum(sight.p for sight in read) >= par.FACE_LEAST_OPEN_SHARE * len(before)


def _stays_up(sights: Sequence[tuple[float, CardSight]]) -> bool:
    """Tell whether a card shows its face for good: one that surely shows its back again was only misread."""
    runs = [list(run) for back, run in itertools.groupby(sights, key=lambda pair: _sure_back(pair[1])) if back]
    lasting = any(run[-1][0] - run[0][0] >= par.FACE_BACK_AGAIN_S for run in runs)
    return not lasting and sum(sight.face == "up" for _, sight in sights) >= par.FACE_UP_SHARE * len(sights)


def _sure_back(sight: CardSight) -> bool:
    return sight.face == "down" and sight.p >= par.BACK_AGAIN_P
