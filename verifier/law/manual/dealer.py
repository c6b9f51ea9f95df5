"""The dealer's own hand: drawing, standing, and no card where none can matter (Dealing 8).

Which soft 17 is hit is `Rules.soft_17`, and whether it must be `Rules.must_hit`.
"""

from __future__ import annotations

from collections.abc import Iterator

from verifier.engine.totals import Total, possible_totals
from verifier.law import say
from verifier.law.hands import agree, cards_text
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import DRAW, NO_EFFECT, STAND_OPTION
from verifier.law.manual.live import live_hands
from verifier.law.registry import MANUAL, round_check
from verifier.law.rounds import Round


def _clauses(game: Round, totals: frozenset[Total]) -> tuple[str, tuple[str, ...]]:
    """Clause and companions for an act on these totals: a soft 17 falls under the option where it is to be stood on."""
    soft_17 = all(total.best == 17 and total.soft for total in totals)
    if soft_17 and (game.rules.soft_17 == "stand" or game.rules.soft_17 == "hit_ace_six"):
        return STAND_OPTION, (DRAW,)
    return DRAW, (STAND_OPTION,) if soft_17 else ()


@round_check(DRAW, STAND_OPTION, rulebooks=MANUAL, partial="undetermined")
def dealer_stands(game: Round) -> Iterator[Instance]:
    """No card is drawn on a total on which the dealer stands."""
    cards = game.dealer.cards
    if game.turn_t is None:
        return
    for index in range(2, len(cards)):
        before, drawn = cards[:index], cards[index]
        totals = possible_totals([card.ranks for card in before])
        allowed = agree(game.rules.may_draw(total, index) for total in totals)
        clause, also = _clauses(game, totals)
        yield judged(
            clause,
            allowed,
            at="dealer",
            key=drawn.dealt.id,
            events=[*(c.dealt for c in before), game.turned, drawn.dealt],
            expected=say.that("the dealer stands on {cards_text}", cards_text=cards_text(before, totals)),
            observed=say.that("the dealer drew on {cards_text}", cards_text=cards_text(before, totals)),
            also=() if allowed else also,
            incident="dealer hand",
            rank=1,
        )


@round_check(DRAW, STAND_OPTION, rulebooks=MANUAL, partial="undetermined")
def dealer_hits(game: Round) -> Iterator[Instance]:
    """While a hand depends on it the dealer draws to the total at which the rulebook has the dealer stand."""
    live, dealer = live_hands(game), game.dealer
    if not live or len(dealer.cards) < 2 or not dealer.totals or not game.closed or game.turn_t is None:
        return
    wanting = agree(game.rules.must_draw(total, len(dealer.cards)) for total in dealer.totals)
    if wanting and all(sure is None for sure in live.values()):
        wanting = None
    clause, also = _clauses(game, dealer.totals)
    yield judged(
        clause,
        None if wanting is None else not wanting,
        at="dealer",
        key="end",
        events=[*(card.dealt for card in dealer.cards), game.turned],
        expected=say.that("the dealer draws on {cards_text}", cards_text=cards_text(dealer.cards, dealer.totals)),
        observed=say.that(
            "the dealer stood while {live} remained in play",
            live=say.listed(", ", (say.place(hand.place) for hand in live)),
        ),
        also=also if wanting else (),
        incident="dealer hand",
        rank=1,
    )


@round_check(NO_EFFECT, rulebooks=MANUAL, partial="undetermined")
def no_card_without_effect(game: Round) -> Iterator[Instance]:
    """No card is drawn once every hand is decided."""
    live, drawn = live_hands(game), game.dealer_dealt[2:]
    unsure = live or [h for h in game.hands if h.cards and h not in game.playing and not h.bust and not h.natural]
    if not game.playing or len(game.dealer_dealt) < 2 or (live and None not in live.values()):
        return
    if not drawn:
        if not live:
            yield judged(NO_EFFECT, True, at="dealer")
        return
    yield judged(
        NO_EFFECT,
        None if unsure else False,
        at="dealer",
        events=drawn,
        expected="the dealer draws no card, as every hand is over 21, given up or a blackjack",
        observed=say.that("the dealer drew {drawn} more", drawn=len(drawn)),
        incident="dealer hand",
        rank=0,
    )
