"""Naturals and the bank: one and a half times, from the left, frozen while the bank is short (subsections 5 to 8)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import CardDealt, CardRevealed, Event, PayoffPlaced, WagerCovered
from verifier.law import say
from verifier.law.amounts import Amount
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import moved, outcomes, stake_of
from verifier.law.registry import WASHINGTON, round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.washington.clauses import FREEZE, MADE_UP, NATURAL, NATURALS_LEFT
from verifier.law.washington.ledger import covered, in_round, ledger, stacked


def naturals(game: Round) -> list[tuple[Hand, PayoffPlaced]]:
    """Naturals that are to be paid, each with its payoff, in the order of payment."""
    found = []
    for hand in game.playing:
        paid = moved(game, hand).payoffs
        if paid and outcomes(game, hand) == {"natural"}:
            found.append((hand, paid[0]))
    return sorted(found, key=lambda pair: pair[1].t_end)


def stake(game: Round, hand: Hand) -> Amount:
    """Return the wager that a natural is paid on."""
    return stake_of(game, hand, "split" if hand.key[1] else "original")


@round_check(NATURALS_LEFT, MADE_UP, rulebooks=WASHINGTON, partial="undetermined")
def naturals_from_the_left(game: Round) -> Iterator[Instance]:
    """Naturals are paid from the dealer/banker's left; so are frozen ones once they are made up."""
    frozen = {hand.key for hand, paid in naturals(game) if _frozen(game, hand)}
    for late, clause in ((False, NATURALS_LEFT), (True, MADE_UP)):
        group = [(hand, paid) for hand, paid in naturals(game) if (hand.key in frozen) is late and not hand.split]
        wrong = next(((a, b) for a, b in itertools.pairwise(group) if b[0].key < a[0].key), None)
        if len(group) > 1:
            yield judged(
                clause,
                wrong is None,
                at=wrong[1][0].place if wrong else None,
                events=[paid for _, paid in group],
                expected="naturals are paid from the dealer/banker's left",
                observed="they were paid in the order "
                + say.listed(", ", (say.place(hand.place) for hand, _ in group)),
                also=[MADE_UP if clause == NATURALS_LEFT else NATURALS_LEFT] if wrong else [],
            )


def _frozen(game: Round, hand: Hand) -> bool:
    """Tell whether a natural's wager was made up later, or was released for less than is due."""
    first = game.first_card.t_start if game.first_card else 0.0
    made_up = any(e.t_start > first for e in game.at(WagerCovered, hand.key))
    short = moved(game, hand).paid.equals(stake(game, hand).times(3, 2))
    return made_up or short is False or (short is None and covers_alone(game, hand))


def covers_alone(game: Round, hand: Hand) -> bool:
    """Tell whether a natural whose cover is a stack was paid with nothing but that: one and a half times is more."""
    covers = game.at(WagerCovered, hand.key)
    return stacked(covered(game, hand.key)) and 0 < len(moved(game, hand).payoffs) <= len(covers)


@round_check(MADE_UP, rulebooks=WASHINGTON, partial="undetermined")
def made_up_from_the_left(game: Round) -> Iterator[Instance]:
    """Frozen wagers are made up one after the other to the dealer/banker's left."""
    first = game.first_card.t_start if game.first_card else 0.0
    made = [
        (hand, e) for hand in game.hands if hand.natural for e in game.at(WagerCovered, hand.key) if e.t_start > first
    ]
    made.sort(key=lambda pair: pair[1].t_end)
    wrong = next(((a, b) for a, b in itertools.pairwise(made) if b[0].key < a[0].key), None)
    if made:
        yield judged(
            MADE_UP,
            wrong is None,
            at=wrong[1][0].place if wrong else None,
            key="covers",
            events=[e for _, e in made],
            expected="frozen wagers are made up to the left of the dealer/banker",
            observed="they were made up in the order " + say.listed(", ", (say.place(hand.place) for hand, _ in made)),
        )


@session_check(NATURAL, FREEZE, MADE_UP, rulebooks=WASHINGTON)
def naturals_paid(session: Session) -> Iterator[Instance]:
    """Check that a natural collects one and a half times the bet. With a short bank it is frozen, and at last collects
    for what is covered.
    """
    for game in session.rounds:
        if not game.opened:
            continue
        for hand, payoff in naturals(game):
            due = stake(game, hand).times(3, 2)
            paid = moved(game, hand).paid
            more = stacked(paid, due) and not covers_alone(game, hand)
            if paid.equals(due) or (paid.equals(due) is None and more):
                yield in_round(judged(NATURAL, True, at=hand.place), game)
            elif game.closed:
                yield in_round(_short(session, game, hand, payoff, due, paid), game)


def _short(session: Session, game: Round, hand: Hand, payoff: PayoffPlaced, due: Amount, paid: Amount) -> Instance:
    cover, bank = covered(game, hand.key), ledger(session).at(payoff)
    begun_short = too_small(bank, due, cover)
    even = covers_alone(game, hand)
    clause, right = NATURAL, False if even or paid.equals(due) is False else None
    if hand.split and right is False and paid.equals(stake(game, hand)):
        right = None  # the text does not say that an ace and a ten after a split are no natural
    elif right is False and paid.low < due.low and paid.low >= cover.low > 0 and begun_short is not False:
        clause = NATURAL if even else FREEZE
        over = _over(game, payoff)
        right = None if begun_short is None and (over or not even) else over
    also = [c for c in (NATURAL, FREEZE, MADE_UP) if c != clause]
    return judged(
        clause,
        right,
        at=hand.place,
        events=[*(c.dealt for c in hand.cards), payoff],
        also=[] if right else also,
        expected=say.that("the natural of {hand} is paid {due}", hand=say.place(hand.place), due=due)
        + ("" if clause == NATURAL else ", or stays frozen until the bank can, or the hand is over"),
        observed=say.that("it was paid {paid}", paid=paid),
        incident=f"money {hand.place}",
        rank=1,
    )


def too_small(bank: Amount, due: Amount, cover: Amount) -> bool | None:
    """Tell whether the bank cannot pay what is due beyond the cover."""
    if bank.high is None or due.high is None:
        return None
    if bank.high < due.low - cover.low:
        return True
    return False if bank.low >= due.high - cover.low else None


def _over(game: Round, payoff: PayoffPlaced) -> bool:
    """Tell whether the hand was over: no card and no losing wager came after the payoff."""
    hands = [hand for hand in game.playing if outcomes(game, hand) <= {"lose", "bust"}]
    taken = [e for hand in hands for e in moved(game, hand).collections]
    acts: list[Event] = [*taken, *game.of(CardDealt), *game.of(CardRevealed)]
    return all(act.t_start < payoff.t_end for act in acts)
