"""Cards of a shoe by rank and suit: a suit taken for the other of its colour shows more often than the decks hold."""

from __future__ import annotations

from collections import Counter
from typing import Final

from verifier.domain.cards import UNKNOWN
from verifier.reconstruct import parameters as par

_TWIN: Final = {"s": "c", "c": "s", "h": "d", "d": "h"}


class SuitCount:
    """Counts what was dealt since the last shuffle, of `decks` decks (None: the most that are lawful)."""

    def __init__(self, decks: int | None) -> None:
        self._decks = decks or par.MOST_DECKS
        self._seen: Counter[str] = Counter()

    def shuffled(self) -> None:
        """Begin a shoe."""
        self._seen.clear()

    def told(self, card: str) -> str:
        """Return the card as it is written down (rank and suit, "?" for what is not known).

        One more than the decks hold is of unknown suit while the other suit of its colour has room for it: readers take
        spades of an unknown deck for its clubs throughout, which is far likelier than a card too many.
        """
        rank, suit = card[0], card[-1]
        twin = rank + _TWIN.get(suit, suit)
        if suit in _TWIN and rank != UNKNOWN and self._seen[card] >= self._decks > self._seen[twin]:
            return rank + UNKNOWN
        self._seen[card] += 1
        return card
