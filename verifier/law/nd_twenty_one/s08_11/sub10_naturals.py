"""Naturals come next, and a dealer's natural makes split and double wagers void (99-01.3-08-11(10)(a),(b),(e))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.events import CardDealt, ChipsCollected, ChipsReturned
from verifier.law import say
from verifier.law.amounts import seen, total
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money, moved
from verifier.law.nd_twenty_one.s08_11.sub13_order import name_of
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

VOID = "ND-08-11.10.e-void-split-double"
NATURALS = {True: "ND-08-11.10.a-naturals-next", False: "ND-08-11.10.b-naturals-next"}


@session_check(VOID)
def voided_returned(session: Session) -> Iterator[Instance]:
    """Against a dealer natural split and double wagers are given back, all of each (11(10)(e)); in a recording the
    giving back may be out of sight."""
    for game in session.rounds:
        if game.dealer.natural and game.closed and game.opened:
            for hand in game.playing:
                yield from _not_returned(session, game, hand)


def _not_returned(session: Session, game: Round, hand: Hand) -> Iterator[Instance]:
    for kind in ("split", "double"):
        stake = hand.stakes.get(kind)
        taken = any(e.kind == kind for e in game.at(ChipsCollected, hand.key))
        if stake is None or not stake.placed or taken:
            continue
        void = [e for e in stake.returned if e.reason == "void"]
        given, due = total(seen(e.cents) for e in void), stake.amount
        other = bool(void) and given.exact and due.exact and not given.equals(due)
        unread = bool(void) and due.exact and given.high is None
        if other or unread or not stake.returned:
            unsure = unread or session.from_pixels or game.card_missing or any(e.weak for e in game.of(ChipsReturned))
            yield msgspec.structs.replace(
                judged(
                    VOID,
                    None if unsure else False,
                    at=hand.place,
                    key=kind,
                    events=[*stake.placed, *void],
                    expected=say.that(
                        "the {kind} wager of {hand}, {due}, is returned, as the dealer has a natural",
                        kind=kind,
                        hand=say.place(hand.place),
                        due=due,
                    ),
                    observed=say.that("{given} of it were returned", given=given)
                    if void
                    else "it was not seen to be returned",
                    uncounted=unread,
                ),
                round=game.number,
            )


@round_check(*NATURALS.values(), partial="undetermined")
def naturals_next(game: Round) -> Iterator[Instance]:
    """Against an ace or ten naturals are paid right to left before the dealer's hand is played."""
    if game.dealer.up_high is not True or game.dealer.natural is not False or game.dealer.up_ace is None:
        return
    clause = NATURALS[game.dealer.up_ace]
    paid = []
    for hand in game.playing:
        if hand.natural and not hand.doubled and not even_money(game, hand):
            paid += [(hand, e) for e in moved(game, hand).payoffs[:1]]
    paid.sort(key=lambda pair: pair[1].t_end)
    order = [hand.key for hand, _ in paid]
    if len(order) > 1:
        yield judged(
            clause,
            order == sorted(order, reverse=True),
            key="order",
            events=[e for _, e in paid],
            expected="naturals are paid from the dealer's right to the left",
            observed="naturals were paid in the order " + say.listed(", ", (name_of(key) for key in order)),
        )
    draws = [c for c in game.dealer_dealt[2:] if c.face == "up"]
    for hand, payoff in paid:
        late = [c for c in draws if c.t_end <= payoff.t_start]
        yield from _natural_cleared(game, hand, clause, draws)
        yield judged(
            clause,
            not late,
            at=hand.place,
            events=[payoff, *late],
            expected=say.that(
                "the natural of {hand} is paid before the dealer's hand is played", hand=say.place(hand.place)
            ),
            observed=say.that("the dealer drew before the natural of {hand} was paid", hand=say.place(hand.place)),
            incident=f"natural {hand.place}",
            rank=4,
        )


def _natural_cleared(game: Round, hand: Hand, clause: str, draws: Sequence[CardDealt]) -> Iterator[Instance]:
    """Check that the cards of a paid natural are collected before the dealer's hand is played."""
    cards = game.collected.get(hand.place)
    if cards is None:
        return
    late = [c for c in draws if c.t_end <= cards.t_start][:1]
    yield judged(
        clause,
        not late,
        at=hand.place,
        key="cards",
        events=[cards, *late],
        expected=say.that(
            "the cards of the natural of {hand} are collected before the dealer's hand is played",
            hand=say.place(hand.place),
        ),
        observed=say.that("the dealer drew before the cards of {hand} were collected", hand=say.place(hand.place)),
        incident=f"natural {hand.place}",
    )
