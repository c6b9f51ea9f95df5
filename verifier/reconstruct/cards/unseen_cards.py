"""Cards that nobody saw lie there, told by what was done with their hands: only a bust is taken, or laid aside, early.

Nothing else tells of them, so that their records are weak, without a rank.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import CardDealt
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.scene import Drafts, RoundScene, event

VALUES = {"A": 1, **{str(value): value for value in range(2, par.TEN_VALUE)}}
"""Least values of ranks; all others count ten."""


def unseen_cards(scene: RoundScene, layout: Layout, settled: Sequence[Settled], turn: float) -> Drafts:
    """Return the last card of hands whose cards make no bust, though they were laid aside or collected as one.

    The former went with the others before it was seen to lie there; the latter came in a gap of the looks, before the
    hand's chips were collected, before the dealer's `turn`.
    """
    drafts: Drafts = []
    early = {
        one.stake.place: one.stake.gone
        for one in settled
        if one.taken and one.stake.gone < turn and one.stake.kind in ("original", "split", "double")
    }
    for hand in layout.hands:
        if not hand.number or len(hand.cards) < 2 or _may_be_bust(hand):
            continue
        aside = [held.since for held in scene.held if {card.number for card in hand.cards} & held.cards]
        if aside:
            drafts.append(_dealt(hand, aside[0] - par.CARD_DRAW_S, aside[0]))
        elif hand.place in early:
            gap = scene.hands.blind(hand.cards[-1].t_rest, early[hand.place])
            drafts += [] if gap is None else [_dealt(hand, *gap)]
    return drafts


def _may_be_bust(hand: CardHand) -> bool:
    values = [VALUES.get(card.rank or "", par.TEN_VALUE) for card in hand.cards]
    return any(card.rank is None for card in hand.cards) or sum(values) > par.MOST_TOTAL


def _dealt(hand: CardHand, t0: float, t1: float) -> CardDealt:
    return event(CardDealt, t0, t1, par.WEAK_P, card="??", to=hand.place, face="up", seq=None, occluded=True)
