"""What a hand was paid against what its cards demand: the comparison that the money checks of every rulebook share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from verifier.engine.outcomes import Outcome
from verifier.law.amounts import Amount
from verifier.law.hands import Hand
from verifier.law.money import LEAST_SURE, Moved, expected_sign, moved, odds, outcomes, owed
from verifier.law.rounds import Round

Wrong = Literal["way", "amount", "open"]
"""way: paid, collected or left alone where another was due. amount: another sum. open: it cannot be told."""

VOIDED = ("split", "double")
"""Wagers that a dealer's natural makes void: collected, they are collected wrongly, whatever they were worth."""

STILL_RIGHT = 0.2
"""Readings that together have no more than this chance make no right settlement doubtful (policy of this project)."""


@dataclass(frozen=True, eq=False)
class Settled:
    """A hand's settlement: `right` (three-valued), `wrong` where it is not, `due` the amounts that would be.

    `hardly`: it is open only for what a card that nobody read hardly was.
    """

    hand: Hand
    actual: Moved
    possible: frozenset[Outcome]
    right: bool | None
    wrong: Wrong | None = None
    due: tuple[Amount, ...] = ()
    chance: float | None = None
    hardly: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that names the clause; None where none can be told."""
        return min(self.possible, default=None)


def settled(game: Round, hand: Hand) -> Settled | None:
    """Compare a hand's chips with what is due; return None while its settlement may still follow."""
    actual, all_possible = moved(game, hand), outcomes(game, hand)
    possible = agreed(game, hand, actual, all_possible)
    if actual.sign == 0 and not game.closed:
        return None
    signs = {expected_sign(hand, outcome) for outcome in possible}
    if not possible or actual.sign is None or (actual.sign in signs and len(signs) > 1):
        return Settled(hand, actual, possible, None, "open", chance=chance_wrong(game, hand, actual))
    if actual.sign not in signs:
        chance = chance_wrong(game, hand, actual)
        sure = chance is None or chance >= LEAST_SURE
        return Settled(hand, actual, possible, False if sure else None, "way", chance=chance)
    right, due = right_amount(game, hand, actual, possible)
    if right is not True and not game.closed:
        return None
    if right and possible != all_possible and unread(game, hand):
        return Settled(hand, actual, all_possible, None, "open", chance=chance_wrong(game, hand, actual), hardly=True)
    return Settled(hand, actual, possible, right, None if right else "amount", due)


def unread(game: Round, hand: Hand) -> bool:
    """Tell whether a card of a hand, or of the dealer, was not read at all."""
    held = ((card, card.revealed or card.dealt) for card in (*hand.cards, *game.dealer.cards))
    return any(card.text[0] == "?" and not record.ranks for card, record in held)


def agreed(game: Round, hand: Hand, actual: Moved, possible: frozenset[Outcome]) -> frozenset[Outcome]:
    """Return the outcomes that fit the way the chips went, where the others are hardly possible; else all.

    A dealer errs seldom, so that what was done tells which of two readings of a card was right.
    """
    agreeing = frozenset(outcome for outcome in possible if expected_sign(hand, outcome) == actual.sign)
    chance = chance_wrong(game, hand, actual) if agreeing else None
    return agreeing if chance is not None and chance <= STILL_RIGHT else possible


def chance_wrong(game: Round, hand: Hand, actual: Moved) -> float | None:
    """How probable it is, by the readings of the cards, that the chips went the wrong way; None where not known."""
    chances = odds(game, hand)
    if actual.sign is None or not chances:
        return None
    return sum(p for outcome, p in chances.items() if expected_sign(hand, outcome) != actual.sign)


def chance_other(game: Round, hand: Hand, actual: Moved) -> float | None:
    """How probable it is, by the readings of the cards, that another sum was due; None where sums do not tell."""
    said = {o: (_one_of(_sums(actual), owed(game, hand, o)), p) for o, p in odds(game, hand).items()}
    if not said or any(right is None for right, _ in said.values()):
        return None
    return sum(p for right, p in said.values() if not right)


def _sums(actual: Moved) -> Amount:
    """Return what a hand was paid, or lost, on balance."""
    if actual.payoffs and actual.collections and actual.sign:
        net = abs(actual.paid.low - actual.taken.low)
        return Amount(net, net)
    return actual.paid if actual.sign == 1 else actual.taken


def right_amount(
    game: Round, hand: Hand, actual: Moved, possible: frozenset[Outcome]
) -> tuple[bool | None, tuple[Amount, ...]]:
    """Tell whether chips that went the right way were the right sum, and the sums that are."""
    sums = _sums(actual)
    due = tuple(dict.fromkeys(a for outcome in sorted(possible) for a in owed(game, hand, outcome)))
    said = {_one_of(sums, owed(game, hand, outcome)) for outcome in possible}
    right = True if actual.sign == 0 else (said.pop() if len(said) == 1 else None)
    void = possible == {"natural_loss"}
    if void and any(event.kind in VOIDED for event in actual.collections) and not actual.corrections:
        right = False
    elif right is None and actual.sign == -1 and _uncounted(hand, actual, void):
        right = True
    return right, due


def _one_of(sums: Amount, due: Iterable[Amount]) -> bool | None:
    """Tell whether a sum is one of those that are due in one outcome; None where it may be."""
    said = [sums.equals(amount) for amount in due]
    return True if any(said) else (None if None in said else False)


def _uncounted(hand: Hand, actual: Moved, void: bool) -> bool:
    """Tell whether what was collected is all that is known of the stake, or was collected uncounted, as it lay.

    `void`: the dealer's natural leaves nothing to collect but the original wager.
    """
    if not any(stake.placed for stake in hand.stakes.values()):
        return True
    kinds = [event.kind for event in actual.collections if event.cents is None]
    due = [kind for kind in hand.stakes if not (void and kind in VOIDED)]
    return sorted(kinds) == sorted(due) and not actual.payoffs and not actual.corrections
