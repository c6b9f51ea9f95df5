"""The order in which the first cards came to the seats: as they were seen, or as the deal goes where that may be."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from statistics import median
from typing import NamedTuple

from msgspec import structs

from verifier.reconstruct import parameters as par
from verifier.reconstruct.poker.card_dwells import CardDwell


def seat_number(place: str) -> int:
    """Return the number of a seat's place."""
    return int(place.partition(":")[2])


class InTurn(NamedTuple):
    """A card of a deal and when it is told to have come; `sure`: it may not have come at another time."""

    t: float
    card: CardDwell
    sure: bool = True


def dealt_in_order(cards: Sequence[CardDwell], order: Sequence[str] = (), *, together: bool = False) -> list[InTurn]:
    """Return the cards of a deal with the times at which they are told to have come.

    Each came after its place was last searched in vain (`early`), and not after it was first seen. Where all may have
    come in turn, clockwise from some seat, they are told so; else each as it was first seen. Of several seats that may
    be, it is the one that is due by `order` (places), else that seen first. A back that shows only when the deal's beat
    is over may have been overlooked till then, and so may one of two cards that show within less than half a beat: a
    dealer deals one card in a beat. `together`: a player gets all cards at once.
    """
    ways = [[]] if together else [[], _overlooked(cards), *([card] for card in _crowded(cards))]
    for late in ways:
        eased = {id(card): structs.replace(card, early=-math.inf) for card in late}
        own = {id(new): card for card in cards if (new := eased.get(id(card))) is not None}
        turn = _in_turn([eased.get(id(card), card) for card in cards], order, together=together)
        if turn is not None:
            times = zip(_times(turn), turn, strict=True)
            return [InTurn(t, own.get(id(one), one), id(one) not in own) for t, one in times]
    return sorted((InTurn(card.rest, card) for card in cards), key=lambda one: one.t)


def _crowded(cards: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the backs of a deal that show less than half its beat before or after another card."""
    ordered = sorted(cards, key=lambda card: card.rest)
    beats = [later.rest - card.rest for card, later in pairwise(ordered)]
    if not beats:
        return []
    least = par.POKER_HALF_BEAT * median(beats)
    near = zip([math.inf, *beats], [*beats, math.inf], ordered, strict=True)
    return [card for before, after, card in near if min(before, after) < least and not card.faced]


def _overlooked(cards: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the backs of a deal that show alone: no other card came within its beat before them or after them."""
    ordered = sorted((card for card in cards if card.early > -math.inf), key=lambda card: card.rest)
    beats = [later.rest - card.rest for card, later in pairwise(ordered)]
    if not beats:
        return []
    pause = par.POKER_BEATS * median(beats)
    alone = zip([0.0, *beats], [*beats, math.inf], ordered, strict=True)
    return [card for before, after, card in alone if before > pause and after > pause and not card.faced]


def _in_turn(cards: Sequence[CardDwell], order: Sequence[str], *, together: bool) -> list[CardDwell] | None:
    """Return the cards round by round, clockwise from a seat with which all may have come in turn; None where that is
    no seat.
    """
    by_seat: dict[int, list[CardDwell]] = {}
    for card in sorted(cards, key=lambda card: card.rest):
        by_seat.setdefault(seat_number(card.place), []).append(card)
    seats = sorted(by_seat)
    ways = [seats[index:] + seats[:index] for index in range(len(seats))]
    due = next((seat_number(place) for place in order if seat_number(place) in by_seat), None)
    ways.sort(key=lambda way: (way[0] != due, by_seat[way[0]][0].rest))
    turns = (_dealt(_slots(way, by_seat, together=together), by_seat) for way in ways)
    return next((turn for turn in turns if turn is not None), None)


def _slots(way: Sequence[int], by_seat: Mapping[int, Sequence[CardDwell]], *, together: bool) -> list[int]:
    """Return the seats in the order in which they get the cards."""
    if together:
        return [seat for seat in way for _ in by_seat[seat]]
    most = max((len(own) for own in by_seat.values()), default=0)
    return [seat for turn in range(most) for seat in way if turn < len(by_seat[seat])]


def _dealt(slots: Sequence[int], by_seat: Mapping[int, Sequence[CardDwell]]) -> list[CardDwell] | None:
    """Return which card came in each turn; None where some cannot have come in this order.

    Each turn gets the card that may have come soonest of those after which the others may still come.
    """
    if not _may_come(slots, by_seat, -math.inf):
        return None
    left, last, turn = {seat: list(own) for seat, own in by_seat.items()}, -math.inf, list[CardDwell]()
    for index, seat in enumerate(slots):
        step = last + par.POKER_ORDER_STEP_S
        *ways, final = [
            (max(card.early, step), card, {**left, seat: [one for one in left[seat] if one is not card]})
            for card in _next(left[seat], step)
            if max(card.early, step) <= card.rest
        ]
        rest = slots[index + 1 :]
        last, card, left = next((way for way in ways if _may_come(rest, way[2], way[0])), final)
        turn.append(card)
    return turn


def _may_come(slots: Sequence[int], left: Mapping[int, Sequence[CardDwell]], last: float) -> bool:
    """Tell whether all cards that are left may have come in the turns that are left, after `last`.

    It raises the time of each turn from the least to what the cards call for: of those cards of a seat that came not
    before `a` and not after `b`, each needs a turn of that seat between the two. Cards and turns of a seat can be
    paired if, and only if, this holds for all `a` and `b` (Hall, for intervals).
    """
    times = _apart([last] * len(slots), last)
    turns = {seat: [index for index, one in enumerate(slots) if one == seat] for seat in left}
    needs = [(seat, *need) for seat, own in left.items() for need in _needs(own)]
    settled = False
    while not settled:
        settled = True
        for seat, a, b, count in needs:
            until = bisect_right(turns[seat], b, key=times.__getitem__)
            if until < count:
                return False
            first = turns[seat][until - count]
            if times[first] < a:
                times[first] = a
                times, settled = _apart(times, last), False
    return True


def _needs(cards: Sequence[CardDwell]) -> list[tuple[float, float, int]]:
    """Return how many of a seat's cards came between two times (a, b, count), for all pairs of times that matter."""
    spans = product({card.early for card in cards}, {card.rest for card in cards})
    counted = ((a, b, sum(a <= card.early and card.rest <= b for card in cards)) for a, b in spans)
    return [need for need in counted if need[2]]


def _apart(times: Iterable[float], last: float) -> list[float]:
    """Return times that follow `last` and each other by `POKER_ORDER_STEP_S` at least, none earlier than it was."""
    found: list[float] = []
    for t in times:
        last = max(t, last + par.POKER_ORDER_STEP_S)
        found.append(last)
    return found


def _next(cards: Sequence[CardDwell], t: float) -> list[CardDwell]:
    """Return which of a seat's cards may come next, from a time on: none that another one may come before, and must."""
    found: list[CardDwell] = []
    for card in sorted(cards, key=lambda one: (max(one.early, t), one.rest)):
        if not found or card.rest < found[-1].rest:
            found.append(card)
    return found


def _times(turn: Sequence[CardDwell]) -> list[float]:
    """Return the latest times at which the cards may have come in this order."""
    out: list[float] = []
    for card in reversed(turn):
        out.append(min(card.rest, out[-1] - par.POKER_ORDER_STEP_S) if out else card.rest)
    return out[::-1]
