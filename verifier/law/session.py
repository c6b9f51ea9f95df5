"""The log as a whole, for checks that look beyond one round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from verifier.domain.events import Announcement, AnyEvent, Event, EventsHeader, RecordEntry
from verifier.domain.house import House
from verifier.engine.rules import Rules, rules_of
from verifier.law.by_type import EventsByType
from verifier.law.entries import Records, records_of
from verifier.law.figures import Figures, figures_on
from verifier.law.grouping import rounds_of
from verifier.law.lazy import lazy
from verifier.law.rounds import Round

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, eq=False)
class Session(EventsByType):
    """All events of a log in order, its house options and its rounds."""

    header: EventsHeader
    house: House
    events: tuple[AnyEvent, ...]
    rulebook: str = "nd-twenty-one"

    @lazy
    def memo(self) -> dict[tuple[object, ...], object]:
        """Results that several checks need, kept by the functions that compute them."""
        return {}

    @lazy
    def rounds(self) -> tuple[Round, ...]:
        if self.rulebook == "nd-poker":
            from verifier.law.poker.rounds import poker_rounds

            return poker_rounds(self.events, self.house, self.header.channels)
        return rounds_of(self.events, self.house, self.rules, self.figures)

    @lazy
    def rules(self) -> Rules:
        """Parameters of play of the rulebook under the site's options."""
        return rules_of(self.rulebook, self.house)

    @lazy
    def figures(self) -> Figures:
        """The law's figures on the day of play."""
        return figures_on(self.header.date)

    @lazy
    def records(self) -> Records:
        """The rows of external records in the log."""
        return records_of(self.of(RecordEntry), self.header.date)

    @lazy
    def dealers(self) -> frozenset[str]:
        """The dealers that the log names."""
        return frozenset(event.dealer for event in self.events if event.dealer)

    @property
    def has_records(self) -> bool:
        """Whether the site's records were given with the log."""
        return "records" in self.header.channels

    @lazy
    def hears(self) -> bool:
        """Whether the log has what was said at the table: an audio channel and its transcript."""
        return "audio" in self.header.channels and bool(self.of(Announcement))

    @lazy
    def names(self) -> frozenset[str]:
        """Names of the events and kinds of the records in the log."""
        found = {event[0].name for event in self._by_type.values() if event}
        return frozenset(found | {entry.kind for entry in self.records.entries})

    @property
    def from_pixels(self) -> bool:
        """Whether a detector wrote the log from a recording, so that acts out of view are simply missing."""
        return self.header.video is not None
