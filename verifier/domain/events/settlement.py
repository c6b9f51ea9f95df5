"""How rounds begin and end, and what is collected, fanned, paid and given back."""

from __future__ import annotations

from typing import Any, Literal

from verifier.domain.events.base import BodyHand, Count, Duration, Event, MoneyKind, Position
from verifier.domain.money import Cents, ChipCounts
from verifier.domain.observations import Probability
from verifier.domain.places import PlaceText, SeatText


class RoundStarted(Event, frozen=True, kw_only=True):
    pass


class RoundEnded(Event, frozen=True, kw_only=True):
    reason: str | None = None


class ChipsCollected(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    at: PlaceText
    cents: Cents | None
    to: Literal["hand", "tray", "pot"] | None
    hand: BodyHand | None = None
    mode: Literal["sweep", "hand_by_hand"] | None = None


class ChipsToTray(Event, frozen=True, kw_only=True):
    cents: Cents | None
    chips: ChipCounts | None = None
    hand: BodyHand | None = None
    origin: Literal["settlement", "tip", "buy_in", "exchange", "fill"] | None = None


class ChipsFromTray(Event, frozen=True, kw_only=True):
    cents: Cents | None
    chips: ChipCounts | None = None
    hand: BodyHand | None = None
    origin: Literal["settlement", "tip", "buy_in", "exchange", "fill"] | None = None


FanOwner = Literal[
    "wager",
    "payoff",
    "tip",
    "tip_payoff",
    "buy_in",
    "exchange_in",
    "exchange_out",
    "tip_exchange_in",
    "tip_exchange_out",
]


class ChipsFanned(Event, frozen=True, kw_only=True):
    owner: FanOwner
    at: PlaceText
    cents: Cents | None
    kind: MoneyKind | None = None
    chips: ChipCounts | None = None
    hand: BodyHand | None = None
    direction: Literal["dealer", "side", "player"] | None = None
    set_sizes: list[Count] | None = None


class PayoffPlaced(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    at: PlaceText
    cents: Cents | None
    chips: ChipCounts | None = None
    hand: BodyHand | None = None
    rack_sets: Any = None
    lower_bound: bool | None = None
    position: Position | None = None
    position_p: Probability | None = None


class HandsClear(Event, frozen=True, kw_only=True):
    region: str
    duration: Duration | None


class PushTapped(Event, frozen=True, kw_only=True):
    at: PlaceText


class ChipsReturned(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    at: PlaceText
    cents: Cents | None
    reason: Literal["void", "excess", "surrender", "error"] | None


class ChipsPushed(Event, frozen=True, kw_only=True):
    at: PlaceText
    cents: Cents | None
    reason: str | None


class PotAwarded(Event, frozen=True, kw_only=True):
    at: SeatText
    cents: Cents | None
    pot: Count
    portion: Literal["high", "low", "both", "odd_chip"]


SettlementEvent = (
    RoundStarted
    | RoundEnded
    | ChipsCollected
    | ChipsToTray
    | ChipsFromTray
    | ChipsFanned
    | PayoffPlaced
    | HandsClear
    | PushTapped
    | ChipsReturned
    | ChipsPushed
    | PotAwarded
)
