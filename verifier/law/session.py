"""The log as a whole, for checks that look beyond one round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from verifier.domain.events import AnyEvent, Event, EventsHeader
from verifier.domain.house import House
from verifier.law.by_type import EventsByType
from verifier.law.rounds import Round, rounds_of

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, eq=False)
class Session(EventsByType):
    """All events of a log in order, its house options and its rounds."""

    header: EventsHeader
    house: House
    events: tuple[AnyEvent, ...]

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        return rounds_of(self.events, self.house)

    @property
    def from_pixels(self) -> bool:
        """Whether a detector wrote the log from a recording, so that acts out of view are simply missing."""
        return self.header.video is not None
