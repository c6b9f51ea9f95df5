"""Accounts for every second: what was watched, what was not and why, and where the recorder's clock jumped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import UNSET, Struct

from verifier.domain.clock_change import clock_change, told_change
from verifier.domain.coverage import State
from verifier.domain.findings import Finding
from verifier.domain.observations import Observation
from verifier.law import say
from verifier.law.catalogue import Clause, by_id
from verifier.law.say import Said
from verifier.law.sentences import facts_of, sentence
from verifier.review.pipeline.values import Part, RecordingSet, Seam, Unwatched, clock_after, clock_between
from verifier.vision.quality import DARK

PICTURE: Final = "ND-08-04.6-picture-clear"
REAL_TIME: Final = "ND-08-04.1.a-real-time"
CLOCK: Final = "ND-08-04.1.a-time-date-overlay"
OWN: Final = "ND-08-04.4.b-continue-to-close"
"""A table whose recording is a copy of another's has none of its own."""
LEAST_S: Final = 5.0
"""A dark, covered or lost picture that is shorter than this still counts as watched."""
COVERED: Final = 0.9
"""Share of the table hidden above which nothing is watched."""
JUMP_S: Final = 3.0
"""Seconds by which the burned-in clock must leave media time to count as a jump."""
NOTHING: Final = "nothing was recorded"
"""The cause of a gap: there are no pictures."""
_DARK: Final[tuple[str, State]] = ("the picture is dark", "obstructed")
_LOST: Final[tuple[str, State]] = ("the camera was moved: it shows another view", "other_view")
_COVERED: Final[tuple[str, State]] = ("the table is covered", "obstructed")


class Jump(Struct, frozen=True):
    """The burned-in clock went from one reading, at `since` of the recording set, to another at `t` by more than
    passed.
    """

    t: float
    before: str
    after: str
    since: float


KEPT_EVERY_S: Final = 60.0
"""Seconds of whose readings of the clock the first and the last are kept."""


class Standstill(Struct, frozen=True):
    """The burned-in clock stood still at a reading from `start` to `end` of the recording set."""

    start: float
    end: float
    clock: str


class ClockRead(Struct, frozen=True):
    """The `count` readings of the burned-in clock in a minute: the first at `t`, the last at `last` (s of the
    recording set).
    """

    t: float
    last: float
    clock: str
    clock_last: str
    count: int = 1


class ObservationAccount:
    """Follows the observations of a recording set: unusable pictures, and the burned-in clock against time."""

    def __init__(self) -> None:
        self.jumps: list[Jump] = []
        self.readings: list[ClockRead] = []
        self.last = 0.0
        self.clock_start: str | None = None
        self.clock_end: str | None = None
        self._bad: list[Unwatched] = []
        self._open: tuple[float, tuple[str, State]] | None = None
        self._clock: tuple[float, str] | None = None

    def take(self, seen: Observation) -> None:
        """Take the next observation."""
        why = _unusable(seen)
        if self._open is not None and self._open[1] != why:
            self._close(seen.t)
        if why is not None and self._open is None:
            self._open = (seen.t, why)
        self.last = seen.t
        if seen.clock is not None:
            self._compare(seen.t, seen.clock)

    def unusable(self) -> list[Unwatched]:
        """Stretches in which the picture showed nothing of the table, after the last observation."""
        if self._open is not None:
            self._close(self.last)
        return self._bad

    def _close(self, t: float) -> None:
        assert self._open is not None
        start, (cause, state) = self._open
        if t - start >= LEAST_S:
            self._bad.append(Unwatched(start=start, end=t, cause=cause, state=state))
        self._open = None

    def _compare(self, t: float, clock: str) -> None:
        self.clock_start = self.clock_start or clock
        self.clock_end = clock
        if self._clock is not None and abs(_off(t - self._clock[0], self._clock[1], clock)) > JUMP_S:
            self.jumps.append(Jump(t, self._clock[1], clock, self._clock[0]))
        self._clock = (t, clock)
        if not self.readings or t - self.readings[-1].t >= KEPT_EVERY_S:
            self.readings.append(ClockRead(t, t, clock, clock))
        else:
            count = self.readings[-1].count + 1
            self.readings[-1] = msgspec.structs.replace(self.readings[-1], last=t, clock_last=clock, count=count)


def _unusable(seen: Observation) -> tuple[str, State] | None:
    """Why the picture shows nothing of the table, and the state of a stretch of such pictures."""
    quality = seen.quality
    if quality is None:
        return None
    if quality.luma is not None and quality.luma < DARK:
        return _DARK
    if quality.view == "lost":
        return _LOST
    return _COVERED if quality.obstructed is not None and quality.obstructed >= COVERED else None


