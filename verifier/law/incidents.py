"""Puts instances together: one incident is one finding, its root clause first and the clauses broken with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import msgspec
from msgspec import UNSET

from verifier.domain.events import Event
from verifier.domain.findings import Finding
from verifier.law.attested import rests_on_statement
from verifier.law.catalogue import Clause
from verifier.law.entries import as_moment
from verifier.law.instances import Instance
from verifier.law.sentences import facts_of, sentence


def incidents(instances: Iterable[Instance]) -> list[Instance]:
    """Violations and undetermined instances, those of one incident merged into its root."""
    groups: dict[tuple[object, ...], list[Instance]] = {}
    for index, instance in enumerate(instances):
        key = (instance.round, instance.incident) if instance.incident else (instance.round, "", index)
        groups.setdefault(key, []).append(instance)
    merged = [root for members in groups.values() for root in _merge(members)]
    return _told_by_sum(_told_by_unspread(_absorb(merged)))


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
    """Drop what another finding of the same place and verdict already names in `also`."""
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


_ROW = ("ND-08-11.16.a-fan-wager", "ND-08-11.16.a-fan-payoff", "ND-08-11.16.a-hands-away")
_TIP_ROW = ("ND-08-11.16.a-tip-reposition", "ND-08-11.16.b-tip-beside-fan", "ND-08-11.16.b-tip-hands-away")
UNSPREAD = {
    "ND-08-11.16.a-payoff-equal": _ROW,
    "ND-08-11.16.b-tip-equal": _TIP_ROW,
    "ND-08-11.14-tip-wins": _TIP_ROW,
    "ND-08-11.18.b-equal-value": ("ND-08-11.18.b-fan-exchanged-only", "ND-08-11.18.b-hands-away"),
    "ND-08-07.3.c-exchange-equal": (
        "ND-08-07.3.c-exchange-in-left",
        "ND-08-07.3.c-exchange-hands-clear-in",
        "ND-08-07.3.c-exchange-hands-clear-out",
    ),
    "ND-08-07.3.b-chips-equal-cash": ("ND-08-07.3.b-fan-buyin", "ND-08-07.3.b-hands-clear-chips"),
}
"""Sums that cannot be told where chips were not shown as the clauses beside them prescribe, so that one finding says
both."""


def _told_by_unspread(roots: Sequence[Instance]) -> list[Instance]:
    """Without the sums left open for no other reason than that the chips were not shown, which is a finding itself."""
    kept = list(roots)
    for open_sum in roots:
        shown_by = UNSPREAD.get(open_sum.clause, ()) if open_sum.verdict == "undetermined" else ()
        records = {event.id for event in open_sum.events}
        other = next((i for i in kept if i.clause in shown_by and records & {e.id for e in i.events}), None)
        if other is not None:
            kept[kept.index(other)] = _with_open_sum(other, open_sum)
            kept.remove(open_sum)
    return kept


UNFANNED = {
    "ND-08-11.16.a-fan-wager": "ND-08-11.16.a-payoff-equal",
    "ND-08-11.16.a-fan-payoff": "ND-08-11.16.a-payoff-equal",
    "ND-08-11.16.a-tip-reposition": "ND-08-11.16.b-tip-equal",
    "ND-08-11.16.b-tip-beside-fan": "ND-08-11.16.b-tip-equal",
}
"""Fans that are asked for where more than one chip may have lain in a stack, and the sum that its row should make."""


def _told_by_sum(roots: Sequence[Instance]) -> list[Instance]:
    """Without the fans left open of chips whose sum was surely wrong, which is a finding itself."""
    kept = list(roots)
    for open_fan in roots:
        wrong = UNFANNED.get(open_fan.clause) if open_fan.verdict == "undetermined" else None
        records = {event.id for event in open_fan.events}
        other = next(
            (i for i in kept if i.clause == wrong and i.verdict == "violation" and records & {e.id for e in i.events}),
            None,
        )
        if other is not None:
            kept[kept.index(other)] = other.remarked("fan_not_told")
            kept.remove(open_fan)
    return kept


def _with_open_sum(unspread: Instance, open_sum: Instance) -> Instance:
    if unspread.verdict == "undetermined":
        return _join(unspread, [open_sum])
    return unspread.remarked("sum_not_told")


UNKNOWN_CHANCE = 0.5
"""Probability given for an open matter of which nothing tells how probable a violation is."""
HALF_S = 0.5
"""Seconds that a clock is ahead of its reading, at the likeliest: a reading is cut off to its second."""
LEAST_OPEN, MOST_OPEN = 0.01, 0.99
"""Beyond these a probability would be read as 0 or 100 %, which an open matter has not (policy of this project)."""


def finding(instance: Instance, clause: Clause) -> Finding:
    """Return the finding that a root instance becomes."""
    events = sorted(instance.events, key=lambda e: (e.t_start, e.t_end, e.id))
    start, end = instance.span or (0.0, 0.0)
    begins = min((e.t_start for e in events), default=start)
    expected = sentence(instance.expected or clause.requirement)
    observed = sentence(instance.observed, instance.remarks)
    return Finding(
        clause=clause.id,
        cite=clause.cite,
        title=clause.title,
        verdict="violation" if instance.verdict == "violation" else "undetermined",
        severity=instance.severity or clause.severity,
        round=instance.round,
        at=instance.at,
        t_start=begins,
        t_end=max((e.t_end for e in events), default=end),
        clock=_clock_at(begins, events),
        p=_probability(instance, [e.p for e in events]),
        expected=expected.text,
        observed=observed.text,
        events=[e.id for e in events],
        also=list(instance.also),
        corrected=instance.corrected,
        brief=observed.brief if observed.brief != observed.text else UNSET,
        facts=facts_of(expected, observed, instance.remarks),
        evidence="attested" if rests_on_statement(events) else UNSET,
    )


def _clock_at(t: float, events: Sequence[Event]) -> str | None:
    """Return the table's clock at second `t` of the recording (ISO 8601, to the second); None where none was read.

    The first event that has a clock tells it. An event's clock is what the picture showed at its end, cut off to the
    second: half a second more is the likeliest.
    """
    read = next((event for event in events if event.clock), None)
    shown = as_moment(read.clock) if read is not None else None
    if read is None or shown is None:
        return None if read is None else read.clock
    moment = shown + timedelta(seconds=HALF_S + t - read.t_end)
    return moment.replace(microsecond=0).isoformat()


def _probability(instance: Instance, seen: Sequence[float]) -> float:
    """How probable a violation is: where certain, as its weakest record; where open, over the ways to read the log.

    What is open is never certain: where the readings of the cards alone would make it so, something else is not known.
    """
    if instance.verdict == "violation":
        return min([*seen, 1.0 if instance.chance is None else instance.chance])
    if instance.chance is None or instance.chance >= 1.0:
        return UNKNOWN_CHANCE
    return round(min(max(instance.chance, LEAST_OPEN), MOST_OPEN), 4)
