"""When the dealer has to stand, and the hand before a card drawn too much (99-01.3-08-11(10)(f),(g), 12(10))."""

from __future__ import annotations

from typing import cast

from verifier.engine.outcomes import DealerState, dealer_states
from verifier.engine.totals import possible_totals
from verifier.law.hands import HeldCard, agree
from verifier.law.rounds import Round


def overdrawn(game: Round) -> tuple[HeldCard, ...] | None:
    """Return the dealer's cards before the first one drawn and kept though the dealer had to stand; None where there is
    no such card.
    """
    if ("overdrawn",) not in game.memo:
        game.memo["overdrawn",] = _overdrawn(game)
    return cast("tuple[HeldCard, ...] | None", game.memo["overdrawn",])


def _overdrawn(game: Round) -> tuple[HeldCard, ...] | None:
    cards = game.dealer.cards
    for count in range(2, len(cards)):
        totals = possible_totals([card.ranks for card in cards[:count]])
        if agree(game.rules.may_draw(total, count) for total in totals) is False:
            return cards[:count]
    return None


def states_before(game: Round) -> frozenset[DealerState]:
    """States of the dealer's hand without what was drawn too much: by 12(10) the round is settled against it."""
    kept = overdrawn(game)
    if kept is None or game.dealer.up_index is None:
        return frozenset()
    return dealer_states([card.ranks for card in kept], game.dealer.up_index)
