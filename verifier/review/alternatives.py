"""Other explanations of a finding: what may have been misread among the events that it rests on."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, EventLog
from verifier.domain.findings import Finding
from verifier.review.wording import plain_name, plain_place

_WORTH_SAYING = 0.02
_DOUBTFUL = 0.9


def alternatives(log: EventLog, finding: Finding) -> list[str]:
    """Plain sentences, each one way in which the finding could be a misreading; empty where none is known."""
    cited = set(finding.events)
    told: list[str] = []
    for event in log.events:
        if event.id in cited:
            told += _of(event)
    if finding.corrected:
        told.append("The mistake was corrected at the table before the next round.")
    return list(dict.fromkeys(told))


def _of(event: AnyEvent) -> Iterable[str]:
    if isinstance(event, CardDealt | CardRevealed) and event.ranks:
        yield from _other_ranks(event)
    if getattr(event, "lower_bound", False):
        place = plain_place(getattr(event, "at", None))
        yield f"The stack at {place} may hide chips under the top one, so its amount is a lower bound."
    if event.occluded:
        yield f"The view was blocked at {event.t_start:.1f} s ({plain_name(event)})."
    elif event.p < _DOUBTFUL:
        yield f"Not sure that this was seen rightly: {plain_name(event)} at {event.t_start:.1f} s ({event.p:.0%} sure)."


def _other_ranks(event: CardDealt | CardRevealed) -> Iterable[str]:
    place = plain_place(event.to if isinstance(event, CardDealt) else event.at)
    others = sorted((event.ranks or {}).items(), key=lambda pair: -pair[1])
    for rank, p in others:
        if rank != event.card[0] and p >= _WORTH_SAYING:
            read = "was not read" if event.card[0] == "?" else f"was read as {event.card[0]}"
            yield f"The card at {place} ({event.t_start:.1f} s) {read}, but may be {rank} ({p:.0%})."
