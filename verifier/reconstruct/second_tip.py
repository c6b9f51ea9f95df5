"""A tip bet on top of a tip bet before the first card: another chip comes on the first in a later visit."""

from __future__ import annotations

from verifier.domain.events import WagerPlaced
from verifier.reconstruct.piles import ChipStay
from verifier.reconstruct.scene import RoundScene, event
from verifier.reconstruct.stakes import Stake
from verifier.reconstruct.zones import distance

ON_TOP_MM = 14.0
LAY_SECONDS = 0.6
"""The first bet lay in view for so long, and was covered this soon after its last sight at most."""
AT_MM, AWAY_MM = 45.0, 90.0
SURE_P = 0.85
"""Least probability of both chips: a chip that is read as another later is no second bet."""
SECOND_P = 0.85


def tip_before(scene: RoundScene, stake: Stake) -> WagerPlaced | None:
    """The earlier bet under a tip, None where its player came once, or the chips do not tell."""
    if stake.kind != "tip" or not scene.begun:
        return None
    top = min(stake.stays, key=lambda stay: stay.t0)
    under = [
        stay for stay in scene.stays.get(stake.space, ())
        if stay is not top and distance(stay.xy, top.xy) <= ON_TOP_MM and _told_apart(stay, top)
        and scene.since < stay.t0 and stay.t1 <= top.t0 + LAY_SECONDS and _came_again(scene, stay, top)
    ]  # fmt: skip
    if not under:
        return None
    first = max(under, key=lambda stay: stay.t0)
    return event(
        WagerPlaced, first.t0 - 0.4, first.t0, SECOND_P, kind="tip", at=stake.place, cents=first.cents,
        chips=None if first.cents is None else {str(first.cents): 1}, lower_bound=True, by="player",
    )  # fmt: skip


def _told_apart(stay: ChipStay, top: ChipStay) -> bool:
    """Whether two chips are surely of different values."""
    return None not in (stay.cents, top.cents) and stay.cents != top.cents and min(stay.p, top.p) >= SURE_P


def _came_again(scene: RoundScene, stay: ChipStay, top: ChipStay) -> bool:
    """Whether the player's hand was gone from the first chip for a while, and came back before the second lay there."""
    gaps = [
        (t, min((distance(hand.tip, top.xy) for hand in scene.hands.between(t, t, "player")), default=AWAY_MM))
        for t in scene.hands.times_between(stay.t0, top.t0)
    ]
    away = [t for t, gap in gaps if gap >= AWAY_MM and t < stay.seen_to]
    back = [t for t, gap in gaps if gap <= AT_MM and away and t > away[-1]]
    return len(away) >= 2 and away[-1] - away[0] >= LAY_SECONDS and bool(back)
