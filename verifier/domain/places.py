"""Places on the table, counted from the dealer's left: `space:3`, `space:3/1`, `dealer`, `discard` ..."""

from __future__ import annotations

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

MAX_SPACES: Final = 7
MAX_HANDS: Final = 4
"""Hands that a space may be split to (99-01.3-08-09(2)(c))."""
MAX_HANDS_READ: Final = 10
"""Hands of one space that a log may hold; more than `MAX_HANDS` are a matter of the law, not of the format."""
_FIXED: Final = (
    "dealer", "discard", "shoe", "tray", "inner", "tip_receptacle", "drop", "hand", "board", "bank", "pot", "muck",
)  # fmt: skip
PLACE_PATTERN: Final = rf"^(space:[1-7](/[0-9])?|seat:([1-9]|1[0-9])|{'|'.join(_FIXED)})$"

PlaceText = Annotated[
    str, Meta(pattern=PLACE_PATTERN, description="a place such as space:1 to space:7, space:3/1 to /9, dealer, inner")
]
"""A place as text."""
SeatText = Annotated[str, Meta(pattern=r"^seat:([1-9]|1[0-9])$", description="a seat such as seat:4")]
"""A player's seat as text."""
PlayerText = Annotated[
    str, Meta(pattern=r"^(seat:([1-9]|1[0-9])|space:[1-7])$", description="a seat such as seat:4 (twenty-one: space:4)")
]
"""Where a player sits as text."""


class Place(Struct, frozen=True, order=True):
    """A place; `number` and `hand` are set for spaces (hand 0 is the dealer's leftmost), `number` for seats."""

    kind: str
    number: int = 0
    hand: int = 0

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read `space:3`, `space:3/1`, `seat:2` or a fixed place. Raises ValueError for anything else."""
        if not re.match(PLACE_PATTERN, text):
            raise ValueError(f"{text!r} is no place: expected space:1..7 (with /0../9), seat:N or one of {_FIXED}")
        kind, _, rest = text.partition(":")
        number, _, hand = rest.partition("/")
        return cls(kind, int(number or 0), int(hand or 0))

    @property
    def is_space(self) -> bool:
        return self.kind == "space"

    @property
    def space(self) -> Place:
        """The betting space without its split hand."""
        return Place(self.kind, self.number)

    def __str__(self) -> str:
        if not self.number:
            return self.kind
        return f"{self.kind}:{self.number}" + (f"/{self.hand}" if self.hand else "")


def space(number: int, hand: int = 0) -> str:
    """Text of betting space `number` (1..7), split hand `hand` (0..9)."""
    return str(Place("space", number, hand))
