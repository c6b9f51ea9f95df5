"""What is owed: the expected movement of every stake of a hand, its tips and its insurance, in cents.

Sources: N.D. Admin. Code 99-01.3-08-09(2)(a),(b), -11(6)-(8), -11(10)(a)-(e), -11(11)-(14). Deltas are the player's:
plus is paid by the house, minus is collected, 0 stays or goes back.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from verifier.engine.outcomes import DealerState, HandFacts, HandState, Outcome, outcome

StakeKind = Literal["original", "split", "double", "insurance", "tip", "tip_double"]

_WIN, _EVEN, _LOSS = 1, 0, -1


class Stakes(Struct, frozen=True, kw_only=True):
    """Stakes of one hand in cents; a hand has either an `original` or a `split` wager. Insurance is the space's."""

    original: int = 0
    split: int = 0
    double: int = 0
    tip: int = 0
    tip_double: int = 0

    @property
    def wager(self) -> int:
        """Original or split wager with its double, tips left out."""
        return self.original + self.split + self.double


class Due(Struct, frozen=True):
    """What is owed on one stake: `delta` cents for the player; `returned` when the stake goes back as void."""

    kind: StakeKind
    stake: int
    delta: int
    returned: bool = False


class HandSettlement(Struct, frozen=True):
    """Expected settlement of one hand, one due for each stake that is not zero."""

    outcome: Outcome
    dues: tuple[Due, ...]

    @property
    def delta(self) -> int:
        """Cents paid to (plus) or collected from (minus) the hand's wagers, tips left out."""
        return sum(due.delta for due in self.dues if due.kind not in ("tip", "tip_double"))

    @property
    def tip_delta(self) -> int:
        """Cents paid (plus) or collected (minus) on the hand's tips."""
        return sum(due.delta for due in self.dues if due.kind in ("tip", "tip_double"))

    @property
    def returned(self) -> int:
        """Cents of void stakes that go back to the player."""
        return sum(due.stake for due in self.dues if due.returned)

    def due(self, kind: StakeKind) -> Due:
        """Return the due of a kind; a zero stake where there is none."""
        return next((due for due in self.dues if due.kind == kind), Due(kind, 0, 0))


def settle_hand(hand: HandState, dealer: DealerState, facts: HandFacts, stakes: Stakes) -> HandSettlement:
    """Return the expected settlement of a hand whose cards and the dealer's are known."""
    return settle_as(outcome(hand, dealer, facts), stakes, bust=hand.bust)


def settle_as(result: Outcome, stakes: Stakes, *, bust: bool = False) -> HandSettlement:
    """Settlement of a hand with a given outcome; `bust` tells that a hand under a dealer's natural had busted."""
    amounts: tuple[tuple[StakeKind, int], ...] = (
        ("original", stakes.original),
        ("split", stakes.split),
        ("double", stakes.double),
        ("tip", stakes.tip),
        ("tip_double", stakes.tip_double),
    )
    return HandSettlement(result, tuple(_due(result, kind, stake, bust) for kind, stake in amounts if stake))


def settle_insurance(cents: int, dealer: DealerState) -> Due:
    """Insurance: plus twice the stake when an ace is up and the dealer has a natural, else lost (11(10)(a),(c))."""
    won = dealer.natural and dealer.up == "ace"
    return Due("insurance", cents, 2 * cents if won else -cents)


def natural_payoff(wager: int) -> int:
    """Three to two on the original wager (11(11), felt statement 02(1))."""
    return wager * 3 // 2


def _due(result: Outcome, kind: StakeKind, stake: int, bust: bool) -> Due:
    if kind in ("tip", "tip_double"):
        return _tip_due(result, kind, stake, bust)
    if result in ("natural_push", "natural_loss") and kind != "original":
        return Due(kind, stake, 0, returned=True)
    if result == "natural" and kind == "original":
        return Due(kind, stake, natural_payoff(stake))
    return Due(kind, stake, _sign(result) * stake)


def _tip_due(result: Outcome, kind: StakeKind, stake: int, bust: bool) -> Due:
    """Return what is due on a tip. It follows its hand one to one, even money is a push, and a busted hand's tip is
    lost at once (11(8)).
    """
    if bust:
        return Due(kind, stake, -stake)
    if result == "even_money":
        return Due(kind, stake, 0)
    if result in ("natural_push", "natural_loss") and kind == "tip_double":
        return Due(kind, stake, 0, returned=True)
    return Due(kind, stake, _sign(result) * stake)


def _sign(result: Outcome) -> int:
    if result in ("win", "natural", "even_money"):
        return _WIN
    return _EVEN if result in ("push", "natural_push") else _LOSS
