"""Point totals of hands (N.D. Admin. Code 99-01.3-08-01(1)) on known ranks and on sets of possible ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from verifier.domain.cards import RANKS

RankSet = frozenset[str]
"""The ranks that a card may have; a card read for certain has one member."""

ANY_RANK: Final[RankSet] = frozenset(RANKS)
TEN_COUNTS: Final[RankSet] = frozenset("TJQK")
LIMIT: Final = 21

_POINTS: Final[Mapping[str, int]] = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10}


class Total(Struct, frozen=True, order=True):
    """Best total of a hand; `soft` when an ace counts as eleven in it. Above 21 the hand is bust."""

    best: int
    soft: bool

    @property
    def bust(self) -> bool:
        return self.best > LIMIT


def points(rank: str) -> int:
    """Point value of a rank, an ace as one; raises ValueError for anything but A 2-9 T J Q K."""
    try:
        return _POINTS[rank]
    except KeyError:
        raise ValueError(f"{rank!r} is no rank: expected one of {' '.join(RANKS)}") from None


def is_ten_count(rank: str) -> bool:
    """Tell whether the rank counts ten: ten, jack, queen or king."""
    return rank in TEN_COUNTS


def hand_total(ranks: Iterable[str]) -> Total:
    """Best total: one ace counts eleven where that does not bust. No cards total 0."""
    hard, ace = 0, False
    for rank in ranks:
        hard += points(rank)
        ace = ace or rank == "A"
    return _best(hard, ace)


def is_natural(ranks: Sequence[str]) -> bool:
    """Tell whether exactly two cards are an ace and a ten-count. That a hand came from a split is the caller's to
    know.
    """
    return len(ranks) == 2 and "A" in ranks and any(is_ten_count(rank) for rank in ranks)


def is_pair(first: str, second: str) -> bool:
    """Tell whether two cards may be split: equal ranks or any two ten-counts (99-01.3-08-09(2)(c))."""
    return first == second or (is_ten_count(first) and is_ten_count(second))


def possible_totals(slots: Sequence[Iterable[str]]) -> frozenset[Total]:
    """Every total that a hand may have when card `i` is one of `slots[i]`; empty when a card has no possible rank."""
    states = {(0, False)}
    for slot in slots:
        values = {(points(rank), rank == "A") for rank in slot}
        states = {(hard + value, ace or is_ace) for hard, ace in states for value, is_ace in values}
    return frozenset(_best(hard, ace) for hard, ace in states)


def may_be_natural(slots: Sequence[Iterable[str]]) -> frozenset[bool]:
    """Tell whether two cards are a natural: {True}, {False} or both when it depends on how they are read."""
    if len(slots) != 2:
        return frozenset({False})
    return frozenset(is_natural((first, second)) for first in slots[0] for second in slots[1])


def plausible_ranks(
    rank: str | None, posterior: Mapping[str, float] | None = None, *, least: float = 0.01, certain: float = 0.0
) -> RankSet:
    """Ranks that a card may have, from its reading and the reading's posterior.

    With a posterior: every rank of probability `least` or more, and the reading itself; when what the posterior leaves
    unexplained is `least` or more for an unread card, any rank. Without: the reading alone, or any rank when unread.
    `certain` above 0 drops the alternatives when the reading's own probability reaches it.
    """
    if not posterior:
        return ANY_RANK if rank is None else frozenset({rank})
    if rank is not None and certain and posterior.get(rank, 0.0) >= certain:
        return frozenset({rank})
    named = frozenset(r for r, p in posterior.items() if p >= least and r in ANY_RANK)
    if rank is not None:
        return named | {rank}
    unexplained = 1.0 - sum(posterior.values())
    return named if named and unexplained < least else ANY_RANK


def _best(hard: int, ace: bool) -> Total:
    soft = ace and hard + 10 <= LIMIT
    return Total(hard + 10 if soft else hard, soft)
