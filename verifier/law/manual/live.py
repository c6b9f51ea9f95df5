"""Which hands still depend on the dealer's total."""

from __future__ import annotations

from typing import Final

from verifier.domain.events import ChipsCollected, ChipsReturned
from verifier.law.hands import Hand
from verifier.law.rounds import Round

HALF: Final = 2


def surrendered(game: Round, hand: Hand) -> bool:
    """Tell whether the hand was given up: half of its wager came back, or half was taken before the dealer's turn."""
    if any(e.reason == "surrender" for e in game.at(ChipsReturned, hand.key)):
        return True
    stake = hand.stakes.get("original")
    if not game.house.surrender_allowed or stake is None or not stake.first.exact or len(hand.cards) > HALF:
        return False
    taken = [e for e in game.at(ChipsCollected, hand.key) if e.kind == "original"]
    early = bool(taken) and (game.turn_t is None or taken[0].t_end <= game.turn_t)
    return early and taken[0].cents is not None and taken[0].cents * HALF == stake.first.low


def live_hands(game: Round) -> dict[Hand, bool | None]:
    """Hands whose outcome the dealer's total may change: True for certain, None where a card was not read."""
    found: dict[Hand, bool | None] = {}
    for hand in game.playing:
        natural = False if hand.doubled else hand.natural
        if hand.bust or natural or surrendered(game, hand):
            continue
        found[hand] = None if hand.bust is None or natural is None else True
    return found
