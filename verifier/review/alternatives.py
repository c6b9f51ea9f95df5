"""Other explanations of a finding: what may have been misread, and what the law would say then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, EventLog
from verifier.domain.findings import Finding, FindingsReport
from verifier.review.table_clock import clock_near
from verifier.review.wording import moment, plain_name, plain_place

_WORTH_SAYING = 0.01
_DOUBTFUL = 0.9
_MOST_TRIED: Final = 6
"""So many other readings are judged; more would make the page wait."""

Judge = Callable[[EventLog], FindingsReport]
Reading = tuple[CardDealt | CardRevealed, str, float]
"""A card's event, another rank that it may be, and how likely that is."""


class Alternative(Struct, frozen=True, kw_only=True):
    """One way in which a finding could be wrong, in plain words; `p` its probability where one is known.

    `clears`: whether the law would find nothing then; None if that was not tried.
    """

    text: str
    p: float | None = None
    clears: bool | None = None


def alternatives(log: EventLog, finding: Finding, judge: Judge | None = None) -> list[Alternative]:
    """Ways in which the finding could be a misreading; with `judge` each other reading of a card is judged anew."""
    cited = set(finding.events)
    events = [event for event in log.events if event.id in cited]
    begins = clock_near(log, finding)
    told = [*_readings(log, finding, events, judge)]
    told += [one for event in events for one in _doubts(event, moment(finding, event.t_start, begins))]
    if finding.corrected:
        told.append(Alternative(text="The mistake was corrected at the table before the next round."))
    return list(dict.fromkeys(told))


def _readings(
    log: EventLog, finding: Finding, events: Iterable[AnyEvent], judge: Judge | None
) -> Iterator[Alternative]:
    others = sorted(_other_ranks(events), key=lambda reading: -reading[2])
    part, begins = _round_of(log, finding), clock_near(log, finding)
    fair = judge is not None and bool(others) and _still_found(judge(part), finding)
    for index, (event, rank, p) in enumerate(others):
        clears = None
        if fair and judge is not None and index < _MOST_TRIED:
            clears = not _still_found(judge(_read_as(part, event.id, rank)), finding)
        when = moment(finding, event.t_start, begins)
        yield Alternative(text=_sentence(event, when, rank, p, clears), p=p, clears=clears)


def _other_ranks(events: Iterable[AnyEvent]) -> Iterator[Reading]:
    for event in events:
        if isinstance(event, CardDealt | CardRevealed):
            for rank, p in (event.ranks or {}).items():
                if rank != event.card[0] and p >= _WORTH_SAYING:
                    yield event, rank, p


def _round_of(log: EventLog, finding: Finding) -> EventLog:
    """Return the events of the finding's round: enough for what happens within a round."""
    if finding.round is None:
        return EventLog(log.header, log.events)
    return EventLog(log.header, tuple(event for event in log.events if event.round == finding.round))


def _read_as(log: EventLog, event_id: str, rank: str) -> EventLog:
    def read(event: AnyEvent) -> AnyEvent:
        if event.id == event_id and isinstance(event, CardDealt | CardRevealed):
            return msgspec.structs.replace(event, card=rank + event.card[1], ranks={rank: 1.0}, p=1.0)
        return event

    return EventLog(log.header, tuple(read(event) for event in log.events))


def _still_found(report: FindingsReport, finding: Finding) -> bool:
    """Tell whether the report still has a finding of the clause at that place."""
    return any(
        one.clause == finding.clause and one.at == finding.at and one.verdict == finding.verdict
        for one in report.findings
    )


def _sentence(event: CardDealt | CardRevealed, when: str, rank: str, p: float, clears: bool | None) -> str:
    place = plain_place(event.to if isinstance(event, CardDealt) else event.at)
    read = f"not {_a(event.card[0])}" if event.card[0] != "?" else "which was not read"
    then = {True: "there is no such deviation", False: "the deviation remains", None: "look at it again"}[clears]
    return f"If the card at {place} ({when}) is {_a(rank)}, {read}, {then}: {p:.0%}."


def _a(rank: str) -> str:
    name = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}.get(rank, rank)
    return f"an {name}" if name in ("ace", "8") else f"a {name}"


def _doubts(event: AnyEvent, when: str) -> Iterator[Alternative]:
    if getattr(event, "lower_bound", False):
        place = plain_place(getattr(event, "at", None))
        yield Alternative(text=f"The stack at {place} may hide chips under the top one: its amount is a lower bound.")
    if event.occluded:
        yield Alternative(text=f"The view was blocked at {when} ({plain_name(event)}).")
    elif event.p < _DOUBTFUL:
        text = f"Perhaps this was not seen rightly: {plain_name(event)} at {when}."
        yield Alternative(text=text, p=1 - event.p)
