"""Joins a recorder's split files of one table by their clocks and by their pictures.

What two files show is judged once, where their pictures are the same. Where clocks overlap and pictures do not, the
clock was set back or there are two recorders: then every second of both is judged, and the seam tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.clock_change import ClockChange, summer_time_shift
from verifier.review.alike import Likeness
from verifier.review.pipeline.dealers import read_dealers
from verifier.review.pipeline.order import by_name, rank_of
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Seam, Source, clock_after

JOIN_S = 120.0
"""Seconds without a recording up to which two files belong to one shift; seconds, too, up to which a clock that went
back between two files was set back and is not another recorder's."""
LONGEST_S = 24 * 3600.0
SLACK_S = 1.0
"""Seconds that a clock read to the second may be off: a smaller gap or overlap between two files is none."""
EXACT_S = 0.1
"""Seconds, about two pictures, up to which a file whose pictures were compared may go beyond one that covers it."""
UNCLEAR_S = 3.0
"""Seconds of overlap up to which files in which nothing moves are not told: recorders overlap files by so much."""
COMPARED: Final = 6
"""Earlier files with which a file is compared at most: where hundreds show one clock, that clock tells nothing."""
_EPOCH: Final = datetime(1970, 1, 1)

Pair = tuple[Source, Facts]
Alike = Mapping[tuple[str, str], Likeness]
"""What comparing said, by the SHA-256 of two files: that of the claim's `first`, then of its `second`."""


class Claim(Struct, frozen=True):
    """Two files that show the same moments by their clocks: `second` begins `offset` seconds after `first`."""

    first: Facts
    second: Facts
    layout: str | None
    offset: float


class _File(Struct, frozen=True):
    """A file with the corrected clock of its beginning, in seconds, and its place by file times or names."""

    source: Source
    facts: Facts
    moment: float
    rank: int

    @property
    def end(self) -> float:
        return self.moment + self.facts.seconds


class _Fit(Struct, frozen=True):
    """How a file goes on from a recording set: at which second, and from where on it is judged; small `cost` first."""

    cost: float
    at: float
    begin: float
    seam: Seam | None = None


def make_recording_sets(examined: Iterable[Pair], alike: Alike | None = None) -> list[RecordingSet]:
    """Return the recording sets of one night. Contents that appear twice count once; a file without a clock stands
    alone.

    `alike` holds the answers to `claims`; files without one count as different.
    """
    return [recording_set for group in _tables(examined) for recording_set in _of_table(group, alike or {})]


def claims(examined: Iterable[Pair]) -> list[Claim]:
    """Return the pairs of files whose pictures must be compared, because their clocks overlap."""
    found = []
    for group in _tables(examined):
        files = _by_clock(_files(_timed(_once(group))))
        for place, file in enumerate(files):
            before = [one for one in files[:place] if one.end - file.moment > SLACK_S][-COMPARED:]
            found += [Claim(one.facts, file.facts, file.source.layout, file.moment - one.moment) for one in before]
    return found


def _tables(examined: Iterable[Pair]) -> list[list[Pair]]:
    return [list(group) for _, group in groupby(sorted(examined, key=_table), key=_table)]


def _table(pair: Pair) -> tuple[str, ...]:
    source, facts = pair
    size = f"{facts.width}x{facts.height}"
    return (source.site or "", source.table or "", source.layout or source.path, source.house or "", size)


def _once(pairs: Iterable[Pair]) -> list[Pair]:
    """Each contents once: the first file with it."""
    once: dict[str, Pair] = {}
    for pair in pairs:
        once.setdefault(pair[1].sha256, pair)
    return list(once.values())


