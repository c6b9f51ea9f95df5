"""Acts and rounds of betting as a replay leaves them, and the order of seats (99-01.3-09-04(10)).

Amounts are cents; None is an amount that was not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.domain.events import PlayerAction

AGGRESSIVE = ("bet", "raise")


@dataclass
class Act:
    """One act of betting. `owed`: what it took to call; `stake`: what the player has in on this street after it;
    `level`: the stake to match before it; `least`: the least legal raise; `due`: seats whose turn it could be (empty
    where not known); `skipped`: seats due before this one that had not acted; `top_ups`: what was added later;
    `settled`: a short call was answered later by folding or by a new act; `on_short`: the level before it was that of
    an all-in for less than a legal bet or raise."""

    event: PlayerAction
    street: int
    action: str
    owed: int | None
    level: int | None
    least: int | None
    due: tuple[str, ...]
    skipped: tuple[str, ...]
    pending: bool
    stake: int | None = None
    put_in: int | None = None
    all_in: bool = False
    top_ups: int = 0
    settled: bool = False
    given_back: int = 0
    on_short: bool = False

    @property
    def seat(self) -> str:
        return self.event.at

    @property
    def short_by(self) -> int:
        """Cents by which a call falls short of what is owed, after what was added later; 0 where not known."""
        if self.owed is None or self.put_in is None or self.all_in:
            return 0
        return max(0, self.owed - self.put_in - self.top_ups)


@dataclass
class Street:
    """A round of betting. `waiting`: seats that still had to act when it ended; `short`: stakes below the level."""

    number: int
    acts: list[Act] = field(default_factory=list)
    waiting: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    level: int | None = 0
    closed: bool = False

    @property
    def aggressor(self) -> str | None:
        """The last to bet or raise on this street."""
        found = [act.seat for act in self.acts if act.action in AGGRESSIVE]
        return found[-1] if found else None


def clockwise(seats: Sequence[str], after: str | None) -> tuple[str, ...]:
    """Seats in clockwise order, the first to the left of `after` first (seat numbers go clockwise)."""
    ordered = sorted(seats, key=seat_number)
    if after is None:
        return tuple(ordered)
    later = [s for s in ordered if seat_number(s) > seat_number(after)]
    return tuple(later + [s for s in ordered if s not in later])


def seat_number(seat: str) -> int:
    """Return the number of a seat. Seats are counted clockwise."""
    return int(seat.partition(":")[2])
