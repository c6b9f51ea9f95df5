"""Winning, losing, ties, blackjacks and insurance (Definitions 1, 4 and 5, The Play 1 to 4 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from verifier.domain.events import CardsCollected, ChipsCollected, Event, PayoffPlaced, WagerPlaced
from verifier.engine.outcomes import Outcome
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import (
    BLACKJACK,
    HOLD,
    INSURANCE,
    INSURANCE_OPTION,
    LOSE,
    PAY_LOW,
    PUSH,
    PUSH_DEFINED,
    RESOLVE,
    WIN,
)
from verifier.law.manual.live import surrendered
from verifier.law.nd_twenty_one.s08_11.sub12_settlement import hand_against_dealer
from verifier.law.registry import MANUAL, round_check
from verifier.law.rounds import Round
from verifier.law.settled import Settled, settled

_WORDS = {
    "bust": "over 21, loses its wager", "lose": "loses its wager", "push": "a tie, neither paid nor collected",
    "natural_push": "a tie of blackjacks, neither paid nor collected", "win": "wins, paid its wager",
    "natural": "a blackjack, paid at the table's odds", "even_money": "a blackjack, paid even money",
}  # fmt: skip


@round_check(WIN, LOSE, PUSH, PUSH_DEFINED, PAY_LOW, RESOLVE, BLACKJACK, rulebooks=MANUAL, partial="undetermined")
def wagers_settled(game: Round) -> Iterator[Instance]:
    """Each wager is paid, collected or left alone as the cards demand, in the right sum."""
    for hand in game.playing:
        found = None if surrendered(game, hand) else settled(game, hand)
        if found is not None and not _odds_unknown(game, found):
            yield _judged(game, replace(found, right=None) if _tie_unknown(game, found) else found)


def _odds_unknown(game: Round, found: Settled) -> bool:
    """Tell whether a blackjack was paid where the table's odds are not configured, so that nothing can be said of the
    sum.
    """
    return found.outcome == "natural" and found.wrong == "amount" and game.rules.natural_odds is None


def _tie_unknown(game: Round, found: Settled) -> bool:
    """Tell whether a 21 was left alone against the dealer's blackjack where the casino's rule on it is not configured
    (The Play 3).
    """
    left = found.right is False and found.actual.sign == 0 and game.house.push_rule is None
    return left and game.dealer.natural is not False and any(total.best == 21 for total in found.hand.totals)


def _judged(game: Round, found: Settled) -> Instance:
    hand = found.hand
    clauses = list(dict.fromkeys(c for o in sorted(found.possible) for c in _clauses(game, found, o))) or [
        WIN,
        LOSE,
        PUSH,
    ]
    words = (
        say.listed(" or ", sorted({_WORDS[outcome] for outcome in found.possible})) or "not to be told from the cards"
    )
    due = say.listed(" or ", (amount for amount in found.due)) if found.wrong == "amount" else ""
    return judged(
        clauses[0],
        found.right,
        at=hand.place,
        events=[*(c.dealt for c in hand.cards), *_dealer(game), *found.actual.events],
        expected=say.that("{hand}", hand=say.place(hand.place)).detail("{words}", words=words)
        + (say.that(", {due}", due=due) if due else ""),
        observed=say.that("{hand_against_dealer}", hand_against_dealer=hand_against_dealer(game, hand)).then(
            "it {actual}", actual=found.actual.text()
        ),
        also=clauses[1:],
        incident=f"money {hand.place}",
        rank=1,
        chance=found.chance,
        uncounted=found.hardly,
    )


def _dealer(game: Round) -> Iterator[Event | None]:
    yield from (card.dealt for card in game.dealer.cards)
    yield game.turned


def _clauses(game: Round, found: Settled, outcome: Outcome) -> Sequence[str]:
    """Return the clause of an outcome, and the clauses that are broken with it when it is not as it should be."""
    hand = found.hand
    if outcome == "natural":
        return [RESOLVE if game.dealer.up_high else PAY_LOW, WIN]
    if outcome == "natural_push":
        return [RESOLVE if game.dealer.up_high else PUSH, PUSH, PUSH_DEFINED]
    if outcome == "push":
        return [PUSH, PUSH_DEFINED]
    if outcome == "win":
        natural_like = hand.split and len(hand.cards) == 2 and any(total.best == 21 for total in hand.totals)
        return [BLACKJACK, WIN] if natural_like and found.wrong == "amount" else [WIN]
    simple = bool(game.dealer.natural) and any(total.best == 21 for total in hand.totals)
    return [LOSE, PUSH_DEFINED, PUSH] if simple else [LOSE]


@round_check(HOLD, rulebooks=MANUAL, partial="undetermined")
def blackjack_held(game: Round) -> Iterator[Instance]:
    """Against an ace or ten a blackjack is neither paid nor removed until the dealer's second card is known."""
    if game.dealer.up_high is not True:
        return
    known = game.turned.t_start if game.turned else float("inf")
    for hand in game.playing:
        if hand.natural is not True or hand.doubled or surrendered(game, hand):
            continue
        moves: list[PayoffPlaced | CardsCollected] = [*game.at(PayoffPlaced, hand.key)]
        moves += [e for e in game.of(CardsCollected) if hand_key(e.from_) == hand.key]
        early = [e for e in moves if e.t_end <= known]
        if not game.closed and not early:
            continue
        if early and game.turned is None and not game.closed:
            early = []
        yield judged(
            HOLD,
            not early,
            at=hand.place,
            events=[*(c.dealt for c in hand.cards), *early],
            expected=say.that(
                "the blackjack of {hand} is neither paid nor removed before the dealer's second card",
                hand=say.place(hand.place),
            ),
            observed="it was "
            + ("paid" if any(isinstance(e, PayoffPlaced) for e in early) else "removed")
            + " before that",
            also=[RESOLVE],
        )


