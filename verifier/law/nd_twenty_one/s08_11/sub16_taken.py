"""What is taken from the tray is what the winners are paid (99-01.3-08-11(16)(a))."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from verifier.domain.events import (
    CardsPlayedBack,
    ChipsCollected,
    ChipsFromTray,
    ChipsPushed,
    ChipsReceived,
    ChipsReturned,
    ChipsToTray,
    CurrencySpread,
    PayoffPlaced,
    TipExchange,
    TrayTransfer,
    WagerPlaced,
)
from verifier.law import say
from verifier.law.amounts import Amount
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_11.sub12_settlement import EQUAL
from verifier.law.registry import session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.settled import settled

OTHER_ERRANDS = (CardsPlayedBack, ChipsPushed, ChipsReceived, CurrencySpread, TipExchange, TrayTransfer)
"""Acts in a round for which chips come from the tray, or go into it, beside its settlement."""
TIPS = ("tip", "tip_double")
SAME = 50
"""Cents from which two sums differ: the smallest chip."""


@session_check(EQUAL, video=True)
def taken_is_paid(session: Session) -> Iterator[Instance]:
    """Check that as much comes from the tray as the winners of a round are paid, where each is paid what is due.

    A payoff that is not due is the finding of its hand. A recording does not show what a hand took.
    """
    if session.from_pixels or not session.of(ChipsFromTray):
        return
    for game in session.rounds:
        taken, paid, back = _sum(game.of(ChipsFromTray)), _sum(game.of(PayoffPlaced)), _put_back(game)
        if paid and taken is not None and back is not None and _settled_as_due(game):
            instance = judged(
                EQUAL,
                any(abs(sum_ - paid) < SAME for sum_ in (taken, taken - back)),
                key="taken",
                at="tray",
                events=[*game.of(ChipsFromTray), *game.of(PayoffPlaced)],
                expected=say.that("{paid} are taken from the tray for the winners", paid=Amount(paid, paid)),
                observed=say.that("{taken} were taken", taken=Amount(taken, taken)),
            )
            yield msgspec.structs.replace(instance, round=game.number)


def _put_back(game: Round) -> int | None:
    """Return what went into the tray in a round beyond the lost stakes (cents); None where not known."""
    trayed, lost = _sum(game.of(ChipsToTray)), _sum(e for e in game.of(ChipsCollected) if e.to != "tray")
    return None if trayed is None or lost is None else max(0, trayed - lost)


def _sum(events: Iterable[ChipsFromTray | ChipsToTray | ChipsCollected | PayoffPlaced]) -> int | None:
    """Return the sum of some movements (cents); None where one was not seen surely, or not counted."""
    found = 0
    for event in events:
        if event.weak or event.cents is None or getattr(event, "lower_bound", False):
            return None
        found += event.cents
    return found


def _settled_as_due(game: Round) -> bool:
    """Tell whether nothing but the settlement moved chips, and each hand and tip was settled rightly."""
    if not (game.opened and game.closed) or any(isinstance(e, OTHER_ERRANDS) for e in game.events):
        return False
    if any(e.reason == "error" for e in game.of(ChipsReturned)):
        return False
    paid = game.of(PayoffPlaced)
    if not {hand_key(e.at) for e in paid} <= {hand.key for hand in game.playing}:
        return False  # a space without a hand was paid
    if any(e.kind == "insurance" for e in paid):
        return False  # whether that is due, other clauses tell
    hands = [settled(game, hand) for hand in game.playing]
    return all(one is not None and one.right for one in hands) and _tips(paid) <= _tips(game.of(WagerPlaced))


def _tips(events: Iterable[PayoffPlaced | WagerPlaced]) -> set[tuple[str, str, int | None]]:
    return {(e.at, e.kind, e.cents) for e in events if e.kind in TIPS}
