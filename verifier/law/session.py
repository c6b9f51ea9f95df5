"""The log as a whole, for checks that look beyond one round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from verifier.domain.events import (
    Announcement,
    AnyEvent,
    CardDealt,
    CardsMoved,
    Channel,
    Event,
    EventsHeader,
    OverlayRead,
    PayoffPlaced,
    RecordEntry,
    RecordingSegment,
    WagerPlaced,
)
from verifier.domain.house import House
from verifier.engine.rules import Rules, rules_of
from verifier.law.by_type import EventsByType
from verifier.law.entries import Entry, Records, records_of
from verifier.law.figures import Figures, figures_on
from verifier.law.grouping import rounds_of
from verifier.law.lazy import lazy
from verifier.law.rounds import Round

E = TypeVar("E", bound=Event)
TRANSCRIPT = "transcript"
"""The kind of the row that tells which transcript a log was joined with."""
ROUNDING_S = 0.0005
"""Half a millisecond: times are told to the millisecond, and a sum of two is off by less."""
Grouping = Callable[[Sequence[AnyEvent], House, tuple[Channel, ...]], tuple[Round, ...]]
"""Puts events (in order) into rounds, under the house options and with the channels of the log."""


@dataclass(frozen=True, eq=False)
class Session(EventsByType):
    """All events of a log in order, its house options and its rounds."""

    header: EventsHeader
    house: House
    events: tuple[AnyEvent, ...]
    rulebook: str = "nd-twenty-one"
    grouped: Grouping | None = None
    """How the events of another game than blackjack fall into rounds."""

    @lazy
    def memo(self) -> dict[tuple[object, ...], object]:
        """Results that several checks need, kept by the functions that compute them."""
        return {}

    @lazy
    def rounds(self) -> tuple[Round, ...]:
        if self.grouped is not None:
            return self.grouped(self.events, self.house, self.header.channels)
        return rounds_of(self.events, self.house, self.rules, self.figures)

    @lazy
    def rules(self) -> Rules:
        """Parameters of play of the rulebook under the site's options."""
        return rules_of(self.rulebook, self.house)

    @lazy
    def figures(self) -> Figures:
        """Return the law's figures on the day of play."""
        return figures_on(self.header.date)

    @lazy
    def records(self) -> Records:
        """Return the rows of external records in the log."""
        return records_of(self.of(RecordEntry), self.header.date)

    @lazy
    def dealers(self) -> frozenset[str]:
        """Return the dealers that the log names."""
        return frozenset(event.dealer for event in self.events if event.dealer)

    @property
    def has_records(self) -> bool:
        """Whether the site's records were given with the log."""
        return "records" in self.header.channels

    @lazy
    def hears(self) -> bool:
        """Tell whether the log has what was said at the table: an audio channel and its transcript."""
        return "audio" in self.header.channels and bool(self.of(Announcement) or self.transcripts)

    @lazy
    def transcripts(self) -> list[Entry]:
        """Return the rows that tell which transcript the log was joined with; none where the log's writer heard the
        speech itself.
        """
        return self.records.of(TRANSCRIPT)

    def heard_at(self, t: float) -> bool:
        """Tell whether what was said at a moment (s) is in the log."""
        spans = [(one.number("from") or 0.0, one.number("to") or 0.0) for one in self.transcripts]
        return self.hears and (not spans or any(start <= t <= end for start, end in spans))

    @lazy
    def heard_wholly(self) -> bool:
        """Tell whether all that was said is in the log, so that what is not there was not said."""
        return all(one.flag("complete") for one in self.transcripts)

    @lazy
    def names(self) -> frozenset[str]:
        """Names of the events and kinds of the records in the log.

        Where one record is not enough, or not every one tells, the name says what is there: `overlay_read of clock`,
        `second overlay_read of clock`, `recording_segment with its rate`, `recording_segment with its colour`,
        `second recording_segment`, and `next recording_segment` where they are all that was recorded, not what was
        reviewed of it. `position of insurance` and the like: the log tells where within their spaces such things lie.
        """
        found = {event[0].name for event in self._by_type.values() if event}
        found |= {f"overlay_read of {read.what}" for read in self.of(OverlayRead)} | self._of_segments()
        found |= self._of_positions()
        if len({read.t_start for read in self.of(OverlayRead) if read.what == "clock"}) > 1:
            found.add("second overlay_read of clock")
        return frozenset(found | {entry.kind for entry in self.records.entries})

    def _of_positions(self) -> set[str]:
        """Return what the log gives positions for. Where it gives any, things of which it holds not a single one count
        too.
        """
        wagers, moves = self.of(WagerPlaced), self.of(CardsMoved)
        things: dict[str, Sequence[WagerPlaced | PayoffPlaced | CardsMoved | CardDealt]] = {
            "insurance": [wager for wager in wagers if wager.kind == "insurance"],
            "tip": [wager for wager in wagers if wager.kind == "tip"],
            "split wager": [wager for wager in wagers if wager.kind == "split"],
            "double wager": [wager for wager in wagers if wager.kind in ("double", "tip_double")],
            "split cards": [move for move in moves if move.kind == "split"],
            "payoff": self.of(PayoffPlaced),
            "the dealer's draw": self._dealers_draws(),
        }
        told = {name for name, those in things.items() if any(one.position is not None for one in those)}
        return {f"position of {name}" for name, those in things.items() if name in told or (told and not those)}

    def _dealers_draws(self) -> list[CardDealt]:
        """Return the dealer's cards after the first two of each round."""
        dealt: Counter[int | None] = Counter()
        found = []
        for card in self.of(CardDealt):
            if card.to == "dealer":
                dealt[card.round] += 1
                if dealt[card.round] > 2:
                    found.append(card)
        return found

    def _of_segments(self) -> set[str]:
        segments, found = self.of(RecordingSegment), set()
        if any(s.fps is not None or s.clock_gaps is not None or s.dropped_frames is not None for s in segments):
            found.add("recording_segment with its rate")
        if any(s.colour is not None or s.resolution is not None for s in segments):
            found.add("recording_segment with its colour")
        if len(segments) > 1:
            found |= {"second recording_segment"} | (set() if self.from_pixels else {"next recording_segment"})
        return found

    @property
    def from_pixels(self) -> bool:
        """Whether a detector wrote the log from a recording, so that acts out of view are simply missing."""
        return self.header.video is not None
