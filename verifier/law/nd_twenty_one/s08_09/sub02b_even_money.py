"""Even money, and naturals that are paid too early (99-01.3-08-09(2)(b), 11(11))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import CardDealt, CardsCollected, PayoffPlaced
from verifier.law import say
from verifier.law.amounts import Amount, seen
from verifier.law.hands import Hand, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money, paid_early_at_par, stake_of
from verifier.law.nd_twenty_one.s08_11.sub04_signals import is_hit
from verifier.law.registry import round_check
from verifier.law.rounds import Round

EVEN_ELIGIBLE = "ND-08-09.2.b-even-money-eligible"
EVEN_PAY = "ND-08-09.2.b-even-money-pay"
EVEN_CARDS = "ND-08-09.2.b-even-money-cards"
NOT_EARLY = "ND-08-11.11-natural-not-early"
NATURAL = (3, 2)


@round_check(EVEN_ELIGIBLE, EVEN_PAY, NOT_EARLY, partial="undetermined")
def natural_paid_early(game: Round) -> Iterator[Instance]:
    """Against an ace or ten a natural waits for the dealer's second card, but for even money."""
    if game.dealer.up_high is False or game.dealer.up is None:
        return
    for hand in game.playing:
        untimed = hand.natural is None and game.known_t is None and not even_money(game, hand)
        if hand.natural is False or hand.doubled or untimed:
            continue
        early = [e for e in game.at(PayoffPlaced, hand.key) if game.known_t is None or e.t_end <= game.known_t]
        if not early:
            continue
        if even_money(game, hand):
            yield _eligible(game, hand, early)
            yield _paid_at_once(game, hand)
        else:
            yield _too_early(game, hand, early)


def _too_early(game: Round, hand: Hand, early: Sequence[PayoffPlaced]) -> Instance:
    """Return the breach by a natural that was paid too early; open where it, or the dealer's card, was not read."""
    par = bool(game.dealer.up_ace) and paid_early_at_par(game, hand)
    short = seen(early[0].cents).equals(stake_of(game, hand, "original").times(*NATURAL)) is False
    offered = game.dealer.up_ace and game.house.even_money and game.house.insurance_allowed is not False
    return judged(
        EVEN_ELIGIBLE if par else NOT_EARLY,
        False if hand.natural and game.dealer.up_high else None,
        at=hand.place,
        events=[*(c.dealt for c in hand.cards), *early],
        expected=say.that(
            "the natural of {hand} waits until the dealer's second card is known", hand=say.place(hand.place)
        ),
        observed=say.that(
            "{hand} was paid {cents} before that",
            hand=say.place(hand.place),
            cents=early[0].cents and Amount(early[0].cents, early[0].cents),
        )
        + (", and even money is not adopted here" if par else ""),
        also=[NOT_EARLY] if par else ([EVEN_PAY] if offered and short else []),
        incident=f"money {hand.place}",
        rank=0,
        uncounted=not game.dealer.up_high,
    )


def _eligible(game: Round, hand: Hand, early: Sequence[PayoffPlaced]) -> Instance:
    """Tell whether a natural that may have been paid even money surely was, and surely against an ace."""
    par = seen(early[0].cents).equals(stake_of(game, hand, "original"))
    ace, natural = bool(game.dealer.up_ace), bool(hand.natural)
    return judged(
        EVEN_ELIGIBLE,
        True if par and ace and natural else None,
        at=hand.place,
        events=[*(c.dealt for c in (*hand.cards, *game.dealer.cards[:1])), *early],
        expected=say.that(
            "the natural of {hand} waits until the dealer's second card is known, but for even money",
            hand=say.place(hand.place),
        ),
        observed="whether it was a natural was not seen"
        if not natural
        else "whether the dealer's card was an ace was not seen"
        if not ace
        else "what it was paid was not seen",
        also=[NOT_EARLY, *([] if par else [EVEN_PAY])],
        incident=f"money {hand.place}",
        uncounted=ace and natural,
    )


def _paid_at_once(game: Round, hand: Hand) -> Instance:
    """Even money is paid before a card goes to another space beyond the deal."""
    payoff = _even_payoff(game, hand)
    before = [card for card in _drawn_elsewhere(game, hand) if card.t_end <= payoff.t_start]
    known = game.known_t is not None  # else the hole card may have been turned unseen before the payoff
    return judged(
        EVEN_PAY,
        not before or (False if known else None),
        at=hand.place,
        events=[*before[:1], payoff],
        expected=say.that(
            "even money for {hand} is paid before anything is dealt to other spaces", hand=say.place(hand.place)
        ),
        observed=say.that("{hand} was paid after cards had been dealt to ", hand=say.place(hand.place))
        + say.listed(", ", (say.place(card.to) for card in before[:1])),
    )


def _even_payoff(game: Round, hand: Hand) -> PayoffPlaced:
    """Return the payoff that was even money."""
    return next(e for e in game.at(PayoffPlaced, hand.key) if e.kind == "original")


def _drawn_elsewhere(game: Round, hand: Hand) -> list[CardDealt]:
    """Cards beyond the deal that went to other spaces than a hand's."""
    drawn = [(hand_key(card.to), card) for card in game.of(CardDealt) if is_hit(game, card)]
    return [card for key, card in drawn if key is not None and key[0] != hand.key[0]]


@round_check(EVEN_CARDS)
def even_money_cards(game: Round) -> Iterator[Instance]:
    """After even money the dealer puts the hand's cards in the discard holder, before play goes on."""
    for hand in game.playing:
        if not even_money(game, hand) or hand.natural is not True:
            continue
        taken: CardsCollected | None = game.collected.get(hand.place)
        paid = _even_payoff(game, hand)
        went_on = [card.t_start for card in _drawn_elsewhere(game, hand) if card.t_start >= paid.t_end]
        last = [e.t_start for e in game.of(CardsCollected) if e.from_ == "dealer"]
        until = min([*went_on, *(last if game.turn_t is None else [game.turn_t])], default=None)
        if until is None or (taken is None and not game.closed):
            continue
        yield judged(
            EVEN_CARDS,
            taken is not None and taken.t_start <= until,
            at=hand.place,
            events=[paid, taken],
            expected=say.that(
                "the cards of {hand} go to the discard holder once even money is paid", hand=say.place(hand.place)
            ),
            observed=say.that("the cards of {hand} stayed on the table while play went on", hand=say.place(hand.place)),
        )
