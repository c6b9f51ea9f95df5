"""The layout of one table in the picture (docs/formats.md). Polygons are in pixels of `image_size`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from verifier.domain.places import SeatText

Polygon = Annotated[list[tuple[float, float]], Meta(min_length=3)]
CARD_MM = (63.0, 88.0)
"""Width and height of a poker-size playing card in millimetres."""


class Zones(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Named regions. All but `dealer` and `inner` may be missing.

    A poker table needs `board`, `pot` and `muck` too. `burns` is where its burned cards are laid.
    """

    dealer: Polygon
    inner: Polygon
    shoe: Polygon | None = None
    discard: Polygon | None = None
    tray: Polygon | None = None
    drop: Polygon | None = None
    table_number: Polygon | None = None
    site_id: Polygon | None = None
    clock: Polygon | None = None
    tip_receptacle: Polygon | None = None
    board: Polygon | None = None
    pot: Polygon | None = None
    muck: Polygon | None = None
    burns: Polygon | None = None


OF_POKER: Final = ("board", "pot", "muck", "burns")
"""Zones that a poker table alone has."""


class SpaceZones(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A betting space: `area` holds everything of the space, the rest are parts of it."""

    area: Polygon
    wager: Polygon | None = None
    cards: Polygon | None = None
    tip: Polygon | None = None
    insurance: Polygon | None = None


class SeatZones(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's seat at a poker table: `area` holds everything of the seat, the rest are parts of it.

    `cards` is where the player's cards are dealt, `bets` where bets are pushed forward, `button` where the dealer
    button lies while the player has it.
    """

    area: Polygon
    cards: Polygon | None = None
    bets: Polygon | None = None
    button: Polygon | None = None


class Layout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's layout. Exactly one of `pixels_per_mm` and `card_px` is needed, and either betting spaces (a
    twenty-one table) or seats (a poker table). Both are counted clockwise as the players sit: from the dealer's left.
    """

    version: Literal[1]
    image_size: tuple[Annotated[int, Meta(gt=0)], Annotated[int, Meta(gt=0)]]
    zones: Zones
    spaces: dict[Annotated[int, Meta(ge=1, le=7)], SpaceZones] = {}
    seats: dict[Annotated[int, Meta(ge=1, le=19)], SeatZones] | None = None
    name: str = ""
    site: str | None = None
    table: str | None = None
    dealer_side: Literal["bottom", "top", "left", "right"] = "bottom"
    dealer_seat: SeatText | None = None
    """The seat of the player who deals and banks as this layout's recordings begin; None where the house deals."""
    pixels_per_mm: Annotated[float, Meta(gt=0.0)] | None = None
    card_px: tuple[float, float] | None = None

    @property
    def game(self) -> str:
        """Return the game that the table is made for: poker where it has seats, else twenty-one."""
        return "poker" if self.seats else "twenty-one"

    @property
    def areas(self) -> dict[str, Polygon]:
        """Return the areas of the betting spaces or of the seats, by their places (`space:3`, `seat:5`)."""
        spaces = {f"space:{number}": space.area for number, space in self.spaces.items()}
        return spaces | {f"seat:{number}": seat.area for number, seat in (self.seats or {}).items()}

    @property
    def scale(self) -> float:
        """Pixels per millimetre at the middle of the playing surface."""
        if self.pixels_per_mm is not None:
            return self.pixels_per_mm
        if self.card_px is None:
            raise ValueError("needs pixels_per_mm or card_px")
        return (self.card_px[0] / CARD_MM[0] + self.card_px[1] / CARD_MM[1]) / 2
