"""The layout of one table in the picture (docs/formats.md). Polygons are in pixels of `image_size`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from verifier.domain.places import SeatText

Polygon = Annotated[list[tuple[float, float]], Meta(min_length=3)]
CARD_MM = (63.0, 88.0)
"""Width and height of a poker-size playing card in millimetres."""


class Zones(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Named regions. All but `dealer` and `inner` may be missing."""

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


class SpaceZones(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A betting space: `area` holds everything of the space, the rest are parts of it."""

    area: Polygon
    wager: Polygon | None = None
    cards: Polygon | None = None
    tip: Polygon | None = None
    insurance: Polygon | None = None


class Layout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's layout. Exactly one of `pixels_per_mm` and `card_px` is needed."""

    version: Literal[1]
    image_size: tuple[Annotated[int, Meta(gt=0)], Annotated[int, Meta(gt=0)]]
    zones: Zones
    spaces: dict[Annotated[int, Meta(ge=1, le=7)], SpaceZones]
    name: str = ""
    site: str | None = None
    table: str | None = None
    dealer_side: Literal["bottom", "top", "left", "right"] = "bottom"
    dealer_seat: SeatText | None = None
    """The seat of the player who deals and banks as this layout's recordings begin; None where the house deals."""
    pixels_per_mm: Annotated[float, Meta(gt=0.0)] | None = None
    card_px: tuple[float, float] | None = None

    @property
    def scale(self) -> float:
        """Pixels per millimetre at the middle of the playing surface."""
        if self.pixels_per_mm is not None:
            return self.pixels_per_mm
        if self.card_px is None:
            raise ValueError("needs pixels_per_mm or card_px")
        return (self.card_px[0] / CARD_MM[0] + self.card_px[1] / CARD_MM[1]) / 2
