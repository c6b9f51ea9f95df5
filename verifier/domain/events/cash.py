"""Tips, cash and chips between table and players, the dealers' hands and shifts, the table's state."""

from __future__ import annotations

from typing import Literal

from verifier.domain.events.base import Bills, Duration, Event
from verifier.domain.money import Cents, ChipCounts
from verifier.domain.places import PlaceText


class TipDeposited(Event, frozen=True, kw_only=True):
    cents: Cents | None
    chips: ChipCounts | None = None


TipExchangeStep = Literal[
    "emptied",
    "placed_left",
    "fanned_in",
    "taken",
    "placed_right",
    "fanned_out",
    "to_tray",
    "to_receptacle",
    "hands_shown",
]


class TipExchange(Event, frozen=True, kw_only=True):
    step: TipExchangeStep
    cents: Cents | None = None
    chips: ChipCounts | None = None


class TipReceptacleTaken(Event, frozen=True, kw_only=True):
    pass


class HandsShown(Event, frozen=True, kw_only=True):
    """Each field: True seen so, False seen otherwise, None not to be seen. `duration` in seconds."""

    left_palm: bool | None
    left_back: bool | None
    right_palm: bool | None
    right_back: bool | None
    fingers_extended: bool | None
    duration: Duration | None = None


class DealerShift(Event, frozen=True, kw_only=True):
    phase: Literal["start", "end"]
    how: Literal["face", "sleeve", "log"] | None = None


class TableState(Event, frozen=True, kw_only=True):
    state: Literal["open", "temp_closed", "closed_day"] | None
    dealer_present: bool | None = None
    tray: Literal["open", "covered", "absent"] | None = None
    cards_covered: bool | None = None
    shoe_covered: bool | None = None


class CurrencySpread(Event, frozen=True, kw_only=True):
    bills: Bills | None
    cents: Cents | None
    face_down: bool | None = None
    perpendicular: bool | None = None
    monotone: bool | None = None
    overlap: bool | float | None = None


class CurrencyWagered(Event, frozen=True, kw_only=True):
    at: PlaceText
    cents: Cents | None = None


class CurrencyDropped(Event, frozen=True, kw_only=True):
    what: Literal["currency", "form"]
    cents: Cents | None = None


class ChipsReceived(Event, frozen=True, kw_only=True):
    at: PlaceText
    cents: Cents | None
    chips: ChipCounts | None = None


class TrayTransfer(Event, frozen=True, kw_only=True):
    direction: Literal["fill", "credit", "tray_out", "tray_in"]
    cents: Cents | None = None
    chips: ChipCounts | None = None


CashEvent = (
    TipDeposited
    | TipExchange
    | TipReceptacleTaken
    | HandsShown
    | DealerShift
    | TableState
    | CurrencySpread
    | CurrencyWagered
    | CurrencyDropped
    | ChipsReceived
    | TrayTransfer
)
