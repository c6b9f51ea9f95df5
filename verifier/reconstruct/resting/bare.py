"""What passes for a face and is none, by the looks at its place with no hand over it."""

from __future__ import annotations

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.resting.cardstory import CardStory


def never_bare(card: CardStory, hands: HandLog) -> bool:
    """Whether what passed for a face that cannot be read was seen for a moment, and never but under a hand or forearm.

    A hand that taps or points between cards makes such a one with their edges; so does a sleeve that covers the side of
    a card: what shows beside it passes for the rim of another one under the sleeve.
    """
    if (
        card.face == "down"
        or card.rank is not None
        or card.p >= par.DOUBTFUL_CARD_P
        or card.t_last - card.t_first > par.UNSURE_CARD_VISIT_S
    ):
        return False
    seen = list(hands.between(card.t_first, card.t_last))
    covered = {hand.t for hand in seen if Cover((hand,)).hides(card.xy)}
    return len(covered) == hands.frames(card.t_first, card.t_last) > 0


def like_print(card: CardStory, hands: HandLog, usual: float) -> bool:
    """Whether a face was found unsurely, missed in many looks at its bare place, and not surely read, or soon gone.

    A felt's letters may pass for one now and then; a card that lies in plain view is found in nearly every look, and
    all of a round about as surely: `usual` is their mean probability, lower in dim light.
    """
    if card.face == "down" or card.turned is not None or card.mean >= par.UNSURE_CARD_MEAN * usual:
        return False
    read = max(card.ranks.values(), default=0.0) >= par.SURE_READ_P
    brief = card.t_last - card.t_first <= par.UNSURE_CARD_BRIEF_S
    return (brief or not read) and card.n <= par.UNSURE_CARD_MISSED_SHARE * _bare_looks(card, hands)


def _bare_looks(card: CardStory, hands: HandLog) -> int:
    """How many looks there were from a card's first sight to its last with no hand over it."""
    over = {hand.t for hand in hands.between(card.t_first, card.t_last) if hand.over(card.xy, par.HAND_AT_MM)}
    return hands.frames(card.t_first, card.t_last) - len(over)
