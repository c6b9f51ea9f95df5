"""Ranking of poker hands by PokerKit's tables (09-04(1), (24)(b), (25)); suits are equal.

The rule names no low game in particular. A low hand is therefore read in both ways that "the lowest hand, aces high or
low" allows: ace to five (straights and flushes do not count), and by the ranking of (1) with aces low; what differs
between them is left open. That a low hand needs an eight to qualify is not in the rule, but usual: an award that is
right only by it is left open too.
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
LOW_READINGS: Final[tuple[LowReading, ...]] = ("ace_to_five", "ranked")
_HIGH, _ACE_TO_FIVE, _EIGHT = 0, 1, 2
_LOW_ORDER: Final = "A23456789TJQK"


@cache
def _tables() -> tuple[Any, Any, Any]:
    """PokerKit's tables for high, ace-to-five and eight-or-better hands, loaded on the first use."""
    from pokerkit import EightOrBetterLowHand, RegularLowHand, StandardHighHand

    return StandardHighHand.lookup, RegularLowHand.lookup, EightOrBetterLowHand.lookup


@cache
def _entry(table: int, ranks: str, suited: bool) -> tuple[int, str] | None:
    """Index and name that a table gives to five ranks, all of one suit or not."""
    suits = "sssss" if suited else "shdcs"
    entry = _tables()[table].get_entry_or_none("".join(map("".join, zip(ranks, suits, strict=True))))
    return None if entry is None else (entry.index, str(entry.label.value))


def _look_up(table: int, five: tuple[str, ...]) -> tuple[int, str] | None:
    a, b, c, d, e = five
    suited = a[1] == b[1] == c[1] == d[1] == e[1]
    return _entry(table, "".join(sorted((a[0], b[0], c[0], d[0], e[0]))), suited)


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
    """Return the best hand of a player; None where none is possible (too few cards, or none that qualifies as low)."""
    rank = high_score if side == "high" else _LOW[low]
    scores = [score for five in fives(variant, hole, board) if (score := rank(five)) is not None]
    return max(scores, default=None)


def high_score(five: tuple[str, ...]) -> Score | None:
    """Strength as a high hand; None where no deck holds such cards."""
    entry = _look_up(_HIGH, five)
    return None if entry is None else entry[:1]


def high_label(variant: str, hole: tuple[str, ...], board: tuple[str, ...]) -> str:
    """Name of a player's best high hand, for example `Full house`."""
    top = _top(variant, hole, board)
    entry = _look_up(_HIGH, top) if top else None
    return entry[1] if entry else ""


def is_wheel(variant: str, hole: tuple[str, ...], board: tuple[str, ...]) -> bool:
    """Tell whether the best high hand is a straight (or straight flush) with the ace low."""
    return {card[0] for card in _top(variant, hole, board)} == set("A2345")


def _top(variant: str, hole: Sequence[str], board: Sequence[str]) -> tuple[str, ...]:
    return max(fives(variant, hole, board), key=lambda five: high_score(five) or (-1,), default=())


def _ace_to_five(five: tuple[str, ...]) -> Score | None:
    entry = _look_up(_ACE_TO_FIVE, five)
    return None if entry is None else (-entry[0],)


def _eight_or_better(five: tuple[str, ...]) -> Score | None:
    entry = _look_up(_EIGHT, five)
    return None if entry is None else (-entry[0],)


def _ranked(five: tuple[str, ...]) -> Score | None:
    """Return the ranking of (1) turned round, with aces low: the lowest kind of hand, then the lowest cards."""
    a, b, c, d, e = five
    return _ranked_low("".join(sorted((a[0], b[0], c[0], d[0], e[0]))), a[1] == b[1] == c[1] == d[1] == e[1])


@cache
def _ranked_low(texts: str, flush: bool) -> Score | None:
    ranks = [_LOW_ORDER.index(text) for text in texts]
    counts = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    shape = tuple(n for n, _ in counts)
    straight = len(counts) == 5 and (max(ranks) - min(ranks) == 4 or set(ranks) == {0, 9, 10, 11, 12})
    kind = _KINDS.get(shape)
    if kind is None:
        return None
    if len(counts) == 5:
        kind = (8 if straight else 5) if flush else (4 if straight else 0)
    return (-kind, *(-rank for _, rank in counts))


_KINDS: Final = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
"""Kinds of hands by how many cards share a rank, numbered by the ranking of (1); 4, 5 and 8 are the straight, the
flush and the straight flush."""
_LOW: Final[dict[LowReading, Callable[[tuple[str, ...]], Score | None]]] = {
    "ace_to_five": _ace_to_five, "ranked": _ranked, "eight_or_better": _eight_or_better,
}  # fmt: skip
