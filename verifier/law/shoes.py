"""Shared by the checks of the shoe: acts by type, before and after an act, and burns of a shoe."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from verifier.domain.events import CardBurned, Event, Shuffle
from verifier.law.instances import Instance
from verifier.law.session import Session

E = TypeVar("E", bound=Event)


def after(events: Sequence[E], t: float) -> Sequence[E]:
    """Events that end after `t`, in order."""
    return events[bisect_right(events, t, key=lambda e: e.t_end) :]


def until(events: Sequence[E], t: float) -> Sequence[E]:
    """Events that end by `t`, in order."""
    return events[: bisect_right(events, t, key=lambda e: e.t_end)]


def shoe_burns(session: Session) -> list[CardBurned]:
    """Burned cards that came from the shoe, not from a hand."""
    from_hands = {burn.id for game in session.rounds for _, _, burn in game.folded.burned}
    return [e for e in session.of(CardBurned) if e.id not in from_hands]


def at_round(instance: Instance, event: Event) -> Instance:
    """Return the instance, put in the round of a record."""
    return msgspec.structs.replace(instance, round=event.round)


def amid_round(session: Session, shuffle: Shuffle) -> bool:
    """Tell whether cards were shuffled while a round was being dealt, as when the shoe runs short (12(9))."""
    own = (game for game in session.rounds if any(s.id == shuffle.id for s in game.of(Shuffle)))
    return any(game.first_card is not None and game.first_card.t_end <= shuffle.t_start for game in own)
