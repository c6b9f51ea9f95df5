"""Hands of a poker log: what is done between two hands (shuffle, cut, button, blinds) leads in to the later one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from verifier.domain.events import (
    AnyEvent,
    ButtonMoved,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    CardsInspected,
    Channel,
    ChipsCollected,
    ChipsReturned,
    Cut,
    PlayerAction,
    PlayerPresence,
    PotAwarded,
    RoundEnded,
    RoundStarted,
    Shuffle,
    TableState,
    WagerPlaced,
)
from verifier.domain.house import House
from verifier.law.poker.doubtful import as_read
from verifier.law.rounds import Round

_TRAILING = (PotAwarded, RoundEnded, ChipsCollected, ChipsReturned, CardsCollected, CardRevealed, PlayerAction)
"""What may still belong to a hand although its record names no round."""
_LEADING = (Shuffle, Cut, ButtonMoved, CardsInspected, TableState, RoundStarted, WagerPlaced, CardDealt, PlayerPresence)
"""What begins the next hand once a hand is over."""
_BEFORE_CARDS = (Shuffle, Cut, ButtonMoved, CardsInspected, RoundStarted)


@dataclass(frozen=True, eq=False)
class PokerRound(Round):
    """A hand, its events led by those since the hand before; `previous`: that hand; `channels` of the log;
    `log`: all of its hands."""

    previous: PokerRound | None = None
    channels: tuple[Channel, ...] = ("video",)
    log: list[PokerRound] = field(default_factory=list)


def poker_rounds(
    events: Sequence[AnyEvent], house: House, channels: tuple[Channel, ...] = ("video",)
) -> tuple[PokerRound, ...]:
    """Hands of a log (events in order). A card that may have several ranks is an unread one there."""
    groups = list(_groups([as_read(event) for event in events]))
    found: list[PokerRound] = []
    for index, (number, members) in enumerate(groups):
        over = index + 1 < len(groups) or any(isinstance(e, RoundEnded | PotAwarded) for e in members)
        opened = index > 0 or _opened(members)
        previous = found[-1] if found else None
        found.append(
            PokerRound(
                number, tuple(members), house, opened, opened, over, previous=previous, channels=channels, log=found
            )
        )
    return tuple(found)


def _opened(members: Sequence[AnyEvent]) -> bool:
    """Tell whether the log holds the hand from its first card on."""
    for event in members:
        if isinstance(event, _BEFORE_CARDS):
            return True
        if isinstance(event, WagerPlaced):
            return event.kind in ("ante", "blind")
        if isinstance(event, CardDealt):
            return event.seq in (0, 1) and event.to.startswith("seat")
        if isinstance(event, PlayerAction | CardBurned | PotAwarded | CardRevealed):
            return False
    return False


def _groups(events: Sequence[AnyEvent]) -> Iterable[tuple[int | None, list[AnyEvent]]]:
    """Yield the rounds as numbered in the log, else as its play shows them."""
    numbered = any(event.round is not None for event in events)
    number: int | None = None
    members: list[AnyEvent] = []
    waiting: list[AnyEvent] = []
    for event in events:
        if numbered and event.round is None:
            waiting.append(event)
            continue
        begins = (number is not None and event.round != number) if numbered else _begins(members, event)
        if begins:
            members, lead = _parted([*members, *waiting])
            yield number, members
            members, waiting = [*lead, event], []
        else:
            members, waiting = [*members, *waiting, event], []
        number = event.round if numbered else (1 if number is None else number + begins)
    if members or waiting:
        yield number, [*members, *waiting]


def _begins(members: Sequence[AnyEvent], event: AnyEvent) -> bool:
    return isinstance(event, _LEADING) and any(isinstance(e, PotAwarded | RoundEnded) for e in members)


def _parted(members: list[AnyEvent]) -> tuple[list[AnyEvent], list[AnyEvent]]:
    """Events of a hand, and those after it that lead in to the next one."""
    ends = [i for i, event in enumerate(members) if isinstance(event, PotAwarded | RoundEnded)]
    if not ends:
        cards = [i for i, event in enumerate(members) if isinstance(event, CardDealt | PlayerAction)]
        ends = cards or [0]
    for index in range(ends[-1] + 1, len(members)):
        if not isinstance(members[index], _TRAILING):
            return members[:index], members[index:]
    return members, []
