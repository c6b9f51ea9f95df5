"""The stage before judging: does the layout fit each file of a recording set? What does not fit is not judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.coverage import Fit, FitCheck
from verifier.domain.findings import Finding, FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.names import path_of
from verifier.domain.observations import Observation
from verifier.formats.layout import read_layout
from verifier.review.fit.judgement import NO_CLOCK, NO_SPACE, fit_checks, misfits, written_checks
from verifier.review.fit.things import STEP_S, Things
from verifier.review.pipeline.account import CLOCK, PICTURE, doubted
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.plan import segments_of
from verifier.review.pipeline.segments import Beat, seen_lines
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Source, Unwatched
from verifier.review.pipeline.watched import Checkpoints

NOT_JUDGED: Final = "the layout does not fit this recording"


class _Moment(Struct):
    t: float
    clock: str | None = None


class PartFit(Struct, frozen=True):
    """The checks of one file of a recording set, which is judged from `start` to `end` of the recording set's time.

    `cause` is why the layout does not fit, None if it does.
    """

    start: float
    end: float
    checks: list[FitCheck]
    cause: str | None


def fit_of(checkpoints: Checkpoints, layout: Layout, beat: Beat = lambda done: None) -> list[PartFit]:
    """Return the fit of each file of a recording set whose segments have all been watched or given up."""
    named = named_layout(layout, checkpoints.recording_set.source)
    return [_part_fit(checkpoints, part, named, beat) for part in checkpoints.recording_set.parts]


def unfit_at_once(source: Source, facts: Facts) -> bool:
    """Tell whether what is written in a recording tells already that the layout does not fit, so that none is
    watched.
    """
    layout = named_layout(read_layout(path_of(source.layout or "")), source)
    return misfits(written_checks(layout, facts.glimpse)) is not None


def named_layout(layout: Layout, source: Source) -> Layout:
    """Return the layout with the site and table that are given for a recording."""
    site, table = place_of(source)
    return msgspec.structs.replace(layout, site=site, table=table)


def _part_fit(checkpoints: Checkpoints, part: Part, layout: Layout, beat: Beat) -> PartFit:
    things, clock_read = Things(layout), False
    for moment, line in _lines(checkpoints, part):
        clock_read |= moment.clock is not None
        if moment.t >= things.taken + STEP_S - 1e-6:
            things.take(msgspec.json.decode(line, type=Observation))
            beat(part.at + moment.t)
    start, end = round(part.at + part.begin, 3), round(part.at + part.end, 3)
    day, seen = checkpoints.recording_set.source.day, part.facts.glimpse
    checks = fit_checks(layout, seen, things, clock_read=clock_read, start=start, end=end, day=day)
    return PartFit(start, end, checks, misfits(checks))


def _lines(checkpoints: Checkpoints, part: Part) -> Iterator[tuple[_Moment, bytes]]:
    """Yield the lines of a part's checkpoints that count."""
    moment = msgspec.json.Decoder(_Moment)
    for segment in segments_of(part, checkpoints.length):
        for line in seen_lines(checkpoints.file(part, segment)):
            found = moment.decode(line)
            if found.t >= segment.begin - 1e-6:
                yield found, line


def report_of(fits: Sequence[PartFit]) -> Fit:
    """Return the fit of a whole recording set, as it is written down."""
    return Fit(ok=all(one.cause is None for one in fits), checks=[check for one in fits for check in one.checks])


def fits_of(told: Fit | None) -> list[PartFit]:
    """Return the fit of each file as `report_of` wrote it down; empty if nobody checked."""
    checks = [] if told is None else told.checks
    files: dict[tuple[float, float], list[FitCheck]] = {}
    for check in checks:
        files.setdefault((check.t_start, check.t_end), []).append(check)
    return [PartFit(start, end, own, misfits(own)) for (start, end), own in files.items()]


def unfit(fits: Sequence[PartFit]) -> list[Unwatched]:
    """Return the stretches that are not judged, because the layout does not fit them."""
    return [Unwatched(start=one.start, end=one.end, cause=one.cause) for one in fits if one.cause is not None]


def doubt_findings(recording_set: RecordingSet, rulebook: str, house: House, fits: Sequence[PartFit]) -> list[Finding]:
    """Return a finding for each file that is judged and in which no clock was seen where the layout has one, and for
    each in which hands lie where it has no space.
    """
    return [
        finding
        for one in fits
        for check in one.checks
        if one.cause is None and (asked := _in_doubt(check, house)) is not None
        for finding in doubted(recording_set, rulebook, asked, one.start, one.end, check.says)
    ]


def _in_doubt(check: FitCheck, house: House) -> str | None:
    """Return the clause that a check leaves in doubt; None if it leaves none."""
    if check.name == "spaces" and check.says == NO_SPACE:
        return PICTURE
    clockless = check.name == "clock" and check.expected is not None and check.seen == NO_CLOCK
    return CLOCK if clockless and house.video_surveillance != "absent" else None


def unjudged(report: FindingsReport, fits: Sequence[PartFit]) -> FindingsReport:
    """Return the report where no file of the recording set was judged: no clause passed, not even one that asks for no
    picture.
    """
    if not fits or any(one.cause is None for one in fits):
        return report
    rows = [
        msgspec.structs.replace(row, verdict="not_assessed", why=NOT_JUDGED, evidence=None)
        if row.verdict == "pass"
        else row
        for row in report.clauses
    ]
    counts = Counter[str](row.verdict for row in rows)
    summary = {name: counts[name] if name in ("pass", "not_assessed") else n for name, n in report.summary.items()}
    return msgspec.structs.replace(report, clauses=rows, summary=summary)


def judged_at(fits: Sequence[PartFit]) -> Callable[[float], bool]:
    """Tell of a moment of the recording set whether what was seen then is judged."""
    bad = unfit(fits)
    return lambda t: not any(one.start - 1e-6 <= t < (one.end or 0.0) - 1e-6 for one in bad)
