"""Scores a review against a simulated recording's truth: events by kind, planted deviations, false violations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from verifier.domain.events import AnyEvent, ViewCheck
from verifier.domain.findings import Finding, FindingsReport
from verifier.formats.events import read_events
from verifier.formats.findings import read_findings
from verifier.review.score_findings import Deviation, FoundDeviation, broken_in, match_findings, read_deviations
from verifier.review.score_hands import Right, amounts_right, hands_right
from verifier.review.score_hidden import hidden

_VALUES: dict[str, tuple[str, ...]] = {
    "card_dealt": ("card", "face"),
    "card_revealed": ("card",),
    "cards_moved": ("kind",),
    "wager_placed": ("kind", "cents"),
    "wager_changed": ("kind", "cents_after"),
    "hand_signal": ("meaning",),
    "chips_collected": ("kind", "cents"),
    "chips_fanned": ("owner", "cents"),
    "chips_returned": ("kind", "cents"),
    "payoff_placed": ("kind", "cents"),
    "chips_to_tray": ("cents",),
    "chips_from_tray": ("cents",),
    "tip_deposited": ("cents",),
    "dealer_shift": ("phase",),
    "touch": ("by", "object"),
    "hands_shown": ("left_palm", "left_back", "right_palm", "right_back"),
}
"""What counts as an event's value beside its kind and place; a card counts by its rank, for suits do not matter."""

Agree = Callable[[AnyEvent, AnyEvent], bool]
"""Whether a found event's value agrees with the true one's (truth, found)."""

_PLACES = ("to", "at", "from_", "region")


class Rate(Struct, frozen=True, kw_only=True):
    """Counts of matched, missed and invented things; precision and recall are None if nothing counts."""

    matched: int
    missed: int
    invented: int
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None


class Score(Struct, frozen=True, kw_only=True):
    """A review's score. `events` counts kind, place, value and time.

    `events_stated` and `by_kind_stated` also take a value that was not seen, or a lower bound that holds;
    `events_placed` takes any value.
    """

    hours: float
    tolerance: float
    events: Rate
    events_stated: Rate
    events_placed: Rate
    by_kind: dict[str, Rate]
    by_kind_stated: dict[str, Rate]
    deviations: list[FoundDeviation]
    deviation_recall: float | None
    deviation_recall_shown: float | None = None
    """Of those deviations that a camera above the table can show."""
    false_violations: list[str]
    false_violations_per_hour: float | None
    undetermined: int
    undetermined_per_hour: float | None
    hands: Right = Right()
    """Hands whose cards are all right in value."""
    amounts: Right = Right()
    """Fanned wagers and payoffs whose amount is right."""


def score_folders(truth: Path, review: Path, tolerance: float) -> Score:
    """Scores the review folder against the simulated recording's folder; `tolerance` in seconds."""
    log = read_events(truth / "truth.events.jsonl")
    found = read_events(review / "events.jsonl")
    planted = read_deviations(truth / "truth.deviations.json")
    seconds = max((event.t_end for event in log.events), default=0.0)
    report = read_findings(review / "findings.json")
    return score_logs(
        log.events,
        found.events,
        planted,
        report,
        seconds,
        tolerance,
        broken=broken_in(log),
        unseen=hidden(log, planted),
    )


def score_logs(
    truth: Sequence[AnyEvent],
    found: Sequence[AnyEvent],
    planted: Sequence[Deviation],
    report: FindingsReport,
    seconds: float,
    tolerance: float,
    *,
    broken: Sequence[Finding] = (),
    unseen: Sequence[Deviation] = (),
) -> Score:
    """Scores events and findings against truth over `seconds` of recording; samples of the picture are no play.

    `broken` are the violations of the truth itself (`broken_in`): a found one that is among them is not false.
    `unseen` are those of `planted` that no camera above the table could show (`score_hidden.hidden`).
    """
    truth, found = ([event for event in events if not isinstance(event, ViewCheck)] for events in (truth, found))
    hours = seconds / 3600
    outcomes, false = match_findings(planted, report.findings, broken, unseen)
    undetermined = sum(finding.verdict == "undetermined" for finding in report.findings)
    return Score(
        hours=hours,
        tolerance=tolerance,
        events=_rate(truth, found, tolerance, same_value),
        events_stated=_rate(truth, found, tolerance, nothing_false),
        events_placed=_rate(truth, found, tolerance, any_value),
        by_kind=_by_kind(truth, found, tolerance, same_value),
        by_kind_stated=_by_kind(truth, found, tolerance, nothing_false),
        deviations=outcomes,
        deviation_recall=_found(outcomes),
        deviation_recall_shown=_found([one for one in outcomes if not one.hidden]),
        false_violations=[f"{one.clause} round {one.round} at {one.t_start:.1f} s: {one.observed}" for one in false],
        false_violations_per_hour=_share(len(false), hours),
        undetermined=undetermined,
        undetermined_per_hour=_share(undetermined, hours),
        hands=hands_right(truth, found),
        amounts=amounts_right(truth, found, tolerance),
    )


