"""Weak records: a check is run over every way to take them, and speaks only where all ways agree (docs/formats.md).

A weak record (occluded, or p below 0.5) may not have happened, or have happened with other content. It is therefore
either left out, or kept with what was read of it (cards, amounts, what hands showed) made unknown. A breach that only
the readings of weak records tell is open, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod

import msgspec

from verifier.domain.events import AnyEvent
from verifier.domain.findings import VERDICT_ORDER
from verifier.law.instances import Instance

Situation = tuple[str, int | None, str | None, str, int]
"""What tells instances apart: clause, round, place, key, and which of several such it is."""
ALL_WAYS = 4
"""Up to this many weak records every combination is tried; above, all kept, all left out, and one left out each."""
ONE_BY_ONE = 12
WEAKLY = "it surely enough: what shows it was seen weakly"
"""What a log does not tell of a clause of which weak records alone show that it was kept."""
_UNREAD: dict[str, object] = {
    "card": "??",
    "ranks": None,
    "cents": None,
    "chips": None,
    "cents_after": None,
    "bills": None,
    "text": None,
    "total": None,
    "left_palm": None,
    "left_back": None,
    "right_palm": None,
    "right_back": None,
    "fingers_extended": None,
}


def ways(events: Sequence[AnyEvent]) -> Iterator[tuple[tuple[AnyEvent, ...], float]]:
    """Every way to take the weak records among events, with its weight; the first keeps them all."""
    weak = [index for index, event in enumerate(events) if event.weak]
    blurred = {index: blur(events[index]) for index in weak}
    for kept in _choices(weak):
        weight = prod(events[i].p if i in kept else 1.0 - events[i].p for i in weak)
        yield tuple(blurred.get(i, e) for i, e in enumerate(events) if i in kept or i not in blurred), weight


def blur(event: AnyEvent) -> AnyEvent:
    """Return the record with all that was read of it made unknown."""
    changes = {name: value for name, value in _UNREAD.items() if getattr(event, name, None) is not None}
    return msgspec.structs.replace(event, **changes) if changes else event


def _choices(weak: Sequence[int]) -> Iterator[frozenset[int]]:
    if len(weak) <= ALL_WAYS:
        for flags in product((True, False), repeat=len(weak)):
            yield frozenset(i for i, flag in zip(weak, flags, strict=True) if flag)
        return
    everything = frozenset(weak)
    yield everything
    yield frozenset()
    if len(weak) <= ONE_BY_ONE:
        for index in weak:
            yield everything - {index}
            yield frozenset({index})


def over_ways(
    events: Sequence[AnyEvent], judge: Callable[[tuple[AnyEvent, ...]], Iterable[Instance]]
) -> list[Instance]:
    """Instances on which all ways agree; where they differ and one accuses or cannot tell, undetermined."""
    worlds, weights = [], []
    for taken, weight in ways(events):
        worlds.append(_keyed(judge(taken)))
        weights.append(weight)
    found = []
    for key in dict.fromkeys(key for world in worlds for key in world):
        instance = _agreed([world.get(key) for world in worlds], weights)
        if instance is not None:
            found.append(instance)
    read = list(_by_readings(events, worlds, judge))
    asked = {instance.identity for instance in read}
    return [*(i for i in found if not (i.untold and i.identity in asked)), *read]


def _by_readings(
    events: Sequence[AnyEvent],
    worlds: Sequence[dict[Situation, Instance]],
    judge: Callable[[tuple[AnyEvent, ...]], Iterable[Instance]],
) -> Iterator[Instance]:
    """Leave open what only the readings of weak records tell: a breach if they are right, and nothing otherwise."""
    if all(blur(event) is event for event in events if event.weak):
        return
    for key, instance in _keyed(judge(tuple(events))).items():
        others = [world[key].verdict for world in worlds if key in world and not world[key].untold]
        if instance.verdict == "violation" and not {"violation", "undetermined"} & set(others):
            yield instance.remarked("seen_too_weakly", verdict="undetermined", chance=_surest(instance))


def _keyed(instances: Iterable[Instance]) -> dict[Situation, Instance]:
    count: dict[tuple[str, int | None, str | None, str], int] = defaultdict(int)
    found = {}
    for instance in instances:
        identity = instance.identity
        found[(*identity, count[identity])] = instance
        count[identity] += 1
    return found


def _agreed(said: Sequence[Instance | None], weights: Sequence[float]) -> Instance | None:
    present = [instance for instance in said if instance is not None]
    verdicts = {instance.verdict if instance is not None else "not_applicable" for instance in said}
    if len(verdicts) == 1:
        return max(present, key=_surest)
    if not verdicts & {"violation", "undetermined"}:
        return msgspec.structs.replace(max(present, key=_surest), verdict="not_assessed", also=(), untold=WEAKLY)
    worst = min(present, key=lambda i: VERDICT_ORDER[i.verdict])
    return worst.remarked("seen_too_weakly", verdict="undetermined", chance=_chance(said, weights))


def _surest(instance: Instance) -> float:
    """Return the probability of the weakest record that an instance rests on. What holds either way rests on the best
    seen.
    """
    return min((event.p for event in instance.events), default=1.0)


def _chance(said: Sequence[Instance | None], weights: Sequence[float]) -> float | None:
    """Probability of a violation over the ways, each weighted by how probable its records are."""
    whole = sum(weights)
    if whole <= 0:
        return None
    return sum(weight * _share(instance) for instance, weight in zip(said, weights, strict=True)) / whole


def _share(instance: Instance | None) -> float:
    if instance is None or instance.verdict == "pass":
        return 0.0
    if instance.verdict == "violation":
        return 1.0
    return 0.5 if instance.chance is None else instance.chance
