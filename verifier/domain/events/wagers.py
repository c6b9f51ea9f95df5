"""Wagers and decisions: stakes placed, moved and covered, signals, announcements, who is at the table."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import field

from verifier.domain.events.base import BodyHand, Count, Event, MoneyKind, Position
from verifier.domain.money import Cents, ChipCounts
from verifier.domain.observations import Probability
from verifier.domain.places import PlaceText, PlayerText, SeatText


class WagerPlaced(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    at: PlaceText
    cents: Cents | None
    chips: ChipCounts | None = None
    lower_bound: bool | None = None
    by: str | None = None
    blind: Literal["small", "big", "other"] | None = None
    position: Position | None = None
    position_p: Probability | None = None


class WagerChanged(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    at: PlaceText
    cents_before: Cents | None
    cents_after: Cents | None
    by: str | None = None


class WagerMoved(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    from_: PlaceText = field(name="from")
    to: PlaceText
    hand: BodyHand | None = None


class WagerCovered(Event, frozen=True, kw_only=True):
    at: PlaceText
    cents: Cents | None
    lower_bound: bool | None = None


class BankChanged(Event, frozen=True, kw_only=True):
    action: Literal["announced", "added", "depleted", "passed"]
    cents: Cents | None
    to: SeatText | None = None


class HandSignal(Event, frozen=True, kw_only=True):
    at: PlaceText
    meaning: Literal["hit", "stand", "split", "double", "insurance", "decline"]


class PlayerAction(Event, frozen=True, kw_only=True):
    at: SeatText
    action: Literal["check", "bet", "call", "raise", "fold", "muck", "show", "concede"]
    cents: Cents | None = None
    street: Count | None = None
    all_in: bool | None = None
    chips: ChipCounts | None = None


class Announcement(Event, frozen=True, kw_only=True):
    topic: str
    text: str | None = None
    cents: Cents | None = None
    total: Any = None


class ButtonMoved(Event, frozen=True, kw_only=True):
    to: PlayerText
    from_: PlayerText | None = field(name="from", default=None)


class PlayerPresence(Event, frozen=True, kw_only=True):
    phase: Literal["arrive", "leave", "pass_deal"]
    spaces: list[Count] | None = None
    at: list[PlaceText] | None = None


WagerEvent = (
    WagerPlaced
    | WagerChanged
    | WagerMoved
    | WagerCovered
    | BankChanged
    | HandSignal
    | PlayerAction
    | Announcement
    | ButtonMoved
    | PlayerPresence
)
