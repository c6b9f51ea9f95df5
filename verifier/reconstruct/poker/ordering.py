"""The order in which the first cards came to the seats: as they were seen, or as the deal goes where that may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
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


def dealt_in_order(cards: Sequence[CardDwell], *, together: bool = False) -> list[InTurn]:
    """Return the cards of a deal with the times at which they are told to have come.

    A card that is hardly seen is seen late. Where each may have come in turn, clockwise from the seat of the first one,
    it is told so; else each as it was first seen. A back that shows only when the deal's beat is over may have been
    overlooked till then. `together`: a player gets all cards at once.
    """
    late = {id(card): structs.replace(card, early=-math.inf) for card in ([] if together else _overlooked(cards))}
    for eased, as_seen in product(({}, late), (False, True)):
        own = {id(new): card for card in cards if (new := eased.get(id(card))) is not None}
        turn = _in_turn([eased.get(id(card), card) for card in cards], together=together, as_seen=as_seen)
        times = _possible(turn)
        if times is not None:
            return [InTurn(t, own.get(id(one), one), id(one) not in own) for t, one in zip(times, turn, strict=True)]
    return sorted((InTurn(card.rest, card) for card in cards), key=lambda one: one.t)


def _overlooked(cards: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the backs of a deal that show alone: no other card came within its beat before them or after them."""
    ordered = sorted(cards, key=lambda card: card.rest)
    beats = [later.rest - card.rest for card, later in pairwise(ordered)]
    if not beats:
        return []
    pause = par.POKER_BEATS * median(beats)
    alone = zip([0.0, *beats], [*beats, math.inf], ordered, strict=True)
    return [card for before, after, card in alone if before > pause and after > pause and not card.faced]


def _in_turn(cards: Sequence[CardDwell], *, together: bool, as_seen: bool) -> list[CardDwell]:
    """Return the cards round by round, clockwise from the seat that surely got one first.

    The seat is one with which all cards may have come in turn, else that seen first. A seat's cards come in the order
    in which they were seen (`as_seen`), or may have come.
    """
    by_seat: dict[int, list[CardDwell]] = {}
    for card in sorted(cards, key=lambda card: (card.rest if as_seen else card.early, card.rest)):
        by_seat.setdefault(seat_number(card.place), []).append(card)
    seats = sorted(by_seat)
    ways = [seats[index:] + seats[:index] for index in range(len(seats))]
    ways.sort(key=lambda way: by_seat[way[0]][0].rest)
    turns = [_turn(way, by_seat, together=together) for way in ways]
    possible = (turn for turn in turns if _possible(turn) is not None)
    return next(possible, turns[0] if turns else [])


def _turn(way: Sequence[int], by_seat: dict[int, list[CardDwell]], *, together: bool) -> list[CardDwell]:
    if together:
        return [card for seat in way for card in by_seat[seat]]
    most = max((len(own) for own in by_seat.values()), default=0)
    return [by_seat[seat][turn] for turn in range(most) for seat in way if turn < len(by_seat[seat])]


def _possible(turn: Sequence[CardDwell]) -> list[float] | None:
    """Return times at which the cards may have come in this order; None where they cannot have."""
    times: list[float] = []
    for card in turn:
        at = max(card.early, times[-1] + par.POKER_ORDER_STEP_S if times else card.early)
        if at > card.rest:
            return None
        times.append(at)
    out: list[float] = []
    for card in reversed(turn):  # as late as may be: when it was seen
        out.append(min(card.rest, out[-1] - par.POKER_ORDER_STEP_S) if out else card.rest)
    return out[::-1]
