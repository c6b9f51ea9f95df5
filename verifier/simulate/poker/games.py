"""The games of poker that are performed, as figures: what is dealt when, and where a player's cards lie."""

from __future__ import annotations

from typing import Final, Literal, get_args

from msgspec import Struct

from verifier.simulate.scene import Vec

Variant = Literal["holdem", "omaha", "seven_card_stud", "five_card_draw"]
VARIANTS: Final[tuple[Variant, ...]] = get_args(Variant)
_BACK: Final = 1.0
"""The second row of a seat's cards, behind the first as the player sees it from the table."""


class Game(Struct, frozen=True, kw_only=True):
    """A game. `first`: the faces of each player's first cards, `d` down and `u` up, in the order of the deal.

    `board`: cards of each dealing to the board. `later`: the face of the one card that each player still in gets
    before a further betting round. `draw`: before the second betting round players exchange cards.
    `slots`: column and row of each card that a seat is dealt, a card too many included. `most`: players at most.
    """

    variant: Variant
    first: str
    slots: tuple[Vec, ...]
    most: int
    board: tuple[int, ...] = ()
    later: str = ""
    draw: bool = False
    ante: int = 0
    blinds: tuple[int, int] | None = None

    @property
    def dealings(self) -> int:
        """How many dealings follow the first one, if the hand is played to its end."""
        return len(self.board) + len(self.later) + self.draw


_BLINDS: Final = (100, 200)
_ANTE: Final = 100
GAMES: Final[dict[Variant, Game]] = {
    "holdem": Game(
        variant="holdem",
        first="dd",
        board=(3, 1, 1),
        blinds=_BLINDS,
        slots=((-0.5, 0.0), (0.5, 0.0), (1.5, 0.0)),
        most=8,
    ),
    "omaha": Game(
        variant="omaha",
        first="dddd",
        board=(3, 1, 1),
        blinds=_BLINDS,
        slots=((-0.5, 0.0), (0.5, 0.0), (-0.5, _BACK), (0.5, _BACK), (1.5, _BACK)),
        most=8,
    ),
    "seven_card_stud": Game(
        variant="seven_card_stud",
        first="ddu",
        later="uuud",
        ante=_ANTE,
        slots=(
            (-1.0, _BACK),
            (0.0, _BACK),
            *((column, 0.0) for column in (-1.5, -0.5, 0.5, 1.5)),
            (1.0, _BACK),
            (2.0, _BACK),
        ),
        most=5,
    ),
    "five_card_draw": Game(
        variant="five_card_draw",
        first="ddddd",
        draw=True,
        ante=_ANTE,
        slots=(
            *((column, 0.0) for column in (-1.0, 0.0, 1.0)),
            *((column, _BACK) for column in (-0.5, 0.5, 1.5, -1.5)),
            (2.0, 0.0),
            (-2.0, 0.0),
        ),
        most=5,
    ),
}
"""Antes and blinds in cents. `most` follows from the deck (stud: 7 cards each and burned ones) and from the table."""
