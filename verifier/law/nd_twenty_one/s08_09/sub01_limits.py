"""Limits of a wager (99-01.3-08-09(1), 12(11))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import ChipsCollected, ChipsReturned, PayoffPlaced, WagerChanged
from verifier.domain.house import House
from verifier.domain.money import MAX_CENTS
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.figures import Figures
from verifier.law.hands import Hand, Stake, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import counted_as_taken, stake_of
from verifier.law.registry import round_check
from verifier.law.rounds import Round

INCREMENTS = "ND-08-09.1-one-dollar-increments"
EXCESS = "ND-08-09.1-excess-returned"
WHOLE = "ND-08-09.1-whole-dollar"
RANGE = "ND-08-09.1-range-1-25"
UNLAWFUL_WIN = "ND-08-12.11-unlawful-wager-win"
FIFTY_CENTS = 50
"""A chip or coin of half a dollar."""


@round_check(INCREMENTS, partial="undetermined")
def lawful_wager_accepted(game: Round) -> Iterator[Instance]:
    """Check that a wager in whole dollars within the posted limits is accepted."""
    limits = game.house.table_limits
    first = game.first_card
    for event in game.of(ChipsReturned):
        key = hand_key(event.at)
        hand = game.by_key.get(key) if key else None
        stake = hand.stakes.get("original") if hand else None
        if event.kind != "original" or stake is None or not stake.placed or not stake.first.exact:
            continue
        amount = stake.first.low
        in_range = (
            limits.min <= amount <= most_wagered(game.house, game.figures) and amount % 100 == 0 and not stake.changed
        )
        undealt = event.reason in ("void", None) and (first is None or event.t_end <= first.t_start)
        if in_range and (event.reason == "excess" or undealt) and event.t_start >= stake.placed[0].t_end:
            yield judged(
                INCREMENTS,
                False if event.reason else None,
                at=event.at,
                key=event.id,
                events=[*stake.placed, event],
                expected=say.that("a wager of {amount} is accepted", amount=say.cents(amount)),
                observed=say.that("{cents} of it was given back", cents=seen(event.cents)),
            )


def most_wagered(house: House, figures: Figures) -> int:
    """Return the most that may be wagered on a hand, in cents. The highest wager of the law binds no chips without
    value: in a tournament (08-15) only the organization's own maximum counts, where it set another.
    """
    if house.tournament_rules == "on":
        return MAX_CENTS if house.table_limits.max == figures.wager_most_cents else house.table_limits.max
    return min(figures.wager_most_cents, house.table_limits.max)


@round_check(WHOLE, RANGE, EXCESS, UNLAWFUL_WIN, partial="undetermined")
def limits(game: Round) -> Iterator[Instance]:
    """Original wagers are whole dollars from 1 to 25 or the posted maximum; what exceeds it goes back.

    Bets of a tournament are judged by its own limits (`checks/records/tournaments.py`).
    """
    if game.house.tournament_rules == "on":
        return
    top = most_wagered(game.house, game.figures)
    for hand in game.hands:
        stake = hand.stakes.get("original")
        if stake is None or not stake.placed or not hand.cards or stake.given_back:
            continue
        amount = stake_of(game, hand, "original")
        if game.first_card is not None and _changed_late(stake, game.first_card.t_end):
            amount = stake.at_first_card(game.first_card.t_end)
        yield _range(game, hand, stake, amount, top)
        whole = _whole(stake, amount, game.figures.wager_step_cents)
        if whole is not None:
            kept = not stake.returned and _paid(game, hand)
            yield judged(
                WHOLE,
                whole,
                at=hand.place,
                events=[*stake.placed, *stake.returned],
                expected="an original wager is a whole number of dollars",
                observed=say.that(
                    "{hand} played for {amount}{which}",
                    hand=say.place(hand.place),
                    amount=amount,
                    which="" if amount.exact else ", a 50-cent chip among it",
                ),
                incident=f"limit {hand.place}",
                rank=6,
                also=[UNLAWFUL_WIN] if kept else [],
            )


def _changed_late(stake: Stake, first_t: float) -> bool:
    """Tell whether a wager was changed after the first card otherwise than by chips that the dealer gave back."""
    returned = total(seen(e.cents) for e in stake.returned)
    return any(c.t_end > first_t and not same_value(c, returned) for c in stake.changed)


def _whole(stake: Stake, amount: Amount, step: int) -> bool | None:
    """Tell whether a wager is of whole dollars; of a stack that was not counted an odd 50-cent chip tells that it
    is not.
    """
    if amount.exact:
        return amount.low % step == 0
    halves = sum((event.chips or {}).get(str(FIFTY_CENTS), 0) for event in stake.placed)
    return False if halves % 2 and not stake.changed and not stake.returned else None


def _paid(game: Round, hand: Hand) -> bool:
    return any(e.kind == "original" for e in game.at(PayoffPlaced, hand.key))


def _lone(stake: Stake, top: int) -> bool:
    """Tell whether one chip, worth more than the limit by itself, is all that was seen of a wager."""
    seen = [value for event in stake.placed for value, count in (event.chips or {}).items() for _ in range(count)]
    return len(seen) == 1 and int(seen[0]) > top and not stake.changed


def _range(game: Round, hand: Hand, stake: Stake, amount: Amount, top: int) -> Instance:
    over = amount.low > top
    certain_low = amount.high is not None and amount.high < game.figures.wager_least_cents
    right: bool | None = not over and not certain_low
    if right and amount.high is None and (amount.low == top or not counted_as_taken(game, hand, top)):
        right = None  # chips hidden under those seen would be too much
    colour = over and not amount.exact and _lone(stake, top)
    if colour:
        right = None  # one chip's colour, seen from above, that nothing else bears out
    paid = _paid(game, hand)
    also = [RANGE, *([UNLAWFUL_WIN] if paid else [])] if over else []
    settled = paid or any(e.kind == "original" for e in game.at(ChipsCollected, hand.key)) or game.closed
    return judged(
        EXCESS if over else RANGE,
        right if right is not False or settled else None,
        at=hand.place,
        events=[*stake.placed, *stake.changed],
        expected=say.that(
            "an original wager is from {least} to {top}",
            least=say.figure("wager_least_cents", game.figures.wager_least_cents, money=True),
            top=say.cents(top),
        ).then("what exceeds it is returned"),
        observed=say.that(
            "{hand} played for {amount} and nothing was returned", hand=say.place(hand.place), amount=amount
        ),
        also=also,
        incident=f"limit {hand.place}",
        uncounted=right is None and not colour,
    )


@round_check(EXCESS, partial="undetermined")
def excess_returned(game: Round) -> Iterator[Instance]:
    """Of a wager above the maximum just the excess goes back: it is valued at the maximum."""
    top = most_wagered(game.house, game.figures)
    for hand in game.hands:
        stake = hand.stakes.get("original")
        back = [e for e in stake.returned if e.reason == "excess"] if stake is not None else []
        if stake is None or not back or not hand.cards or stake.given_back:
            continue
        amount, returned = stake_of(game, hand, "original"), total(seen(e.cents) for e in back)
        told = returned.exact and amount.exact
        if amount.low > top or (amount.low + returned.low if told else stake.first.low) <= top:
            continue  # more than the maximum in play is `limits`'
        yield judged(
            EXCESS,
            amount.low == top if amount.exact else None,
            at=hand.place,
            key="excess",
            events=[*stake.placed, *back],
            expected=say.that("a wager above {top} is valued at that, and the excess returned", top=Amount(top, top)),
            observed=say.that(
                "{returned} of {amount} at {hand} was returned",
                returned=returned,
                amount=amount + returned,
                hand=say.place(hand.place),
            ),
            incident=f"limit {hand.place}",
        )


def same_value(change: WagerChanged, returned: Amount) -> bool | None:
    """Tell whether a change left the value of a wager as it was; None where it cannot be told.

    Of a change by a player's hand of which no amount was read, that it was seen is all that is known of it.
    """
    if (change.cents_before is None) != (change.cents_after is None):
        return None
    if change.cents_before is None or change.cents_after is None:
        return None if returned.high != 0 or change.by != "player" else False
    less = change.cents_before - change.cents_after
    return less == 0 or (less > 0 and returned.exact and returned.low == less)
