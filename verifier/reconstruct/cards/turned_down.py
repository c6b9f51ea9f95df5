"""Cards that the player of a hand turned face down where they lay, as a busted hand is given up."""

from __future__ import annotations

from verifier.domain.events import CardsMoved
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.scene import BackSeen, Drafts, RoundScene, event
from verifier.reconstruct.table.zones import distance


def turned_down_events(scene: RoundScene, layout: Layout) -> Drafts:
    """`cards_moved` (turn_down) of each hand whose backs showed where its cards lie; weak where a few looks tell it."""
    drafts: Drafts = []
    for hand in (one for one in layout.hands if one.number):
        backs = _backs(scene, hand)
        if len(backs) < par.TURNED_DOWN_LEAST_LOOKS:
            continue
        p = par.SEEN_P if len(backs) >= par.TURNED_DOWN_LOOKS else par.WEAK_P
        times = [back.t for back in backs]
        drafts.append(event(CardsMoved, min(times), max(times), p, kind="turn_down", from_=hand.place, to=hand.place))
    return drafts


def _backs(scene: RoundScene, hand: CardHand) -> list[BackSeen]:
    """Return the looks at backs where a hand's cards lay face up, from its last card until they were taken up."""
    cards = [card for card in hand.cards if card.face == "up"]
    if not cards:
        return []
    since = max(card.t_rest for card in cards)
    until = max(scene.end if card.gone is None else card.gone for card in cards)
    return [
        back
        for back in scene.backs
        if since < back.t <= until and any(distance(back.xy, card.at(back.t)) <= par.TURNED_DOWN_MM for card in cards)
    ]
