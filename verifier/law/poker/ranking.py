"""Ranking of poker hands by PokerKit's tables (09-04(1), (24)(b), (25)); suits are equal.

The rule names no low game in particular. A low hand is therefore read in each way that "the lowest hand, aces high or
low" allows: ace to five (straights and flushes do not count), by the ranking of (1) with aces low, and with an eight to
qualify; what differs between them is left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Final, Literal

Score = tuple[int, ...]
"""Comparable strength of a hand; the greater wins."""
Side = Literal["high", "low"]
LowReading = Literal["ace_to_five", "ranked", "eight_or_better"]
LOW_READINGS: Final[tuple[LowReading, ...]] = ("ace_to_five", "ranked", "eight_or_better")
_LOW_ORDER: Final = "A23456789TJQK"
_HIGH_ORDER: Final = "23456789TJQKA"


@cache
def _tables() -> tuple[Any, Any, Any, Callable[[str], Any]]:
    """PokerKit's tables for high and ace-to-five hands, loaded on the first use."""
    from pokerkit import Card, EightOrBetterLowHand, RegularLowHand, StandardHighHand

    parse = cache(lambda text: next(iter(Card.parse(text))))
    return StandardHighHand.lookup, RegularLowHand.lookup, EightOrBetterLowHand.lookup, parse


def fives(variant: str, hole: Sequence[str], board: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every five cards that a player may use: exactly two of the hole cards and three of the board in omaha."""
    if variant == "omaha":
        for own in combinations(hole, 2):
            for common in combinations(board, 3):
                yield own + common
        return
    yield from combinations((*hole, *board), 5)


@lru_cache(maxsize=1 << 16)
def best(variant: str, hole: tuple[str, ...], board: tuple[str, ...], side: Side, low: LowReading) -> Score | None:
    """The best hand of a player; None where none is possible (too few cards, or none that qualifies as low)."""
    rank = high_score if side == "high" else _LOW[low]
    scores = [score for five in fives(variant, hole, board) if (score := rank(five)) is not None]
    return max(scores, default=None)


def high_score(five: tuple[str, ...]) -> Score | None:
    """Strength as a high hand; None where no deck holds such cards."""
    high, _, _, parse = _tables()
    entry = high.get_entry_or_none(tuple(parse(card) for card in five))
    return None if entry is None else (entry.index,)


def high_label(variant: str, hole: tuple[str, ...], board: tuple[str, ...]) -> str:
    """Name of a player's best high hand, for example `Full house`."""
    high, _, _, parse = _tables()
    top = _top(variant, hole, board)
    return str(high.get_entry(tuple(parse(card) for card in top)).label.value) if top else ""


def is_wheel(variant: str, hole: tuple[str, ...], board: tuple[str, ...]) -> bool:
    """Whether the best high hand is a straight (or straight flush) with the ace low."""
    return {card[0] for card in _top(variant, hole, board)} == set("A2345")


def _top(variant: str, hole: Sequence[str], board: Sequence[str]) -> tuple[str, ...]:
    return max(fives(variant, hole, board), key=lambda five: high_score(five) or (-1,), default=())


def _ace_to_five(five: tuple[str, ...]) -> Score | None:
    _, low, _, parse = _tables()
    entry = low.get_entry_or_none(tuple(parse(card) for card in five))
    return None if entry is None else (-entry.index,)


def _eight_or_better(five: tuple[str, ...]) -> Score | None:
    _, _, low, parse = _tables()
    entry = low.get_entry_or_none(tuple(parse(card) for card in five))
    return None if entry is None else (-entry.index,)


def _ranked(five: tuple[str, ...]) -> Score | None:
    """The ranking of (1) turned round, aces low: the lowest kind of hand, then the lowest cards."""
    ranks = [_LOW_ORDER.index(card[0]) for card in five]
    counts = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    shape = tuple(n for n, _ in counts)
    flush = len({card[1] for card in five}) == 1
    spread = max(ranks) - min(ranks)
    straight = len(counts) == 5 and (spread == 4 or set(ranks) == {0, 9, 10, 11, 12})
    kinds = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
    kind = kinds.get(shape)
    if kind is None:
        return None
    if shape == (1, 1, 1, 1, 1):
        kind = {(False, False): 0, (True, False): 4, (False, True): 5, (True, True): 8}[(straight, flush)]
    return (-kind, *(-rank for _, rank in counts))


_LOW: Final[dict[LowReading, Callable[[tuple[str, ...]], Score | None]]] = {
    "ace_to_five": _ace_to_five, "ranked": _ranked, "eight_or_better": _eight_or_better,
}  # fmt: skip
