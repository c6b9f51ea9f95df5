"""One chip that shows: whether it is all there is, or may hide others below it."""

from __future__ import annotations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.piles import Pile


def single(pile: Pile, other: Pile | None) -> bool:
    """Whether one visible chip may be taken for the whole: nothing beside it says that it hides others."""
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
    """Whether one visible chip was paid two to one, as insurance is: by a row, or by one chip of twice its value."""
    if pile.size != 1 or pile.cents is None or other.cents != 2 * pile.cents:
        return False
    return other.fan or other.size == 1


def perhaps_single(pile: Pile, other: Pile) -> bool:
    """Whether a payoff of two such chips leaves open if one was paid double, or two that were not spread paid once."""
    return pile.size == 1 and other.size == 2 and {stay.cents for stay in other.stays} == {pile.cents}
