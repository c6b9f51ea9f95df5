"""Chips that the dealer gives back before the cards: what a wager holds above the table's limit (99-01.3-08-09(1))."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from verifier.domain.events import ChipsReturned
from verifier.domain.places import space as space_text
from verifier.reconstruct.piles import ChipStay
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.zones import Xy, distance

SPOT_MM, HAND_MM = 24.0, 70.0
LIFTED_SECONDS = 2.5
"""The chips below come into sight this soon after the top ones were lifted."""
AT_LOOKS = 2
RETURNED_P = 0.7


def returned_events(scene: RoundScene) -> Drafts:
    """`chips_returned` of wagers whose top chips a dealer's hand took before the first card, baring dearer ones.

    How many were taken does not show from above, so that no amount is told.
    """
    drafts: Drafts = []
    for number, spot in sorted(scene.table.spaces.items()):
        early = [
            stay for stay in scene.stays.get(number, ())
            if scene.since <= stay.t0 < scene.start and distance(stay.xy, spot.wager) <= 2 * SPOT_MM
        ]  # fmt: skip
        for top, below in pairwise(sorted(early, key=lambda stay: stay.t0)):
            if _lifted(top, below) and _dealer_at(scene, below.xy, top.seen_to - 0.4, below.t0 + 0.2):
                drafts.append(
                    event(ChipsReturned, top.seen_to, below.t0, RETURNED_P, kind="original", at=space_text(number),
                          cents=None, reason="excess")
                )  # fmt: skip
    return drafts


def _lifted(top: ChipStay, below: ChipStay) -> bool:
    """Whether a dearer chip showed where a cheaper one had lain: stacks have the dearest chips lowest."""
    if top.cents is None or below.cents is None or below.cents <= top.cents:
        return False
    return distance(top.xy, below.xy) <= SPOT_MM and 0.0 <= below.t0 - top.seen_to <= LIFTED_SECONDS


def _dealer_at(scene: RoundScene, xy: Xy, t0: float, t1: float) -> bool:
    """Whether it was the dealer's hand, and no player's, that was there."""
    at: Sequence[str] = [
        hand.owner for hand in scene.hands.between(t0, t1)
        if distance(hand.tip, xy) <= HAND_MM or hand.over(xy, 0.0)
    ]  # fmt: skip
    return at.count("dealer") >= AT_LOOKS and at.count("player") < at.count("dealer")
