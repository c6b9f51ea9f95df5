"""Ranks that a card may have, from its text and the reading's posterior."""

from __future__ import annotations

from verifier.domain.cards import Card
from verifier.engine.totals import ANY_RANK, RankSet, plausible_ranks

CERTAIN_RANK = 0.9
"""A reading this probable needs no alternatives (site policy: the formats set no threshold above that of weak)."""
POSSIBLE_RANK = 0.02
"""Alternatives less probable than this are left out (site policy)."""


def ranks_of(card: str, posterior: dict[str, float] | None) -> RankSet:
    """Ranks that a card may have, from its text and the reading's posterior."""
    rank = None if card[0] == "?" else card[0]
    if not posterior:
        return ANY_RANK if rank is None else frozenset({rank})
    return plausible_ranks(rank, posterior, least=POSSIBLE_RANK, certain=CERTAIN_RANK)


def same_card(text: str, burned: Card) -> bool:
    """Tell whether a card's text may be that of a burned card: same rank, and no other suit."""
    card = Card.parse(text)
    return card.rank == burned.rank and (card.suit == burned.suit or card.suit is None or burned.suit is None)
