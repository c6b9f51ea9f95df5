"""A tip bet on top of a tip bet before the first card: another chip comes on the first in a later visit."""

from __future__ import annotations

from verifier.domain.events import WagerPlaced
from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene, event
from verifier.reconstruct.table.zones import distance


def tip_before(scene: RoundScene, stake: Stake) -> WagerPlaced | None:
    """Return the earlier bet under a tip, weakly where another like it would not show; None where its player came
    once.
    """
    if stake.kind != "tip" or not scene.begun:
        return None
    top = min(stake.dwells, key=lambda dwell: dwell.t0)
    under = [
        dwell
        for dwell in scene.dwells.get(stake.space, ())
        if dwell is not top
        and distance(dwell.xy, top.xy) <= par.SECOND_TIP_UNDER_MM
        and _told_apart(dwell, top)
        and scene.since < dwell.t0
        and abs(dwell.t1 - top.t0) <= par.SECOND_TIP_LAY_S
        and _came_again(scene, dwell, top)
    ]
    if not under:
        return _bet(stake, top, par.WEAK_P) if _may_come_again(scene, top) else None
    return _bet(stake, max(under, key=lambda dwell: dwell.t0), par.SECOND_TIP_P)


def _bet(stake: Stake, first: ChipDwell, p: float) -> WagerPlaced:
    return event(
        WagerPlaced,
        first.t0 - par.LAYING_S,
        first.t0,
        p,
        kind="tip",
        at=stake.place,
        cents=first.cents,
        chips=None if first.cents is None else {str(first.cents): 1},
        lower_bound=True,
        by="player",
    )


def _may_come_again(scene: RoundScene, first: ChipDwell) -> bool:
    """Tell whether a player's closed hand rested over the bet before the first card, having been away for a while."""
    if first.t0 <= scene.since:
        return False
    away: list[float] = []
    over = 0
    for t in scene.hands.times_between(first.t0, scene.start - par.SECOND_TIP_LAY_S):
        gaps = [(distance(hand.tip, first.xy), hand.fingers) for hand in scene.hands.between(t, t, "player")]
        if min((gap for gap, _ in gaps), default=par.SECOND_TIP_AWAY_MM) >= par.SECOND_TIP_AWAY_MM:
            away.append(t)
        gone = len(away) >= 2 and away[-1] - away[0] >= par.SECOND_TIP_LAY_S
        over += gone and any(gap <= par.SECOND_TIP_OVER_MM and fingers == 0 for gap, fingers in gaps)
    return over >= par.TWICE_LOOKS


def _told_apart(dwell: ChipDwell, top: ChipDwell) -> bool:
    """Tell whether two chips are surely of different values."""
    return (
        None not in (dwell.cents, top.cents)
        and dwell.cents != top.cents
        and min(dwell.p, top.p) >= par.SECOND_TIP_SURE_P
    )


def _came_again(scene: RoundScene, dwell: ChipDwell, top: ChipDwell) -> bool:
    """Tell whether the player's hand was gone from the first chip for a while, and came back before the second lay
    there.

    It may be gone again before the second reads otherwise than the first: a single look changes no chip's value.
    """
    gaps = [
        (
            t,
            min(
                (distance(hand.tip, top.xy) for hand in scene.hands.between(t, t, "player")),
                default=par.SECOND_TIP_AWAY_MM,
            ),
        )
        for t in scene.hands.times_between(dwell.t0, top.t0)
    ]
    away: list[float] = []
    for t, gap in gaps:
        if gap <= par.HAND_OWNER_MM and len(away) >= 2 and away[-1] - away[0] >= par.SECOND_TIP_LAY_S:
            return True
        away = [*away, t] if gap >= par.SECOND_TIP_AWAY_MM else [] if gap <= par.HAND_OWNER_MM else away
    return False
