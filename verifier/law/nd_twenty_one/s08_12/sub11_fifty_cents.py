"""Wagers of fifty cents (99-01.3-08-12(11))."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from verifier.domain.events import CardsCollected, ChipsReturned
from verifier.law import say
from verifier.law.hands import Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

FIFTY = "ND-08-12.11-fifty-cent-wager"
FIFTY_CENTS = 50


def _dealt(game: Round) -> Iterator[Hand]:
    """Hands that were dealt a card on a wager of fifty cents."""
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is not None and hand.dealt and stake.first.exact and stake.first.low == FIFTY_CENTS:
            yield hand


def _returned(game: Round, hand: Hand) -> list[ChipsReturned]:
    return [e for e in game.at(ChipsReturned, hand.key) if e.kind == "original"]


@round_check(FIFTY, statute=True, partial="undetermined")
def fifty_cents(game: Round) -> Iterator[Instance]:
    """Check that a 50-cent wager that was dealt a card is returned."""
    for hand in _dealt(game):
        returned = bool(_returned(game, hand))
        if returned or game.closed:
            yield judged(
                FIFTY,
                returned,
                at=hand.place,
                events=[*hand.stakes["original"].placed, *hand.dealt],
                expected="a 50-cent wager is returned and its cards burned",
                observed=say.that(
                    "{hand} was dealt cards on 50 cents and kept the wager in play", hand=say.place(hand.place)
                ),
                incident=f"limit {hand.place}",
            )


@session_check(FIFTY, statute=True)
def its_cards_burned(session: Session) -> Iterator[Instance]:
    """Check that the cards of a 50-cent wager that went back are burned. A recording may not show it."""
    for game in session.rounds:
        for hand in _dealt(game) if game.opened and game.closed else ():
            back = _returned(game, hand)
            if not back or not hand.cards or _put_away(game, hand):
                continue
            unsure = session.from_pixels or game.jumped or bool(game.shoe_burns)
            yield msgspec.structs.replace(
                judged(
                    FIFTY,
                    None if unsure else False,
                    at=hand.place,
                    key="burned",
                    events=[*hand.dealt, *back],
                    expected="a 50-cent wager is returned and its cards burned",
                    observed=say.that(
                        "the 50 cents of {hand} went back and its cards stayed", hand=say.place(hand.place)
                    ),
                    incident=f"limit {hand.place}",
                ),
                round=game.number,
            )


def _put_away(game: Round, hand: Hand) -> bool:
    """Tell whether its cards went to the discards before the dealer's own turn, as burned cards do."""
    taken = [e for e in game.of(CardsCollected) if hand_key(e.from_) == hand.key]
    return bool(taken) and game.turn_t is not None and taken[0].t_end <= game.turn_t
