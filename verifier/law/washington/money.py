"""Who wins and what is paid (subsections 5 to 7, 18): each wager against the dealer/banker's hand."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.engine.outcomes import Outcome
from verifier.law import say
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.miscount import MISCOUNT, explained_by, miscounted
from verifier.law.nd_twenty_one.s08_11.sub12_settlement import OUTCOME_WORDS, hand_against_dealer
from verifier.law.registry import WASHINGTON, round_check
from verifier.law.rounds import Round
from verifier.law.settled import Settled, settled
from verifier.law.washington.clauses import (
    COMPARE,
    DEALER_BUST,
    DEALER_NATURAL,
    INSURANCE_A,
    INSURANCE_B,
    NATURAL,
    TIE,
    TURN_DOWN,
    VALUE_ONLY,
)
from verifier.law.washington.ledger import covered, stacked


@round_check(
    COMPARE,
    DEALER_BUST,
    DEALER_NATURAL,
    NATURAL,
    TIE,
    VALUE_ONLY,
    INSURANCE_A,
    INSURANCE_B,
    TURN_DOWN,
    rulebooks=WASHINGTON,
    partial="undetermined",
)
def wagers_settled(game: Round) -> Iterator[Instance]:
    """Each wager is paid, collected or recovered as the cards demand, in the right sum.

    A natural that was paid another sum is judged with the bank, which may have been short.
    """
    for hand in game.playing:
        found = settled(game, hand)
        if found is None or (found.wrong == "amount" and _by_bank(game, found)):
            continue
        if found.wrong == "amount" and found.right is None and stacked(found.actual.paid, *found.due):
            yield judged(next(iter(_clauses(game, found, found.outcome or "win"))), True, at=hand.place)
            continue
        names = dict.fromkeys(c for o in sorted(found.possible) for c in _clauses(game, found, o))
        clauses = list(names) or [COMPARE]
        outcomes = sorted({OUTCOME_WORDS[o] for o in found.possible})
        words = say.listed(" or ", outcomes) or "not to be told from the cards seen"
        cards = [*(c.dealt for c in hand.cards), *(c.dealt for c in game.dealer.cards)]
        right = found.right
        if _contradictory(game, hand):
            clauses, words = [INSURANCE_A, TIE], "subsection 16 has it lose its wager, subsection 5 has it recover it"
            right = None if found.actual.sign in (0, -1) else right
        yield judged(
            clauses[0],
            right,
            at=hand.place,
            events=[*cards, game.turned, *found.actual.events],
            expected=say.that("{hand}", hand=say.place(hand.place)).detail("{words}", words=words),
            observed=say.that("{hand_against_dealer}", hand_against_dealer=hand_against_dealer(game, hand)).then(
                "it {actual}", actual=found.actual.text()
            ),
            also=clauses[1:],
            incident=MISCOUNT if miscounted(game) and explained_by(game, hand) else f"money {hand.place}",
            rank=1,
            chance=found.chance,
            uncounted=found.hardly,
        )


def _contradictory(game: Round, hand: Hand) -> bool:
    """Tell whether the text says two things of a wager: in the proposal A an insured natural that ties."""
    insured_loses = not game.rules.saves_insured_natural and _insured(game, hand)
    return insured_loses and hand.natural is True and game.dealer.natural is True


def _by_bank(game: Round, found: Settled) -> bool:
    """Tell whether a sum other than due may be right because the bank covered less than the wager, or is a
    natural's.
    """
    if found.possible == {"natural"}:
        return True
    cover = covered(game, found.hand.key)
    sums = found.actual.paid if found.actual.sign == 1 else found.actual.taken
    return bool(cover.low) and any(cover.low < due.low for due in found.due) and sums.equals(cover) is not False


def _clauses(game: Round, found: Settled, outcome: Outcome) -> Iterator[str]:
    """Yield the clause of an outcome, and the clauses that are broken with it when it is not as it should be."""
    hand = found.hand
    if outcome in ("push", "natural_push"):
        if outcome == "natural_push" and _insured(game, hand):
            yield INSURANCE_B
        yield TIE
    elif outcome == "natural":
        yield NATURAL
    elif outcome == "win":
        yield from _of_win(game, found)
    elif game.dealer.natural:
        if _insured(game, hand):
            yield INSURANCE_B if game.rules.saves_insured_natural else INSURANCE_A
        yield from (DEALER_NATURAL, *([TIE] if hand.natural else []), COMPARE)
    else:
        yield COMPARE
        if outcome == "bust":
            yield TURN_DOWN


def _of_win(game: Round, found: Settled) -> Iterator[str]:
    over = found.wrong == "amount" and found.due and found.actual.paid.low > max(due.low for due in found.due)
    if over:
        yield VALUE_ONLY
    if any(total.best > 21 for total in game.dealer.totals):
        yield DEALER_BUST
    yield COMPARE


def _insured(game: Round, hand: Hand) -> bool:
    first = game.by_key.get((hand.key[0], 0))
    return first is not None and "insurance" in first.tips
