"""How likely it is that a track is a card of its own: one posterior, to which each piece of evidence adds log odds.

A logistic regression on labelled tracks (`benchmarks/existence_fit.py`), held to the weights under which the cases of
watched recordings come out right. What cannot be a card: print on the felt, bank notes, a hand that passes for a back,
a card on its way, and a second look at a card that has a track.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import median

from msgspec import structs

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.soon_gone import bust_in_one_look, went_at_once
from verifier.reconstruct.table.zones import centre_of, distance

Evidence = dict[str, float]
"""What speaks for and against a track, by the names of the weights (`EXISTENCE_ODDS`), 0 to 1."""


def existing(cards: Sequence[CardTrack], hands: HandLog) -> list[CardTrack]:
    """Return the tracks that are likelier a card of their own than none, none of them surer than the evidence is."""
    told = ((card, log_odds(found)) for card, found in weighed(cards, hands))
    return [structs.replace(card, p=min(card.p, round(chance(odds), 3))) for card, odds in told if odds >= 0.0]


def chance(odds: float) -> float:
    """Return the probability of log odds."""
    return 1.0 / (1.0 + math.exp(-odds))


def weighed(cards: Sequence[CardTrack], hands: HandLog) -> list[tuple[CardTrack, Evidence]]:
    """Return the tracks with their evidence, each weighed beside the cards that were seen more often."""
    known: list[CardTrack] = []
    told: dict[int, Evidence] = {}
    for card in sorted(cards, key=lambda card: -card.n):
        found = told[id(card)] = evidence(card, known, cards, hands)
        if log_odds(found) >= 0.0:
            known.append(card)
    return [(card, told[id(card)]) for card in cards]


def log_odds(found: Evidence) -> float:
    """Log odds that a track with such evidence is a card of its own."""
    return sum(par.EXISTENCE_ODDS[name] * value for name, value in found.items())


def evidence(card: CardTrack, others: Sequence[CardTrack], tracks: Sequence[CardTrack], hands: HandLog) -> Evidence:
    """Return what speaks for and against a track.

    `others` are the cards seen more often than this one, among all `tracks`.
    """
    usual = median([track.mean for track in tracks if track.face == "up"] or [1.0])  # lower in dim light
    face, watched = card.face == "up", hands.known
    lasted = card.t_last - card.t_first
    like = [other for other in others if _like(card, other)]
    passing = not _laid(card)
    return {
        "card": 1.0,
        "doubtful": float(card.p < par.DOUBTFUL_CARD_P),
        "unread": 1.0 - max(card.ranks.values(), default=0.0) if face else 0.0,
        "brief": float(lasted <= par.UNSURE_CARD_BRIEF_S),
        "faint": float(face and watched and card.turned is None and card.mean < par.UNSURE_CARD_MEAN * usual),
        "missed": float(watched and card.n <= par.UNSURE_CARD_MISSED_SHARE * _bare_looks(card, hands)),
        "covered": float(face and lasted <= par.UNSURE_CARD_VISIT_S and _never_bare(card, hands)),
        "by itself": float(watched and by_itself(card, hands, par.FALSE_POSITIVE_LEFT_BARE_S)),
        "upon": float(any(_upon(card, other) for other in others)),
        "like": float(bool(like)),
        "outlived": float(any(_outlived(card, other) for other in like)),
        "instead": float(any(_instead(card, other) for other in like)),
        "between": float(_between(card, tracks)),
        "passing": float(passing),
        "last": float(passing and _last_of_a_hand(card, others, alone=not watched)),
    }


def by_itself(card: CardTrack, hands: HandLog, seconds: float = par.LAYS_S, *, players: bool = True) -> bool:
    """Tell whether no hand was near for so long before a card came into sight, and nobody can have missed one.

    `players` whether a player's may have been: they lay no cards.
    """
    since = card.t_first - seconds
    there = (hand for hand in hands.between(since, card.t_first) if not (players and hand.owner == "player"))
    near = any(hand.over(card.xy, par.REACH_MM) for hand in there)
    return not near and hands.frames(since, card.t_first) >= 2 and hands.blind(since, card.t_first) is None


def _never_bare(card: CardTrack, hands: HandLog) -> bool:
    """Tell whether a track was never seen but under a hand or forearm: one that taps makes faces of cards' edges."""
    covered = {hand.t for hand in hands.between(card.t_first, card.t_last) if Cover((hand,)).hides(card.xy)}
    return len(covered) == hands.frames(card.t_first, card.t_last) > 0


