"""Money in whole cents and the chips that the rules prescribe (N.D. Admin. Code 99-01.3-08-03)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

MAX_CENTS: Final = 10**10

Cents = Annotated[int, Meta(ge=0, le=MAX_CENTS, description="whole cents")]
"""An amount in whole cents, never negative."""

ChipCounts = dict[
    Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,6}$", description="a chip's value in cents")],
    Annotated[int, Meta(ge=1, le=10_000)],
]
"""Chips as a map from a chip's value in cents (as text) to a count, for example {"500": 2}."""

ChipColour = Literal["mustard", "white", "pink", "red", "green", "black", "other"]
"""Primary colours of chips; "other" is one that no rule prescribes."""
CHIP_COLOURS: Final[Mapping[int, ChipColour]] = {
    50: "mustard",
    100: "white",
    200: "pink",
    500: "red",
    2500: "green",
    10000: "black",
}
"""Primary colour of each chip value in cents (99-01.3-08-03(3)(a)-(f))."""

CENTS_BY_COLOUR: Final[Mapping[str, int]] = {colour: cents for cents, colour in CHIP_COLOURS.items()}


def dollars(cents: int) -> str:
    """`500` as `5.00`."""
    return f"{cents // 100}.{cents % 100:02d}"
