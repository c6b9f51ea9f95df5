"""A wager's row beside its payoff's: what both amount to where one of their chips may be none, or be misread."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.reconstruct.piles import Pile


def reconciled(own: Pile, paid: Pile) -> tuple[Pile, Pile]:
    """Both without chips that may be none, and without amounts where they are as many but differ in one chip.

    Then either the wager was paid wrongly, or that chip was misread in one of both, which is likelier.
    """
    one, other = agreed(own, paid)
    if (one, other) != (own, paid):
        return one, other
    alike = own.size == paid.size and own.fan and None not in (own.cents, paid.cents)
    if not alike or (paid.values - own.values).total() != 1:
        return own, paid
    return replace(own, unsure=True), replace(paid, unsure=True)


def agreed(own: Pile, paid: Pile) -> tuple[Pile, Pile]:
    """A wager and its payoff, without chips that may be none where both are equal then: that is the likelier story."""
    for one, other in ((own.sure, paid), (own, paid.sure), (own.sure, paid.sure)):
        if one.size and one.values == other.values:
            return one, other
    return own, paid


def joined(piles: Sequence[Pile]) -> Pile:
    """All chips of several piles as one."""
    return Pile(tuple(stay for pile in piles for stay in pile.stays), unsure=any(pile.unsure for pile in piles))
