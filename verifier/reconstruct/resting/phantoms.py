"""Stories of no card of their own: second ones of one card, cards on their way, what two that overlap show between."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import median

from msgspec import structs

from verifier.domain.cards import COLOURS_OF_SUITS
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.resting.cardstory import CardStory
from verifier.reconstruct.resting.soon_gone import bust_in_one_look, went_at_once
from verifier.reconstruct.table.zones import Xy, centre_of, distance


def without_phantoms(cards: Sequence[CardStory], hands: HandLog) -> list[CardStory]:
    """Return the cards without doubtful ones that came by themselves or lay upon one that lay on.

    Where hands are known: bills and plaques that a player lays down may pass for faces. And without echoes.
    """
    usual = median([card.mean for card in cards if card.face == "up"] or [1.0])
    return [
        card
        for card in cards
        if not (hands.known and by_itself(card, hands) and _upon(card, cards))
        and not (hands.known and _doubtful(card) and by_itself(card, hands, par.PHANTOM_LEFT_BARE_S))
        and not never_bare(card, hands)
        and not (hands.known and like_print(card, hands, usual))
        and not _echo(card, cards)
    ]


def _doubtful(card: CardStory) -> bool:
    return card.p < par.DOUBTFUL_CARD_P or (card.face == "up" and card.rank is None)


def by_itself(card: CardStory, hands: HandLog, seconds: float = par.LAYS_S, *, players: bool = True) -> bool:
    """Tell whether no hand was near for so long before a card came into sight, and nobody can have missed one.

    `players` whether a player's may have been: they lay no cards.
    """
    since = card.t_first - seconds
    there = (hand for hand in hands.between(since, card.t_first) if not (players and hand.owner == "player"))
    near = any(hand.over(card.xy, par.REACH_MM) for hand in there)
    return not near and hands.frames(since, card.t_first) >= 2 and hands.blind(since, card.t_first) is None


def _upon(card: CardStory, cards: Sequence[CardStory]) -> bool:
    """Tell whether a card lay upon another, nearly in its middle, that was there before and after it."""
    return any(
        other is not card
        and other.n > card.n
        and distance(other.at(card.t_rest), card.xy) <= par.PHANTOM_UPON_MM
        and other.t_rest < card.t_first
        and _end(other) > _end(card)
        for other in cards
    )


def _echo(card: CardStory, cards: Sequence[CardStory]) -> bool:
    """Tell whether a card shows what one near it shows which was there from before it until after it: a second
    look at that one, whoever was near. Doubtful, if it lay upon it; however sure, if it was seen seldom and went
    by itself, of the same suit; or if it showed only instead of it.
    """
    return card.rank is not None and any(
        other is not card
        and other.rank == card.rank
        and other.t_rest < card.t_first
        and other.n > card.n
        and (_upon_its_like(card, other) or _now_and_then(card, other) or _instead(card, other))
        for other in cards
    )


def _upon_its_like(card: CardStory, other: CardStory) -> bool:
    near = distance(other.at(card.t_rest), card.xy) <= par.PHANTOM_UPON_MM
    return card.p < par.DOUBTFUL_CARD_P and near and _end(other) >= _end(card)


def _now_and_then(card: CardStory, other: CardStory) -> bool:
    """Tell whether a card shows now and then only, though the cards of a hand are taken up together."""
    near = card.suit == other.suit is not None and distance(other.at(card.t_rest), card.xy) <= par.OVERLAP_MM
    return near and par.PHANTOM_SELDOM_TIMES * card.n <= other.n and _end(other) > _end(card) + par.PHANTOM_BACK_S


def _end(card: CardStory) -> float:
    return math.inf if card.gone is None else card.gone


def _instead(card: CardStory, other: CardStory) -> bool:
    if distance(other.at(card.t_rest), card.xy) > par.OVERLAP_MM or card.t_last >= other.t_last:
        return False
    seldom = (
        par.PHANTOM_SELDOM_TIMES * card.n <= other.n
        and 2 * sum(b - a for a, b in card.unseen) >= card.t_last - card.t_first
    )
    return seldom or 2 * _missed(other, card) >= card.t_last - card.t_first


def distinct(cards: Iterable[CardStory], glimpsed: Iterable[CardStory] = (), *, alone: bool = False) -> list[CardStory]:
    """Without second stories of one card: those at one place and time are joined to the one seen most often.

    Cards that were only `glimpsed` are told where they ended a hand that went at once with them.
    `alone` where cards are all that is seen: two ranks, or a face and a card laid face down, are two cards then, unless
    they lie on one spot; and those glimpsed are of one look each.
    """
    told = list(cards)
    kept: list[CardStory] = []
    for card in sorted((one for one in told if not _between(one, told)), key=lambda card: -card.n):
        twins = (i for i, other in enumerate(kept) if _same_card(card, other, alone=alone) or _lay(card, other, told))
        twin = next(twins, None)
        if twin is not None:
            kept[twin] = _joined(kept[twin], card)
        elif _laid(card) or went_at_once(card, kept):
            kept.append(card)
    for card in glimpsed:
        other = any(_same_card(card, one, alone=alone) for one in kept)
        if not other and (bust_in_one_look if alone else went_at_once)(card, kept):
            kept.append(structs.replace(card, laid=not alone))
    return sorted(kept, key=lambda card: card.t_rest)


def _between(card: CardStory, cards: Sequence[CardStory]) -> bool:
    """Tell whether a card showed only instead of two that overlap, amid them, and they lay there before it and
    showed again after: a third one that they seem to form.
    """
    two = [
        other
        for other in cards
        if other is not card
        and other.place == card.place
        and other.t_rest < card.t_first < other.t_last
        and other.rank is not None
        and distance(other.at(card.t_first), card.xy) <= par.OVERLAP_MM / 2 + par.OVERLAP_OFF_MM
    ]
    return any(
        distance(a.at(card.t_first), b.at(card.t_first)) <= par.OVERLAP_MM
        and distance(centre_of([a.at(card.t_first), b.at(card.t_first)]), card.xy) <= par.OVERLAP_OFF_MM
        and 2 * (_missed(a, card) + _missed(b, card)) >= card.t_last - card.t_first
        for a, b in combinations(two, 2)
    )


def _missed(card: CardStory, other: CardStory) -> float:
    """Seconds for which a card was not seen where it lay while another one was about."""
    return sum(max(0.0, min(until, other.t_last) - max(since, other.t_first)) for since, until in card.unseen)


def _same_card(a: CardStory, b: CardStory, *, alone: bool) -> bool:
    """Tell whether two stories lay at one place at one time; where a card has moved away from, another may come
    to lie.
    """
    two = a.face != b.face or bool(a.rank and b.rank and a.rank != b.rank)
    near = par.PHANTOM_APART_MM if alone and two else par.TWIN_MM
    if alone and _seen_apart(a, b):
        return False
    if any(_shown_again(before, after) or _goes_on(before, after) for before, after in ((a, b), (b, a))):
        return True
    return a.place == b.place and any(
        distance(xy, other) < near and t0 < until and since < t1
        for xy, t0, t1 in _held(a)
        for other, since, until in _held(b)
    )


def _shown_again(before: CardStory, after: CardStory) -> bool:
    """Tell whether a card that seemed to creep away shows again where it had lain, just as it seems to be gone."""
    alike = before.place == after.place and before.rank == after.rank is not None and before.suit == after.suit
    if (
        not alike
        or before.gone is None
        or len(before.stays) < 2
        or abs(after.t_first - before.gone) > par.PHANTOM_BACK_S
    ):
        return False
    (home, _, _), (away, since, _) = before.stays[-2:]
    crept = before.t_last - since <= par.PHANTOM_CREPT_S and distance(home, away) <= par.OVERLAP_MM / 2
    return crept and distance(home, after.at(after.t_rest)) <= par.PHANTOM_APART_MM


def _goes_on(before: CardStory, after: CardStory) -> bool:
    """Tell whether a card lies where one like it was last seen a moment before: no hand lays another there so soon."""
    alike = before.place == after.place and before.rank == after.rank is not None and before.suit == after.suit
    at_once = 0.0 <= after.t_first - before.t_last <= par.PHANTOM_BACK_S
    return alike and at_once and distance(before.at(before.t_last), after.xy) <= par.PHANTOM_APART_MM


def _lay(a: CardStory, b: CardStory, told: Sequence[CardStory]) -> bool:
    """Tell whether a card that was out of sight for a while shows again where it had lain, be it read as the
    other suit of its colour, and another of its hand lay there all the time: a hand's cards are taken up
    together.
    """
    before, after = sorted((a, b), key=lambda card: card.t_first)
    suit = before.suit == after.suit or {before.suit, after.suit} in COLOURS_OF_SUITS
    alike = before.place == after.place and before.rank == after.rank is not None and suit
    return (
        alike
        and distance(before.at(before.t_last), after.xy) <= par.PHANTOM_APART_MM
        and any(
            other is not a
            and other is not b
            and other.place == a.place
            and other.t_rest < before.t_last
            and _end(other) > after.t_rest
            for other in told
        )
    )


def _seen_apart(a: CardStory, b: CardStory) -> bool:
    """Tell whether two stories were seen at one time at two places: two cards, which may lie in one pile later."""
    return any(
        distance(xy, other) > par.TWIN_MM and min(until, end) - max(t0, since) >= par.PHANTOM_APART_S
        for xy, t0, until in a.stays
        for other, since, end in b.stays
    )


def _held(card: CardStory) -> list[tuple[Xy, float, float]]:
    """Where a card lay, each place until it came to the next one or was gone."""
    ends = [*(t0 for _, t0, _ in card.stays[1:]), _end(card)]
    return [(xy, t0, end) for (xy, t0, _), end in zip(card.stays, ends, strict=True)]


def _joined(main: CardStory, other: CardStory) -> CardStory:
    """Return the main track; it begins with the other where that came first with the same reading, and ends with it
    likewise.

    Where the main one lay meanwhile it lay: what the other tells of that time is a look that was off.
    """
    if other.turned is not None and main.turned is None:
        main, other = other, main
    shown = main.turned is not None and other.face == "up"
    if main.rank != other.rank or not (main.face == other.face or shown):
        return main
    gone = None if main.gone is None or other.gone is None else max(main.gone, other.gone)
    since, until = main.stays[0][1], main.stays[-1][2]
    outside = [stay for stay in other.stays if stay[1] < since or stay[2] > until]
    stays = tuple(sorted({*main.stays, *outside}, key=lambda stay: stay[1]))
    return structs.replace(
        main, stays=stays, gone=gone, t_first=min(main.t_first, other.t_first), t_last=max(main.t_last, other.t_last)
    )


def _laid(card: CardStory) -> bool:
    """Tell whether a card was laid down, not only held still on its way: seen for long enough at a stretch, or
    often.
    """
    down = card.face == "down" and card.turned is None
    return card.steady >= par.IN_TRANSIT_S[down] or (
        not down and card.place != "dealer" and card.n >= par.PHANTOM_BRIEF_LOOKS
    )


# What passes for a face, by the looks at its place with no hand over it


def never_bare(card: CardStory, hands: HandLog) -> bool:
    """Tell whether what passed for a face that cannot be read was seen for a moment, and never but under a hand or
    forearm.

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
    """Tell whether a face was found unsurely, missed in many looks at its bare place, and not surely read, or soon
    gone.

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
