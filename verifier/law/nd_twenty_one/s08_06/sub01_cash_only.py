"""Chips are sold for cash only (99-01.3-08-06(1))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import (
    CardDealt,
    ChipsFanned,
    ChipsFromTray,
    ChipsPushed,
    ChipsReceived,
    CurrencySpread,
    HandsClear,
)
from verifier.law import say
from verifier.law.amounts import NOTHING, seen, within
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.nd_twenty_one.s08_07.sub03b_cash import PLAYER_REASONS, cash_pushed
from verifier.law.registry import session_check
from verifier.law.session import Session

CASH_ONLY = "ND-08-06.1-cash-only"


def _had_a_stake(session: Session, pushed: ChipsPushed) -> bool:
    """Tell whether chips that a record calls a settlement may be one: their space wagered in one of the two rounds
    before.

    Chips that are coloured up need no wager. A log that begins in a round does not tell.
    """
    key = hand_key(pushed.at)
    begun = [game for game in session.rounds if game.events[0].t_start <= pushed.t_end]
    if pushed.reason == "colour_up" or key is None or not begun or not begun[0].bets_seen:
        return True
    return any(hand.key[0] == key[0] and bool(hand.stakes) for game in begun[-2:] for hand in game.hands)


@session_check(CASH_ONLY)
def cash_only(session: Session) -> Iterator[Instance]:
    """Chips go to a player only for cash, for other chips, or in settlement; a log may begin amid that."""
    credit, amid = 0, True
    given, pushed = NOTHING, NOTHING  # of the buy-in or exchange that goes on
    complete = bool(session.rounds) and session.rounds[0].bets_seen
    spread: CurrencySpread | None = None  # the last one, to whose chips further ones were added
    for event in session.events:
        amid = amid and isinstance(event, ChipsFanned | ChipsFromTray | HandsClear | ChipsPushed)
        if isinstance(event, CurrencySpread | ChipsReceived):
            given, pushed = (given, pushed) if credit else (NOTHING, NOTHING)
            credit += 1
            spread = event if isinstance(event, CurrencySpread) else None
            given += cash_pushed(event) if isinstance(event, CurrencySpread) else seen(event.cents)
        elif isinstance(event, CardDealt):
            given, pushed = (given, pushed) if credit else (NOTHING, NOTHING)
            spread = None
        elif isinstance(event, ChipsPushed):
            own = event.reason in PLAYER_REASONS and _had_a_stake(session, event)
            pushed = pushed if own else pushed + seen(event.cents)
            explained = credit > 0 or own or (given != NOTHING and within(pushed, given))
            credit = max(0, credit - 1)
            open_ = amid or not (complete or event.round is None)
            yield judged(
                CASH_ONLY,
                explained or (None if open_ else explained),
                key=event.id,
                at=event.at,
                events=[event],
                expected="chips are pushed to a player only for cash or chips received",
                observed=say.that(
                    "chips worth {cents} were pushed to {event} for nothing that was seen",
                    cents=seen(event.cents),
                    event=say.place(event.at),
                ),
                incident=f"buy-in {spread.id}" if spread else None,
            )
