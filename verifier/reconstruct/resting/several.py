"""What cannot be one card: several that lie close over one another are found as one, in a box too wide for a card.

How many there are is not known, nor what they are: a fan shows all of its top card, and a strip of each other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
from msgspec import structs

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.table.zones import distance


def with_several(cards: Sequence[CardTrack]) -> list[CardTrack]:
    """Return the card tracks; those that cannot be one card are without a reading."""
    return [
        structs.replace(card, several=True, ranks={}, suit=None, replaced=None, p=_there(card, cards))
        if _several(card, cards)
        else card
        for card in cards
    ]


def _there(card: CardTrack, cards: Sequence[CardTrack]) -> float:
    """Return how sure it is that at least one more card lies there: not at all between two that were found.

    A box that is no card's and covers parts of two others may be made of those parts: cards edge to edge show no line
    between their white papers.
    """
    about = _about(card, cards, par.OVERLAP_MM)
    return min(card.p, par.WEAK_P) if len(about) >= par.SEVERAL_BETWEEN else card.p


def _about(card: CardTrack, cards: Sequence[CardTrack], within: float) -> list[CardTrack]:
    """Return the other cards that lay no farther than `within` (mm) from a card, while it lay there."""
    return [
        other
        for other in cards
        if other is not card
        and distance(other.at(card.t_last), card.at(card.t_last)) <= within
        and other.t_first <= card.t_last
        and card.t_first <= other.t_last
    ]


def _several(card: CardTrack, cards: Sequence[CardTrack]) -> bool:
    if not (card.face == "up" or card.turned):
        return False
    others = [other for other in cards if other is not card and (other.face == "up" or other.turned)]
    width, shape = CARD_MM[0], CARD_MM[0] / CARD_MM[1]
    if len(others) >= par.SEVERAL_OTHERS:
        width = max(width, _usual(card, others, [other.size[0] for other in others]))
        shape = max(shape, _usual(card, others, [other.size[0] / other.size[1] for other in others]))
    short, long = card.size
    unlike = card.apart >= par.SEVERAL_APART_SHARE or (
        card.rank is not None and card.unreadable >= par.SEVERAL_UNREADABLE_P
    )
    return (
        unlike
        or card.more >= par.SEVERAL_MORE_P
        or (short >= par.SEVERAL_WIDE * width and short / long >= par.SEVERAL_WIDE * shape)
    )


def _usual(card: CardTrack, others: Sequence[CardTrack], sizes: Sequence[float]) -> float:
    """Return what the others' sizes tell of one at a card's place: their median, or more where sizes grow towards that
    place.

    The map of a slanting camera bends: across a table with six spaces cards seem to grow by a fifth. A plane through
    the sizes follows that; the few of a small table do not determine one, nor do those of one row or one space far off.
    """
    usual = median(sizes)
    if len(others) < par.SEVERAL_PLANE_OTHERS:
        return usual
    places = np.array([other.xy for other in others])
    middle, mean = places.mean(axis=0), float(np.mean(sizes))
    away = np.array(card.xy) - middle
    shares = away @ np.linalg.pinv(places - middle)
    if 1 / len(others) + float(shares @ shares) > par.SEVERAL_PLANE_VARIANCE:
        return usual
    return max(usual, mean + float(shares @ (np.array(sizes) - mean)))
