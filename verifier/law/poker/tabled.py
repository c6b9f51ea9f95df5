"""The hands that are shown for a pot: live, whole, and shown before the award (99-01.3-09-04(24))."""

from __future__ import annotations

from verifier.domain.events import PlayerAction
from verifier.domain.poker import FULL_HAND
from verifier.law.poker.hand import PokerHand


def tabled(hand: PokerHand) -> dict[str, tuple[str, ...]]:
    """Hole cards of the live hands that were shown before the award; unread ones are `??`. Fouled hands are dead."""
    size = FULL_HAND[hand.variant] if hand.variant else 0
    found = {}
    for seat in hand.live:
        known = hand.cards.known(seat)
        if seat in fouled(hand) or len(known) > size or not shown_in_time(hand, seat):
            continue
        found[seat] = known + ("??",) * (size - len(known))
    return found


def fouled(hand: PokerHand) -> frozenset[str]:
    """Live seats whose hands have a wrong number of cards after a whole deal."""
    size = FULL_HAND.get(hand.variant or "")
    if size is None:
        return frozenset()
    dealt = max((hand.cards.count(seat) for seat in hand.live), default=0)
    whole = hand.variant != "seven_card_stud" or dealt >= size
    return frozenset(s for s in hand.live if whole and hand.cards.count(s) != size)


def shown_in_time(hand: PokerHand, seat: str) -> bool:
    """Tell whether a live hand was shown before the first award."""
    if any(hand.position(e) < hand.award_position for e in hand.reveals.get(seat, ())):
        return True
    size = FULL_HAND.get(hand.variant or "", 0)
    shows = any(isinstance(e, PlayerAction) and e.at == seat and e.action == "show" for e in hand.events)
    return shows or (len(hand.cards.known(seat)) >= size and seat in hand.cards.shown)
