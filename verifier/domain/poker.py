"""How many cards the games of poker have (N.D. Admin. Code 99-01.3-09-04): the game's own figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STUD: Final = "seven_card_stud"
DRAW: Final = "five_card_draw"
HOLE_CARDS: Final[Mapping[str, int]] = {"holdem": 2, "omaha": 4, STUD: 3, DRAW: 5}
"""Cards that each player gets before the first betting."""
FULL_HAND: Final[Mapping[str, int]] = {"holdem": 2, "omaha": 4, STUD: 7, DRAW: 5}
