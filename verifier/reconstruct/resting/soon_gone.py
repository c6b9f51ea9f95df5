"""Cards taken up as soon as they lay, with the others of their hand: too soon to tell them from cards on their way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from verifier.engine.totals import hand_total
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.next_card import next_spot, number_of, steps_of
from verifier.reconstruct.table.zones import Xy, distance


def went_at_once(card: CardTrack, kept: Sequence[CardTrack]) -> bool:
    """Tell whether a card ended a hand that went at once with it, among the cards that were surely laid (`kept`)."""
    return _made_the_bust(card, kept) or _drawn_at_the_end(card, kept)


def _made_the_bust(card: CardTrack, kept: Sequence[CardTrack]) -> bool:
    """Tell whether a card that was read lay where the next of a hand is expected, and went with it at once: a bust.

    A long hand, or one that was split, reaches into the neighbour's area.
    """
    if card.face != "up" or card.rank is None or card.n < par.SURE_LOOKS or card.gone is None:
        return False
    before = [other for other in kept if other.t_rest < card.t_first and other.face == "up" and other.place]
    hands = [[other for other in before if other.place == place] for place in {other.place for other in before}]
    lasts = [max(hand, key=lambda other: other.t_rest) for hand in hands if len(hand) >= 2]
    return any(
        last.gone is not None
        and abs(last.gone - card.gone) <= par.HAND_TAKEN_UP_S
        and distance(next_spot(last, card.t_rest), card.xy) <= par.NEXT_CARD_NEAR_MM
        for last in lasts
    )


def _drawn_at_the_end(card: CardTrack, kept: Sequence[CardTrack]) -> bool:
    """Tell whether a card that was read lay among the dealer's and went with them at once, when no other cards were
    left.

    While players' cards are taken up, one that is carried over the dealer's passes for such a card. A long hand reaches
    to the dealer's place: what went from there before the card came was a player's.
    """
    dealers = [other for other in kept if other.place == card.place and other.t_rest < card.t_first < other.end]
    if card.place != "dealer" or card.rank is None or card.gone is None or not dealers:
        return False
    if card.n < par.SURE_LOOKS and card.rank in {other.rank for other in dealers}:
        return False
    together = all(o.gone is not None and abs(o.gone - card.gone) <= par.HAND_TAKEN_UP_S for o in dealers)
    players = [other.end for other in kept if other.place != card.place or other.end <= card.t_first]
    return together and all(gone <= card.t_first - par.SOON_GONE_LEFT_S for gone in players)


def bust_in_one_look(card: CardTrack, kept: Sequence[CardTrack]) -> bool:
    """Tell whether a face that one of rare looks showed made a bust that the next one missed, where no hands are seen.

    It lay where the hand's next card is expected, is too much for it and not without it, and the dealer had shown no
    second card, after which hands are taken up for other reasons.
    """
    if card.rank is None or card.gone is None or sum(_shown(other, card.t_first) for other in kept) > 1:
        return False
    went = [
        other
        for other in kept
        if other.place.startswith("space")
        and other.face == "up"
        and other.t_rest < card.t_first
        and other.gone is not None
        and abs(other.gone - card.gone) <= par.SOON_GONE_LOOK_S
    ]
    hands = [[other for other in went if other.place == place] for place in {other.place for other in went}]
    return any(_busts(hand, card, steps_of(kept)) for hand in hands if len(hand) >= 2)


def _busts(hand: Sequence[CardTrack], card: CardTrack, steps: Mapping[int, Xy]) -> bool:
    last = max(hand, key=lambda other: other.t_rest)
    spot = next_spot(last, card.t_rest, steps.get(number_of(last), par.NEXT_CARD_MM))
    ranks = [other.rank for other in hand if other.rank is not None]
    over = (
        hand_total(ranks).best <= par.MOST_TOTAL < hand_total([*ranks, card.rank or ""]).best
        if len(ranks) == len(hand)
        else False
    )
    return over and distance(spot, card.xy) <= par.NEXT_CARD_NEAR_MM


def _shown(card: CardTrack, t: float) -> bool:
    """Tell whether a card of the dealer's showed its face by `t`."""
    since = card.turned[1] if card.turned else card.t_rest if card.face == "up" else math.inf
    return card.place == "dealer" and since <= t
