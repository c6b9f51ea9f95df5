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

from msgspec import Struct, UnsetType, structs

from verifier.domain.observations import CardSeen, Observation
from verifier.reconstruct.table.zones import TableMap, Xy, centre_of, distance

LEAST_RECORDS, MOST_RECORDS = 16, 64
"""So many records tell whether they are key frames; a file that does not tell by the second has none."""
FEWEST_RECORDS = 6
"""The least where the file ends."""
RARE_SECONDS, LONG_STEPS, LONG_SHARE = 0.6, 2.5, 0.12
"""Key frames come no sooner than this on average, and many steps between them are so many times the short ones: a
detector looks at a steady rate, and misses a few looks."""
ALIKE_SHARE = 0.25
"""Of key frames no more than this show what the one before showed."""
STEP_S = 0.1333
"""A record is shown again so soon: what counts looks was weighed at 7.5 a second."""
LONGEST_S, LAST_S = 300.0, 4.0
"""A record stands no longer than the first; the last one of a recording of unknown length for the second, which shows
what is gone."""
AT_ONCE_S = 0.55
"""A record that the next one follows sooner is one look: cards on their way lie nowhere for longer."""
AT_MM = 12.0
"""A card this near to where one lay lies there."""
BESIDE_MM, FAR_MM = 110.0, 330.0
"""Cards of a hand lie no farther apart; a split hand is moved no farther than the second."""


class _Lying(Struct, frozen=True):
    """A card of a record, and where it lies in mm."""

    seen: CardSeen
    xy: Xy

    def at(self, other: _Lying) -> bool:
        """Whether another card lies where this one does."""
        return distance(self.xy, other.xy) <= AT_MM

    def like(self, other: _Lying) -> bool:
        """Whether their readings do not rule out that they are one card."""
        ranks = self.seen.rank, other.seen.rank
        return self.seen.face == other.seen.face and (ranks[0] == ranks[1] or None in ranks)

    def reads(self, other: _Lying) -> bool:
        """Whether both show the same rank."""
        return self.seen.face == other.seen.face == "up" and self.seen.rank == other.seen.rank is not None


class _Record(Struct, frozen=True):
    observation: Observation
    cards: tuple[_Lying, ...]

    @property
    def t(self) -> float:
        return self.observation.t

    def shows(self, card: _Lying) -> bool:
        """Whether a card that may be this one lies where it lay."""
        return any(card.at(other) and card.like(other) for other in self.cards)

    def bare(self, card: _Lying) -> bool:
        """Whether nothing lies where a card lay."""
        return not any(card.at(other) for other in self.cards)


class Standing:
    """Feed `step` with observations in order of time; each comes back, key frames a few times, MOST_RECORDS late at
    most."""

    def __init__(self, table: TableMap, duration: float | None = None) -> None:
        self._table, self._duration = table, duration
        self._keyed: bool | None = None
        """None as long as it is not known."""
        self._held: list[_Record] = []
        self._before: _Record | None = None

    @property
    def keyed(self) -> bool:
        """Whether these are known to be key frames."""
        return self._keyed is True

    def step(self, observation: Observation) -> Sequence[Observation]:
        """Takes one observation; returns the looks that are known by now."""
        if self._keyed is not False and _tells_more(observation):
            return [*self._settle(keyed=False, until=observation.t), observation]
        if self._keyed is False:
            return [observation]
        self._held.append(self._record(observation))
        if self._keyed:
            return self._stood(ahead=2)
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
        looks = self._stood(ahead=2) if keyed else self._stood(ahead=0, until=until) if self._keyed else []
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
            whole = record if self._before is None else _whole(self._before, record, after[:2], self._table)
            end = after[0].t if after else self._end(record.t) if until is None else until
            looks += _repeated(whole.observation, end)
            self._before, self._held = whole, after
        return looks

    def _end(self, t: float) -> float:
        """Until when the last record stands."""
        return t + LAST_S if self._duration is None else max(t, min(self._duration, t + LONGEST_S))

    def _record(self, observation: Observation) -> _Record:
        mm = self._table.mm
        return _Record(
            observation,
            tuple(_Lying(card, centre_of([mm(corner) for corner in card.quad])) for card in observation.cards),
        )


