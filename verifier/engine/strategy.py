"""How simulated players decide: a strategy is asked with the lawful options and answers one of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from verifier.domain.cards import Card
from verifier.domain.places import PlaceText
from verifier.engine.actions import DecisionKind
from verifier.engine.totals import hand_total, points

INSURANCE_SHARE: Final = 0.35
"""How often a simulated player takes insurance (policy of the simulation, not of the law)."""


class Choice(Struct, frozen=True, kw_only=True):
    """A question to a player: the hand so far, the dealer's faceup card and the lawful options."""

    at: PlaceText
    cards: tuple[Card, ...]
    up: Card
    options: frozenset[DecisionKind]


Strategy = Callable[[Choice, random.Random], DecisionKind]


def sensible(choice: Choice, rng: random.Random) -> DecisionKind:
    """Close to common basic strategy; insurance and even money now and then."""
    if "decline" in choice.options:
        return _insure(choice, rng)
    ranks = [card.rank for card in choice.cards if card.rank]
    up = 11 if choice.up.rank == "A" else points(choice.up.rank or "T")
    if "split" in choice.options and _splits(ranks[0], up):
        return "split"
    total = hand_total(ranks)
    if "double" in choice.options and _doubles(total.best, total.soft, up):
        return "double"
    if "hit" in choice.options and _hits(total.best, total.soft, up):
        return "hit"
    return "stand"


def adventurous(choice: Choice, rng: random.Random) -> DecisionKind:
    """Any lawful option, splits and doubles preferred and hopeless hits avoided: for rounds rich in incidents."""
    options = sorted(choice.options)
    total = hand_total(card.rank for card in choice.cards if card.rank)
    if total.best >= 19 and "stand" in options and rng.random() < 0.9:
        return "stand"
    eager: list[DecisionKind] = [kind for kind in options if kind in ("split", "double", "insurance")]
    return rng.choice(eager) if eager and rng.random() < 0.6 else rng.choice(options)


def _insure(choice: Choice, rng: random.Random) -> DecisionKind:
    if rng.random() >= INSURANCE_SHARE:
        return "decline"
    if "even_money" in choice.options:
        return "even_money"
    return "insurance" if "insurance" in choice.options else "decline"


def _splits(rank: str, up: int) -> bool:
    if rank in "A8":
        return True
    value = points(rank)
    return value in (2, 3, 6, 7, 9) and up <= 7 - (value == 6)


def _doubles(best: int, soft: bool, up: int) -> bool:
    if soft:
        return best in (17, 18) and 3 <= up <= 6
    return best == 11 or (best == 10 and up <= 9) or (best == 9 and 3 <= up <= 6)


def _hits(best: int, soft: bool, up: int) -> bool:
    if soft:
        return best <= 17
    if best >= 17:
        return False
    return best <= 11 or up >= 7 or (best == 12 and up <= 3)
