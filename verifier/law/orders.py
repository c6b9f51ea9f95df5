"""Orders in which cards may have been dealt, where the times of their records overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from verifier.domain.events import CardDealt

MOST_WAYS: Final = 1000
"""Orders of one deal that are looked at (policy of this project: a bound on time)."""


def possible_orders(dealt: Sequence[tuple[int, CardDealt]]) -> Iterator[list[int]]:
    """Yield the orders in which cards may have gone: of two that were dealt at one time nobody saw which came first.

    `dealt`: each card with where it went (a space's number, 0 the dealer), in the order of the log.
    """
    ways = [list(dealt)]
    for one in dealt:
        ways = [moved for way in ways for moved in _sooner(way, one)][:MOST_WAYS]
    for way in ways:
        yield [to for to, _ in way]


def _sooner(way: list[tuple[int, CardDealt]], one: tuple[int, CardDealt]) -> Iterator[list[tuple[int, CardDealt]]]:
    """Yield `way`, then the ways in which the card `one` went before one and more of those right before it."""
    yield way
    at = way.index(one)
    while at and at_one_time(one[1], way[at - 1][1]):
        way = [*way[: at - 1], one, way[at - 1], *way[at + 1 :]]
        at -= 1
        yield way


def at_one_time(a: CardDealt, b: CardDealt) -> bool:
    """Tell whether the middle of one card's time lies within the other's.

    A dealer carries one card at a time, so that the time of one of the two was not seen well. Records of cards that
    follow each other overlap at their ends only. A record without a length (an instant) overlaps none.
    """
    return a.t_start < a.t_end and b.t_start < b.t_end and (_middle_in(a, b) or _middle_in(b, a))


def _middle_in(a: CardDealt, b: CardDealt) -> bool:
    return b.t_start <= (a.t_start + a.t_end) / 2.0 <= b.t_end
