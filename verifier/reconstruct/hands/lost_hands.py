"""A player's hand that goes out of sight where signals are made, and not on its way out: it may have gone on there."""

from __future__ import annotations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.visits import visits
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance


def lost_at(scene: RoundScene, number: int, t0: float, t1: float) -> tuple[float, float] | None:
    """A stretch of [t0, t1] since a player's hand was lost at a space, amid what may have been a gesture."""
    spot = scene.table.spaces[number]
    for visit in visits(scene, spot, t0, t1):
        if len(visit.hands) < par.LOST_HAND_LEAST_LOOKS:
            continue
        before, last = visit.hands[-2:]
        step = sum((b - a) * o for a, b, o in zip(before.tip, last.tip, spot.outward, strict=True))
        out = sum((b - a) * o for a, b, o in zip(spot.wager, last.xy, spot.outward, strict=True))
        later = scene.hands.between(last.t + par.INSTANT_S, min(t1, last.t + par.HAND_MISSING_S), "player")
        seen = min((hand.t for hand in later if distance(hand.xy, last.xy) <= par.LOST_HAND_AWAY_MM), default=t1)
        if step <= par.LOST_HAND_LEAVING_MM and out <= par.LOST_HAND_OUT_MM and seen - last.t > par.HAND_LOST_S:
            return last.t, min(seen, last.t + par.HAND_MISSING_S)
    return None
