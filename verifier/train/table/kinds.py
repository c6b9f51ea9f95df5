"""The kinds of tables of the solid world."""

from typing import Final, Literal, get_args

SolidKind = Literal["play", "fans", "spread", "chips", "packs", "clutter"]
"""Play, many fans, cards strewn, chips, packs and ribbons, and tables with neither a card nor a chip."""
SOLID_KINDS: Final[tuple[SolidKind, ...]] = get_args(SolidKind)
