"""Whether both hands of the dealer's took a chip together."""

from __future__ import annotations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import Xy


def both_came(scene: RoundScene, xy: Xy, seen: float, bare: float) -> bool:
    """Whether both hands of the dealer came to a chip together and were at it as it went."""
    gaps = scene.hands.both_gaps(xy, seen - par.COLLECT_CAME_S, bare + par.SLACK_S)
    came = any(min(sides.values()) > par.COLLECT_AWAY_MM for t, sides in gaps.items() if t < seen)
    there = [sides for t, sides in gaps.items() if t >= seen - par.SLACK_S]
    long = all(sum(sides[side] <= par.COLLECT_BOTH_MM for sides in there) >= 2 for side in ("left", "right"))
    return came and long and any(max(sides.values()) <= par.COLLECT_BOTH_MM for sides in there)
