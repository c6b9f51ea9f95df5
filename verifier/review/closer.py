"""Looks again at a larger scale before a violation is told, and where several cards were found as one.

Two looks at different scales seldom make the same error. A violation that both tell stays a violation. If they differ,
the look with fewer findings tells the stretch. A violation that this look tells alone becomes undetermined. One that
the other look tells alone is no finding; it is listed as unconfirmed. Cards that were found as one, so that their
number is not known, are counted if the closer look finds two or more for each. If it finds one, the two looks differ,
and the doubt stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.events import WEAK_BELOW, AnyEvent, CardDealt, EventLog
from verifier.domain.findings import Finding, FindingsReport, Unconfirmed, WhichLook
from verifier.domain.observations import Observation

Span = tuple[float, float]
"""From, to: seconds of media time."""
Judge = Callable[[EventLog], FindingsReport]
Look = Callable[[Span], Sequence[Observation] | None]
"""What a closer look at a stretch shows; None if none can be had."""
Looked = tuple[Span, Sequence[Observation]]
"""A stretch, and what the closer look at it shows."""

MARGIN_S: Final = 2.0
"""Seconds before and after a round that are looked at with it."""
ABOUT_S: Final = 20.0
"""The same for a violation between rounds."""
LONGEST_S: Final = 180.0
"""A longer stretch is not looked at again."""
SHARE: Final = 0.05
LEAST_S: Final = 180.0
"""At most this share of the watched time is looked at again, but at least so many seconds of any recording."""
SAME_S: Final = 5.0
"""Two looks tell the same breach if their times differ by no more than this."""
DOUBTED: Final = WEAK_BELOW - 0.05
"""The probability that a record gets if a violation rests on it that only one look tells."""


class Confirmed(Struct, frozen=True):
    """The log after a closer look, what the law says of it, and the violations of either look that are not in it."""

    log: EventLog
    report: FindingsReport
    unconfirmed: list[Unconfirmed] = []


def confirmed(
    log: EventLog,
    judge: Judge,
    tell: Callable[[Sequence[Looked]], EventLog],
    look: Look,
) -> Confirmed:
    """Judge the log, with a closer look where it tells of violations, or of cards whose number is not known.

    `tell` makes the log that closer looks give, in place of what was seen in their stretches.
    """
    report = judge(log)
    looks = [(span, shown) for span in spans(log, report) if (shown := look(span)) is not None]
    if not looks:
        return Confirmed(log, report)
    looked = [span for span, _ in looks]
    nearer = tell(looks)
    again, now = judge(nearer), report
    apart = [*_alone("first", report, again, looked), *_alone("closer", again, report, looked)]
    counted = [span for span in looked if _counted(log, nearer, span)]
    differ = any(one.look == "first" for one in apart)
    if counted or differ:
        fewer = [
            span
            for span in looked
            if differ and not _uncounted(log, span) and _findings(again, span) < _findings(report, span)
        ]
        plainer = [(span, shown) for span, shown in looks if span in counted or span in fewer]
        if plainer == looks:
            log, now = nearer, again
        elif plainer:
            log = tell(plainer)
            now = judge(log)
        open_ = [one for one in _violations(now, looked) if not (_told(one, report) and _told(one, again))]
        log, now = all_doubted(log, now, open_, judge)
    return Confirmed(log, now, [one for one in apart if not any(_same(one.told, other) for other in now.findings)])


def _alone(look: WhichLook, report: FindingsReport, other: FindingsReport, looked: Sequence[Span]) -> list[Unconfirmed]:
    """Return the violations in one look's report that the other look does not report."""
    return [
        Unconfirmed(look=look, told=_bare(one), instead=[_bare(held) for held in other.findings if _near(one, held)])
        for one in _violations(report, looked)
        if not _told(one, other)
    ]


def _bare(finding: Finding) -> Finding:
    """Return the finding without its events: these are numbers of a log that is not kept."""
    return msgspec.structs.replace(finding, events=[])


def _violations(report: FindingsReport, looked: Sequence[Span]) -> list[Finding]:
    """Return the violations of a report within the stretches that were looked at."""
    return [f for f in report.findings if f.verdict == "violation" and any(_within(f, span) for span in looked)]


def _findings(report: FindingsReport, span: Span) -> int:
    """How many things a report holds against a stretch."""
    return sum(_within(finding, span) for finding in report.findings)


def _counted(log: EventLog, nearer: EventLog, span: Span) -> bool:
    """Tell whether a closer look tells two cards or more for each one of which the first does not know how many
    it is.
    """
    unknown = _uncounted(log, span)
    return unknown > 0 == _uncounted(nearer, span) and _dealt(nearer, span) >= _dealt(log, span) + unknown


def _uncounted(log: EventLog, span: Span) -> int:
    """How many cards a stretch shows of which it is not known how many they are."""
    return sum(span[0] <= one.t_end <= span[1] for one in uncounted(log))


def _dealt(log: EventLog, span: Span) -> int:
    """How many cards are surely dealt in a stretch, those found as one counted once."""
    dealt = (event for event in log.events if isinstance(event, CardDealt) and not event.weak)
    return sum(span[0] <= event.t_end <= span[1] for event in dealt)


def uncounted(log: EventLog) -> list[CardDealt]:
    """Return the records of cards that were found as one, though they are several."""
    return [event for event in log.events if isinstance(event, CardDealt) and event.several]


def _within(finding: Finding, span: Span) -> bool:
    return span[0] <= finding.t_start and finding.t_end <= span[1]