def _bare_looks(card: CardTrack, hands: HandLog) -> int:
    """How many looks there were from a card's first detection to its last with no hand over it."""
    over = {hand.t for hand in hands.between(card.t_first, card.t_last) if hand.over(card.xy, par.HAND_AT_MM)}
    return hands.frames(card.t_first, card.t_last) - len(over)


def _upon(card: CardTrack, other: CardTrack) -> bool:
    """Tell whether a track lies nearly in the middle of a card that was there before it and lay on after it."""
    near = distance(other.at(card.t_rest), card.xy) <= par.FALSE_POSITIVE_UPON_MM
    lay_on = other.end > card.end or (other.end == card.end and card.rank == other.rank is not None)
    return near and other.t_rest < card.t_first and lay_on


def _like(card: CardTrack, other: CardTrack) -> bool:
    """Tell whether a card of a track's rank lay close by before it."""
    near = distance(other.at(card.t_rest), card.xy) <= par.OVERLAP_MM
    return near and card.rank == other.rank is not None and other.t_rest < card.t_first


def _outlived(card: CardTrack, other: CardTrack) -> bool:
    """Tell whether a track shows now and then only and is gone before its like, of its suit: hands go as one."""
    seldom = par.FALSE_POSITIVE_SELDOM_TIMES * card.n <= other.n
    return seldom and card.suit == other.suit is not None and other.end > card.end + par.HAND_TAKEN_UP_S


def _instead(card: CardTrack, other: CardTrack) -> bool:
    """Tell whether a track shows mostly while its like was missed, or is missed itself beside its like."""
    if card.t_last >= other.t_last:
        return False
    lasted = card.t_last - card.t_first
    seldom = par.FALSE_POSITIVE_SELDOM_TIMES * card.n <= other.n and 2 * sum(b - a for a, b in card.unseen) >= lasted
    return seldom or 2 * _missed(other, card) >= lasted


def _missed(card: CardTrack, other: CardTrack) -> float:
    """Seconds for which a card was not seen where it lay while another one was about."""
    return sum(max(0.0, min(until, other.t_last) - max(since, other.t_first)) for since, until in card.unseen)


def _between(card: CardTrack, cards: Sequence[CardTrack]) -> bool:
    """Tell whether a track showed only instead of two cards that overlap, amid them: a third that they seem to form."""
    two = [
        other
        for other in cards
        if other is not card
        and other.place == card.place
        and other.t_rest < card.t_first < other.t_last
        and other.rank is not None
    ]
    return any(
        distance(a.at(card.t_first), b.at(card.t_first)) <= par.OVERLAP_MM
        and distance(centre_of([a.at(card.t_first), b.at(card.t_first)]), card.xy) <= par.OVERLAP_OFF_MM
        and 2 * (_missed(a, card) + _missed(b, card)) >= card.t_last - card.t_first
        for a, b in combinations(two, 2)
    )


def _laid(card: CardTrack) -> bool:
    """Tell whether a card was laid down, not only held still on its way: seen for long at a stretch, or often."""
    down = card.face == "down" and card.turned is None
    often = not down and card.place != "dealer" and card.n >= par.FALSE_POSITIVE_BRIEF_LOOKS
    return card.laid and (often or card.steady >= par.IN_TRANSIT_S[down])


def _last_of_a_hand(card: CardTrack, others: Sequence[CardTrack], *, alone: bool) -> bool:
    """Tell whether a card ended a hand that was taken up at once; of cards `alone` one look tells no more than that."""
    return bust_in_one_look(card, others) if alone and card.n == 1 else went_at_once(card, others)