def _timed(pairs: Iterable[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair[1].error is None and pair[1].clock]


def _files(pairs: Sequence[Pair]) -> list[_File]:
    ranks = rank_of([facts for _, facts in pairs])
    return [_File(source, facts, _moment(facts), ranks[facts.sha256]) for source, facts in pairs]


def _moment(facts: Facts) -> float:
    return (datetime.fromisoformat(facts.clock or "") - _EPOCH).total_seconds() - facts.clock_error


def _by_clock(files: Iterable[_File]) -> list[_File]:
    return sorted(files, key=lambda one: (one.moment, one.rank))


def _of_table(pairs: Sequence[Pair], alike: Alike) -> list[RecordingSet]:
    once = _once(pairs)
    timed = _timed(once)
    files = _aligned(_by_clock(_files(timed)), alike)
    covered = _covered(files, alike)
    ordered = _in_order([one for one in files if one.facts.sha256 not in covered], alike)
    more: dict[str, list[str]] = {}
    kept = {source.path for source, facts in once if facts.sha256 not in covered}
    for source, facts in pairs:
        if source.path not in kept:
            more.setdefault(covered.get(facts.sha256, facts.sha256), []).append(source.path)
    alone = [_alone(source, facts) for source, facts in once if facts.error is not None or not facts.clock]
    return [_with_copies(recording_set, more) for recording_set in [*_joined(ordered, alike), *alone]]


def _with_copies(recording_set: RecordingSet, copies: Mapping[str, list[str]]) -> RecordingSet:
    more = [path for part in recording_set.parts for path in copies.get(part.facts.sha256, [])]
    return msgspec.structs.replace(recording_set, covered=[*recording_set.covered, *more]) if more else recording_set


def _alone(source: Source, facts: Facts, seam: Seam | None = None) -> RecordingSet:
    part = Part(facts=facts, at=0.0, begin=0.0, end=facts.seconds, seam=seam, spoken=source.spoken)
    return RecordingSet(
        source=source, parts=[part], clock=facts.clock, dealers=read_dealers(source.dealers, facts.clock)
    )


def _same(first: _File, second: _File, alike: Alike) -> bool:
    return _verdict(first, second, alike) == "same"


def _verdict(first: _File, second: _File, alike: Alike) -> str:
    names = (first.facts.sha256, second.facts.sha256)
    found = alike.get(names) or alike.get((names[1], names[0]))
    return found.verdict if found is not None else "other"


def _aligned(files: Sequence[_File], alike: Alike) -> list[_File]:
    """Return the files with clocks exact to the picture where an earlier one shows the same."""
    exact: list[_File] = []
    for file in files:
        known = [
            one.moment + found.offset
            for one in exact
            if (found := alike.get((one.facts.sha256, file.facts.sha256))) and found.verdict == "same"
        ]
        exact.append(msgspec.structs.replace(file, moment=known[0]) if known else file)
    return exact


def _covered(files: Sequence[_File], alike: Alike) -> dict[str, str]:
    """Files of which another shows everything, by their SHA-256, with that of the one that does."""
    covered: dict[str, str] = {}
    for file in sorted(files, key=lambda one: (one.facts.seconds, -one.rank)):
        for other in files:
            within = other.moment - EXACT_S <= file.moment and file.end <= other.end + EXACT_S
            if other is not file and other.facts.sha256 not in covered and within and _same(other, file, alike):
                covered[file.facts.sha256] = other.facts.sha256
                break
    return {name: _last(name, covered) for name in covered}


def _last(name: str, covered: Mapping[str, str]) -> str:
    while name in covered:
        name = covered[name]
    return name


def _in_order(files: Sequence[_File], alike: Alike) -> list[_File]:
    """Return the order in which the files were recorded: that in which the clock goes back the fewest times.

    By the clock if it tells; an hour that comes twice is told apart by the files' times or names.
    """

    def falls(order: Sequence[_File]) -> int:
        return sum(b.moment < a.end - SLACK_S and not _same(a, b, alike) for a, b in pairwise(order))

    by_rank = sorted(files, key=lambda one: one.rank)
    named = by_name([one.facts for one in files])
    by_names = sorted(files, key=lambda one: named[one.facts.sha256])
    return min((_by_clock(files), by_rank, by_names), key=falls)


def _joined(ordered: Sequence[_File], alike: Alike) -> list[RecordingSet]:
    recording_sets: list[RecordingSet] = []
    ends: list[_File] = []
    """The last file of each recording set."""
    for place, file in enumerate(ordered):
        fits = [
            (fit.cost, i, fit)
            for i, recording_set in enumerate(recording_sets)
            if (fit := _fit(recording_set, ends[i], file, alike))
        ]
        if fits:
            _, i, fit = min(fits, key=lambda one: one[:2])
            recording_sets[i], ends[i] = _longer(recording_sets[i], file, fit), file
        else:
            recording_sets.append(_alone(file.source, file.facts, _meets(ordered[:place], file, alike)))
            ends.append(file)
    return recording_sets


def _longer(recording_set: RecordingSet, file: _File, fit: _Fit) -> RecordingSet:
    facts = file.facts
    part = Part(
        facts=facts,
        at=round(fit.at, 3),
        begin=round(fit.begin, 3),
        end=facts.seconds,
        seam=fit.seam,
        spoken=file.source.spoken,
    )
    turns = [*recording_set.dealers, *read_dealers(file.source.dealers, facts.clock)]
    return msgspec.structs.replace(
        recording_set, parts=[*recording_set.parts, part], dealers=sorted(turns, key=lambda turn: turn.since or "")
    )


def _fit(recording_set: RecordingSet, last: _File, file: _File, alike: Alike) -> _Fit | None:
    """How the file goes on from the recording set; None if it belongs to another one."""
    gap = file.moment - last.end
    if recording_set.end + max(0.0, gap) + file.facts.seconds > LONGEST_S:
        return None
    if gap < 0.0 and file.moment >= last.moment and _same(last, file, alike):
        return _Fit(-gap, recording_set.end + gap, -gap)
    if abs(gap) <= SLACK_S or 0.0 < gap <= JOIN_S:
        return _Fit(abs(gap), recording_set.end + (gap if gap > SLACK_S else 0.0), 0.0)
    return _jumped(recording_set, last, file, gap, _verdict(last, file, alike) == "unclear")


def _jumped(recording_set: RecordingSet, last: _File, file: _File, gap: float, unclear: bool) -> _Fit | None:
    """How the file goes on from a recording set though its clock does not; after all others, hence the cost."""
    shift = _shift(last, file)
    passed = gap - shift
    if shift and -SLACK_S <= passed <= JOIN_S:
        change = ClockChange("summer_time_begins" if shift > 0 else "summer_time_ends", shift)
        seam = Seam(before=last.facts.path, change=change, overlap=max(0.0, -gap), unclear=unclear)
        return _Fit(JOIN_S + abs(passed), recording_set.end + (passed if passed > SLACK_S else 0.0), 0.0, seam)
    if not -JOIN_S <= gap < 0.0:
        return None
    told = not (unclear and -gap <= UNCLEAR_S)
    change = ClockChange("set_back", round(gap, 3))
    seam = Seam(before=last.facts.path, change=change, overlap=-gap, unclear=unclear)
    return _Fit(2 * JOIN_S - gap, recording_set.end, 0.0, seam if told else None)


def _shift(last: _File, file: _File) -> float:
    """Seconds of a change to or from summer time near the end of one file and the beginning of another."""
    ended = datetime.fromisoformat(clock_after(last.facts.clock, last.facts.seconds) or "")
    return summer_time_shift(ended, datetime.fromisoformat(file.facts.clock or ""), file.facts.time_zone)


def _meets(before: Sequence[_File], file: _File, alike: Alike) -> Seam | None:
    """Return what to report of a file that begins a recording set of its own though another one shows its time."""
    for other in reversed(before):
        overlap = min(other.end, file.end) - max(other.moment, file.moment)
        if overlap > SLACK_S and not _same(other, file, alike):
            unclear = _verdict(other, file, alike) == "unclear"
            return Seam(before=other.facts.path, overlap=round(overlap, 3), unclear=unclear)
    return None