def _told(finding: Finding, report: FindingsReport) -> bool:
    """Tell whether a report tells the same breach as a violation."""
    return any(one.verdict == "violation" and _same(finding, one) for one in report.findings)


def spans(log: EventLog, report: FindingsReport) -> list[Span]:
    """Return the stretches with a violation or with cards that were not counted, in order of time, without overlap.

    Where not all fit, what was broken goes before, and of that the least sure.
    """
    length = max((event.t_end for event in log.events), default=0.0)
    most = max(LEAST_S, SHARE * length)
    broken = sorted((f for f in report.findings if f.verdict == "violation" and f.events), key=lambda f: f.p)
    chosen: list[Span] = []
    doubts: list[Finding | CardDealt] = [*broken, *uncounted(log)]
    for doubt in doubts:
        start, end = _about(log, doubt)
        joined = _apart([*chosen, (max(0.0, start), end)])
        if end - start <= LONGEST_S and sum(b - a for a, b in joined) <= most:
            chosen = joined
    return chosen


def _about(log: EventLog, doubt: Finding | CardDealt) -> Span:
    """Return the round of a finding or of a record, or else the time around it."""
    within = [event for event in log.events if event.round == doubt.round]
    if doubt.round is None or not within:
        return doubt.t_start - ABOUT_S, doubt.t_end + ABOUT_S
    start, end = min(event.t_start for event in within), max(event.t_end for event in within)
    return min(start, doubt.t_start) - MARGIN_S, max(end, doubt.t_end) + MARGIN_S


def _apart(stretches: Iterable[Span]) -> list[Span]:
    """Return the same time as stretches that do not touch, in order."""
    out: list[Span] = []
    for start, end in sorted(stretches):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def replaced(seen: Iterable[Observation], looks: Sequence[Looked]) -> Iterator[Observation]:
    """Yield what was seen, in order of time, with the closer looks in place of what was seen in their stretches."""
    waiting = list(looks)
    for observation in seen:
        while waiting and waiting[0][0][1] <= observation.t:
            yield from waiting.pop(0)[1]
        if not waiting or observation.t < waiting[0][0][0]:
            yield observation
    for _, shown in waiting:
        yield from shown


def _same(one: Finding, other: Finding) -> bool:
    """Tell whether two findings tell the same breach: clause, place and about the same time."""
    return _near(one, other) and one.clause in (other.clause, *other.also)


def _near(one: Finding, other: Finding) -> bool:
    """Tell whether two findings are of the same place and about the same time."""
    near = one.t_start - SAME_S <= other.t_end and other.t_start - SAME_S <= one.t_end
    return near and one.at == other.at


def all_doubted(
    log: EventLog, report: FindingsReport, findings: Sequence[Finding], judge: Judge
) -> tuple[EventLog, FindingsReport]:
    """Return the log with a record weakened that each of the findings rests on, and its report; `report` is that of
    `log`.

    Which records these are is found in the rounds of each finding; the whole log is then judged once for all of them.
    Where that does not open every question, one finding is doubted after the other.
    """
    made: EventLog = log
    now: FindingsReport | None = report
    for finding in findings:
        part = _rounds_of(made, finding)
        if not _told(finding, judge(part)):
            now = now or judge(made)
            part = made if _told(finding, now) else part
        made, now = weakened(made, _opening(part, finding, judge)), None
    now = now or judge(made)
    if not any(_told(finding, now) for finding in findings):
        return made, now
    for finding in findings:
        log, report = doubted(log, finding, judge)
    return log, report


def doubted(log: EventLog, finding: Finding, judge: Judge) -> tuple[EventLog, FindingsReport]:
    """Return the log with one record weakened that the finding rests on, and its report: the one with the fewest
    findings.

    Where none alone opens the question, all of them are weak. Which record it is, is found in the finding's own rounds
    where these alone tell the same breach; the whole log is then judged once. Else it is judged for each record.
    """
    part = _rounds_of(log, finding)
    if _told(finding, judge(part)):
        made = weakened(log, _opening(part, finding, judge))
        report = judge(made)
        if not _told(finding, report):
            return made, report
    made = weakened(log, _opening(log, finding, judge))
    return made, judge(made)


def _opening(log: EventLog, finding: Finding, judge: Judge) -> Set[str]:
    """Return the record whose doubt opens the question and leaves the fewest findings; all records where none
    alone does.
    """
    tried = [(number, judge(weakened(log, {number}))) for number in finding.events]
    opens = [(len(report.findings), number) for number, report in tried if not _told(finding, report)]
    return {min(opens, key=lambda pair: pair[0])[1]} if opens else set(finding.events)


def _rounds_of(log: EventLog, finding: Finding) -> EventLog:
    """Return the log of the rounds that a finding is about, with what happened around them between rounds."""
    cited = set(finding.events)
    rounds = {finding.round, *(event.round for event in log.events if event.id in cited)} - {None}
    own = [event for event in log.events if event.round in rounds or event.id in cited]
    start = min([finding.t_start, *(event.t_start for event in own)]) - ABOUT_S
    end = max([finding.t_end, *(event.t_end for event in own)]) + ABOUT_S

    def kept(event: AnyEvent) -> bool:
        near = start <= event.t_end and event.t_start <= end
        return event.id in cited or event.round in rounds or (near and (event.round is None or not rounds))

    return EventLog(log.header, tuple(event for event in log.events if kept(event)))


def weakened(log: EventLog, cited: Set[str]) -> EventLog:
    """Return the log with the events of these ids made less probable than what carries a verdict."""
    events = (msgspec.structs.replace(e, p=min(e.p, DOUBTED)) if e.id in cited else e for e in log.events)
    return EventLog(log.header, tuple(events))
