"""Spaces that got no card or only one (99-01.3-08-12(2))."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.money import moved
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

NO_CARDS = "ND-08-12.2-no-cards-inactive"
ONE_CARD = "ND-08-12.2-one-card-option"


@round_check(NO_CARDS, ONE_CARD, statute=True)
def inactive_space(game: Round) -> Iterator[Instance]:
    """Check that a wagered space without cards, or whose only card was burned, is neither paid nor collected."""
    if game.deal_end is None:
        return
    for hand in game.hands:
        if hand.key[1] or "original" not in hand.stakes or len(hand.cards) >= 2 or hand.split:
            continue
        actual = moved(game, hand)
        settled = bool(actual.payoffs or actual.collections)
        if not game.closed and not settled:
            continue
        one = bool(hand.dealt)
        right: bool | None = not settled
        if not game.bets_seen and not right:
            right = None
        yield judged(
            ONE_CARD if one else NO_CARDS,
            right,
            at=hand.place,
            events=[*hand.stakes["original"].placed, *hand.dealt, *actual.events],
            expected=say.that("{hand} is inactive this round and its wager is left alone", hand=say.place(hand.place)),
            observed=say.that(
                "{hand} had {dealt} card(s) and {actual}",
                hand=say.place(hand.place),
                dealt=len(hand.dealt),
                actual=actual.text(),
            ),
        )


@session_check(ONE_CARD, statute=True)
def one_card_burned(session: Session) -> Iterator[Instance]:
    """Check that the card of a space that got only one is burned. In a recording the second card may have been
    missed.
    """
    for game in session.rounds:
        if game.deal_end is None or not (game.opened and game.bets_seen and game.closed):
            continue
        for hand in game.hands:
            alone = not hand.key[1] and len(hand.dealt) == 1 == len(hand.cards) and not hand.split
            stake = hand.stakes.get("original")
            if not alone or stake is None or stake.improper or moved(game, hand).events:
                continue
            other = any(burn.t_end >= hand.dealt[0].t_end for burn in game.shoe_burns)
            unsure = session.from_pixels or game.lacks_records or other
            yield msgspec.structs.replace(
                judged(
                    ONE_CARD,
                    None if unsure else False,
                    at=hand.place,
                    key="burned",
                    events=[*stake.placed, *hand.dealt],
                    expected=say.that(
                        "{hand}, which got one card, gets a second one last, or its card is burned",
                        hand=say.place(hand.place),
                    ),
                    observed=say.that("{hand} kept its one card and got no second", hand=say.place(hand.place)),
                ),
                round=game.number,
            )
