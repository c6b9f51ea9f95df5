"""Chips that a card was laid on: they lie under it until it goes, and were not taken as they went out of sight.

A chip that only the card's edge touches is hardly seen for a while, but may be taken: it lay on if it is seen again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell, as_one, shows_again
from verifier.reconstruct.table.zones import Xy


def buried(dwells: dict[int, list[ChipDwell]], cards: Sequence[CardTrack]) -> dict[int, list[ChipDwell]]:
    """Chips by space, those under a card lasting until it was gone, and on where they are seen again then."""
    return {number: _lasting(chips, cards) for number, chips in dwells.items()}


def _lasting(chips: Sequence[ChipDwell], cards: Sequence[CardTrack]) -> list[ChipDwell]:
    left = sorted(chips, key=lambda dwell: dwell.t0)
    index = 0
    while index < len(left):
        dwell = left[index]
        upon = [card for card in cards if _came_upon(card, dwell)]
        end = max([dwell.t1, *(card.end for card in upon)])
        by = end + par.BURIED_AS_IT_CAME_S
        again = next((other for other in left if upon and shows_again(dwell, other, by)), None)
        if again is not None:
            left.remove(again)
            left[index] = as_one(dwell, again)
            continue
        if any(_covers(card, dwell.xy) for card in upon):
            left[index] = replace(dwell, t1=end)
        index += 1
    return left


def _came_upon(card: CardTrack, dwell: ChipDwell) -> bool:
    """Tell whether a card came to lie on a chip, or on its rim, as that went out of sight."""
    then = dwell.t0 < card.t_first and abs(card.t_rest - dwell.seen_to) <= par.BURIED_AS_IT_CAME_S
    return then and _covers(card, dwell.xy, par.CHIP_RADIUS_MM)


def _covers(card: CardTrack, xy: Xy, margin: float = 0.0) -> bool:
    """Tell whether a card at rest covers a point, or comes within `margin` millimetres of it."""
    turn = math.radians(card.angle)
    dx, dy = xy[0] - card.xy[0], xy[1] - card.xy[1]
    along, across = dx * math.sin(turn) - dy * math.cos(turn), dx * math.cos(turn) + dy * math.sin(turn)
    return abs(along) < CARD_MM[1] / 2 + margin and abs(across) < CARD_MM[0] / 2 + margin
