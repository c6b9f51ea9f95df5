"""Events looked up by their type, for the views of a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from verifier.domain.events import AnyEvent, Event
from verifier.law.lazy import lazy

E = TypeVar("E", bound=Event)


class EventsByType:
    """A view that has `events` in order and finds those of one type at once."""

    events: tuple[AnyEvent, ...]

    @lazy
    def _by_type(self) -> dict[type[Event], list[AnyEvent]]:
        found: dict[type[Event], list[AnyEvent]] = {}
        for event in self.events:
            found.setdefault(type(event), []).append(event)
        return found

    def of(self, kind: type[E]) -> Sequence[E]:
        """Return the events of a type, in order."""
        return cast("Sequence[E]", self._by_type.get(kind, ()))
