"""Shuffles before a poker dealer: two halves of the deck or more, backs up, under the dealer's hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verifier.domain.events import Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.shuffles import mixed_by_hand
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.scene import BackSeen
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import TableMap


def shuffles_in(
    backs: Sequence[BackSeen],
    hands: HandLog,
    table: TableMap,
    start: float,
    end: float,
    busy: Sequence[float] = (),
    *,
    sure: bool = False,
) -> list[Shuffle]:
    """Return the shuffles between two times, away from the moments (`busy`) at which cards were dealt or taken.

    Before a hand a shuffle is expected, and nothing else shows several backs there. `sure`: amid a hand it is a breach,
    so that more looks must show it.
    """
    least = par.SHUFFLE_SEEN_SHARE if sure else par.POKER_SHUFFLE_SHARE
    seen = Counter(back.t for back in backs if start <= back.t <= end and table.within(back.xy, "inner", "dealer"))
    margin = par.POKER_SHUFFLE_MARGIN_S
    several = [
        t
        for t, count in sorted(seen.items())
        if count >= par.POKER_SHUFFLE_BACKS and not any(abs(t - other) <= margin for other in busy)
    ]
    found: list[Shuffle] = []
    for t0, t1, looks in runs_of(several, par.SHUFFLE_GAP_S if sure else par.POKER_SHUFFLE_GAP_S):
        if looks >= max(0 if sure else par.SHUFFLE_LEAST_LOOKS, least * hands.frames(t0, t1)):
            found += mixed_by_hand(hands, table, t0, t1, scope="all")
    return found
