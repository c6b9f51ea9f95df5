"""The card reader: the dealer's two cards leave their place together, and come back to it (99-01.3-08-10(3)(a)).

The reader is not detected. That the cards were away is seen where their place lay bare, and told with its time; a
place that was hidden for as long, or that nobody looked at, leaves it open; so do key frames, which tell of what has
changed alone. Cards that lay in view were not read.
"""

from __future__ import annotations

import math

from verifier.domain.events import HoleCardCheck
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import Layout
from verifier.reconstruct.hands.hands import Cover
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.scene import Drafts, RoundScene, event


def reader_events(scene: RoundScene, layout: Layout, turn: float) -> Drafts:
    """`hole_card_check` of a house with a reader: the dealer's cards were away, or not to be seen, before `turn`."""
    cards = [card for hand in layout.space(0) for card in hand.cards][:2]
    if not (scene.reader and len(cards) == 2):
        return []
    up, hole = cards
    gaps = [
        gap for gap in up.unseen if gap[1] >= hole.t_rest - par.READER_SAME_S and gap[1] <= turn and _shared(gap, hole)
    ]
    found = [(_bare(scene, up, gap) and _bare(scene, hole, gap), gap) for gap in gaps]
    read = next((gap for bare, gap in found if bare), None)
    if read is not None:
        return [event(HoleCardCheck, *read, par.READER_P, how="reader")]
    hidden = [gap for _, gap in found[:1]] or ([(hole.t_rest, max(hole.t_rest, turn))] if scene.keyed else [])
    return [event(HoleCardCheck, *gap, par.WEAK_P, how="reader", occluded=True) for gap in hidden]


def _shared(gap: tuple[float, float], card: CardTrack) -> bool:
    """Tell whether a card was unseen, too, for most of a gap; one that seems to come then was taken for another
    before.
    """
    spans = [*card.unseen, (-math.inf, card.t_rest), *([(card.t_last, math.inf)] if card.gone is not None else [])]
    return any(min(gap[1], t1) - max(gap[0], t0) >= 0.5 * (gap[1] - gap[0]) for t0, t1 in spans)


def _bare(scene: RoundScene, card: CardTrack, gap: tuple[float, float]) -> bool:
    """Tell whether a card's place was looked at in a gap, with no hand or forearm over it, and the card not seen
    there.
    """
    looks = [t for t in scene.hands.times_between(*gap) if gap[0] < t < gap[1]]
    covers = (Cover(tuple(scene.hands.between(t, t))) for t in looks)
    shortest, longest = par.READER_AWAY_S
    lasted = shortest <= gap[1] - gap[0] <= longest
    return lasted and sum(not cover.hides(card.at(math.inf)) for cover in covers) >= par.TWICE_LOOKS
