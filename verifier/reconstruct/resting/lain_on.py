"""Chips that went out of sight and were not taken: something hid them for a while, or a card was laid on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell, as_one, shows_again
from verifier.reconstruct.table.zones import Xy


def chips_lain_on(hands: HandLog, dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return one dwell for each chip that lay on, hidden for a while, though hands came near meanwhile."""
    return _rejoined(dwells, lambda dwell: dwell.seen_to + par.HIDDEN_S if _left_by_itself(hands, dwell) else -math.inf)


def buried(dwells: dict[int, list[ChipDwell]], cards: Sequence[CardTrack]) -> dict[int, list[ChipDwell]]:
    """Return the chips by space; those that a card was laid on last until it was gone, and on where they show then.

    A chip that only the card's edge touches is hardly seen for a while, but may be taken: seen again, it lay on.
    """

    def end(dwell: ChipDwell, margin: float = 0.0) -> float:
        return max((card.end for card in cards if _came_upon(card, dwell, margin)), default=-math.inf)

    def by(dwell: ChipDwell) -> float:
        until = end(dwell, par.CHIP_RADIUS_MM)
        return -math.inf if until == -math.inf else max(dwell.t1, until) + par.BURIED_AS_IT_CAME_S

    def lasting(dwell: ChipDwell) -> ChipDwell:
        under = end(dwell) > -math.inf
        return replace(dwell, t1=max(dwell.t1, end(dwell, par.CHIP_RADIUS_MM))) if under else dwell

    return {number: [lasting(dwell) for dwell in _rejoined(chips, by)] for number, chips in dwells.items()}


def _rejoined(dwells: Sequence[ChipDwell], by: Callable[[ChipDwell], float]) -> list[ChipDwell]:
    """Return one dwell for each chip that was lost from sight and shows again, no later than `by` tells of it."""
    left = sorted(dwells, key=lambda dwell: dwell.t0)
    index = 0
    while index < len(left):
        dwell, until = left[index], by(left[index])
        again = next((other for other in left if shows_again(dwell, other, until)), None)
        if again is None:
            index += 1
        else:
            left.remove(again)
            left[index] = as_one(dwell, again)
    return left


def _left_by_itself(hands: HandLog, dwell: ChipDwell) -> bool:
    """Tell whether a chip went out of sight in looks that follow closely with no hand at it: something hid it."""
    since, until = dwell.seen_to - par.THREE_LOOKS_S, dwell.seen_to + par.THREE_LOOKS_S
    at = any(hand.over(dwell.xy, par.HAND_AT_MM) for hand in hands.between(since, until))
    return not at and hands.blind(since, until) is None and hands.frames(dwell.seen_to, until) > 1


def _came_upon(card: CardTrack, dwell: ChipDwell, margin: float) -> bool:
    """Tell whether a card came to lie on a chip, or within `margin` (mm) of its middle, as it went out of sight."""
    then = dwell.t0 < card.t_first and abs(card.t_rest - dwell.seen_to) <= par.BURIED_AS_IT_CAME_S
    return then and _covers(card, dwell.xy, margin)


def _covers(card: CardTrack, xy: Xy, margin: float) -> bool:
    """Tell whether a card at rest covers a point, or comes within `margin` millimetres of it."""
    turn = math.radians(card.angle)
    dx, dy = xy[0] - card.xy[0], xy[1] - card.xy[1]
    along, across = dx * math.sin(turn) - dy * math.cos(turn), dx * math.cos(turn) + dy * math.sin(turn)
    return abs(along) < CARD_MM[1] / 2 + margin and abs(across) < CARD_MM[0] / 2 + margin
