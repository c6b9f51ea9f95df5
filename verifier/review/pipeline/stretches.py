"""The account of a recording set, stretch by stretch: what `coverage.json` holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

import msgspec

from verifier.domain.coverage import CoverageReport, Fit, Stretch
from verifier.recording.probe import Note
from verifier.review.pipeline.values import Unwatched

Reading = tuple[float, str]
"""A moment (s) and what the burned-in clock read then."""
_SEEN: Final = ("watched", "frozen")
"""States of stretches whose pictures were decoded and compared."""
_SAME_S: Final = 5e-4
"""Seconds: times are kept to the millisecond."""


def coverage_report(
    end: float,
    unwatched: Sequence[Unwatched],
    notes: Sequence[Note],
    readings: Iterable[Reading],
    fit: Fit | None = None,
) -> CoverageReport:
    """Return the account of a recording set from 0 to `end` (s).

    `unwatched` are in order and apart, `notes` and `readings` of the burned-in clock in order of time.
    """
    bare = list(_stretches(round(end, 3), unwatched, notes))
    recorded = sum(one.t_end - one.t_start for one in bare)
    watched = sum(one.t_end - one.t_start for one in bare if one.state in _SEEN)
    return CoverageReport(
        recorded=round(recorded, 3), watched=round(watched, 3), stretches=_with_clocks(bare, readings), fit=fit
    )


def _stretches(end: float, unwatched: Sequence[Unwatched], notes: Sequence[Note]) -> Iterator[Stretch]:
    at = 0.0
    for gap in unwatched:
        start = round(max(at, min(gap.start, end)), 3)
        stop = end if gap.end is None else round(min(gap.end, end), 3)
        yield from _watched(at, start, notes)
        if stop > start or gap.end is None:
            why = "; ".join([gap.cause, *(note.text for note in notes if start <= note.t < stop)])
            yield Stretch(t_start=start, t_end=stop, state=gap.state, why=why)
        at = max(start, stop)
    yield from _watched(at, end, notes)


def _watched(start: float, end: float, notes: Sequence[Note]) -> Iterator[Stretch]:
    """Yield what was watched from `start` to `end`: a new stretch begins at each note."""
    if end - start < _SAME_S:
        return
    told: dict[float, list[str]] = {start: []}
    for note in notes:
        t = round(note.t, 3)
        if start - _SAME_S <= t < end:
            told.setdefault(max(start, t), []).append(note.text)
    begins = sorted(told)
    for begin, stop in zip(begins, [*begins[1:], end], strict=True):
        yield Stretch(t_start=begin, t_end=stop, state="watched", why="; ".join(told[begin]) or None)


def _with_clocks(stretches: Sequence[Stretch], readings: Iterable[Reading]) -> list[Stretch]:
    """Return the stretches with the first and last clock reading of each, or else the last before it and the
    first after it.
    """
    ends = _read_in(stretches, readings)
    before = list(accumulate((ends[n][1] if n in ends else None for n in range(len(stretches))), _known))
    after = list(accumulate((ends[n][0] if n in ends else None for n in reversed(range(len(stretches)))), _known))[::-1]
    return [
        msgspec.structs.replace(
            stretch,
            clock_start=ends[number][0] if number in ends else before[number],
            clock_end=ends[number][1] if number in ends else after[number],
        )
        for number, stretch in enumerate(stretches)
    ]


def _known(last: str | None, now: str | None) -> str | None:
    return last if now is None else now


def _read_in(stretches: Sequence[Stretch], readings: Iterable[Reading]) -> dict[int, tuple[str, str]]:
    """Return the first and the last reading in each stretch that holds any, by the stretch's number."""
    ends: dict[int, tuple[str, str]] = {}
    number = 0
    for t, clock in readings:
        while number + 1 < len(stretches) and t >= stretches[number].t_end - _SAME_S:
            number += 1
        ends[number] = (ends[number][0] if number in ends else clock, clock)
    return ends
