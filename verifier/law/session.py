"""The log as a whole, for checks that look beyond one round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from verifier.domain.events import AnyEvent, Event, EventsHeader
from verifier.domain.house import House
from verifier.law.rounds import Round, rounds_of

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, eq=False)
class Session:
    """All events of a log in order, its house options and its rounds."""

    header: EventsHeader
    house: House
    events: tuple[AnyEvent, ...]

    @cached_property
    def _by_type(self) -> dict[type[Event], list[AnyEvent]]:
        found: dict[type[Event], list[AnyEvent]] = {}
        for event in self.events:
            found.setdefault(type(event), []).append(event)
        return found

    def of(self, kind: type[E]) -> Sequence[E]:
        """Events of a type, in order."""
        return cast("Sequence[E]", self._by_type.get(kind, ()))

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        return rounds_of(self.events, self.house)

    @property
    def from_pixels(self) -> bool:
        """Whether a detector wrote the log from a recording, so that acts out of view are simply missing."""
        return self.header.video is not None
