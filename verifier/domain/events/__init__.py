"""What happened at the table (docs/formats.md): one frozen type per event name.

A log may hold any irregularity; these types refuse only what is not an event at all. Amounts are cents, times are
seconds of media time, places are texts of `verifier.domain.places`. A required field is None only where it was not to
be seen.
"""

from __future__ import annotations

from msgspec import Struct

from verifier.domain.events.base import (
    EVENTS_FORMAT,
    EVENTS_VERSION,
    WEAK_BELOW,
    BodyHand,
    Channel,
    Event,
    EventsHeader,
    Face,
    MoneyKind,
    Position,
    Source,
)
from verifier.domain.events.cards import (
    CardBurned,
    CardDealt,
    CardEvent,
    CardReplaced,
    CardRevealed,
    CardsCollected,
    CardsInspected,
    CardsMoved,
    CardsPlayedBack,
    Cut,
    HoleCardCheck,
    IndicatorCard,
    Shuffle,
    Touch,
)
from verifier.domain.events.cash import (
    CashEvent,
    ChipsReceived,
    CurrencyDropped,
    CurrencySpread,
    CurrencyWagered,
    DealerShift,
    HandsShown,
    TableState,
    TipDeposited,
    TipExchange,
    TipExchangeStep,
    TipReceptacleTaken,
    TrayTransfer,
)
from verifier.domain.events.records import (
    OverlayRead,
    RecordEntry,
    RecordEvent,
    RecordingSegment,
    ReviewAction,
    ViewCheck,
)
from verifier.domain.events.settlement import (
    ChipsCollected,
    ChipsFanned,
    ChipsFromTray,
    ChipsPushed,
    ChipsReturned,
    ChipsToTray,
    FanOwner,
    HandsClear,
    PayoffPlaced,
    PotAwarded,
    PushTapped,
    RoundEnded,
    RoundStarted,
    SettlementEvent,
)
from verifier.domain.events.wagers import (
    Announcement,
    BankChanged,
    ButtonMoved,
    HandSignal,
    PlayerAction,
    PlayerPresence,
    WagerChanged,
    WagerCovered,
    WagerEvent,
    WagerMoved,
    WagerPlaced,
)

AnyEvent = CardEvent | WagerEvent | SettlementEvent | CashEvent | RecordEvent


class EventLog(Struct, frozen=True):
    """A whole event log: its header and its records ordered by `t_end`."""

    header: EventsHeader
    events: tuple[AnyEvent, ...]


__all__ = [
    "EVENTS_FORMAT",
    "EVENTS_VERSION",
    "WEAK_BELOW",
    "Announcement",
    "AnyEvent",
    "BankChanged",
    "BodyHand",
    "ButtonMoved",
    "CardBurned",
    "CardDealt",
    "CardReplaced",
    "CardRevealed",
    "CardsCollected",
    "CardsInspected",
    "CardsMoved",
    "CardsPlayedBack",
    "Channel",
    "ChipsCollected",
    "ChipsFanned",
    "ChipsFromTray",
    "ChipsPushed",
    "ChipsReceived",
    "ChipsReturned",
    "ChipsToTray",
    "CurrencyDropped",
    "CurrencySpread",
    "CurrencyWagered",
    "Cut",
    "DealerShift",
    "Event",
    "EventLog",
    "EventsHeader",
    "Face",
    "FanOwner",
    "HandSignal",
    "HandsClear",
    "HandsShown",
    "HoleCardCheck",
    "IndicatorCard",
    "MoneyKind",
    "OverlayRead",
    "PayoffPlaced",
    "PlayerAction",
    "PlayerPresence",
    "Position",
    "PotAwarded",
    "PushTapped",
    "RecordEntry",
    "RecordingSegment",
    "ReviewAction",
    "RoundEnded",
    "RoundStarted",
    "Shuffle",
    "Source",
    "TableState",
    "TipDeposited",
    "TipExchange",
    "TipExchangeStep",
    "TipReceptacleTaken",
    "Touch",
    "TrayTransfer",
    "ViewCheck",
    "WagerChanged",
    "WagerCovered",
    "WagerMoved",
    "WagerPlaced",
]
