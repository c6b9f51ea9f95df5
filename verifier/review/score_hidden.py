"""What of a recording's truth a camera above the table shows at best: of chips that nobody spread, the one on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from verifier.domain.events import (
    AnyEvent,
    ChipsCollected,
    ChipsFanned,
    ChipsReturned,
    ChipsToTray,
    EventLog,
    PayoffPlaced,
    WagerChanged,
    WagerPlaced,
)
from verifier.domain.events.base import MoneyKind
from verifier.law.judge import judge
from verifier.review.score_findings import Deviation, matching

_STAKES: Final = ("wager", "tip")
_PAYOFFS: Final = ("payoff", "tip_payoff")
_Stack = tuple[int | None, bool, MoneyKind | None, str]
"""Round, whether it is a payoff, kind of money, place."""


def hidden(truth: EventLog, planted: Sequence[Deviation]) -> list[Deviation]:
    """Return the planted deviations that are breaches in the whole truth, but not in the part that a camera above
    shows.

    Whether an insurance was more than half of a wager, say, lies in two stacks; if nobody spreads them no camera tells.
    Other things that hide, a card's lifted edge, a hand over chips, a player out of view, are not counted as hidden.
    """
    broken, shown = (
        [finding for finding in judge(log).findings if finding.verdict == "violation"]
        for log in (truth, seen_from_above(truth))
    )
    return [one for one in planted if matching(one, broken) and not matching(one, shown)]


def seen_from_above(truth: EventLog) -> EventLog:
    """Return the log in which a stack of several chips that was not spread in its round is worth its top chip or more.

    What a stack is worth on its way to a hand or to the tray is unknown; what comes from the tray is laid as payoffs.
    """
    spread = {
        (event.round, event.owner in _PAYOFFS, event.kind, _place(event.at))
        for event in truth.events
        if isinstance(event, ChipsFanned) and event.owner in (*_STAKES, *_PAYOFFS)
    }
    return EventLog(truth.header, tuple(_seen(event, spread) for event in truth.events))


def _seen(event: AnyEvent, spread: set[_Stack]) -> AnyEvent:
    if isinstance(event, WagerPlaced | PayoffPlaced):
        known = (event.round, isinstance(event, PayoffPlaced), event.kind, _place(event.at)) in spread
        return event if known or not event.chips else _top(event, event.chips)
    if isinstance(event, ChipsToTray):
        return replace(event, cents=None, chips=None)
    if isinstance(event, ChipsCollected | ChipsReturned):
        return replace(event, cents=None)
    if isinstance(event, WagerChanged):
        return replace(event, cents_before=None, cents_after=None)
    return event


def _top(event: WagerPlaced | PayoffPlaced, chips: dict[str, int]) -> WagerPlaced | PayoffPlaced:
    """Return the event with its top chip alone, the one of the least value; a single chip stays, for it tells all."""
    if sum(chips.values()) < 2:
        return event
    return replace(event, cents=min(map(int, chips)), chips=None, lower_bound=True)


def _place(at: str) -> str:
    """`space:3/0` is the same place as `space:3`."""
    return at.removesuffix("/0")
