"""Chips that a card was laid on: they lie under it until it goes, and were not taken as they went out of sight."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from verifier.domain.layout import CARD_MM
from verifier.reconstruct.cardstory import CardStory
from verifier.reconstruct.piles import ChipStay
from verifier.reconstruct.zones import Xy, distance

AS_IT_CAME = 0.6
"""The card comes to rest within so long of the chip's last sight, and is gone so long before it is seen again."""
SAME_SPOT_MM = 8.0


def buried(stays: dict[int, list[ChipStay]], cards: Sequence[CardStory]) -> dict[int, list[ChipStay]]:
    """Chips by space, those under a card lasting until it was gone, and on where they are seen again then."""
    return {number: _lasting(chips, cards) for number, chips in stays.items()}


def _lasting(chips: Sequence[ChipStay], cards: Sequence[CardStory]) -> list[ChipStay]:
    left = list(chips)
    for stay in chips:
        upon = [card for card in cards if abs(card.t_rest - stay.seen_to) <= AS_IT_CAME and _covers(card, stay.xy)]
        ends = [math.inf if card.gone is None else card.gone for card in upon if stay.t0 < card.t_first]
        if stay not in left or not ends:
            continue
        end = max(stay.t1, *ends)
        again = next((s for s in left if s is not stay and _found_again(stay, s, end)), None)
        lasting = replace(stay, t1=end)
        if again is not None:
            left.remove(again)
            lasting = replace(stay, t1=again.t1, seen_to=again.seen_to, n=stay.n + again.n)
        left[left.index(stay)] = lasting
    return left


def _found_again(stay: ChipStay, other: ChipStay, end: float) -> bool:
    same = other.cents == stay.cents and distance(other.xy, stay.xy) <= SAME_SPOT_MM
    return same and stay.seen_to < other.t0 <= end + AS_IT_CAME


def _covers(card: CardStory, xy: Xy) -> bool:
    """Whether a card at rest covers the middle of a chip."""
    turn = math.radians(card.angle)
    dx, dy = xy[0] - card.xy[0], xy[1] - card.xy[1]
    along, across = dx * math.sin(turn) - dy * math.cos(turn), dx * math.cos(turn) + dy * math.sin(turn)
    return abs(along) < CARD_MM[1] / 2 and abs(across) < CARD_MM[0] / 2
