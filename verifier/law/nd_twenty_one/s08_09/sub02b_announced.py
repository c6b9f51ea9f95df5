"""What the dealer says of insurance and even money, where a transcript is given (99-01.3-08-09(2)(b))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import AnyEvent
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money
from verifier.law.nd_twenty_one.shared.speech import said
from verifier.law.registry import round_check
from verifier.law.rounds import Round

OFFERED = "ND-08-09.2.b-ask-insurance"
CLOSED = "ND-08-09.2.b-insurance-closed"
EVEN = "ND-08-09.2.b-even-money-announce"


@round_check(OFFERED, CLOSED, needs={"insurance_allowed": True}, audio=True)
def insurance_announced(game: Round) -> Iterator[Instance]:
    """Against an ace the dealer asks about insurance and announces when the bets are closed."""
    if game.dealer.up_ace is not True or not game.playing:
        return
    if not game.closed and game.turn_t is None:
        return
    for clause, topic, words in (
        (OFFERED, "insurance_offer", "the dealer asks the players about insurance"),
        (CLOSED, "insurance_closed", "the dealer announces that insurance bets are closed"),
    ):
        yield judged(
            clause,
            bool(said(game, topic)),
            at="dealer",
            events=[game.dealer.up.dealt if game.dealer.up else None],
            expected=words,
            observed="nothing was said of it",
        )


@round_check(EVEN, audio=True)
def even_money_announced(game: Round) -> Iterator[Instance]:
    """Check that the dealer states `even money` where it is taken."""
    for hand in game.playing:
        if even_money(game, hand):
            yield judged(
                EVEN,
                bool(said(game, "even_money")),
                at=hand.place,
                events=_cards(hand),
                expected="the dealer states 'even money'",
                observed="it was not said",
            )


def _cards(hand: Hand) -> list[AnyEvent]:
    return [card.dealt for card in hand.cards]
