"""Cards of a round: which hand each went to, and how pairs were split."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from verifier.domain.places import space as space_text
from verifier.reconstruct import parameters as par
from verifier.reconstruct.cards.arrivals import as_dealt, in_order, landed
from verifier.reconstruct.cards.found import found_lying, hands_found
from verifier.reconstruct.cards.touches import slipped
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout, Parted
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.next_card import number_of, steps_of
from verifier.reconstruct.table.zones import Xy, distance


def lay_out(cards: Iterable[CardTrack], hands: HandLog) -> Layout:
    """Assign cards to hands, following splits; a card that a player's hand moved is no split."""
    layout, cards = Layout(), as_dealt(list(cards), hands)
    laid = steps_of(cards)
    there = _found(layout, cards, laid)
    came = [(card.t_rest, 0, card) for card in cards if card.number not in there]
    moves = [(t, 1, card) for card in cards for t in _moves(card)]
    steps = sorted(came + moves, key=lambda step: (step[0] - par.TWO_LOOKS_S * step[1], step[1]))
    for t, moved, card in in_order(steps, lambda card: _follows(layout, card)):
        if not moved:
            _receive(layout, card, laid, alone=not hands.known)
        elif not card.place and all(dealing.card.number != card.number for dealing in layout.dealings):
            _receive(layout, landed(card, t), laid, alone=not hands.known)
        elif not slipped(hands, card, t):
            _split(layout, card, t)
    layout.dealings.sort(key=lambda dealing: dealing.card.t_rest)
    return layout


def _found(layout: Layout, cards: Sequence[CardTrack], steps: Mapping[int, Xy]) -> set[int]:
    """Lay out the hands that lay there at the first look; the numbers of their cards."""
    there: set[int] = set()
    for lying in found_lying(cards).values():
        number = number_of(lying[0])
        step = steps.get(number, par.NEXT_CARD_MM)
        chains = hands_found(lying, step, par.NEXT_CARD_NEAR_MM)
        for index, chain in enumerate(chains):
            hand = CardHand(number, index, step=step, split_at=chain[0].t_rest if len(chains) > 1 else None)
            layout.hands.append(hand)
            for card in chain:
                layout.dealings.append(Dealing(card, hand.place, hand, hand.cards[-1] if hand.cards else None))
                hand.cards.append(card)
                there.add(card.number)
    return there


def with_players_cards(cards: Sequence[CardTrack], hands: HandLog) -> list[CardTrack]:
    """Return the card tracks, where a card at the dealer's place that continues a player's hand belongs to that hand's
    space.
    """
    taken = {dealing.card.number: dealing.hand.number for dealing in lay_out(cards, hands).dealings}
    return [
        structs.replace(card, place=space_text(taken[card.number], 0))
        if card.place == "dealer" and taken.get(card.number)
        else card
        for card in cards
    ]


def _moves(card: CardTrack) -> list[float]:
    dwells = card.dwells
    return [b[1] for a, b in itertools.pairwise(dwells) if distance(a[0], b[0]) > par.TOUCH_SPLIT_MM]


def _receive(layout: Layout, card: CardTrack, steps: Mapping[int, Xy], *, alone: bool) -> None:
    number = number_of(card)
    long = [hand for hand in layout.hands if _grows(hand) and _lies(hand, card.t_rest)]
    following = min(long, key=lambda h: _off(h, card), default=None)
    if following is not None and _off(following, card) <= _reach(layout, card):
        number = following.number
    elif not card.place and not _next_of_dealer(layout, card) <= par.NEXT_CARD_NEAR_MM:
        return
    hands = [hand for hand in layout.space(number) if _lies(hand, card.t_rest)]
    if not hands:
        hand = CardHand(number, step=steps.get(number, par.NEXT_CARD_MM))
        if layout.space(number):
            hand.index = max(other.index for other in layout.space(number)) + 1
        layout.hands.append(hand)
    else:
        hand = min(hands, key=lambda h: _off(h, card))
    before = hand.cards[-1] if hand.cards else None
    if alone and _third_apart(layout, hand, card):
        layout.dealings.append(Dealing(card, hand.place, hand, before))
        _apart(
            layout, hand, card, card.t_rest - par.CARD_DRAW_S - par.MARK_S, card.t_rest - par.CARD_DRAW_S - par.MARK_S
        )
        return
    hand.cards.append(card)
    layout.dealings.append(Dealing(card, hand.place, hand, before))


