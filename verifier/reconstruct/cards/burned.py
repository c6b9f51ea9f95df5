"""Cards taken out of a round and burned: one dealt to a place without a wager, one that a hand should not have got.

Such a card goes to the discards by itself while the other cards of its hand, or the round, lie on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from verifier.domain.events import CardBurned
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import Dealing, Layout
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.scene import Drafts, RoundScene, event


def burned_cards(scene: RoundScene, layout: Layout, stakes: Sequence[Stake]) -> list[Dealing]:
    """Return the dealings whose card was burned."""
    held = frozenset().union(*(held.cards for held in scene.held))
    wagered = {stake.space for stake in stakes}
    return [
        dealing
        for dealing in layout.dealings
        if dealing.card.face == "up"
        and dealing.card.number not in held
        and _taken_alone(dealing, layout, wagered)
        and _to_discards(scene, dealing)
    ]


def burned_events(dealings: Sequence[Dealing]) -> Drafts:
    """`card_burned` of each."""
    return [
        event(CardBurned, d.card.t_last, d.card.gone or d.card.t_last, d.card.p, card=d.card.text, face_shown=True)
        for d in dealings
    ]


def _taken_alone(dealing: Dealing, layout: Layout, wagered: set[int]) -> bool:
    """Tell whether a card went before the others of its hand, or, the only one of a space without a wager, at once."""
    hand, gone = dealing.hand, dealing.card.gone
    others = [card for card in hand.cards if card is not dealing.card]
    if gone is None:
        return False
    if others:
        last = max(others, key=lambda card: card.t_rest).t_rest < dealing.card.t_rest
        return last and len(others) >= 2 and min(_gone(card.gone) for card in others) > gone + par.BURNED_ALONE_S
    later = [d for d in layout.dealings if d.card.t_rest > gone]
    return hand.number not in wagered and len(layout.space(hand.number)) == 1 and len(later) >= 2


def _gone(t: float | None) -> float:
    return math.inf if t is None else t


def _to_discards(scene: RoundScene, dealing: Dealing) -> bool:
    """Tell whether a hand of the dealer was at the discards after taking it; True where the layout has none, or
    no hand is seen at all.
    """
    if "discard" not in scene.table.zones or not scene.hands.known:
        return True
    since = dealing.card.t_last
    return any(
        scene.table.near(hand.tip, "discard", par.BURNED_NEAR_MM)
        for hand in scene.hands.between(since, since + par.BURNED_HAND_PATH_S, "dealer")
    )
