"""Which moments of a recording show a finding."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from verifier.domain.events import AnyEvent
from verifier.domain.findings import Finding
from verifier.review.wording import plain_name

CLIP_BEFORE_S = 3.0
CLIP_AFTER_S = 3.0
CLIP_LONGEST_S = 45.0
STILLS_MOST = 4
_APART_S = 0.4


class Moments(Struct, frozen=True):
    """Media times in seconds: the clip from `t_start` to `t_end`, and the stills in order, each with what it shows."""

    t_start: float
    t_end: float
    stills: tuple[tuple[float, str], ...]


def moments_of(finding: Finding, events: Mapping[str, AnyEvent], last: float) -> Moments:
    """Return the clip's stretch and the stills of a finding in a recording that was watched up to `last` seconds."""
    start = max(0.0, finding.t_start - CLIP_BEFORE_S)
    end = min(last, finding.t_end + CLIP_AFTER_S)
    if end - start > CLIP_LONGEST_S:
        start = max(start, end - CLIP_LONGEST_S)
    return Moments(start, max(end, start + 1.0), tuple(_stills(finding, events, last)))


def _stills(finding: Finding, events: Mapping[str, AnyEvent], last: float) -> list[tuple[float, str]]:
    told = [(events[name].t_end, plain_name(events[name])) for name in finding.events if name in events]
    told = told or [(finding.t_start, "beginning"), (finding.t_end, "end")]
    chosen: list[tuple[float, str]] = []
    for t, what in sorted(told):
        moment = min(max(t, 0.0), last)
        if not chosen or moment - chosen[-1][0] >= _APART_S:
            chosen.append((moment, what))
    return _thin(chosen)


def _thin(chosen: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """At most STILLS_MOST, the last ones kept: a finding shows at its end."""
    if len(chosen) <= STILLS_MOST:
        return chosen
    return [chosen[0], *chosen[-(STILLS_MOST - 1) :]]