def _follows(layout: Layout, card: CardTrack) -> bool:
    """Tell whether a card lies where the next one of a player's hand is expected, is its space's first, or the
    dealer's.
    """
    if card.place == "dealer":
        return True
    lying = [hand for hand in layout.hands if hand.number and _lies(hand, card.t_rest)]
    if card.place and all(hand.number != number_of(card) for hand in lying):
        return True
    return any(_off(hand, card) <= par.NEXT_CARD_NEAR_MM for hand in lying)


def _off(hand: CardHand, card: CardTrack) -> float:
    """How far a card lies from where a hand's next one is expected, by where the one before lies, or was laid.

    Its player may have moved that since; a split hand's was moved by the dealer.
    """
    before = hand.cards[-1]
    since = [card.t_rest] if hand.split_at is not None else [before.t_rest, card.t_rest]
    return min(distance(hand.next_spot(t), card.xy) for t in since)


def _reach(layout: Layout, card: CardTrack) -> float:
    """How near to a player's next card one must lie; at the dealer's place nearer than to the dealer's next."""
    return (
        min(par.NEXT_CARD_NEAR_MM, _next_of_dealer(layout, card)) if card.place == "dealer" else par.NEXT_CARD_NEAR_MM
    )


def _next_of_dealer(layout: Layout, card: CardTrack) -> float:
    """How far a card lies from where the dealer's next one is expected, in the row of the last two."""
    lying = [other.at(card.t_rest) for hand in layout.space(0) for other in hand.cards]
    dealers = lying[-2:]
    if len(dealers) < 2:
        return math.inf
    (ax, ay), (bx, by) = dealers
    return distance((2 * bx - ax, 2 * by - ay), card.xy)


def _grows(hand: CardHand) -> bool:
    """Tell whether a hand may reach out of its space's area: a long one, or one that was split off."""
    return bool(hand.number) and (len(hand.cards) >= 2 or hand.split_at is not None)


def _lies(hand: CardHand, t: float) -> bool:
    return any(card.gone is None or card.gone > t for card in hand.cards)


def _split(layout: Layout, card: CardTrack, t: float) -> None:
    hand = next((h for h in layout.hands if any(c is card for c in h.cards)), None)
    if (
        hand is None
        or not hand.number
        or len(hand.cards) != 2
        or len(layout.space(hand.number)) >= par.MOST_SPLIT_HANDS
    ):
        return
    if any(
        distance(other.at(t + par.MOVED_WITH_S), card.at(t)) <= par.MOVED_WITH_MM
        for other in hand.cards
        if other is not card
    ):
        return
    hand.cards.remove(card)
    _apart(layout, hand, card, max((t1 for _, t0, t1 in card.dwells if t0 < t), default=t), t)


def _apart(layout: Layout, hand: CardHand, card: CardTrack, start: float, t: float) -> None:
    """Let a card of a hand begin a hand of its own."""
    source = hand.place
    new = CardHand(hand.number, cards=[card], split_at=t, step=hand.step)
    hand.split_at = t
    layout.hands.append(new)
    ordered = sorted(layout.space(hand.number), key=lambda h: h.cards[0].at(t + par.PAIR_PARTED_S)[0])
    for index, each in enumerate(ordered):
        each.index = index
    target = max(hand, new, key=lambda h: h.index).place
    first, second = (one.cards[0].at(t + par.PAIR_PARTED_S) for one in (hand, new))
    layout.splits.append(Parted(start, t, source, target, (first, second)))


def _third_apart(layout: Layout, hand: CardHand, card: CardTrack) -> bool:
    """Tell whether a card of a pair's own rank is laid apart from it: the pair was split, one look showed the next card
    too.

    Which of two cards alike was moved and which dealt cannot be told, nor does it matter.
    """
    if not hand.number or len(hand.cards) != 2 or len(layout.space(hand.number)) >= par.MOST_SPLIT_HANDS:
        return False
    spots = [hand.next_spot(card.t_rest), *(other.at(card.t_rest) for other in hand.cards)]
    alike = card.rank is not None and all(other.rank == card.rank for other in hand.cards)
    return alike and min(distance(spot, card.xy) for spot in spots) > par.TOUCH_APART_MM
