"""Whether both hands of the dealer's took a chip together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.sights import HandSight
from verifier.reconstruct.table.zones import Xy, distance

CAME_SECONDS, AWAY_MM, BOTH_MM = 0.8, 130.0, 60.0
"""Both hands take a chip that were away from it so long before, and near to it as it went."""
OTHER = {"left": "right", "right": "left"}


def both_came(scene: RoundScene, xy: Xy, seen: float, bare: float) -> bool:
    """Whether both hands of the dealer came to a chip together and were at it as it went."""
    hands = scene.hands.between(seen - CAME_SECONDS, bare + 0.1, "dealer")
    looks = [(t, _by_side(list(look))) for t, look in groupby(hands, key=attrgetter("t"))]
    gaps = [(t, {side: distance(hand.tip, xy) for side, hand in look.items()}) for t, look in looks if len(look) == 2]
    came = any(min(sides.values()) > AWAY_MM for t, sides in gaps if t < seen)
    there = [sides for t, sides in gaps if t >= seen - 0.1]
    long = all(sum(sides[side] <= BOTH_MM for sides in there) >= 2 for side in ("left", "right"))
    return came and long and any(max(sides.values()) <= BOTH_MM for sides in there)


def _by_side(hands: Sequence[HandSight]) -> dict[str, HandSight]:
    """The dealer's hands in one look by side: of two, the one that cannot be told is the other one's fellow."""
    known = {hand.side: hand for hand in hands if hand.side in OTHER}
    unknown = [hand for hand in hands if hand.side not in OTHER]
    if len(known) == len(unknown) == 1 and len(hands) == 2:
        known[OTHER[next(iter(known))]] = unknown[0]
    return known
