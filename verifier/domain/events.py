"""What happened at the table (docs/formats.md, EVENTS.md): one frozen type per event name.

A log may hold any irregularity; these types refuse only what is not an event at all. Amounts are cents, times are
seconds of media time, places are texts of `verifier.domain.places`. A required field is None only where it was not to
be seen.
"""

from __future__ import annotations

import re
from datetime import date as calendar_day
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from verifier.domain.cards import CardText, RankProbabilities
from verifier.domain.money import Cents, ChipCounts
from verifier.domain.observations import Probability
from verifier.domain.places import PlaceText
from verifier.domain.rulebooks import Rulebook

EVENTS_FORMAT = "verifier-events"
EVENTS_VERSION = 1
WEAK_BELOW = 0.5
"""A record below this probability, or an occluded one, never alone makes a violation or a pass (docs/formats.md)."""

Channel = Literal["video", "audio", "records"]
Source = Literal["video", "audio", "record", "manual"]
Face = Literal["up", "down"]
BodyHand = Literal["left", "right", "both", "unknown"]
MoneyKind = Literal["original", "split", "double", "insurance", "tip", "tip_double", "ante", "blind", "bet"]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]
Clock = Annotated[
    str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}([T ]|$)|^\d{1,2}:\d{2}", description="a time such as 2026-11-02T21:14:26")
]
Share = Annotated[float, Meta(ge=0, le=1)]
Duration = Annotated[float, Meta(ge=0, le=1e9)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Ordinal = Annotated[int, Meta(ge=1, le=1_000_000)]
"""A number of a shoe or of a pick-up: these are counted from 1. Cards dealt are by most; some writers begin at 0."""
Bills = dict[
    Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,6}$", description="a note's value in cents")],
    Annotated[int, Meta(ge=1, le=10_000)],
]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class EventsHeader(Struct, frozen=True, kw_only=True):
    """First line of an event log."""

    format: Literal["verifier-events"]
    version: Literal[1]
    rulebook: Rulebook
    site: str | None = None
    table: str | None = None
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day such as 2026-11-02")] | None = None
    house: dict[str, Any] = {}
    video: str | None = None
    channels: tuple[Channel, ...] = ("video",)

    def __post_init__(self) -> None:
        if self.date is not None:
            try:
                calendar_day.fromisoformat(self.date)
            except ValueError:
                raise ValueError(f"date {self.date} is no day of the calendar") from None


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=_snake):
    """Fields common to every event; `round` is None between rounds."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    t_start: Seconds
    t_end: Seconds
    p: Probability
    source: Source
    clock: Clock | None = None
    round: Count | None = None
    shoe: Ordinal | None = None
    dealer: str | None = None
    occluded: bool | None = False

    @property
    def name(self) -> str:
        """The event's name in the log, for example `card_dealt`."""
        return _snake(type(self).__name__)

    @property
    def weak(self) -> bool:
        """Too uncertain to carry a verdict alone."""
        return bool(self.occluded) or self.p < WEAK_BELOW

    def __post_init__(self) -> None:
        if self.t_end < self.t_start:
            raise ValueError(f"t_end {self.t_end} is before t_start {self.t_start}")


# Cards


class CardDealt(Event, frozen=True, kw_only=True):
    card: CardText
    to: PlaceText
    face: Face
    seq: Count | None
    ranks: RankProbabilities | None = None
    from_hand: BodyHand | None = None
    placed_hand: BodyHand | None = None
    angle: float | None = None
    overlap: Share | None = None
    source_place: Literal["top", "elsewhere"] | None = None


class CardRevealed(Event, frozen=True, kw_only=True):
    card: CardText
    at: PlaceText
    how: Literal["turned", "exposed_error", "showdown", "shoe_mouth", "by_player"] | None
    ranks: RankProbabilities | None = None


class CardBurned(Event, frozen=True, kw_only=True):
    card: CardText
    face_shown: bool | None
    reason: str | None = None


class CardsMoved(Event, frozen=True, kw_only=True):
    kind: Literal["split", "bust_hold", "turn_down"]
    from_: PlaceText = field(name="from")
    to: PlaceText


class CardsCollected(Event, frozen=True, kw_only=True):
    from_: PlaceText = field(name="from")
    order: Ordinal | None
    to: PlaceText | None


class CardsInspected(Event, frozen=True, kw_only=True):
    action: Literal["inspect", "spread", "review", "store"]
    decks: Count | None = None


class CardsPlayedBack(Event, frozen=True, kw_only=True):
    round_replayed: Count | None


class Shuffle(Event, frozen=True, kw_only=True):
    method: Literal["hand", "machine"] | None
    scope: Literal["all", "discards"] | None
    phases: Any = None


