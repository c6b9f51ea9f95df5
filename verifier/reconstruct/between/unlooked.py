"""Where chips came from or went while nobody looked: with the hand at their place before that, or after it."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.hand_paths import TRAY, HandPath, brought_unseen, came_from, pushed_unseen, went_to
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.table.zones import TableMap, Xy


def came_unlooked(hands: HandLog, table: TableMap, points: Sequence[Xy], t: float) -> HandPath | None:
    """Where chips came from that show since `t`, right after nobody looked.

    The hand that was at their place as that began laid them, or that had come to the tray and is at them now, or a
    player did.
    """
    gap = hands.blind(t - par.HAND_PATH_CAME_S, t)
    soon = gap is not None and t - gap[1] <= par.HAND_PATH_GAP_S
    came = (
        came_from(hands, table, points, gap[0]) if gap is not None and soon and _over(hands, points, gap[0]) else None
    )
    fetched = _fetched(hands, table, points, gap) if gap is not None and soon else None
    return came or fetched or brought_unseen(hands, table, t)


def _fetched(hands: HandLog, table: TableMap, points: Sequence[Xy], gap: tuple[float, float]) -> HandPath | None:
    """Return the dwell at the tray of a hand that had come there from elsewhere before a gap, and is at the chips after
    it.
    """
    sides = {
        hand.side
        for hand in hands.between(gap[1], gap[1], "dealer")
        if any(hand.over(xy, par.HAND_OVER_MM) for xy in points)
    }
    way = [hand for hand in hands.between(gap[0] - par.HAND_PATH_CAME_S, gap[0], "dealer") if hand.side in sides]
    there = [hand for hand in way if table.near(hand.tip, TRAY, par.FIXTURE_MM)]
    if len(there) < par.TWICE_LOOKS or there[-1].t < gap[0] or len(there) == len(way) or len(sides) != 1:
        return None
    return HandPath(TRAY, there[0].t, there[-1].t, there[-1].side, there[-1].tip, par.HAND_PATH_UNSEEN_P)


def went_unlooked(hands: HandLog, table: TableMap, points: Sequence[Xy], t: float) -> HandPath | None:
    """Where chips went that were last seen at `t`, right before nobody looked.

    The hand that is at their place as looks come again took them; or one that comes back from the players.
    """
    gap = hands.blind(t, t + par.HAND_PATH_WENT_S)
    soon = gap is not None and gap[0] <= t + par.HAND_PATH_GAP_S
    went = went_to(hands, table, points, gap[1]) if gap is not None and soon and _over(hands, points, gap[1]) else None
    return went or pushed_unseen(hands, table, t)


def _over(hands: HandLog, points: Sequence[Xy], t: float) -> bool:
    """Tell whether a hand of the dealer's covers one of the points in the look at `t`: one that rests beside it
    does not.
    """
    return any(hand.over(xy, par.HAND_OVER_MM) for hand in hands.between(t, t, "dealer") for xy in points)