def merged(stretches: Iterable[Unwatched]) -> list[Unwatched]:
    """Stretches in order of time, without overlaps; touching ones of one cause are one."""
    out: list[Unwatched] = []
    for one in sorted(stretches, key=lambda s: (s.start, s.end if s.end is not None else s.start)):
        last = out[-1] if out else None
        if last is not None and last.end is None:
            break
        start = max(one.start, last.end) if last is not None and last.end is not None else one.start
        if one.end is not None and one.end <= start:
            continue
        if last is not None and last.cause == one.cause and last.end is not None and start - last.end < 1e-3:
            out[-1] = msgspec.structs.replace(last, end=one.end)
        else:
            out.append(msgspec.structs.replace(one, start=start))
    return out


def between_parts(recording_set: RecordingSet) -> list[Unwatched]:
    """Stretches of the recorder's clock between two files of a recording set for which there is no recording."""
    pairs = zip(recording_set.parts, recording_set.parts[1:], strict=False)
    gaps = ((a.at + a.end, b.at + b.begin) for a, b in pairs)
    return [Unwatched(start=a, end=b, cause=NOTHING, state="gap") for a, b in gaps if b - a > 1e-6]


def findings_of(
    recording_set: RecordingSet,
    rulebook: str,
    unwatched: Sequence[Unwatched],
    jumps: Sequence[Jump],
    known: Sequence[Finding],
) -> list[Finding]:
    """Return a finding for each stretch that was not watched, each jump of the clock (within a file, or where one
    goes on from another), and a copy of another table's recording, unless the law noted it already.
    """
    clauses = by_id(rulebook)
    said = [f for f in known if f.clause in (PICTURE, REAL_TIME) or {PICTURE, REAL_TIME} & set(f.also)]
    out: list[Finding] = []
    if PICTURE in clauses:
        out += (_gap_finding(recording_set, clauses[PICTURE], gap) for gap in unwatched)
    if OWN in clauses and recording_set.repeats is not None:
        out.append(_repeat_finding(recording_set, clauses[OWN], recording_set.repeats))
    if REAL_TIME in clauses:
        told = [part for part in recording_set.parts if part.seam is not None]
        out += (
            _seam_finding(recording_set, clauses[REAL_TIME], part, part.seam) for part in told if part.seam is not None
        )
        within = [jump for jump in jumps if not any(jump.since < part.at + part.begin <= jump.t for part in told)]
        stood, within = standstills(within)
        out += (_still_finding(recording_set, clauses[REAL_TIME], one) for one in stood)
        out += (_jump_finding(recording_set, clauses[REAL_TIME], jump) for jump in within)
    return [one for one in out if not any(_covers(other, one) for other in said)]


def doubted(
    recording_set: RecordingSet, rulebook: str, asked: str, start: float, end: float, says: str
) -> list[Finding]:
    """Return the finding that clause `asked` is in doubt from `start` to `end` (s); none where a rulebook lacks it."""
    clause = by_id(rulebook).get(asked)
    return [] if clause is None else [_finding(clause, start, end, recording_set.clock_at(start), says)]


def of_the_account(finding: Finding) -> bool:
    """Tell whether a finding is one of these: no event tells of it, so that judging a log again cannot make it."""
    return not finding.events and finding.clause in (PICTURE, REAL_TIME, CLOCK, OWN)


def _covers(other: Finding, one: Finding) -> bool:
    return other.clause == one.clause and other.t_start <= one.t_start and one.t_end <= other.t_end


def _gap_finding(recording_set: RecordingSet, clause: Clause, gap: Unwatched) -> Finding:
    end = gap.start if gap.end is None else gap.end
    return _finding(
        clause,
        gap.start,
        end,
        recording_set.clock_at(gap.start),
        _span(recording_set, gap).detail("{cause}", cause=gap.cause),
    )


def _span(recording_set: RecordingSet, gap: Unwatched) -> Said:
    """Describe a stretch by the recorder's clock where it is known, else by the recording's own time."""
    if gap.end is None:
        return say.that("Nothing could be watched")
    start, end = recording_set.clock_at(gap.start), recording_set.clock_at(gap.end)
    if start and end:
        told = say.that("{start} to {end}", start=start, end=end)
    else:
        told = say.that("{start} s to {end} s", start=say.number(round(gap.start)), end=say.number(round(gap.end)))
    return say.that(
        "Not watched from {told} ({seconds} s{true_time})",
        told=told,
        seconds=say.number(round(gap.end - gap.start)),
        true_time=_true_time(gap, recording_set),
    )


def _true_time(gap: Unwatched, recording_set: RecordingSet) -> str:
    """When a stretch was by a right clock, where the recorder's is known to be wrong."""
    error, start = recording_set.parts[0].facts.clock_error, recording_set.clock_at(gap.start)
    if not error or start is None or gap.end is None:
        return ""
    return f"; by a right clock {clock_after(start, -error)} to {clock_after(recording_set.clock_at(gap.end), -error)}"


