"""The order in which a poker deal should have gone out, compared with how it did (09-04(7), (12), (13))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.domain.events import CardDealt
from verifier.law.poker.acts import clockwise
from verifier.law.poker.cards import Cards, Held
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.presence import out_of_chips, perhaps_left, present_before


@dataclass
class Deal:
    """A first deal taken apart. `plain`: its cards without replacements; `early`: replacements given before all had
    that round's cards; `unreplaced`: exposed cards for which no other came."""

    plain: list[CardDealt] = field(default_factory=list)
    early: list[tuple[CardDealt, CardDealt]] = field(default_factory=list)
    late: list[CardDealt] = field(default_factory=list)
    unreplaced: list[CardDealt] = field(default_factory=list)


def first_deal(hand: PokerHand) -> Deal:
    """Take the first deal apart: which cards replace exposed ones, and when they came."""
    deal = Deal()
    cards = hand.initial
    order = _order(hand, cards)
    exposed = _exposed(hand.cards)
    waiting: list[CardDealt] = []
    for index, card in enumerate(cards):
        place = len(deal.plain) % len(order) if order else 0
        pending = next((w for w in waiting if w.to == card.to), None)
        whole = place == 0
        following = cards[index + 1].to if index + 1 < len(cards) else None
        expected = order[place] if order else None
        full = hand.hole_cards is not None and len(deal.plain) >= hand.hole_cards * len(order)
        replaces = pending is not None and (
            card.to != expected or full or (whole and following == expected and card.to == expected)
        )
        if replaces and pending is not None:
            waiting.remove(pending)
            (deal.late.append(card) if whole or full else deal.early.append((card, pending)))
        else:
            deal.plain.append(card)
        if card.id in exposed:
            waiting.append(card)
    deal.unreplaced = waiting
    return deal


def _exposed(cards: Cards) -> dict[str, Held]:
    return {held.dealt.id: held for held, _ in cards.exposures}


def _order(hand: PokerHand, cards: Sequence[CardDealt]) -> tuple[str, ...]:
    """Seats of the deal in the order in which they should get a card."""
    seats = tuple(dict.fromkeys(card.to for card in cards))
    if hand.button is not None:
        return clockwise(seats, hand.button)
    if not seats:
        return ()
    ordered = clockwise(seats, seats[0])
    return (ordered[-1], *ordered[:-1]) if ordered else ()


@dataclass
class Irregular:
    """What is wrong with a first deal; empty lists where nothing is."""

    wrong_start: list[CardDealt] = field(default_factory=list)
    out_of_order: list[CardDealt] = field(default_factory=list)
    wrong_number: dict[str, int] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    empty: list[CardDealt] = field(default_factory=list)
    perhaps_left: list[str] = field(default_factory=list)
    """Seats of which nobody tells whether their players are there."""

    @property
    def misdeal(self) -> bool:
        """Whether it is a misdeal by (13)."""
        return bool(self.out_of_order or self.wrong_number or self.skipped or self.empty)


def irregularities(hand: PokerHand) -> Irregular:
    """Return what is wrong with the first deal of a hand."""
    found = Irregular()
    plain = first_deal(hand).plain
    order = _order(hand, plain)
    if not plain or not order:
        return found
    dealt = Counter(card.to for card in plain)
    if hand.hole_cards is not None:
        found.wrong_number = {seat: n for seat, n in dealt.items() if n != hand.hole_cards}
    if hand.filmed:
        _compare(hand, plain, order, found)
    here = present_before(hand)
    if here is not None:
        found.empty = [card for card in plain if card.to not in here]
        missing = here - dealt.keys() - out_of_chips(hand)
        left = perhaps_left(hand, missing)
        found.skipped = sorted(seat for seat in missing if not left.get(seat))
        found.perhaps_left = sorted(left)
    return found


def _compare(hand: PokerHand, plain: Sequence[CardDealt], order: Sequence[str], found: Irregular) -> None:
    """Start and order of the deal; a seat with too few or too many cards shifts nothing for the others."""
    sound = [seat for seat in order if seat not in found.wrong_number]
    cards = [card for card in plain if card.to in sound]
    if not cards or not sound:
        return
    if hand.button is not None and plain[0].to != order[0] and cards[0].to != sound[0]:
        found.wrong_start = [cards[0]]
    start = sound.index(cards[0].to)
    turned = sound[start:] + sound[:start]
    found.out_of_order = [c for i, c in enumerate(cards) if c.to != turned[i % len(turned)]][:3]
