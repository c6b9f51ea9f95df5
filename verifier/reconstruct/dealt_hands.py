"""The hands of a round: which cards each has, how they came to it, and which pairs were parted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from verifier.domain.places import space as space_text
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.next_card import next_spot
from verifier.reconstruct.table.zones import Xy


@dataclass
class CardHand:
    """Cards of one hand in the order received; `number` is the space (0: dealer), `index` the split hand."""

    number: int
    index: int = 0
    cards: list[CardTrack] = field(default_factory=list)
    split_at: float | None = None
    step: Xy = par.NEXT_CARD_MM
    """From one of its cards to the next."""

    @property
    def place(self) -> str:
        return space_text(self.number, self.index) if self.number else "dealer"

    @property
    def natural(self) -> bool:
        """Whether it may be a natural, which is paid before the dealer's turn."""
        ranks = [card.rank for card in self.cards]
        return len(ranks) == 2 and "A" in ranks and not {"T", "J", "Q", "K"}.isdisjoint(ranks)

    def next_spot(self, t: float) -> Xy:
        """Where its next card is expected."""
        return next_spot(self.cards[-1], t, self.step)


@dataclass(frozen=True)
class Dealing:
    """A card that went to a hand: place as it was called at that time."""

    card: CardTrack
    place: str
    hand: CardHand
    before: CardTrack | None


class Parted(NamedTuple):
    """A pair that was parted from `t0` to `t1`: which hand it was, which one is new, where both cards lie then."""

    t0: float
    t1: float
    source: str
    target: str
    pair: tuple[Xy, Xy]


@dataclass
class Layout:
    """All hands of a round, the dealings in order, and the splits."""

    hands: list[CardHand] = field(default_factory=list)
    dealings: list[Dealing] = field(default_factory=list)
    splits: list[Parted] = field(default_factory=list)

    def space(self, number: int) -> list[CardHand]:
        """Hands of a space in order; number 0 is the dealer."""
        return [hand for hand in self.hands if hand.number == number]
