"""What verdicts rest on, counted by hand and by stack: cards right in value, amounts right where chips were fanned."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, ChipsFanned

_TEN = dict.fromkeys("JQK", "T")
_STACKS = ("wager", "payoff")


class Right(Struct, frozen=True):
    """How many were right, of how many."""

    right: int = 0
    of: int = 0


def hands_right(truth: Sequence[AnyEvent], found: Sequence[AnyEvent]) -> Right:
    """Hands of the truth, the dealer's too, that the log gives the same card values: their totals are right then."""
    true, told = _values(truth), _values(found)
    return Right(sum(told.get(place) == held for place, held in true.items()), len(true))


def _values(events: Sequence[AnyEvent]) -> dict[tuple[int | None, str], Counter[str]]:
    """Card values by round and place, the hole card's once it is turned."""
    held: dict[tuple[int | None, str], Counter[str]] = defaultdict(Counter)
    for one in events:
        if isinstance(one, CardDealt) and one.face == "up":
            held[one.round, one.to.removesuffix("/0")][_TEN.get(one.card[0], one.card[0])] += 1
        elif isinstance(one, CardRevealed):
            held[one.round, one.at.removesuffix("/0")][_TEN.get(one.card[0], one.card[0])] += 1
    return held


def amounts_right(truth: Sequence[AnyEvent], found: Sequence[AnyEvent], tolerance: float) -> Right:
    """Fanned wagers and payoffs of the truth whose amount the log states within `tolerance` seconds."""
    true, told = _fans(truth), _fans(found)
    right = 0
    for one in true:
        same = [
            fan
            for fan in told
            if (fan.owner, _place(fan), fan.cents) == (one.owner, _place(one), one.cents)
            and min(abs(fan.t_start - one.t_start), abs(fan.t_end - one.t_end)) <= tolerance
        ]
        if same:
            told.remove(same[0])
            right += 1
    return Right(right, len(true))


def _fans(events: Sequence[AnyEvent]) -> list[ChipsFanned]:
    return [one for one in events if isinstance(one, ChipsFanned) and one.owner in _STACKS and one.cents is not None]


def _place(fan: ChipsFanned) -> str:
    return (fan.at or "").removesuffix("/0")
