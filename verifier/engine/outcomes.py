"""Who wins: the outcome of each hand against the dealer, on known cards and over sets of possible ranks.

Sources: N.D. Admin. Code 99-01.3-08-09(2)(b), -11(6)-(8), -11(10)(d)-(h), -11(11), -11(12). Rows are tried top down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from verifier.engine.rules import TWENTY_ONE, Rules
from verifier.engine.totals import LIMIT, RankSet, hand_total, is_natural, is_ten_count, may_be_natural, possible_totals

Outcome = Literal["even_money", "bust", "natural_push", "natural_loss", "natural", "win", "push", "lose"]
"""even_money: taken before the dealer's other card is known. bust: stake and tip lost by busting. natural_push and
natural_loss: the dealer has a natural, so only the original wager counts and split and double stakes go back. natural:
paid three to two. win, push, lose: by comparing totals."""

UpClass = Literal["ace", "ten", "low"]
"""The dealer's faceup card: an ace, a ten-count, or 2 to 9."""

BustTiming = Literal["at_once", "held"]

PAID: Final[frozenset[str]] = frozenset({"even_money", "natural", "win"})
TIED: Final[frozenset[str]] = frozenset({"natural_push", "push"})
LOST: Final[frozenset[str]] = frozenset({"bust", "natural_loss", "lose"})


class HandState(Struct, frozen=True, order=True):
    """What of a player's hand decides its outcome; `natural`: its two original cards, not of a split, are a natural.

    A doubled natural keeps `natural` true (it pushes against a dealer's natural) but is otherwise an ordinary hand.
    """

    total: int
    natural: bool = False

    @property
    def bust(self) -> bool:
        return self.total > LIMIT


class DealerState(Struct, frozen=True, order=True):
    """What of the dealer's kept cards decides outcomes; burned cards are left out by the caller."""

    up: UpClass
    total: int
    natural: bool = False

    @property
    def bust(self) -> bool:
        return self.total > LIMIT


class HandFacts(Struct, frozen=True, kw_only=True):
    """How a hand was wagered: part of a split, doubled, its space insured, even money taken."""

    split: bool = False
    doubled: bool = False
    insured: bool = False
    even_money: bool = False

    @property
    def extra(self) -> bool:
        """Whether there is a wager besides the original (11(6)-(8))."""
        return self.split or self.doubled or self.insured


def up_class(rank: str) -> UpClass:
    """Class of the dealer's faceup card."""
    if rank == "A":
        return "ace"
    return "ten" if is_ten_count(rank) else "low"


def hand_state(ranks: Sequence[str], *, split: bool = False) -> HandState:
    """State of a player's hand from its ranks in the order dealt."""
    return HandState(hand_total(ranks).best, not split and is_natural(ranks[:2]))


def dealer_state(ranks: Sequence[str], up: str) -> DealerState:
    """State of the dealer's kept cards, initial two first; `up` is the rank of the faceup card."""
    return DealerState(up_class(up), hand_total(ranks).best, is_natural(ranks[:2]))


def hand_states(slots: Sequence[RankSet], *, split: bool = False) -> frozenset[HandState]:
    """Every state that a player's hand may have when card `i` is one of `slots[i]`."""
    if split:
        return frozenset(HandState(total.best) for total in possible_totals(slots))
    return frozenset(HandState(best, natural) for best, natural in _totals_with_natural(slots))


def dealer_states(slots: Sequence[RankSet], up_index: int = 0) -> frozenset[DealerState]:
    """Every state that the dealer's kept cards may have; `slots[up_index]` is the faceup card."""
    found: set[DealerState] = set()
    for rank in slots[up_index]:
        fixed = [frozenset({rank}) if index == up_index else slot for index, slot in enumerate(slots)]
        found |= {DealerState(up_class(rank), best, natural) for best, natural in _totals_with_natural(fixed)}
    return frozenset(found)


def outcome(hand: HandState, dealer: DealerState, facts: HandFacts, rules: Rules = TWENTY_ONE) -> Outcome:
    """Outcome of one hand against the dealer (99-01.3-08-11(10) to (12))."""
    if facts.even_money:
        return "even_money"
    if hand.bust and not (rules.returns_extra and dealer.natural and (facts.split or facts.doubled)):
        return "bust"
    if dealer.natural:
        return _against_natural(hand, facts, rules)
    if hand.natural and not facts.doubled:
        return "natural"
    if dealer.bust or hand.total > dealer.total:
        return "win"
    return "push" if hand.total == dealer.total else "lose"


def _against_natural(hand: HandState, facts: HandFacts, rules: Rules) -> Outcome:
    if hand.natural:
        return "natural_push" if rules.saves_insured_natural or not facts.insured else "lose"
    if rules.simple_21_pushes and hand.total == LIMIT:
        return "push"
    return "natural_loss" if rules.returns_extra else "lose"


def possible_outcomes(
    hands: Iterable[HandState], dealers: Iterable[DealerState], facts: HandFacts, rules: Rules = TWENTY_ONE
) -> frozenset[Outcome]:
    """Every outcome over all readings of the hand and of the dealer's cards."""
    dealer_list = tuple(dealers)
    return frozenset(outcome(hand, dealer, facts, rules) for hand in hands for dealer in dealer_list)


def bust_timing(up: UpClass, facts: HandFacts, *, reader: bool) -> BustTiming:
    """Tell whether a busted hand's stake is taken at once or held until the dealer's second card is known (11(6)-(8)).

    With a reader the natural is already excluded, so nothing needs holding (catalogue: ND-08-11.8-reader-gap).
    """
    if reader or up == "low" or not facts.extra:
        return "at_once"
    return "held"


def _totals_with_natural(slots: Sequence[RankSet]) -> set[tuple[int, bool]]:
    """Pairs of best total and whether the first two cards are a natural, over all readings."""
    if len(slots) < 2:
        return {(total.best, False) for total in possible_totals(slots)}
    found: set[tuple[int, bool]] = set()
    naturals = may_be_natural(slots[:2])
    if True in naturals:
        for first, second in _natural_readings(slots[0], slots[1]):
            found |= {(t.best, True) for t in possible_totals((first, second, *slots[2:]))}
    if False in naturals:
        for rank in slots[0]:
            rest = frozenset(other for other in slots[1] if not is_natural((rank, other)))
            found |= {(t.best, False) for t in possible_totals(((rank,), rest, *slots[2:]))}
    return found


def _natural_readings(first: RankSet, second: RankSet) -> Iterable[tuple[tuple[str, ...], tuple[str, ...]]]:
    tens_first = tuple(rank for rank in first if is_ten_count(rank))
    tens_second = tuple(rank for rank in second if is_ten_count(rank))
    if "A" in first and tens_second:
        yield ("A",), tens_second
    if "A" in second and tens_first:
        yield tens_first, ("A",)
