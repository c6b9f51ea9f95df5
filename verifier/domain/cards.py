"""Playing cards in the notation of the event log: rank `A 2..9 T J Q K`, suit `s h d c`, `?` where unknown."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS: Final = ("s", "h", "d", "c")
COLOURS_OF_SUITS: Final = (frozenset("sc"), frozenset("hd"))
"""Suits of one colour, which readers take for each other."""
UNKNOWN: Final = "?"

CardText = Annotated[str, Meta(pattern=r"^[A2-9TJQK?][shdc?]$", description="a card such as Kh, with ? where unknown")]
"""A card as text, for example `Kh`, `T?` or `??`."""

RankProbabilities = dict[
    Annotated[str, Meta(pattern=r"^[A2-9TJQK]$", description="a rank A 2-9 T J Q K")],
    Annotated[float, Meta(ge=0.0, le=1.0)],
]
"""Posterior over ranks; what is missing to 1 is unexplained."""


class Card(Struct, frozen=True):
    """One card; `rank` or `suit` is None where it was not to be read."""

    rank: str | None
    suit: str | None

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `Kh`, `K?` or `??`. Raises ValueError for anything else."""
        if len(text) != 2 or text[0] not in (*RANKS, UNKNOWN) or text[1] not in (*SUITS, UNKNOWN):
            raise ValueError(f"{text!r} is no card: expected a rank A 2-9 T J Q K ? and a suit s h d c ?")
        return cls(None if text[0] == UNKNOWN else text[0], None if text[1] == UNKNOWN else text[1])

    def __str__(self) -> str:
        return (self.rank or UNKNOWN) + (self.suit or UNKNOWN)


FULL_DECK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