def _tells_more(observation: Observation) -> bool:
    """Whether an observation tells of more than cards: a detector's, which looks at a rate of its own."""
    unlooked = isinstance(observation.cut_cards, UnsetType) and isinstance(observation.bills, UnsetType)
    return bool(observation.chips or observation.hands) or observation.quality is not None or not unlooked


def _are_key_frames(records: Sequence[_Record]) -> bool:
    """Whether records come rarely, at steps of very different length, each unlike the one before."""
    steps = [after.t - before.t for before, after in pairwise(records)]
    if sum(steps) < RARE_SECONDS * len(steps):
        return False
    short = quantiles(steps, n=4)[0]
    long = sum(step >= LONG_STEPS * short for step in steps)
    alike = sum(_alike(before, after) for before, after in pairwise(records))
    return long >= LONG_SHARE * len(steps) and alike <= ALIKE_SHARE * len(steps)


def _alike(before: _Record, after: _Record) -> bool:
    """Whether two records show the same cards."""
    return all(after.shows(card) for card in before.cards) and all(before.shows(card) for card in after.cards)


def _repeated(observation: Observation, until: float) -> list[Observation]:
    """A record, again and again before `until`; of a long time also at its end.

    Not where the next comes at once: cards on their way are in neither for long.
    """
    if until - observation.t <= AT_ONCE_S:
        return [observation]
    number = max(1, math.ceil((min(until, observation.t + LONGEST_S) - observation.t) / STEP_S - 0.5))
    times = [observation.t + i * STEP_S for i in range(number)]
    if until - times[-1] > 2 * STEP_S:
        times.append(until - STEP_S)
    return [structs.replace(observation, t=t) if t > observation.t else observation for t in times]


def _whole(before: _Record, record: _Record, after: Sequence[_Record], table: TableMap) -> _Record:
    """A record with the cards that it missed: nobody lays a card back where it lay.

    The dealer does with both cards, from the reader.
    """
    bare = [card for card in before.cards if record.bare(card)]
    dealers = [card for card in before.cards if table.card_place(card.xy) == "dealer"]
    read = dealers if len(dealers) > 1 and all(record.bare(card) for card in dealers) else []
    missed = [
        card for card in bare
        if not any(card is other for other in read) and (
            _shows_again(card, before, record, after)
            or _parted(card, before, record, after[:1])
            or _taken_together(card, before, record, after, table)
        )
    ]  # fmt: skip
    if not missed:
        return record
    cards = [*record.observation.cards, *(card.seen for card in missed)]
    return _Record(structs.replace(record.observation, cards=cards), (*record.cards, *missed))


def _shows_again(card: _Lying, before: _Record, record: _Record, after: Sequence[_Record]) -> bool:
    """Whether a card lies where it lay soon, and another one lay on meanwhile: of another round it were else."""
    others = [other for other in before.cards if not card.at(other)]
    for between, later in zip((record, *after), after, strict=False):
        others = [other for other in others if between.shows(other)]
        if later.shows(card):
            return bool(others)
    return False


def _parted(card: _Lying, before: _Record, record: _Record, after: Sequence[_Record]) -> bool:
    """Whether a card is one of a pair that lies there until the next record, which shows the two laid apart."""
    if not after or not any(card.reads(m) and before.shows(m) and after[0].shows(m) for m in _beside(card, record)):
        return False
    come = [new for new in (*record.cards, *after[0].cards) if card.reads(new) and not before.shows(new)]
    return any(distance(card.xy, new.xy) <= FAR_MM for new in come) and not any(record.shows(new) for new in come)


def _taken_together(
    card: _Lying, before: _Record, record: _Record, after: Sequence[_Record], table: TableMap
) -> bool:  # fmt: skip
    """Whether a card lay in a player's hand the rest of which lies there, and goes soon: a hand goes as a whole."""
    place = table.card_place(card.xy) or ""
    mates = [m for m in _beside(card, record) if before.shows(m) and table.card_place(m.xy) == place]
    return place.startswith("space") and bool(mates) and any(all(later.bare(m) for m in mates) for later in after)


def _beside(card: _Lying, record: _Record) -> list[_Lying]:
    """The cards of a record that may be of a card's hand."""
    return [other for other in record.cards if 0.0 < distance(card.xy, other.xy) <= BESIDE_MM]
