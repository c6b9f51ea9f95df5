"""The order in which the first cards came to the seats: as they were seen, or as the deal goes where that may be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
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
    is over may have been overlooked till then. `together`: a player gets all cards at once.
    """
    late = {id(card): structs.replace(card, early=-math.inf) for card in ([] if together else _overlooked(cards))}
    for eased in [{}, late] if late else [{}]:
        own = {id(new): card for card in cards if (new := eased.get(id(card))) is not None}
        turn = _in_turn([eased.get(id(card), card) for card in cards], order, together=together)
        if turn is not None:
            times = zip(_times(turn), turn, strict=True)
            return [InTurn(t, own.get(id(one), one), id(one) not in own) for t, one in times]
    return sorted((InTurn(card.rest, card) for card in cards), key=lambda one: one.t)


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
    turns = (_dealt(_slots(way, by_seat, together=together), by_seat, -math.inf) for way in ways)
    return next((turn for turn in turns if turn is not None), None)


def _slots(way: Sequence[int], by_seat: Mapping[int, Sequence[CardDwell]], *, together: bool) -> list[int]:
    """Return the seats in the order in which they get the cards."""
    if together:
        return [seat for seat in way for _ in by_seat[seat]]
    most = max((len(own) for own in by_seat.values()), default=0)
    return [seat for turn in range(most) for seat in way if turn < len(by_seat[seat])]


def _dealt(slots: Sequence[int], left: Mapping[int, Sequence[CardDwell]], last: float) -> list[CardDwell] | None:
    """Return which card came in each turn, after `last`; None where some cannot have come in this order."""
    if not slots:
        return []
    seat, step = slots[0], last + par.POKER_ORDER_STEP_S
    if any(card.rest < step for own in left.values() for card in own):
        return None
    for card in _next(left[seat], step):
        others = {**left, seat: [one for one in left[seat] if one is not card]}
        rest = _dealt(slots[1:], others, max(card.early, step)) if max(card.early, step) <= card.rest else None
        if rest is not None:
            return [card, *rest]
    return None


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
