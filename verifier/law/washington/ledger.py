"""The bank through a log: what it held before each record, and by how much it covers each hand.

A cover leaves the bank's count at once; it comes back with a lost wager or a tie and is the payoff of a won one. What a
natural or insurance is paid beyond the cover comes from the bank (docs/formats.md, "The other rulebooks").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import msgspec

from verifier.domain.events import AnyEvent, BankChanged, ChipsCollected, Event, PayoffPlaced, WagerCovered
from verifier.law.amounts import UNKNOWN, Amount, seen, total
from verifier.law.hands import HandKey, hand_key
from verifier.law.instances import Instance
from verifier.law.money import outcomes
from verifier.law.rounds import Round
from verifier.law.session import Session


@dataclass(eq=False)
class Ledger:
    """`before`: the bank before each record that moves it, by the record's id. `after`: after each round, by its place
    in the log. Both unknown where the log does not tell, or where its amounts contradict each other."""

    before: dict[str, Amount] = field(default_factory=dict)
    after: dict[int, Amount] = field(default_factory=dict)

    def at(self, event: Event | None) -> Amount:
        """Return the bank before a record."""
        return UNKNOWN if event is None else self.before.get(event.id, UNKNOWN)


def ledger(session: Session) -> Ledger:
    """Return the ledger of the bank through the session."""
    if ("ledger",) not in session.memo:
        session.memo["ledger",] = _Count(session).run()
    return cast(Ledger, session.memo["ledger",])


@dataclass(eq=False)
class _Count:
    """Counting: `bank` None where not known; `covers` what covers each hand of the running round."""

    session: Session
    bank: int | None = None
    covers: dict[HandKey, int | None] = field(default_factory=dict)
    found: Ledger = field(default_factory=Ledger)

    def run(self) -> Ledger:
        places = {event.id: index for index, game in enumerate(self.session.rounds) for event in game.events}
        running: int | None = None
        for event in self.session.events:
            index = places.get(event.id)
            if running is not None and index != running:
                self._end(running)
                running = None
            running = index if index is not None else running
            self.found.before[event.id] = self._now(running, event.t_start)
            self._on(event)
        if running is not None:
            self._end(running)
        return self.found

    def _now(self, running: int | None, t: float) -> Amount:
        if self.bank is None:
            return UNKNOWN
        game = self.session.rounds[running] if running is not None else None
        decided = game is not None and game.dealer_done_t is not None and game.dealer_done_t <= t
        back = sum(cents or 0 for key, cents in self.covers.items() if game and decided and _ties(game, key))
        return Amount(self.bank, self.bank + back)

    def _end(self, index: int) -> None:
        """Covers that nothing moved were of ties: they go back to the bank."""
        for cents in self.covers.values():
            self._add(cents)
        self.covers = {}
        self.found.after[index] = UNKNOWN if self.bank is None else Amount(self.bank, self.bank)

    def _add(self, cents: int | None) -> None:
        known = self.bank is not None and cents is not None and self.bank + cents >= 0
        self.bank = cast(int, self.bank) + cast(int, cents) if known else None

    def _on(self, event: AnyEvent) -> None:
        if isinstance(event, BankChanged):
            self.bank = None if event.action == "passed" else 0 if event.action == "depleted" else event.cents
        elif isinstance(event, WagerCovered):
            key, cents = hand_key(event.at), _whole(event)
            if key is not None:
                held = self.covers.get(key, 0)
                self.covers[key] = None if held is None or cents is None else held + cents
            self._add(None if cents is None else -cents)
        elif isinstance(event, ChipsCollected):
            self._add(event.cents)
            if event.kind != "insurance":
                self._add(self._uncovered(event.at))
        elif isinstance(event, PayoffPlaced):
            cover = 0 if event.kind == "insurance" else self._uncovered(event.at)
            cents = _whole(event)
            self._add(None if cover is None or cents is None else cover - cents)

    def _uncovered(self, place: str) -> int | None:
        """Take a hand's cover out of the count; None where nobody knows which hand it was, or how much."""
        key = hand_key(place)
        return None if key is None else self.covers.pop(key, 0)


def _whole(event: WagerCovered | PayoffPlaced) -> int | None:
    """Return the cents of chips that all show; None for a stack that may hide some."""
    return None if event.lower_bound else event.cents


def _ties(game: Round, key: HandKey) -> bool:
    hand = game.by_key.get(key)
    return hand is not None and outcomes(game, hand) <= {"push", "natural_push"}


def covered(game: Round, key: HandKey) -> Amount:
    """By how much the bank covers a hand, doubles and make-ups included."""
    return total(seen(event.cents, event.lower_bound) for event in game.at(WagerCovered, key))


def stacked(*amounts: Amount) -> bool:
    """Tell whether amounts that are to be the same are those of stacks, of which only the top chips show from above.

    Then the chips are there, and whether they are as many nobody can tell.
    """
    return any(amount.high is None and amount.low > 0 for amount in amounts)


def told(session: Session, kind: type[Event], what: Callable[[Event], bool] = lambda event: True) -> bool:
    """Tell whether acts of a kind would be in the log: a recording's reading that has none of them may not see them."""
    return not session.from_pixels or any(what(event) for event in session.of(kind))


def in_round(instance: Instance, game: Round) -> Instance:
    """Return the instance of a session's check, put in its round."""
    return msgspec.structs.replace(instance, round=game.number)
