"""Clauses of the Washington proposals that can be broken where a player deals and banks."""

from __future__ import annotations

from typing import Final

from verifier.domain.rulebooks import BANKED, Rulebook
from verifier.simulate.play import clauses

WAGER_ORDER: Final = "WA-125.4-first-wager-left"
OVER_MOST: Final = "WA-125.4-max-25"
MATCH: Final = "WA-125.4-match-wager"
UNCOVERED: Final = "WA-125.4-only-covered-dealt"
DEAL_ORDER: Final = "WA-125.5-deal-order"
NATURAL_EVEN: Final = "WA-125.5-natural-pays-1.5"
TIE_TAKEN: Final = "WA-125.5-tie-recover"
NO_LOOK: Final = "WA-125.6-peek-shall-B"
DEALER_NATURAL: Final = "WA-125.6-dealer-natural-collect"
NATURALS_RIGHT: Final = "WA-125.6-pay-naturals-from-left"
PLAY_RIGHT: Final = "WA-125.7-play-left"
NOT_TURNED_DOWN: Final = "WA-125.7-bust-turn-down"
DEALER_BUST: Final = "WA-125.7-dealer-bust-pays"
WRONG_WINNER: Final = "WA-125.7-compare-totals"
WAGER_CHANGED: Final = "WA-125.10-no-touch-wagers"
CARD_LIFTED: Final = "WA-125.11-no-lifting-cards"
TWO_SHOES: Final = "WA-125.12-one-shoe"
STANDS_LOW: Final = "WA-125.13-stand-17"
DOUBLE_DRAWS: Final = "WA-125.14-double-one-card"
DOUBLE_BARE: Final = "WA-125.14-double-short-bank"

EVERY: Final = (
    WAGER_ORDER, MATCH, UNCOVERED, NATURAL_EVEN, TIE_TAKEN, NO_LOOK, DEALER_NATURAL, NATURALS_RIGHT, PLAY_RIGHT,
    NOT_TURNED_DOWN, DEALER_BUST, WRONG_WINNER, WAGER_CHANGED, CARD_LIFTED, TWO_SHOES, STANDS_LOW, DOUBLE_DRAWS,
    DOUBLE_BARE, OVER_MOST,
)  # fmt: skip
SESSION: Final = (TWO_SHOES,)
"""Broken between rounds."""


def acts(rulebook: Rulebook) -> dict[str, str]:
    """Return the breaches that can be planted under a proposal, by the id of the act; none under other rulebooks.

    Only the proposal B asks for the look at the hole card.
    """
    if rulebook not in BANKED:
        return {}
    own = {clause: clause for clause in EVERY if rulebook == "wa-blackjack-b" or clause != NO_LOOK}
    return {clauses.DEAL_ORDER: DEAL_ORDER, **own}
