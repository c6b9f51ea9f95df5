"""A tip bet on top of a tip bet before the first card: another chip comes on the first in a later visit."""

from __future__ import annotations

from verifier.domain.events import WagerPlaced
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.scene import RoundScene, event
from verifier.reconstruct.table.zones import distance

ON_TOP_MM = 14.0
LAY_SECONDS = 0.6
"""The first bet lay in view for so long, and its place was never bare for longer before the second lay there: chips
that were pushed to a player may lie where tips do until they are taken up."""
AT_MM, AWAY_MM = 45.0, 90.0
SURE_P = 0.85
"""Least probability of both chips: a chip that is read as another later is no second bet."""
SECOND_P = 0.85
ALIKE_P, OVER_MM, OVER_LOOKS = 0.4, 30.0, 2
"""A chip like the first does not show on it: a closed hand that comes back to rest over it for so long may lay one."""


def tip_before(scene: RoundScene, stake: Stake) -> WagerPlaced | None:
    """The earlier bet under a tip, weakly where another like it would not show; None where its player came once."""
    if stake.kind != "tip" or not scene.begun:
        return None
    top = min(stake.stays, key=lambda stay: stay.t0)
    under = [
        stay
        for stay in scene.stays.get(stake.space, ())
        if stay is not top
        and distance(stay.xy, top.xy) <= ON_TOP_MM
        and _told_apart(stay, top)
        and scene.since < stay.t0
        and abs(stay.t1 - top.t0) <= LAY_SECONDS
        and _came_again(scene, stay, top)
    ]
    if not under:
        return _bet(stake, top, ALIKE_P) if _may_come_again(scene, top) else None
    return _bet(stake, max(under, key=lambda stay: stay.t0), SECOND_P)


def _bet(stake: Stake, first: ChipStay, p: float) -> WagerPlaced:
    return event(
        WagerPlaced,
        first.t0 - 0.4,
        first.t0,
        p,
        kind="tip",
        at=stake.place,
        cents=first.cents,
        chips=None if first.cents is None else {str(first.cents): 1},
        lower_bound=True,
        by="player",
    )


def _may_come_again(scene: RoundScene, first: ChipStay) -> bool:
    """Whether a player's closed hand rested over the bet before the first card, having been away for a while."""
    if first.t0 <= scene.since:
        return False
    away: list[float] = []
    over = 0
    for t in scene.hands.times_between(first.t0, scene.start - LAY_SECONDS):
        gaps = [(distance(hand.tip, first.xy), hand.fingers) for hand in scene.hands.between(t, t, "player")]
        if min((gap for gap, _ in gaps), default=AWAY_MM) >= AWAY_MM:
            away.append(t)
        gone = len(away) >= 2 and away[-1] - away[0] >= LAY_SECONDS
        over += gone and any(gap <= OVER_MM and fingers == 0 for gap, fingers in gaps)
    return over >= OVER_LOOKS


def _told_apart(stay: ChipStay, top: ChipStay) -> bool:
    """Whether two chips are surely of different values."""
    return None not in (stay.cents, top.cents) and stay.cents != top.cents and min(stay.p, top.p) >= SURE_P


def _came_again(scene: RoundScene, stay: ChipStay, top: ChipStay) -> bool:
    """Whether the player's hand was gone from the first chip for a while, and came back before the second lay there.

    It may be gone again before the second reads otherwise than the first: a single look changes no chip's value.
    """
    gaps = [
        (t, min((distance(hand.tip, top.xy) for hand in scene.hands.between(t, t, "player")), default=AWAY_MM))
        for t in scene.hands.times_between(stay.t0, top.t0)
    ]
    away: list[float] = []
    for t, gap in gaps:
        if gap <= AT_MM and len(away) >= 2 and away[-1] - away[0] >= LAY_SECONDS:
            return True
        away = [*away, t] if gap >= AWAY_MM else [] if gap <= AT_MM else away
    return False
