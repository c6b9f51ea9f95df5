"""Amounts of money that may be known only in part."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Amount(Struct, frozen=True, gc=False):
    """Between `low` and `high` cents; `high` None where there is no upper bound."""

    low: int
    high: int | None

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def __add__(self, other: Amount) -> Amount:
        high = None if self.high is None or other.high is None else self.high + other.high
        return Amount(self.low + other.low, high)

    def less(self, other: Amount) -> Amount:
        """Return this amount less `other`, never below zero."""
        high = None if self.high is None else max(0, self.high - other.low)
        low = 0 if other.high is None else max(0, self.low - other.high)
        return Amount(low, high)

    def times(self, numerator: int, denominator: int = 1) -> Amount:
        """Return this amount multiplied by a fraction, in whole cents."""
        high = None if self.high is None else self.high * numerator // denominator
        return Amount(self.low * numerator // denominator, high)

    def equals(self, other: Amount) -> bool | None:
        """Tell whether both are the same; None where it cannot be told. Less than half a dollar apart counts as
        the same only when both are exact to the cent (chips are worth 50 cents or more).
        """
        if self.exact and other.exact:
            return abs(self.low - other.low) < TOLERANCE
        if self.high is not None and self.high + TOLERANCE <= other.low:
            return False
        if other.high is not None and other.high + TOLERANCE <= self.low:
            return False
        return None


TOLERANCE = 50
"""Cents: the smallest chip. Amounts closer than this are the same."""
UNKNOWN = Amount(0, None)
NOTHING = Amount(0, 0)


def seen(cents: int | None, lower_bound: bool | None = False) -> Amount:
    """Amount of a record: not seen when `cents` is None, at least `cents` when a stack may hide chips."""
    if cents is None:
        return UNKNOWN
    return Amount(cents, None if lower_bound else cents)


def total(amounts: Iterable[Amount]) -> Amount:
    """Sum of amounts; zero of none."""
    low, high = 0, 0
    open_ended = False
    for amount in amounts:
        low += amount.low
        if amount.high is None:
            open_ended = True
        else:
            high += amount.high
    return Amount(low, None if open_ended else high)


def within(part: Amount, whole: Amount) -> bool | None:
    """Tell whether `part` is no more than `whole`; None where it cannot be told."""
    if part.high is not None and part.high <= whole.low:
        return True
    return False if whole.high is not None and part.low > whole.high else None
