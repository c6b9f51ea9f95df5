"""How near and for how long things are seen that lie still: of cards, and of chips."""

from __future__ import annotations

from msgspec import Struct


class Tolerances(Struct, frozen=True, kw_only=True):
    """Millimetres and seconds of one kind of object. `clear` is how long a bare place must be seen before it counts."""

    match: float
    still: float
    dwell: float
    rest: float = 0.24
    clear: float = 0.7
    forget: float = 0.7
    """What was never seen to rest, and not at all for so long, is forgotten."""
    revive: float = 2.5
    back: float = 8.0
    """An object that comes back into sight within `revive` seconds this near to where it lay is the same one."""
    sure: float = 0.0
    crowd: float = 0.0
    """Probability from which one look is enough to tell that it is there, though another lies within `crowd`."""


CARD_TOLERANCES = Tolerances(match=26.0, still=14.0, dwell=15.0, clear=0.9, revive=4.0, back=22.0)
CHIP_TOLERANCES = Tolerances(match=11.5, still=8.0, dwell=9.0, forget=2.5, revive=0.9, sure=0.9, crowd=20.0)
