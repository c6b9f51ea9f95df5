"""When a dealer who leaves the table took the tip receptacle: after the hands were shown, or before (11(18)(a))."""

from __future__ import annotations

from verifier.domain.events import HandsShown, TipReceptacleTaken
from verifier.reconstruct.scene import Between, event
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.sights import HandSight
from verifier.reconstruct.table.zones import bounds

AT_MM, RECEPTACLE_MM = 25.0, 110.0
BEFORE_SECONDS, AFTER_SECONDS, DWELL_LOOKS = 0.6, 1.0, 3
"""A hand that takes the receptacle before it is shown dwells there until shortly before it is held beside the other,
which may be held out already."""
FIRST_P = (0.6, 0.85)
"""Probability that it was taken then; sure where the hand dwelt there while the other was held out already."""


def taken_first(between: Between, shown: HandsShown | None) -> TipReceptacleTaken | None:
    """The receptacle taken by a hand that was then shown with the other; None where it was not at it before."""
    if shown is None:
        return None
    at = [
        hand.t
        for hand in between.hands.between(shown.t_start - 2.0, shown.t_start + AFTER_SECONDS, "dealer")
        if between.table.near(hand.tip, "tip_receptacle", AT_MM) and _one_of_two(between, hand)
    ]
    runs = [run for run in runs_of(at, 0.6) if run[2] >= DWELL_LOOKS and run[1] >= shown.t_start - BEFORE_SECONDS]
    if not runs:
        return None
    first, last, looks = runs[0]
    sure = looks > DWELL_LOOKS and last >= shown.t_start
    return event(TipReceptacleTaken, first, last, FIRST_P[sure])


def _one_of_two(between: Between, hand: HandSight) -> bool:
    """Whether a hand is the dealer's only one of its side in that look: what passes for a hand makes a third."""
    return sum(other.side == hand.side for other in between.hands.between(hand.t, hand.t, "dealer")) == 1


def receptacle_taken(between: Between, left: float) -> TipReceptacleTaken | None:
    """A dealer's hand at the receptacle shortly before leaving."""
    if "tip_receptacle" not in between.table.zones:
        return None
    at = [
        hand
        for hand in between.hands.between(left - 5.0, left, "dealer")
        if between.table.near(hand.tip, "tip_receptacle", AT_MM)
    ]
    runs = runs_of([hand.t for hand in at], 0.6)
    if not runs or runs[-1][2] < 2:
        box = bounds(between.table.zones["tip_receptacle"])
        hidden = between.hands.lost_near(box, left - 5.0, left, RECEPTACLE_MM)
        return event(TipReceptacleTaken, *hidden, 0.55) if hidden else None
    at = [hand for hand in at if hand.t >= runs[-1][0]]
    return event(TipReceptacleTaken, at[0].t, at[-1].t, 0.9 if len(at) >= 3 else 0.6)
