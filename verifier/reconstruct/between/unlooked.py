"""Where chips came from or went while nobody looked: with the hand at their place before that, or after it."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.reconstruct.between.trips import (
    CAME_SECONDS,
    GAP_SECONDS,
    WENT_SECONDS,
    Trip,
    brought_unseen,
    came_from,
    pushed_unseen,
    went_to,
)
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.table.zones import TableMap, Xy

OVER_MM = 10.0


def came_unlooked(hands: HandLog, table: TableMap, points: Sequence[Xy], t: float) -> Trip | None:
    """Where chips came from that show since `t`, right after nobody looked.

    The hand that was at their place as that began laid them, or a player did.
    """
    gap = hands.blind(t - CAME_SECONDS, t)
    soon = gap is not None and t - gap[1] <= GAP_SECONDS
    came = (
        came_from(hands, table, points, gap[0]) if gap is not None and soon and _over(hands, points, gap[0]) else None
    )
    return came or brought_unseen(hands, table, t)


def went_unlooked(hands: HandLog, table: TableMap, points: Sequence[Xy], t: float) -> Trip | None:
    """Where chips went that were last seen at `t`, right before nobody looked.

    The hand that is at their place as looks come again took them; or one that comes back from the players.
    """
    gap = hands.blind(t, t + WENT_SECONDS)
    soon = gap is not None and gap[0] <= t + GAP_SECONDS
    went = went_to(hands, table, points, gap[1]) if gap is not None and soon and _over(hands, points, gap[1]) else None
    return went or pushed_unseen(hands, table, t)


def _over(hands: HandLog, points: Sequence[Xy], t: float) -> bool:
    """Whether a hand of the dealer's covers one of the points in the look at `t`: one that rests beside it does not."""
    return any(hand.over(xy, OVER_MM) for hand in hands.between(t, t, "dealer") for xy in points)