@round_check(INSURANCE_OPTION, INSURANCE, rulebooks=MANUAL, partial="keep")
def insurance_allowed(game: Round) -> Iterator[Instance]:
    """Insurance only where the casino allows it."""
    for wager in game.of(WagerPlaced):
        if wager.kind == "insurance":
            yield judged(
                INSURANCE_OPTION,
                game.house.insurance_allowed,
                at=wager.at,
                key=wager.id,
                events=[wager],
                expected="no insurance, as the casino does not allow it",
                observed=say.that("{wager} placed insurance", wager=say.place(wager.at)),
                also=[INSURANCE],
                incident=f"insurance {wager.at}",
            )


@round_check(INSURANCE, rulebooks=MANUAL)
def insurance_timing(game: Round) -> Iterator[Instance]:
    """Insurance is placed against an ace that shows while the other card is down, and won by a blackjack alone."""
    shown = game.dealer.up.revealed if game.dealer.up else None
    for wager in game.of(WagerPlaced):
        if wager.kind != "insurance" or game.dealer.up is None:
            continue
        early = shown is not None and wager.t_end <= shown.t_start
        late = game.turned is not None and wager.t_start >= game.turned.t_end
        ace = game.dealer.up_ace
        yield judged(
            INSURANCE,
            False if early or late else ace,
            at=wager.at,
            key=wager.id,
            events=[wager, shown],
            expected="insurance is placed while an ace shows and the dealer's other card is down",
            observed=say.that("{wager} placed it ", wager=say.place(wager.at))
            + (
                "before the ace showed"
                if early
                else "after the other card was turned"
                if late
                else "with another card showing"
            ),
            incident=f"insurance {wager.at}",
        )
    yield from _insurance_settled(game)


def _insurance_settled(game: Round) -> Iterator[Instance]:
    """Check whether insurance was rightly paid or collected. The manual's excerpt gives neither amount nor odds, so
    only the direction is judged.
    """
    for hand in game.hands:
        if "insurance" not in hand.tips or game.dealer.natural is None:
            continue
        paid = [e for e in game.at(PayoffPlaced, hand.key) if e.kind == "insurance"]
        taken = [e for e in game.at(ChipsCollected, hand.key) if e.kind == "insurance"]
        if not paid and not taken and not game.closed:
            continue
        right = bool(paid) and not taken if game.dealer.natural else bool(taken) and not paid
        yield judged(
            INSURANCE,
            right,
            at=hand.place,
            key="settled",
            events=[*hand.tips["insurance"].placed, *paid, *taken],
            expected="insurance is paid" if game.dealer.natural else "insurance is collected, as there is no blackjack",
            observed=say.that("{dealer}", dealer=game.dealer.text()).then("it was ")
            + ("paid" if paid else "collected" if taken else "neither paid nor collected"),
        )
