"""What the solid world asks beside the common figures: fans told whole, in doubt or surely wrong, and false finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from verifier.domain.observations import CardSeen
from verifier.train.glances import Glance
from verifier.train.matching import Floats, as_quad
from verifier.train.table.scene import FAN_NUMBERS

SURE: Final = 0.9
"""Probability of a rank from which a reading is sure."""
APART, UNREADABLE = 0.06, 0.12
"""`apart` and `unreadable` from which a box is held for several cards (docs/models.md)."""
STEPS: Final = (0.0, 0.2, 0.35, 0.6, 9.9)
"""Bounds of the groups of fans by the mean distance of neighbours, in widths of a card."""


def fans_of(glance: Glance) -> dict[int, list[CardSeen]]:
    """The true cards of each fan that lies wholly in the picture."""
    out: dict[int, list[CardSeen]] = defaultdict(list)
    for card in glance.truth.cards:
        if card.id is not None:
            out[card.id // FAN_NUMBERS].append(card)
    w, h = glance.case.size
    whole = {}
    for number, cards in out.items():
        points = np.concatenate([np.asarray(card.quad) for card in cards])
        complete = {card.id % FAN_NUMBERS for card in cards if card.id is not None} == set(range(len(cards)))
        if len(cards) > 1 and complete and points.min() >= 0 and (points < (w, h)).all():
            whole[number] = sorted(cards, key=lambda card: card.id or 0)
    return whole


def step_of(cards: Sequence[CardSeen]) -> float:
    """Mean distance of neighbours of a fan in widths of a card."""
    middles = [np.asarray(card.quad).mean(0) for card in cards]
    width = float(np.mean([np.hypot(*(np.subtract(card.quad[1], card.quad[0]))) for card in cards]))
    return float(np.mean([np.hypot(*(b - a)) for a, b in pairwise(middles)])) / width


def judged(cards: Sequence[CardSeen], seen: Sequence[CardSeen]) -> str:
    """What one look tells of a fan: "right", "in doubt" or "surely wrong".

    It is surely wrong if all that is told there is sure, and the cards or their number are not right.
    """
    hull = cv2.convexHull(np.concatenate([as_quad(card.quad) for card in cards]))
    mine = [card for card in seen if cv2.pointPolygonTest(hull, _middle(card), False) >= 0]
    if not mine or not all(_sure(card) for card in mine):
        return "in doubt"
    told = Counter("back" if card.face == "down" else card.rank for card in mine)
    true = Counter("back" if card.face == "down" else card.rank for card in cards)
    return "right" if told == true else "surely wrong"


def _middle(card: CardSeen) -> tuple[float, float]:
    x, y = np.asarray(card.quad, np.float64).mean(0)
    return float(x), float(y)


def _sure(card: CardSeen) -> bool:
    doubted = (card.apart or 0.0) >= APART or (card.unreadable or 0.0) >= UNREADABLE
    p = max(card.ranks.values()) if card.face == "up" and card.ranks else card.p
    return p >= SURE and not doubted


def fan_counts(glances: Iterable[Glance]) -> dict[str, Counter[str]]:
    """For each group of fans, by number of cards and step, how many were right, in doubt and surely wrong."""
    out: dict[str, Counter[str]] = defaultdict(Counter)
    for glance in glances:
        for cards in fans_of(glance).values():
            step = step_of(cards)
            low, high = next((a, b) for a, b in pairwise(STEPS) if a <= step < b)
            size = "2" if len(cards) == 2 else "3 or 4" if len(cards) < 5 else "5 or 6"
            told = f"{low:g} to {high:g}" if high < STEPS[-1] else f"{low:g} and more"
            out[f"fan of {size}, step {told}"][judged(cards, glance.seen.cards)] += 1
    return dict(sorted(out.items()))


def false_finds(glances: Iterable[Glance]) -> dict[str, float]:
    """Cards and chips told on pictures that show none of either, each a picture; `pictures` is their number."""
    bare = [g for g in glances if not (g.truth.cards or g.truth.chips or g.doubtful.chips)]
    if not bare:
        return {"pictures": 0}
    return {
        "pictures": len(bare),
        "false cards a picture": sum(len(g.seen.cards) for g in bare) / len(bare),
        "false chips a picture": sum(len(g.seen.chips) for g in bare) / len(bare),
    }


__all__ = ["Floats", "false_finds", "fan_counts", "fans_of", "judged", "step_of"]
