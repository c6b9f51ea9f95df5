"""What passes for a face and is none, by the looks at its place with no hand over it."""

from __future__ import annotations

from verifier.reconstruct.hands.hands import MARGIN_MM, Cover, HandLog
from verifier.reconstruct.resting.cardstory import CardStory
from verifier.reconstruct.table.sights import SURE_READ

DOUBTFUL = 0.95
"""Presence below which a card that no dealer's hand laid is none: real ones are found surely from the first look on."""
VISIT_SECONDS = 1.5
"""A hand that taps or points is there for no longer."""
UNSURE_MEAN, MISSED_SHARE, BRIEF_SECONDS = 0.8, 0.7, 3.0
"""Print is found with less than the first's share of the usual probability, in no more than that share of the looks."""


def never_bare(card: CardStory, hands: HandLog) -> bool:
    """Whether what passed for a face that cannot be read was seen for a moment, and never but under a hand or forearm.

    A hand that taps or points between cards makes such a one with their edges; so does a sleeve that covers the side of
    a card: what shows beside it passes for the rim of another one under the sleeve.
    """
    if card.face == "down" or card.rank is not None or card.p >= DOUBTFUL or card.t_last - card.t_first > VISIT_SECONDS:
        return False
    seen = list(hands.between(card.t_first, card.t_last))
    covered = {hand.t for hand in seen if Cover((hand,)).hides(card.xy)}
    return len(covered) == hands.frames(card.t_first, card.t_last) > 0


def like_print(card: CardStory, hands: HandLog, usual: float) -> bool:
    """Whether a face was found unsurely, missed in many looks at its bare place, and not surely read, or soon gone.

    A felt's letters may pass for one now and then; a card that lies in plain view is found in nearly every look, and
    all of a round about as surely: `usual` is their mean probability, lower in dim light.
    """
    if card.face == "down" or card.turned is not None or card.mean >= UNSURE_MEAN * usual:
        return False
    read = max(card.ranks.values(), default=0.0) >= SURE_READ
    brief = card.t_last - card.t_first <= BRIEF_SECONDS
    return (brief or not read) and card.n <= MISSED_SHARE * _bare_looks(card, hands)


def _bare_looks(card: CardStory, hands: HandLog) -> int:
    """How many looks there were from a card's first sight to its last with no hand over it."""
    over = {hand.t for hand in hands.between(card.t_first, card.t_last) if hand.over(card.xy, MARGIN_MM)}
    return hands.frames(card.t_first, card.t_last) - len(over)
