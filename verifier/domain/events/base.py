"""What all events have in common: the log's header, times, probability, source, and the types of their fields."""

from __future__ import annotations

import re
from datetime import date as calendar_day
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from verifier.domain.observations import Probability
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
Position = Literal[
    "insurance_line", "lower_left", "horizontal", "vertical", "side_by_side", "right", "beside", "elsewhere"
]
"""Where a thing lies within its space, or to what it belongs to (docs/formats.md, "Places within a space")."""
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
