"""A shoe of shuffled decks."""

from __future__ import annotations

import random
from collections.abc import Iterable

from verifier.domain.cards import FULL_DECK, Card


class Shoe:
    """Cards in the order in which they will be drawn. The same `rng` state gives the same shoe."""

    def __init__(self, rng: random.Random, decks: int = 6) -> None:
        """Shuffles `decks` (1..8) full decks; raises ValueError outside that."""
        if not 1 <= decks <= 8:
            raise ValueError(f"{decks} decks: expected 1 to 8")
        self.decks = decks
        self._cards = list(FULL_DECK) * decks
        rng.shuffle(self._cards)
        self._next = 0

    @classmethod
    def stacked(cls, first: Iterable[Card | str], rng: random.Random, decks: int = 6) -> Shoe:
        """Return a shuffled shoe whose first cards are `first`. Raises ValueError when the decks do not hold them."""
        shoe = cls(rng, decks)
        wanted = [Card.parse(card) if isinstance(card, str) else card for card in first]
        for index, card in enumerate(wanted):
            found = next((i for i in range(index, len(shoe._cards)) if shoe._cards[i] == card), None)
            if found is None:
                raise ValueError(f"{decks} decks do not hold that many {card}")
            shoe._cards[index], shoe._cards[found] = shoe._cards[found], shoe._cards[index]
        return shoe

    @property
    def remaining(self) -> int:
        """Cards not yet drawn."""
        return len(self._cards) - self._next

    @property
    def drawn(self) -> int:
        """Cards drawn so far, burned ones included."""
        return self._next

    def draw(self) -> Card:
        """Take the next card. Raises ValueError when the shoe is empty."""
        if not self.remaining:
            raise ValueError("the shoe is empty")
        card = self._cards[self._next]
        self._next += 1
        return card
