"""Where a finding's clip lies in the review's time, and which of its seconds decide."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, structs

from verifier.domain.findings import Finding
from verifier.review.moments import moments_of
from verifier.review.originals import number_at, originals_of
from verifier.store.values import ReviewRecord

DECISIVE_S: Final = 6.0
"""Seconds before a finding's end that decide it at most; our own choice: what a finding rests on shows at its end."""
_AROUND_S: Final = 1.0
"""Seconds shown around them, so that a hand is seen coming and going; our own choice."""


class ClipTimes(Struct, frozen=True):
    """Seconds of the review's time: the clip from `start` to `end`, in it what decides from `first` to `last`.

    `moment` is the finding's end: what was shown until then shows the finding.
    """

    start: float
    end: float
    first: float
    last: float
    moment: float

    @property
    def until(self) -> float:
        """The moment in the clip's own time (s)."""
        return self.moment - self.start


def clip_times(review: ReviewRecord, finding: Finding) -> ClipTimes:
    """Return the times of a finding's clip, which does not reach beyond the file that it was cut from."""
    number = number_at(review, finding.t_end)
    file = originals_of(review)[number]
    end = file.end if file.end is not None else review.duration
    own = structs.replace(finding, t_start=finding.t_start - file.at, t_end=finding.t_end - file.at)
    cut = moments_of(own, {}, own.t_end if end is None else max(own.t_end, end - file.at))
    start, stop = cut.t_start + file.at, cut.t_end + file.at
    first = max(start, finding.t_start - _AROUND_S, finding.t_end - DECISIVE_S - _AROUND_S)
    return ClipTimes(start, stop, first, min(stop, finding.t_end + _AROUND_S), finding.t_end)
