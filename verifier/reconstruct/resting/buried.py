"""Chips that a card was laid on: they lie under it until it goes, and were not taken as they went out of sight.

A chip that only the card's edge touches is hardly seen for a while, but may be taken: it lay on if it is seen again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.cardstory import CardStory
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.table.zones import Xy, distance


def buried(stays: dict[int, list[ChipStay]], cards: Sequence[CardStory]) -> dict[int, list[ChipStay]]:
    """Chips by space, those under a card lasting until it was gone, and on where they are seen again then."""
    return {number: _lasting(chips, cards) for number, chips in stays.items()}


def _lasting(chips: Sequence[ChipStay], cards: Sequence[CardStory]) -> list[ChipStay]:
    left = sorted(chips, key=lambda stay: stay.t0)
    index = 0
    while index < len(left):
        stay = left[index]
        upon = [card for card in cards if _came_upon(card, stay)]
        end = max([stay.t1, *(card.end for card in upon)])
        again = next((s for s in left if upon and s is not stay and _found_again(stay, s, end)), None)
        if again is not None:
            left.remove(again)
            left[index] = replace(
                stay, t1=again.t1, seen_to=again.seen_to, n=stay.n + again.n, faces=stay.faces + again.faces
            )
            continue
        if any(_covers(card, stay.xy) for card in upon):
            left[index] = replace(stay, t1=end)
        index += 1
    return left


def _came_upon(card: CardStory, stay: ChipStay) -> bool:
    """Tell whether a card came to lie on a chip, or on its rim, as that went out of sight."""
    then = stay.t0 < card.t_first and abs(card.t_rest - stay.seen_to) <= par.BURIED_AS_IT_CAME_S
    return then and _covers(card, stay.xy, par.CHIP_RADIUS_MM)


def _found_again(stay: ChipStay, other: ChipStay, end: float) -> bool:
    same = other.cents == stay.cents and distance(other.xy, stay.xy) <= par.SAME_SPOT_MM
    return same and stay.seen_to < other.t0 <= end + par.BURIED_AS_IT_CAME_S


def _covers(card: CardStory, xy: Xy, margin: float = 0.0) -> bool:
    """Tell whether a card at rest covers a point, or comes within `margin` millimetres of it."""
    turn = math.radians(card.angle)
    dx, dy = xy[0] - card.xy[0], xy[1] - card.xy[1]
    along, across = dx * math.sin(turn) - dy * math.cos(turn), dx * math.cos(turn) + dy * math.sin(turn)
    return abs(along) < CARD_MM[1] / 2 + margin and abs(across) < CARD_MM[0] / 2 + margin
