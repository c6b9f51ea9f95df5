"""What cannot be one card: several that lie close over one another are found as one, in a box too wide for a card.

How many there are is not known, nor what they are: a fan shows all of its top card, and a strip of each other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from msgspec import structs

from verifier.domain.layout import CARD_MM
from verifier.reconstruct.resting.cardstory import CardStory
from verifier.reconstruct.table.zones import distance

WIDE = 1.045
"""A box is no card's if both its shorter side, and its shape, are so many times as wide as those of the cards about it.
Of 441 cards of play, the camera slanting, none was more than 1.035 times both (1.08 times as wide, or 1.05 times as
square); of 79 fans found as one box none was less than 1.05 times both (docs/models.md)."""
APART = 0.06
"""Nor if the boxes that pass for it lie so far apart, in shorter sides; those of lone cards differ by 0.02, of cards
that cover a corner of each other by 0.04."""
UNREADABLE = 0.12
"""Nor if it is read although its reader holds it to be unreadable with this probability: of 4,705 looks at faces of a
recording with a poor picture 99 in 100 have 0.07 or less; of those 46 fans 44 have this or more."""
BESIDE, BESIDE_MM = 0.9, 100.0
"""Nor if another rank is read so surely close to its sides, and no card about it is read as that one, or not read at
all: beside 74 lone and dealt cards, drawn or cut from photos, the surest other rank had 0.74, in three recordings of
play 0.82, in one look at 398 cards in photos 0.92 and 0.85; more had pips alone (`PIPS`, docs/models.md)."""
PIPS = frozenset("A23456789T")
"""Their pips, seen shifted, may pass for those of another of them: a lone two was read as a four with 0.92. They do not
count so. A court card has no such rows of pips: where one of the two is a court card, the reading counts."""
OTHERS = 3
"""With fewer cards beside it a card is measured by the layout alone."""


def with_several(cards: Sequence[CardStory]) -> list[CardStory]:
    """The stories, those that cannot be one card without a reading."""
    return [
        structs.replace(card, several=True, ranks={}, suit=None, replaced=None) if _several(card, cards) else card
        for card in cards
    ]


def _several(card: CardStory, cards: Sequence[CardStory]) -> bool:
    if not (card.face == "up" or card.turned):
        return False
    others = [other.size for other in cards if other is not card and (other.face == "up" or other.turned)]
    width, shape = CARD_MM[0], CARD_MM[0] / CARD_MM[1]
    if len(others) >= OTHERS:
        width = max(width, median(short for short, _ in others))
        shape = max(shape, median(short / long for short, long in others))
    short, long = card.size
    unlike = card.apart >= APART or (card.rank is not None and card.unreadable >= UNREADABLE)
    return unlike or _beside(card, cards) or (short >= WIDE * width and short / long >= WIDE * shape)


def _beside(card: CardStory, cards: Sequence[CardStory]) -> bool:
    """Whether a rank reads at its sides that no card found there explains."""
    near = {
        other.rank
        for other in cards
        if other is not card
        and distance(other.at(card.t_last), card.at(card.t_last)) <= BESIDE_MM
        and other.t_first <= card.t_last
        and card.t_first <= other.t_last
    }
    return None not in near and any(
        p >= BESIDE and rank not in near and not {rank, card.rank} <= PIPS for rank, p in card.beside.items()
    )
