"""A wager's row beside its payoff's: what both amount to where one of their chips may be none, or be misread."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from verifier.domain.money import CENTS_BY_COLOUR
from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.piles import Pile


def reconciled(own: Pile, paid: Pile, *, odds: Fraction = par.ODDS_EVEN) -> tuple[Pile, Pile]:
    """Both without chips that may be none, and without amounts where they are as many but differ in one chip.

    Then either the wager was paid wrongly, or that chip was misread in one of both, which is likelier. The same where
    a natural's odds would be right but for the colour of one chip; what is exactly as its `odds` demand was read well.
    A wager of which one chip shows may hide others: only beside a natural is its payoff left open so.
    """
    one, other = agreed(own, paid)
    if (one, other) != (own, paid):
        return one, other
    natural = odds not in (par.ODDS_EVEN, par.ODDS_INSURANCE)
    if None in (own.cents, paid.cents) or not (own.fan or natural):
        return own, paid
    alike = own.fan and own.size == paid.size and (paid.values - own.values).total() == 1
    exact = odds != par.ODDS_EVEN and (paid.cents or 0) == (own.cents or 0) * odds
    if not exact and (
        alike or (paid.fan and own.values != paid.values and _but_one(own, paid, odds if natural else par.ODDS_NATURAL))
    ):
        return replace(own, unsure=True), replace(paid, unsure=True)
    return own, paid


def _but_one(own: Pile, paid: Pile, odds: Fraction) -> bool:
    """Tell whether a natural's odds would have been paid if one chip were of another colour."""
    wager, won = own.cents or 0, paid.cents or 0
    mine, theirs = ([cents for cents in pile.values if cents is not None] for pile in (own, paid))
    return any(won == (wager + other - chip) * odds for chip in mine for other in CENTS_BY_COLOUR.values()) or any(
        won + other - chip == wager * odds for chip in theirs for other in CENTS_BY_COLOUR.values()
    )


def agreed(own: Pile, paid: Pile) -> tuple[Pile, Pile]:
    """Return a wager and its payoff without chips that may be none, where both are equal only then: that is
    likelier.
    """
    if own.values == paid.values:
        return own, paid
    for one, other in ((own.sure, paid), (own, paid.sure), (own.sure, paid.sure)):
        if one.size and one.values == other.values:
            return one, other
    return own, paid


def paid_odds(own: Pile | None, paid: Sequence[Pile]) -> Fraction | None:
    """Return what a stake was paid, in wagers; None where it was not, or an amount does not show."""
    won = [pile.cents for pile in paid]
    if own is None or not own.cents or not won or None in won:
        return None
    return Fraction(sum(cents or 0 for cents in won), own.cents)


def joined(piles: Sequence[Pile]) -> Pile:
    """All chips of several piles as one."""
    return Pile(
        tuple(dwell for pile in piles for dwell in pile.dwells),
        unsure=any(pile.unsure for pile in piles),
        undivided=any(pile.undivided for pile in piles),
    )


# One chip that shows: whether it is all there is


def single(pile: Pile, other: Pile | None) -> bool:
    """Tell whether one visible chip may be taken for the whole: nothing beside it says that it hides others."""
    if pile.size != 1 or pile.cents is None:
        return False
    if other is None or other.cents is None:
        return other is None
    if other.fan:
        mine, whole = pile.cents, other.cents
        if whole < mine:
            return True
        return mine == whole or whole == mine * par.ODDS_NATURAL or mine == whole * par.ODDS_NATURAL
    return pile.cents == other.cents


def doubled(pile: Pile, other: Pile) -> bool:
    """Tell whether one visible chip was paid two to one, as insurance is: by a row, or by one chip of twice its
    value.
    """
    if pile.size != 1 or pile.cents is None or other.cents != 2 * pile.cents:
        return False
    return other.fan or other.size == 1


def perhaps_single(pile: Pile, other: Pile) -> bool:
    """Tell whether a payoff of two such chips leaves open if one was paid double, or two that were not spread
    paid once.
    """
    return pile.size == 1 and other.size == 2 and {dwell.cents for dwell in other.dwells} == {pile.cents}
