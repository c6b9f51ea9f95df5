"""Key frames: records of cards alone, one where something changed; each stands until the next one.

A person who annotates writes a record when a card is laid, turned, moved or taken, and nothing between. Rules that
count looks and seconds would take such a card for one on its way, and a pause for a gap. So what a record shows is
shown again at a steady rate until the next one comes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import quantiles

from msgspec import UnsetType, structs

from verifier.domain.observations import Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.records import Record, alike, record_of, whole
from verifier.reconstruct.table.zones import TableMap


class Standing:
    """Feed `step` with observations in order of time; each comes back, key frames a few times, MOST_RECORDS late at
    most."""

    def __init__(self, table: TableMap, duration: float | None = None) -> None:
        self._table, self._duration = table, duration
        self._keyed: bool | None = None
        """None as long as it is not known."""
        self._held: list[Record] = []
        self._before: Record | None = None
        self._shown = self._missed = 0
        """Cards that key frames showed, and those that they missed."""

    @property
    def keyed(self) -> bool:
        """Whether these are known to be key frames."""
        return self._keyed is True

    @property
    def unsure(self) -> bool:
        """Whether key frames miss too many cards to tell surely what happened."""
        cards = self._shown + self._missed
        return cards >= par.KEY_FRAME_LEAST_CARDS and self._missed >= par.KEY_FRAME_MISSED_SHARE * cards

    def step(self, observation: Observation) -> Sequence[Observation]:
        """Take one observation, and return the looks that are known by now."""
        if self._keyed is not False and _tells_more(observation):
            return [*self._settle(keyed=False, until=observation.t), observation]
        if self._keyed is False:
            return [observation]
        self._held.append(record_of(observation, self._table))
        if self._keyed:
            return self._stood(ahead=par.KEY_RECORDS_AHEAD)
        if len(self._held) >= par.KEY_FRAME_LEAST_RECORDS and _are_key_frames(self._held):
            return self._settle(keyed=True)
        return self._settle(keyed=False) if len(self._held) >= par.KEY_FRAME_MOST_RECORDS else []

    def flush(self) -> Sequence[Observation]:
        """End the recording, and return what was held back."""
        if self._keyed is None:
            keyed = len(self._held) >= par.KEY_FRAME_FEWEST_RECORDS and _are_key_frames(self._held)
            return [*self._settle(keyed=keyed), *(self._stood(ahead=0) if keyed else ())]
        return self._stood(ahead=0)

    def _settle(self, *, keyed: bool, until: float | None = None) -> list[Observation]:
        """Decides whether these are key frames; returns what was held back meanwhile, and is known.

        Key frames that looks follow stand `until` these come.
        """
        looks = (
            self._stood(ahead=par.KEY_RECORDS_AHEAD)
            if keyed
            else self._stood(ahead=0, until=until)
            if self._keyed
            else []
        )
        if not keyed:
            looks += [record.observation for record in self._held]
            self._held, self._before = [], None
        self._keyed = keyed
        return looks

    def _stood(self, ahead: int, until: float | None = None) -> list[Observation]:
        """Return the looks of all records held but the last few, which tell what those before them missed.

        The last one stands `until` then; None: for as long as the recording may last.
        """
        looks: list[Observation] = []
        while len(self._held) > ahead:
            record, *after = self._held
            complete = record if self._before is None else whole(self._before, record, after[: par.KEY_RECORDS_AHEAD])
            self._shown += len(record.cards)
            self._missed += len(complete.cards) - len(record.cards)
            end = after[0].t if after else self._end(record.t) if until is None else until
            looks += _repeated(complete.observation, end)
            self._before, self._held = complete, after
        return looks

    def _end(self, t: float) -> float:
        """Until when the last record stands."""
        return (
            t + par.KEY_FRAME_LAST_S
            if self._duration is None
            else max(t, min(self._duration, t + par.KEY_FRAME_LONGEST_S))
        )


def _tells_more(observation: Observation) -> bool:
    """Tell whether an observation tells of more than cards: a detector's, which looks at a rate of its own."""
    unlooked = isinstance(observation.cut_cards, UnsetType) and isinstance(observation.bills, UnsetType)
    return bool(observation.chips or observation.hands) or observation.quality is not None or not unlooked


def _are_key_frames(records: Sequence[Record]) -> bool:
    """Tell whether records come rarely, at steps of very different length, each unlike the one before."""
    steps = [after.t - before.t for before, after in pairwise(records)]
    if sum(steps) < par.KEY_FRAME_RARE_S * len(steps):
        return False
    short = quantiles(steps, n=par.KEY_FRAME_SHORT_PARTS)[0]
    long = sum(step >= par.KEY_FRAME_LONG_STEPS * short for step in steps)
    same = sum(alike(before, after) for before, after in pairwise(records))
    return long >= par.KEY_FRAME_LONG_SHARE * len(steps) and same <= par.KEY_FRAME_ALIKE_SHARE * len(steps)


def _repeated(observation: Observation, until: float) -> list[Observation]:
    """Return a record again and again until `until`; a record of a long time also at its end.

    Not where the next comes at once: cards on their way are in neither for long.
    """
    if until - observation.t <= par.KEY_FRAME_AT_ONCE_S:
        return [observation]
    number = max(
        1,
        math.ceil(
            (min(until, observation.t + par.KEY_FRAME_LONGEST_S) - observation.t) / par.KEY_FRAME_STEP_S
            - par.KEY_FRAME_APART_SHARE
        ),
    )
    times = [observation.t + i * par.KEY_FRAME_STEP_S for i in range(number)]
    if until - times[-1] > 2 * par.KEY_FRAME_STEP_S:
        times.append(until - par.KEY_FRAME_STEP_S)
    return [structs.replace(observation, t=t) if t > observation.t else observation for t in times]
