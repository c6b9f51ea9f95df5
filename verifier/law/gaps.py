"""What a log shows of its own gaps: where the recording stopped, and where the numbers of the dealt cards jump."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from verifier.domain.events import AnyEvent, CardBurned, CardDealt, RecordingSegment
from verifier.law.entries import as_moment, as_number

SEGMENT_GAP = 2.0
"""Seconds between two segments of one recorder that count as continuous (site policy)."""
MOST_JUMPED = 12
"""So many numbers may be left out between two rounds where cards of them have no record; more are another way of
numbering (policy of this project)."""


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
