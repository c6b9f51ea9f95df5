"""A player's hand that goes out of sight where signals are made, and not on its way out: it may have gone on there."""

from __future__ import annotations

from verifier.reconstruct.hands.hands import LOST_SECONDS, MISSING_SECONDS
from verifier.reconstruct.hands.visits import visits
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance

LEAVING_MM, OUT_MM = 20.0, 40.0
"""A hand that moved outward by more in its last step was leaving; so was one farther out than its wager spot."""
LEAST_LOOKS, AWAY_MM = 2, 400.0
"""Looks that show it there before; how far from there it would be seen leaving."""


def lost_at(scene: RoundScene, number: int, t0: float, t1: float) -> tuple[float, float] | None:
    """A stretch of [t0, t1] since a player's hand was lost at a space, amid what may have been a gesture."""
    spot = scene.table.spaces[number]
    for visit in visits(scene, spot, t0, t1):
        if len(visit.hands) < LEAST_LOOKS:
            continue
        before, last = visit.hands[-2:]
        step = sum((b - a) * o for a, b, o in zip(before.tip, last.tip, spot.outward, strict=True))
        out = sum((b - a) * o for a, b, o in zip(spot.wager, last.xy, spot.outward, strict=True))
        later = scene.hands.between(last.t + 0.01, min(t1, last.t + MISSING_SECONDS), "player")
        seen = min((hand.t for hand in later if distance(hand.xy, last.xy) <= AWAY_MM), default=t1)
        if step <= LEAVING_MM and out <= OUT_MM and seen - last.t > LOST_SECONDS:
            return last.t, min(seen, last.t + MISSING_SECONDS)
    return None