def _found(outcomes: Sequence[FoundDeviation]) -> float | None:
    return _share(sum(one.outcome == "violation" for one in outcomes), len(outcomes))


def _by_kind(truth: Sequence[AnyEvent], found: Sequence[AnyEvent], tolerance: float, agree: Agree) -> dict[str, Rate]:
    kinds = sorted({event.name for event in (*truth, *found)})
    return {kind: _rate(_of(truth, kind), _of(found, kind), tolerance, agree) for kind in kinds}


def _of(events: Iterable[AnyEvent], kind: str) -> list[AnyEvent]:
    return [event for event in events if event.name == kind]


def unmatched(
    truth: Sequence[AnyEvent], found: Sequence[AnyEvent], tolerance: float, agree: Agree
) -> tuple[list[AnyEvent], list[AnyEvent]]:
    """Return the true events that were missed and the found ones that were invented; each event matches one other
    at most.
    """
    given: dict[Hashable, list[AnyEvent]] = defaultdict(list)
    for event in found:
        given[_where(event)].append(event)
    missed = []
    for event in sorted(truth, key=lambda one: one.t_end):
        near = [one for one in given[_where(event)] if _apart(event, one) <= tolerance and agree(event, one)]
        if near:
            given[_where(event)].remove(min(near, key=lambda one: _apart(event, one)))
        else:
            missed.append(event)
    return missed, [event for left in given.values() for event in left]


def _rate(truth: Sequence[AnyEvent], found: Sequence[AnyEvent], tolerance: float, agree: Agree) -> Rate:
    missed, invented = unmatched(truth, found, tolerance, agree)
    return _rated(len(truth) - len(missed), len(missed), len(invented))


def _where(event: AnyEvent) -> Hashable:
    """Kind and places; `space:3/0` is the same place as `space:3`."""
    return event.name, tuple(str(getattr(event, name, None)).removesuffix("/0") for name in _PLACES)


def _apart(truth: AnyEvent, found: AnyEvent) -> float:
    """Seconds between two events: the smaller of how far their beginnings and their ends lie apart."""
    return min(abs(truth.t_start - found.t_start), abs(truth.t_end - found.t_end))


def same_value(truth: AnyEvent, found: AnyEvent) -> bool:
    """Tell whether two events say the same; a card counts by its rank."""
    return all(_value(truth, name) == _value(found, name) for name in _VALUES.get(truth.name, ()))


def nothing_false(truth: AnyEvent, found: AnyEvent) -> bool:
    """Tell whether what `found` states is true: what was not seen, or a lower bound that holds, states nothing
    false.
    """
    for name in _VALUES.get(truth.name, ()):
        stated, true = _value(found, name), _value(truth, name)
        bound = name.startswith("cents") and getattr(found, "lower_bound", False)
        if bound and isinstance(stated, int) and isinstance(true, int) and stated <= true:
            continue
        if stated not in (true, None, "?"):
            return False
    return True


def any_value(truth: AnyEvent, found: AnyEvent) -> bool:
    """Kind, place and time are enough."""
    return True


def _value(event: AnyEvent, name: str) -> object:
    value = getattr(event, name)
    return value[0] if name == "card" else value


def _rated(matched: int, missed: int, invented: int) -> Rate:
    precision, recall = _share(matched, matched + invented), _share(matched, matched + missed)
    f1 = _share(2 * matched, 2 * matched + missed + invented)
    return Rate(matched=matched, missed=missed, invented=invented, precision=precision, recall=recall, f1=f1)


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None
