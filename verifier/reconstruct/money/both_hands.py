"""Whether both hands of the dealer's took a chip together."""

from __future__ import annotations

from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import Xy

CAME_SECONDS, AWAY_MM, BOTH_MM = 0.8, 130.0, 60.0
"""Both hands take a chip that were away from it so long before, and near to it as it went."""


def both_came(scene: RoundScene, xy: Xy, seen: float, bare: float) -> bool:
    """Whether both hands of the dealer came to a chip together and were at it as it went."""
    gaps = scene.hands.both_gaps(xy, seen - CAME_SECONDS, bare + 0.1)
    came = any(min(sides.values()) > AWAY_MM for t, sides in gaps.items() if t < seen)
    there = [sides for t, sides in gaps.items() if t >= seen - 0.1]
    long = all(sum(sides[side] <= BOTH_MM for sides in there) >= 2 for side in ("left", "right"))
    return came and long and any(max(sides.values()) <= BOTH_MM for sides in there)