def standstills(jumps: Iterable[Jump]) -> tuple[list[Standstill], list[Jump]]:
    """Where the clock stood still, once each, and the jumps that remain.

    A reader that expects the clock to run sees one that stands as jumping back to the same reading again and again.
    """
    stood: list[Standstill] = []
    rest: list[Jump] = []
    group: list[Jump] = []
    for jump in jumps:
        if group and abs(clock_between(group[0].after, jump.after)) <= JUMP_S:
            group.append(jump)
            continue
        runs_on = len(group) > 1 and abs(_off(jump.t - _began(group[0]), group[0].after, jump.after)) <= JUMP_S
        _end(group, jump.t if runs_on else None, stood, rest)
        group = [] if runs_on else [jump]
    _end(group, None, stood, rest)
    return stood, rest


def _end(group: Sequence[Jump], end: float | None, stood: list[Standstill], rest: list[Jump]) -> None:
    if len(group) > 1:
        stood.append(Standstill(_began(group[0]), group[-1].t if end is None else end, group[0].after))
    else:
        rest += group


def _began(jump: Jump) -> float:
    """When the clock really showed the reading to which it jumps back."""
    return jump.t + min(0.0, _off(jump.t - jump.since, jump.before, jump.after))


def _off(passed: float, before: str, after: str) -> float:
    """Seconds by which a clock went further than the time that passed."""
    return clock_between(before, after) - passed


def _still_finding(recording_set: RecordingSet, clause: Clause, one: Standstill) -> Finding:
    says = say.that(
        "The clock in the picture stands still at {clock} from {start} s to {end} s",
        clock=one.clock,
        start=say.number(round(one.start)),
        end=say.number(round(one.end)),
    )
    return _finding(clause, one.start, one.end, one.clock, says.detail("the picture froze, or the clock stopped"))


def _jump_finding(recording_set: RecordingSet, clause: Clause, jump: Jump) -> Finding:
    before, after = datetime.fromisoformat(jump.before), datetime.fromisoformat(jump.after)
    change = clock_change(before, after, jump.t - jump.since, JUMP_S, recording_set.parts[0].facts.time_zone)
    says = say.that("The recorder's clock jumps from {before} to {after}", before=jump.before, after=jump.after)
    if change is not None:
        says = says.detail("it {change}", change=told_change(change))
    return _finding(clause, jump.t, jump.t, jump.before, says)


def _seam_finding(recording_set: RecordingSet, clause: Clause, part: Part, seam: Seam) -> Finding:
    t, earlier, later = part.at + part.begin, _name(seam.before), _name(part.facts.path)
    overlap = say.number(round(seam.overlap))
    if seam.change is not None:
        says = say.that(
            "Between {earlier} and {later} the recorder's clock {change}",
            earlier=earlier,
            later=later,
            change=told_change(seam.change),
        )
    else:
        says = say.that(
            "{earlier} and {later} show the same {overlap} s by their clocks",
            earlier=earlier,
            later=later,
            overlap=overlap,
        )
        if not seam.unclear:
            says = says.detail("the clock was set back, or there are two recorders")
    if seam.unclear:
        says += say.that(
            ". Nothing moves by which to tell whether they show the same {overlap} s", overlap=overlap
        ).detail("both were judged")
    elif seam.overlap > 0.0:
        says += say.that(". Their pictures differ").detail("both were judged")
    return _finding(clause, t, t, recording_set.clock_at(t), says)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _repeat_finding(recording_set: RecordingSet, clause: Clause, repeats: str) -> Finding:
    return _finding(
        clause,
        0.0,
        recording_set.end,
        recording_set.clock_at(0.0),
        say.that("The file is the same, byte for byte, as {other}", other=repeats).detail(
            "one of the two is not what this table's camera recorded"
        ),
    )


def _finding(clause: Clause, start: float, end: float, clock: str | None, says: Said | str) -> Finding:
    expected, observed = sentence(clause.requirement), sentence(says)
    return Finding(
        clause=clause.id,
        cite=clause.cite,
        title=clause.title,
        verdict="undetermined",
        severity=clause.severity,
        round=None,
        at=None,
        t_start=round(start, 3),
        t_end=round(end, 3),
        clock=clock,
        p=1.0,
        expected=expected.text,
        observed=observed.text,
        events=[],
        brief=observed.brief if observed.brief != observed.text else UNSET,
        facts=facts_of(expected, observed, ()),
    )


def placed(unwatched: Iterable[Unwatched], recording_set: RecordingSet) -> Iterator[tuple[str, str, str]]:
    """Stretches as texts (from, to, why), by the recorder's clock where it is known.

    Where that clock is known to be wrong, the last text tells the right times, too.
    """
    for gap in unwatched:
        start = recording_set.clock_at(gap.start) or f"{gap.start:.0f} s"
        end = "?" if gap.end is None else recording_set.clock_at(gap.end) or f"{gap.end:.0f} s"
        yield start, end, gap.cause + _true_time(gap, recording_set)
