"""A hand of the dealer's that comes back to the hole card and lingers there before it is turned.

Whether it lifts the card's edge is not to be seen from above: the record is weak, and decides nothing alone. Where
players deal they look with an ace or ten-count up: then a hand that lingers there looks.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import HoleCardCheck
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import Layout
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import Xy, distance

TENS_AND_ACE = frozenset("TJQKA")


def peek_events(scene: RoundScene, layout: Layout, turn: float) -> Drafts:
    """`hole_card_check` (peek) where a hand lingers at a card that lies face down before the dealer."""
    if scene.reader:
        return []
    open_cards = [card for hand in layout.space(0) for card in hand.cards if card.face == "up" and not card.turned]
    looks = scene.banked and bool(open_cards) and open_cards[0].rank in TENS_AND_ACE
    p, least = (par.SEEN_P, par.PEEK_ASKED_S) if looks else (par.WEAK_P, par.PEEK_LINGERS_S)
    hidden = [card for hand in layout.space(0) for card in hand.cards if card.face == "down" or card.turned]
    return [
        event(HoleCardCheck, t0, t1, p, how="peek", occluded=None if looks else True)
        for card in hidden[:1]
        for t0, t1 in _lingered(scene, card.at(card.t_rest), card.t_rest, turn, least)[:1]
    ]


def _lingered(scene: RoundScene, xy: Xy, since: float, until: float, least: float) -> list[tuple[float, float]]:
    """When one hand came to a place, stayed there for `least` seconds, and left it again."""
    found = []
    for side in ("left", "right"):
        hands = [hand for hand in scene.hands.between(since, until, "dealer") if hand.side == side]
        away = [hand.t for hand in hands if distance(hand.tip, xy) > par.PEEK_AWAY_MM]
        for t0, t1 in _dwells([hand.t for hand in hands if distance(hand.tip, xy) <= par.PEEK_AT_MM], away):
            came, left = any(t < t0 for t in away), any(t > t1 for t in away)
            if came and left and least <= t1 - t0 <= par.PEEK_LONGEST_S:
                found.append((t0, t1))
    return sorted(found)


def _dwells(at: Sequence[float], away: Sequence[float]) -> list[tuple[float, float]]:
    """Return the stretches of the times `at` in which a hand may have been missed for a moment, and was not seen
    away.
    """
    dwells: list[tuple[float, float]] = []
    for t in at:
        last = dwells[-1] if dwells else None
        if last and t - last[1] <= par.HAND_MISSED_S and not any(last[1] < other < t for other in away):
            dwells[-1] = (last[0], t)
        else:
            dwells.append((t, t))
    return dwells