class Cut(Event, frozen=True, kw_only=True):
    by: Literal["player", "dealer", "pit_boss"] | str | None
    depth_cards: Count | None = None
    seat: Any = None


class IndicatorCard(Event, frozen=True, kw_only=True):
    action: Literal["inserted", "appeared"]
    cards_remaining: Count | None = None


class HoleCardCheck(Event, frozen=True, kw_only=True):
    how: Literal["reader", "peek"]
    card_slot: Any = None


class Touch(Event, frozen=True, kw_only=True):
    by: Literal["player", "dealer", "other"]
    object: Literal["card", "wager", "payoff"]
    at: PlaceText
    displaced: bool | None


# Wagers and decisions


class WagerPlaced(Event, frozen=True, kw_only=True):
    kind: MoneyKind
    at: PlaceText
    cents: Cents | None
    chips: ChipCounts | None = None
    lower_bound: bool | None = None
    by: str | None = None
    blind: Literal["small", "big", "other"] | None = None


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


class BankChanged(Event, frozen=True, kw_only=True):
    action: Literal["announced", "added", "depleted", "passed"]
    cents: Cents | None
    to: PlaceText | None = None


class HandSignal(Event, frozen=True, kw_only=True):
    at: PlaceText
    meaning: Literal["hit", "stand", "split", "double", "insurance", "decline"]


class PlayerAction(Event, frozen=True, kw_only=True):
    at: PlaceText
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
    to: PlaceText
    from_: PlaceText | None = field(name="from", default=None)


class PlayerPresence(Event, frozen=True, kw_only=True):
    phase: Literal["arrive", "leave", "pass_deal"]
    spaces: list[Count] | None = None
    at: list[PlaceText] | None = None


# Settlement


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
    "wager", "payoff", "tip", "tip_payoff", "buy_in", "exchange_in", "exchange_out", "tip_exchange_in",
    "tip_exchange_out",
]  # fmt: skip


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
    at: PlaceText
    cents: Cents | None
    pot: Count
    portion: Literal["high", "low", "both", "odd_chip"]


# Tips, cash, transfers


class TipDeposited(Event, frozen=True, kw_only=True):
    cents: Cents | None
    chips: ChipCounts | None = None


TipExchangeStep = Literal[
    "emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out", "to_tray", "to_receptacle",
    "hands_shown",
]  # fmt: skip


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


# Recording, picture and records


class RecordingSegment(Event, frozen=True, kw_only=True):
    start: Any = None
    end: Any = None
    fps: float | None = None
    dropped_frames: Any = None
    clock_gaps: Any = None
    recorder_id: str | None = None
    sha256: str | None = None
    resolution: Any = None
    colour: Any = None


class OverlayRead(Event, frozen=True, kw_only=True):
    what: Literal["clock", "table_number", "site_id", "plaque", "drop_box_number", "felt"]
    text: str | None = None
    region: Any = None


class ViewCheck(Event, frozen=True, kw_only=True):
    orientation: Any = None
    homography_drift: float | None = None
    regions_ok: dict[str, bool | None] | None = None
    sharpness: float | None = None
    occlusion: float | None = None
    readable_share: Any = None


class RecordEntry(Event, frozen=True, kw_only=True):
    type: str
    date: str | None = None
    fields: dict[str, Any] | None = None


class ReviewAction(Event, frozen=True, kw_only=True):
    reviewer_id: str | None = None
    role: str | None = None
    table: str | None = None
    footage_from: Any = None
    footage_to: Any = None
    watched_seconds: float | None = None
    verdict: Literal["confirmed", "rejected", "undetermined"] | None = None
    note: str | None = None


AnyEvent = (
    CardDealt | CardRevealed | CardBurned | CardsMoved | CardsCollected | CardsInspected | CardsPlayedBack | Shuffle
    | Cut | IndicatorCard | HoleCardCheck | Touch | WagerPlaced | WagerChanged | WagerMoved | WagerCovered
    | BankChanged | HandSignal | PlayerAction | Announcement | ButtonMoved | PlayerPresence | RoundStarted
    | RoundEnded | ChipsCollected | ChipsToTray | ChipsFromTray | ChipsFanned | PayoffPlaced | HandsClear
    | PushTapped | ChipsReturned | ChipsPushed | PotAwarded | TipDeposited | TipExchange | TipReceptacleTaken
    | HandsShown | DealerShift | TableState | CurrencySpread | CurrencyDropped | ChipsReceived | TrayTransfer
    | RecordingSegment | OverlayRead | ViewCheck | RecordEntry | ReviewAction
)  # fmt: skip


class EventLog(Struct, frozen=True):
    """A whole event log: its header and its records ordered by `t_end`."""

    header: EventsHeader
    events: tuple[AnyEvent, ...]
