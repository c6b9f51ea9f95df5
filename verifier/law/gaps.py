"""What a log shows of its own gaps: stretches of which nothing could be seen, and jumps in the cards' numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    OverlayRead,
    RecordEntry,
    RecordingSegment,
    ReviewAction,
    ViewCheck,
)
from verifier.law.entries import as_moment, as_number

SEGMENT_GAP = 2.0
"""Seconds between two segments of one recorder that count as continuous (site policy)."""
HIDDEN = 0.9
"""Share of the table that is hidden from which on nothing of it counts as seen (policy of this project)."""
SHORTEST = 0.25
"""Seconds without a recording in which nothing that the law asks for can happen (policy of this project)."""
MOST_JUMPED = 12
"""So many numbers may be left out between two rounds where cards of them have no record; more are another way of
numbering (policy of this project)."""


Span = tuple[float, float]
"""Begin and end (media time, s)."""
_OF_THE_PICTURE = (RecordingSegment, ViewCheck, OverlayRead, RecordEntry, ReviewAction)
"""Records that tell of no act at the table."""


def unseen(events: Sequence[AnyEvent]) -> list[Span]:
    """Stretches (begin and end in media time, s) of which nothing could be seen: between segments of the recording,
    where its clock jumps, and while the table was hidden. One that the media time leaves out has no length.

    What should have happened in such a stretch may have happened there.
    """
    segments = sorted((e for e in events if isinstance(e, RecordingSegment)), key=lambda s: s.t_start)
    holes = [*_between(segments), *(gap for segment in segments for gap in _clock_gaps(segment))]
    acts = [e for e in events if not isinstance(e, _OF_THE_PICTURE)]
    found = [hole for hole in holes if not any(hole[0] <= e.t_start and e.t_end <= hole[1] for e in acts)]
    found += [(t, t) for t in resumptions(events)[1:]]
    hidden = (e for e in events if isinstance(e, ViewCheck) and e.occlusion is not None and e.occlusion >= HIDDEN)
    return sorted({*found, *((e.t_start, e.t_end) for e in hidden)})


def _between(segments: Sequence[RecordingSegment]) -> Iterator[Span]:
    """Yield the stretches between the first segment and the last that none of them covers."""
    until = segments[0].t_end if segments else 0.0
    for segment in segments[1:]:
        if segment.t_start - until > SHORTEST:
            yield until, segment.t_start
        until = max(until, segment.t_end)


def _clock_gaps(segment: RecordingSegment) -> Iterator[Span]:
    """Yield the jumps of a segment's clock, told in media time or as moments of that clock."""
    begun = seconds(segment.start)
    gaps = segment.clock_gaps if isinstance(segment.clock_gaps, list | tuple) else ()
    for gap in gaps:
        ends = [_media_time(end, segment, begun) for end in gap] if isinstance(gap, list | tuple) else []
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None and ends[1] - ends[0] > SHORTEST:
            yield ends[0], ends[1]


def _media_time(end: object, segment: RecordingSegment, begun: float | None) -> float | None:
    t = seconds(end)
    if t is None or not isinstance(end, str):
        return t
    return None if begun is None else segment.t_start + t - begun


def resumptions(events: Sequence[AnyEvent]) -> list[float]:
    """Moments (media time, s) at which a segment begins that does not go on from the one before it."""
    segments = sorted((e for e in events if isinstance(e, RecordingSegment)), key=lambda s: s.t_start)
    found = [segment.t_start for segment in segments[:1]]
    for before, after in pairwise(segments):
        ended, begun = seconds(before.end), seconds(after.start)
        if ended is None or begun is None or begun - ended > SEGMENT_GAP:
            found.append(after.t_start)
    return found


def seconds(value: object) -> float | None:
    """Seconds of an ISO moment or of a number; None for anything else."""
    moment = as_moment(value) if isinstance(value, str) else None
    return moment.timestamp() if moment is not None else as_number(value)


def jumped(before: Sequence[AnyEvent], after: Sequence[AnyEvent], burns: Sequence[CardBurned]) -> bool:
    """Tell whether the numbers of the cards of two rounds in a row leave some out that were not burned in between."""
    last = next((e for e in reversed(before) if isinstance(e, CardDealt) and e.seq is not None), None)
    first = next((e for e in after if isinstance(e, CardDealt)), None)
    if last is None or first is None or first.seq is None or last.seq is None or last.shoe != first.shoe:
        return False
    burned = sum(1 for burn in burns if last.t_end <= burn.t_end <= first.t_end)
    return 0 < first.seq - last.seq - 1 - burned <= MOST_JUMPED
