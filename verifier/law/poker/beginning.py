"""Whether a log that begins with a hand's wagers or cards surely holds its antes and blinds (09-04(9), (10))."""

from __future__ import annotations

from verifier.domain.events import CardDealt, ChipsCollected, WagerPlaced
from verifier.law.poker.hand_facts import HandFacts


def _lead_seen(hand: HandFacts) -> bool:
    """Tell whether something of the hand precedes its first wager or card in the log, so that none is missing there."""
    if hand.game.previous is not None or not hand.filmed:
        return True
    return not isinstance(hand.events[0], WagerPlaced | ChipsCollected | CardDealt)


def blinds_seen(hand: HandFacts) -> bool:
    """Tell whether no blind may lie before the beginning of the log."""
    called = hand.first_act is not None and hand.first_act.action == "call"
    none = not hand.blinds and hand.house.poker_blinds is None and not called
    return _lead_seen(hand) or none or {"small", "big"} <= hand.blinds.keys()


def antes_seen(hand: HandFacts) -> bool:
    """Tell whether no ante may lie before the beginning of the log."""
    posted = {e.at for e in hand.events if isinstance(e, WagerPlaced) and e.kind == "ante"}
    return _lead_seen(hand) or not (hand.house.poker_ante or posted) or posted >= set(hand.seats)
