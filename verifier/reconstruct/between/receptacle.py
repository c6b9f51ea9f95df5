"""When a dealer who leaves the table took the tip receptacle: after the hands were shown, or before (11(18)(a))."""

from __future__ import annotations

from verifier.domain.events import HandsShown, TipReceptacleTaken
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Between, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import bounds


def taken_first(between: Between, shown: HandsShown | None) -> TipReceptacleTaken | None:
    """Return that the receptacle was taken by a hand that was then shown with the other; None where it was not at it
    before.
    """
    if shown is None:
        return None
    at = [
        hand.t
        for hand in between.hands.between(shown.t_start - 2.0, shown.t_start + par.RECEPTACLE_AFTER_S, "dealer")
        if between.table.near(hand.tip, "tip_receptacle", par.RECEPTACLE_AT_MM) and _one_of_two(between, hand)
    ]
    runs = [
        run
        for run in runs_of(at, par.RUN_GAP_S)
        if run[2] >= par.SURE_LOOKS and run[1] >= shown.t_start - par.RECEPTACLE_BEFORE_S
    ]
    if not runs:
        return None
    first, last, looks = runs[0]
    sure = looks > par.SURE_LOOKS and last >= shown.t_start
    return event(TipReceptacleTaken, first, last, par.RECEPTACLE_FIRST_P[sure])


def _one_of_two(between: Between, hand: HandDetection) -> bool:
    """Tell whether a hand is the dealer's only one of its side in that look: what passes for a hand makes a third."""
    return sum(other.side == hand.side for other in between.hands.between(hand.t, hand.t, "dealer")) == 1


def receptacle_taken(between: Between, left: float) -> TipReceptacleTaken | None:
    """Return that a dealer's hand was at the receptacle shortly before leaving."""
    if "tip_receptacle" not in between.table.zones:
        return None
    at = [
        hand
        for hand in between.hands.between(left - par.RECEPTACLE_S, left, "dealer")
        if between.table.near(hand.tip, "tip_receptacle", par.RECEPTACLE_AT_MM)
    ]
    runs = runs_of([hand.t for hand in at], par.RUN_GAP_S)
    if not runs or runs[-1][2] < 2:
        box = bounds(between.table.zones["tip_receptacle"])
        hidden = between.hands.lost_near(box, left - par.RECEPTACLE_S, left, par.RECEPTACLE_LOST_MM)
        return event(TipReceptacleTaken, *hidden, par.RECEPTACLE_HIDDEN_P) if hidden else None
    at = [hand for hand in at if hand.t >= runs[-1][0]]
    return event(
        TipReceptacleTaken,
        at[0].t,
        at[-1].t,
        par.SEEN_P if len(at) >= par.SURE_LOOKS else par.RECEPTACLE_BRIEF_P,
    )
