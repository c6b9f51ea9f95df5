"""The indicator card, which is not detected: put in before the shoe is loaded, perhaps come out before a shuffle."""

from __future__ import annotations

from verifier.domain.events import IndicatorCard, Shuffle
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.sights import HandSight
from verifier.reconstruct.zones import Xy, centre_of, distance

PERHAPS_P = 0.3
INSERTED_P = 0.7
LOADED_SECONDS = 9.0
"""The shoe is loaded this soon after the cut."""
SHOE_MM = 80.0
AWAY_MM, AT_MM = 170.0, 90.0
"""How far from the stack a hand fetches the card, and how near to it the card is put in."""
INSERTING_SECONDS = 0.7


def appeared(between: Between, shuffle: Shuffle) -> Drafts:
    """Whether the card had come out is not seen: before a reshuffle a doubtful record, so that nobody is accused."""
    if not between.played:
        return []
    t = shuffle.t_start
    return [event(IndicatorCard, t, t, PERHAPS_P, action="appeared", cards_remaining=None, occluded=True)]


def inserted(between: Between, shuffle: Shuffle, cut: float) -> Drafts:
    """A hand of the dealer's that leaves the cut stack and comes back to it before the stack goes to the shoe."""
    hands = list(between.hands.between(max(cut, shuffle.t_end), min(between.end, cut + LOADED_SECONDS), "dealer"))
    loaded = next((hand.t for hand in hands if between.table.near(hand.tip, "shoe", SHOE_MM)), None)
    stack = _stack(between, shuffle, cut)
    if loaded is None or stack is None:
        return []
    right = [hand for hand in hands if hand.t < loaded and hand.side == "right"]
    back = _came_back(right, stack)
    if back is None:
        return []
    return [event(IndicatorCard, back - INSERTING_SECONDS, back, INSERTED_P, action="inserted", cards_remaining=None)]


def _stack(between: Between, shuffle: Shuffle, cut: float) -> Xy | None:
    """Where the stack lies in the inner area before it is loaded."""
    inner = [back for back in between.backs if between.table.within(back.xy, "inner")]
    late = [back.xy for back in inner if cut < back.t < cut + LOADED_SECONDS]
    mixed = [back.xy for back in inner if shuffle.t_start <= back.t <= shuffle.t_end]
    return centre_of(late or mixed) if late or mixed else None


def _came_back(hands: list[HandSight], stack: Xy) -> float | None:
    """The last time at which a hand was at the stack that had been away from it before."""
    away = next((hand.t for hand in hands if distance(hand.tip, stack) > AWAY_MM), None)
    at = [hand.t for hand in hands if away is not None and hand.t > away and distance(hand.tip, stack) < AT_MM]
    return at[-1] if at else None
