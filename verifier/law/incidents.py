"""Puts instances together: one incident is one finding, its root clause first and the clauses broken with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from verifier.domain.findings import Finding
from verifier.law.catalogue import Clause
from verifier.law.instances import Instance


def incidents(instances: Iterable[Instance]) -> list[Instance]:
    """Violations and undetermined instances, those of one incident merged into its root."""
    groups: dict[tuple[object, ...], list[Instance]] = {}
    for index, instance in enumerate(instances):
        key = (instance.round, instance.incident) if instance.incident else (instance.round, "", index)
        groups.setdefault(key, []).append(instance)
    merged = [root for members in groups.values() for root in _merge(members)]
    return _absorb(merged)


def _merge(members: Sequence[Instance]) -> list[Instance]:
    """One root for the violations of an incident; what it leaves open is not listed beside it."""
    certain = [i for i in members if i.verdict == "violation"] or list(members)
    ordered = sorted(certain, key=lambda i: i.rank)
    return [_join(ordered[0], ordered[1:])]


def _join(root: Instance, others: Sequence[Instance]) -> Instance:
    also = dict.fromkeys(root.also)
    events = {event.id: event for event in root.events}
    for other in others:
        also.update(dict.fromkeys((other.clause, *other.also)))
        events.update({event.id: event for event in other.events})
    also.pop(root.clause, None)
    return msgspec.structs.replace(root, also=tuple(also), events=tuple(events.values()))


def _absorb(roots: Sequence[Instance]) -> list[Instance]:
    """Drops what another finding of the same place and verdict already names in `also`."""
    found: list[Instance] = []
    named = {(i.round, i.at, clause, i.verdict): i for i in roots for clause in i.also}
    for instance in roots:
        other = named.get((instance.round, instance.at, instance.clause, instance.verdict))
        if (
            other is None
            or other is instance
            or instance.clause == other.clause
            or (
                (instance.round, instance.at, other.clause, other.verdict) in named
                and roots.index(instance) < roots.index(other)
            )
        ):
            found.append(instance)
    return found


UNKNOWN_CHANCE = 0.5
"""Probability given for an open matter of which nothing tells how probable a violation is."""
_PLACE = re.compile(r"space:(\d)(?:/(\d))?")


def _plain(text: str) -> str:
    """Places in words: `space 3`, `space 3 (split hand 1)`."""
    return _PLACE.sub(lambda m: f"space {m[1]}" + (f" (split hand {m[2]})" if m[2] else ""), text)


def finding(instance: Instance, clause: Clause) -> Finding:
    """The finding that a root instance becomes."""
    events = sorted(instance.events, key=lambda e: (e.t_start, e.t_end, e.id))
    start, end = instance.span or (0.0, 0.0)
    return Finding(
        clause=clause.id, cite=clause.cite, title=clause.title,
        verdict="violation" if instance.verdict == "violation" else "undetermined",
        severity=instance.severity or clause.severity, round=instance.round, at=instance.at,
        t_start=min((e.t_start for e in events), default=start),
        t_end=max((e.t_end for e in events), default=end),
        clock=next((e.clock for e in events if e.clock), None),
        p=_probability(instance, [e.p for e in events]),
        expected=_plain(instance.expected or clause.requirement), observed=_plain(instance.observed),
        events=[e.id for e in events], also=list(instance.also), corrected=instance.corrected,
    )  # fmt: skip


def _probability(instance: Instance, seen: Sequence[float]) -> float:
    """How probable a violation is: where certain, as its weakest record; where open, over the ways to read the log."""
    if instance.verdict == "violation":
        return min([*seen, 1.0 if instance.chance is None else instance.chance])
    return round(UNKNOWN_CHANCE if instance.chance is None else instance.chance, 4)
