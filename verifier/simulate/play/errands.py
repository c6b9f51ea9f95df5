"""What happens between rounds, and after which: cash, exchanges, idle minutes, changes of dealers, planned ahead."""

from __future__ import annotations

import random
from typing import Final, Literal

from msgspec import Struct

from verifier.simulate.play import clauses
from verifier.simulate.play import session_clauses as ids

Act = Literal["buy_in", "exchange", "give", "idle", "reshuffle", "close", "relief"]
_CASH: Final[tuple[Act, ...]] = ("buy_in", "buy_in", "exchange")
_FIRST: Final[tuple[Act, ...]] = ("reshuffle", "give")
"""Done before other errands, which would give them a ground."""
_RELIEVED_EVERY: Final = 22
"""Rounds between two changes of dealers in a long recording."""


class Course(Struct, frozen=True, kw_only=True):
    """How long is played and what happens besides; None leaves it to the seed. `minutes` counts where it is given."""

    rounds: int
    minutes: float | None = None
    shift_change: bool | None = None
    shuffle: bool | None = None


class Errand(Struct, frozen=True):
    """Something done between rounds; `clause` is broken by it, empty for none."""

    act: Act
    clause: str = ""


class ErrandPlan:
    """Plans the errands of a recording of `last` rounds at least."""

    def __init__(self, wanted: list[str], course: Course, last: int, rng: random.Random) -> None:
        self.wanted, self.course, self.last, self.rng = wanted, course, last, rng

    def by_round(self) -> dict[int, list[Errand]]:
        """Return what is done after each round: what breaks the wanted clauses, and what happens by chance."""
        plan: dict[int, list[Errand]] = {}
        for clause in self.wanted:
            act = act_of(clause)
            if act is not None:
                errands = plan.setdefault(self._when(clause), [])
                errands.insert(0 if act in _FIRST else len(errands), Errand(act, clause))
        taken, relief = {*plan}, self._relieved_after()
        for number in range(1, self.last + 1):
            plan.setdefault(number, []).extend(self._by_chance(number, relief, taken=number in taken))
        return plan

    @property
    def _first_relief(self) -> int:
        """The first round after which a dealer may be relieved: the next dealer's burn makes up for a forgotten one."""
        return 2 if clauses.NO_BURN in self.wanted else 1

    def _when(self, clause: str) -> int:
        if clause == clauses.NO_BURN_NEW_DEALER:
            return max(self.last - 1, self._first_relief)
        if clause in ids.AT_SHIFT or clause in ids.TIP_EXCHANGE_FAULTS:
            return max(self.last, self._first_relief)
        first = self._first_relief if clause in ids.CLOSING_FAULTS else 1
        return self.rng.randint(first, max(first, self.last - 1))

    def _by_chance(self, number: int, relief: int | None, *, taken: bool) -> list[Errand]:
        """Return what happens by chance, without being planted; little where something planted is done already."""
        rng, long = self.rng, self.course.minutes is not None
        if taken:
            return [Errand("idle")] if rng.random() < 0.05 else []
        acts: list[Act] = []
        if rng.random() < 0.15 and number < self.last:
            acts.append(rng.choice(_CASH))
        if rng.random() < (0.12 if long else 0.05):
            acts.append("idle")
        if number == relief or (long and number % _RELIEVED_EVERY == 0):
            acts.append("close" if rng.random() < 0.2 else "relief")
        return [Errand(act) for act in acts]

    def _relieved_after(self) -> int | None:
        """Return the round after which the dealer is relieved: the last, or the one before it; None for no relief."""
        unlikely = self.rng.random() < 0.3
        change = self.course.shift_change
        planned = any(act_of(clause) == "relief" for clause in self.wanted)
        if planned or not (unlikely if change is None else change):
            return None
        early = self.last >= 2 and self.rng.random() >= 0.6 and not self.wanted
        after = self.last - 1 if early else self.last
        return after if after >= self._first_relief else None


def act_of(clause: str) -> Act | None:
    """With what a clause is broken between rounds; None for one that is broken in a round or at the shoe."""
    if clause in ids.BUY_IN_FAULTS:
        return "buy_in"
    if clause in ids.EXCHANGE_FAULTS:
        return "exchange"
    if clause in ids.TIP_EXCHANGE_FAULTS or clause in ids.AT_SHIFT:
        return "relief"
    if clause in ids.CLOSING_FAULTS:
        return "close"
    if clause == ids.NO_GROUND:
        return "reshuffle"
    return "give" if clause == ids.GIVEN else None
