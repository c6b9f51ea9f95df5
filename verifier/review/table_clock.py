"""The table's clock: what it shows at the first second of a recording, from readings that are cut off to the second."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Final

from verifier.domain.events import EventLog
from verifier.domain.findings import Finding

NEAR_S: Final = 60.0
"""Seconds before and after a finding whose events tell the clock: about a round; the clock may jump elsewhere. Our own
choice.
"""
_CLOCK_OFF_S: Final = 1.5
"""Readings of the clock that are further off the others are misread: a right one is cut off by less than 1 s."""
_CLOCK: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def clock_of(readings: Sequence[tuple[float, str]]) -> str | None:
    """Return what the table's clock shows at second 0 of the review, from readings (s, ISO 8601 to the second).

    A reading is cut off to its second, so the clock is ahead of it by less than 1 s: the readings bound it from both
    sides, and the middle of what is left is taken.
    """
    told = [_seconds(text) - t for t, text in readings if _CLOCK.fullmatch(text)]
    if not told:
        return None
    middle = median(told)
    likely = [one for one in told if abs(one - middle) <= _CLOCK_OFF_S]
    begin = (max(likely) + max(max(likely), min(likely) + 1.0)) / 2
    return datetime.fromtimestamp(begin, UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")


def clock_near(log: EventLog, finding: Finding) -> str | None:
    """Return what the table's clock shows at second 0, as the events near a finding tell it (ISO 8601).

    An event's clock is that of its end. None if no event near tells one.
    """
    first, last = finding.t_start - NEAR_S, finding.t_end + NEAR_S
    return clock_of([(one.t_end, one.clock) for one in log.events if one.clock and first <= one.t_end <= last])


def _seconds(clock: str) -> float:
    """Return a moment of the clock on a scale without jumps."""
    return datetime.fromisoformat(clock).replace(tzinfo=UTC).timestamp()
