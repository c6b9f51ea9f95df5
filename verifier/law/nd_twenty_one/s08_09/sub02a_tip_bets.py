"""Tip bets as they are placed: where permitted, one a space, within limits (99-01.3-08-09(2)(a))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import WagerPlaced
from verifier.domain.money import MAX_CENTS
from verifier.law import say
from verifier.law.amounts import Amount, within
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import moved, stake_of
from verifier.law.nd_twenty_one.s08_09.sub01_limits import FIFTY_CENTS, most_wagered
from verifier.law.nd_twenty_one.shared.positions import in_place
from verifier.law.registry import round_check
from verifier.law.rounds import Round

TIP_PERMITTED = "ND-08-09.2.a-tip-permitted"
ONE_TIP = "ND-08-09.2.a-one-tip"
TIP_RANGE = "ND-08-09.2.a-tip-range"
TIP_EDGE = "ND-08-09.2.a-tip-position"


@round_check(TIP_PERMITTED, needs={"tip_betting": None}, partial="keep")
def tip_permitted(game: Round) -> Iterator[Instance]:
    """Tip bets only where they are permitted."""
    for wager in game.of(WagerPlaced):
        if wager.kind == "tip":
            yield judged(
                TIP_PERMITTED,
                game.house.tip_betting == "permitted",
                at=wager.at,
                key=wager.id,
                events=[wager],
                expected="no tip bet, as tip betting is not permitted here",
                observed=say.that("{wager} placed a tip bet", wager=say.place(wager.at)),
            )


@round_check(TIP_EDGE, partial="keep", reads=("position of tip",))
def tip_at_edge(game: Round) -> Iterator[Instance]:
    """Check that a tip bet touches the betting space from outside, at its lower left edge as the dealer sees it."""
    for wager in game.of(WagerPlaced):
        if wager.kind == "tip":
            yield from in_place(
                TIP_EDGE,
                wager,
                "lower_left",
                at=wager.at,
                expected=say.that(
                    "the tip bet of {wager} touches the lower left edge of its betting space, outside of it",
                    wager=say.place(wager.at),
                ),
                observed=say.that("the tip bet of {wager} lies elsewhere", wager=say.place(wager.at)),
            )


@round_check(ONE_TIP, TIP_RANGE, partial="keep")
def tip_size(game: Round) -> Iterator[Instance]:
    """One tip bet a space, from 50 cents to the table maximum or the site's lower limit."""
    top = min(most_wagered(game.house, game.figures), game.house.tip_bet_max or MAX_CENTS)
    first = game.first_card
    for hand in game.hands:
        stake = hand.tips.get("tip")
        if stake is None or not stake.placed:
            continue
        early = [w for w in stake.placed if first is None or w.t_start < first.t_end]
        yield judged(
            ONE_TIP,
            len(early) <= 1,
            at=hand.place,
            events=early,
            expected="one tip bet a space",
            observed=say.that("{hand} carried {early} tip bets", hand=say.place(hand.place), early=len(early)),
        )
        amount = _worth(game, hand)
        low = amount.high is not None and amount.high < FIFTY_CENTS
        yield judged(
            TIP_RANGE,
            not low and within(amount, Amount(top, top)),
            at=hand.place,
            events=stake.placed,
            expected=say.that("a tip bet is from {least} to {top}", least=say.cents(FIFTY_CENTS), top=say.cents(top)),
            observed=say.that("{hand} bet a tip of {amount}", hand=say.place(hand.place), amount=amount),
            uncounted=not amount.exact,
        )


def _worth(game: Round, hand: Hand) -> Amount:
    """Return what a tip bet is worth: as it was laid, as its fan showed it, or as it was collected."""
    amount, taken = stake_of(game, hand, "tip"), moved(game, hand, ("tip",)).taken
    return taken if not amount.exact and taken.exact and taken.low > 0 else amount
