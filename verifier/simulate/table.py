"""Where things stand on a simulated table, in the table frame of `scene.py` (millimetres)."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct

from verifier.simulate.scene import Vec

CARD_MM: Final = (63.0, 88.0)
CHIP_DIAMETER_MM: Final = 39.0
COIN_DIAMETER_MM: Final = 30.6
"""A half dollar of the United States."""
CHIP_THICKNESS_MM: Final = 3.3
ABOVE_RECEPTACLE_MM: Final = 78.0
"""Height of a hand that is at the tip receptacle: above it, for it has its slot on top."""
VIEW_MM: Final = (1780.0, 1000.0)
"""Width and height of the felt that a camera straight above sees at 16:9."""


class SpaceSpots(Struct, frozen=True, kw_only=True):
    """Spots of one betting space; `outward` is the unit vector from the dealer to the player."""

    wager: Vec
    cards: Vec
    tip: Vec
    insurance: Vec
    outward: Vec


class TablePlan(Struct, frozen=True, kw_only=True):
    """A table with its spaces (key 1..7 from the dealer's left) and fixtures; rectangles are (x0, y0, x1, y1)."""

    spaces: dict[int, SpaceSpots]
    dealer_cards: Vec = (0.0, 130.0)
    shoe: tuple[float, float, float, float] = (-860.0, 210.0, -690.0, 420.0)
    discard: tuple[float, float, float, float] = (700.0, 210.0, 850.0, 420.0)
    tray: tuple[float, float, float, float] = (-330.0, 300.0, 330.0, 440.0)
    tip_receptacle: tuple[float, float, float, float] = (410.0, 310.0, 500.0, 430.0)
    drop: tuple[float, float, float, float] = (540.0, 330.0, 640.0, 430.0)
    table_number: tuple[float, float, float, float] = (-540.0, 350.0, -390.0, 430.0)
    inner: tuple[float, float, float, float] = (-360.0, 20.0, 360.0, 280.0)


def plan_table(count: int) -> TablePlan:
    """Return a table with `count` (1..7) betting spaces spread on the arc, space 1 at the dealer's left."""
    if not 1 <= count <= 7:
        raise ValueError(f"{count} betting spaces: expected 1 to 7")
    step = 22.0 if count > 5 else 26.0
    spaces: dict[int, SpaceSpots] = {}
    for index in range(count):
        turn = math.radians((index - (count - 1) / 2) * step)
        sine, cosine = math.sin(turn), math.cos(turn)
        wager = (720.0 * sine, 300.0 - 690.0 * cosine)
        spaces[index + 1] = SpaceSpots(
            wager=wager,
            cards=(570.0 * sine, 290.0 - 520.0 * cosine),
            tip=(wager[0] - 62.0, wager[1] + 34.0),
            insurance=(400.0 * sine, 280.0 - 290.0 * cosine),
            outward=(sine, -cosine),
        )
    return TablePlan(spaces=spaces)
