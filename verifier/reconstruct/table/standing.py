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
from verifier.reconstruct.table.records import AHEAD, Record, alike, record_of, whole
from verifier.reconstruct.table.zones import TableMap

LEAST_RECORDS, MOST_RECORDS = 16, 64
"""So many records tell whether they are key frames; a file that does not tell by the second has none."""
FEWEST_RECORDS = 6
"""The least where the file ends."""
RARE_SECONDS, LONG_STEPS, LONG_SHARE = 0.6, 2.0, 0.15
"""Key frames come no sooner than this on average, and many steps between them are so many times the short ones: a
detector looks at a steady rate, and misses a few looks."""
MISSED_SHARE, LEAST_CARDS = 0.075, 40
"""Key frames that miss so many of the cards are in doubt: a card that one misses seems gone until the next. So many
cards tell."""
ALIKE_SHARE = 0.25
"""Of key frames no more than this show what the one before showed."""
STEP_S = 0.1333
"""A record is shown again so soon: what counts looks was weighed at 7.5 a second."""
APART = 0.6
"""Share of a step by which the next record comes later than the last look at one, or else it would be passed over."""
LONGEST_S, LAST_S = 300.0, 4.0
"""A record stands no longer than the first; the last one of a recording of unknown length for the second, which shows
what is gone."""
AT_ONCE_S = 0.55
"""A record that the next one follows sooner is one look: cards on their way lie nowhere for longer."""


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
        return cards >= LEAST_CARDS and self._missed >= MISSED_SHARE * cards

    def step(self, observation: Observation) -> Sequence[Observation]:
        """Takes one observation; returns the looks that are known by now."""
        if self._keyed is not False and _tells_more(observation):
            return [*self._settle(keyed=False, until=observation.t), observation]
        if self._keyed is False:
            return [observation]
        self._held.append(record_of(observation, self._table))
        if self._keyed:
            return self._stood(ahead=AHEAD)
        if len(self._held) >= LEAST_RECORDS and _are_key_frames(self._held):
            return self._settle(keyed=True)
        return self._settle(keyed=False) if len(self._held) >= MOST_RECORDS else []

    def flush(self) -> Sequence[Observation]:
        """Ends the recording; returns what was held back."""
        if self._keyed is None:
            keyed = len(self._held) >= FEWEST_RECORDS and _are_key_frames(self._held)
            return [*self._settle(keyed=keyed), *(self._stood(ahead=0) if keyed else ())]
        return self._stood(ahead=0)

    def _settle(self, *, keyed: bool, until: float | None = None) -> list[Observation]:
        """Decides whether these are key frames; returns what was held back meanwhile, and is known.

        Key frames that looks follow stand `until` these come.
        """
        looks = self._stood(ahead=AHEAD) if keyed else self._stood(ahead=0, until=until) if self._keyed else []
        if not keyed:
            looks += [record.observation for record in self._held]
            self._held, self._before = [], None
        self._keyed = keyed
        return looks

    def _stood(self, ahead: int, until: float | None = None) -> list[Observation]:
        """The looks of all records held but the last few, which tell what those before them missed.

        The last one stands `until` then; None: for as long as the recording may last.
        """
        looks: list[Observation] = []
        while len(self._held) > ahead:
            record, *after = self._held
            complete = record if self._before is None else whole(self._before, record, after[:AHEAD])
            self._shown += len(record.cards)
            self._missed += len(complete.cards) - len(record.cards)
            end = after[0].t if after else self._end(record.t) if until is None else until
            looks += _repeated(complete.observation, end)
            self._before, self._held = complete, after
        return looks

    def _end(self, t: float) -> float:
        """Until when the last record stands."""
        return t + LAST_S if self._duration is None else max(t, min(self._duration, t + LONGEST_S))


def _tells_more(observation: Observation) -> bool:
    """Whether an observation tells of more than cards: a detector's, which looks at a rate of its own."""
    unlooked = isinstance(observation.cut_cards, UnsetType) and isinstance(observation.bills, UnsetType)
    return bool(observation.chips or observation.hands) or observation.quality is not None or not unlooked


def _are_key_frames(records: Sequence[Record]) -> bool:
    """Whether records come rarely, at steps of very different length, each unlike the one before."""
    steps = [after.t - before.t for before, after in pairwise(records)]
    if sum(steps) < RARE_SECONDS * len(steps):
        return False
    short = quantiles(steps, n=4)[0]
    long = sum(step >= LONG_STEPS * short for step in steps)
    same = sum(alike(before, after) for before, after in pairwise(records))
    return long >= LONG_SHARE * len(steps) and same <= ALIKE_SHARE * len(steps)


def _repeated(observation: Observation, until: float) -> list[Observation]:
    """A record, again and again before `until`; of a long time also at its end.

    Not where the next comes at once: cards on their way are in neither for long.
    """
    if until - observation.t <= AT_ONCE_S:
        return [observation]
    number = max(1, math.ceil((min(until, observation.t + LONGEST_S) - observation.t) / STEP_S - APART))
    times = [observation.t + i * STEP_S for i in range(number)]
    if until - times[-1] > 2 * STEP_S:
        times.append(until - STEP_S)
    return [structs.replace(observation, t=t) if t > observation.t else observation for t in times]
