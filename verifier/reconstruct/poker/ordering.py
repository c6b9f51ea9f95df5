"""The order in which the first cards came to the seats: as they were seen, or as the deal goes where that may be."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.poker.card_dwells import CardDwell


def seat_number(place: str) -> int:
    """Return the number of a seat's place."""
    return int(place.partition(":")[2])


def dealt_in_order(cards: Sequence[CardDwell]) -> list[tuple[float, CardDwell]]:
    """Return the cards of a first deal with the times at which they are told to have come.

    A card that is hardly seen is seen late. Where each may have come in turn, clockwise from the seat of the first one,
    it is told so; else each as it was first seen.
    """
    turn = _in_turn(cards)
    times = _possible(turn)
    if times is None:
        return sorted(((card.rest, card) for card in cards), key=lambda pair: pair[0])
    return list(zip(times, turn, strict=True))


def _in_turn(cards: Sequence[CardDwell]) -> list[CardDwell]:
    """Return the cards round by round, clockwise from the seat that surely got one first."""
    ordered = sorted(cards, key=lambda card: (card.early, card.rest))
    by_seat: dict[int, list[CardDwell]] = {}
    for card in ordered:
        by_seat.setdefault(seat_number(card.place), []).append(card)
    best = _starts(by_seat)
    most = max((len(own) for own in by_seat.values()), default=0)
    return [by_seat[seat][turn] for turn in range(most) for seat in best if turn < len(by_seat[seat])]


def _starts(by_seat: dict[int, list[CardDwell]]) -> list[int]:
    """Return the seats clockwise, from one with which all cards may have come in turn, else from that seen first."""
    seats = sorted(by_seat)
    ways = [seats[index:] + seats[:index] for index in range(len(seats))]
    ways.sort(key=lambda way: by_seat[way[0]][0].rest)
    most = max((len(own) for own in by_seat.values()), default=0)
    for way in ways:
        turn = [by_seat[seat][n] for n in range(most) for seat in way if n < len(by_seat[seat])]
        if _possible(turn) is not None:
            return way
    return ways[0] if ways else []


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
