"""Ties: a dealer's hand that dwells at a stake which stays as it was."""

from __future__ import annotations

from verifier.domain.events import PushTapped
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.stakes import Stake
from verifier.reconstruct.zones import Xy, distance

TAP_SECONDS = 0.3
UNSURE_P = 0.45
"""Weak by docs/formats.md: it can make a finding undetermined and no more."""


def tap_events(scene: RoundScene, stake: Stake, settle_from: float) -> Drafts:
    """A dealer's hand that dwells at a stake which stays as it was.

    Weak where nobody looked for a while, and where it dwells at the space's wager spot only, not at this hand's stake.
    """
    for at, p in ((stake.anchor, 0.9), (scene.table.spaces[stake.space].wager, UNSURE_P)):
        runs = _dwells(scene, at, settle_from)
        if runs:
            best = max(runs, key=len)
            return [event(PushTapped, best[0], best[-1], p, at=stake.place)]
    unseen = scene.hands.blind(settle_from, scene.end)
    return [event(PushTapped, *unseen, UNSURE_P, at=stake.place, occluded=True)] if unseen is not None else []


def _dwells(scene: RoundScene, at: Xy, since: float) -> list[list[float]]:
    """Times of each stretch in which a hand of the dealer's was at a point for long enough."""
    runs: list[list[float]] = []
    for hand in scene.hands.between(since, scene.end, "dealer"):
        if distance(hand.tip, at) >= 70.0 and not hand.over(at, 5.0):
            continue
        if not runs or hand.t - runs[-1][-1] > 0.45:
            runs.append([])
        runs[-1].append(hand.t)
    return [run for run in runs if run[-1] - run[0] >= TAP_SECONDS]
