"""Tells a leap of a file's stamps from time without pictures, by the clock in the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from verifier.domain.layout import Layout
from verifier.recording.probe import Gap, Probe
from verifier.review.pipeline.values import clock_between

ClockIn = Callable[[Probe, Layout, float, float], str | None]
"""The burned-in clock at the beginning of a stretch (from, to in s); None if it is not read surely in it."""

OFF_S: Final = 2.0
"""Seconds by which the difference of two clocks may be off: each is read to the second, and known to half of one."""
LEAP_S: Final = 4.0
"""Shorter leaps of the stamps are not told from pauses: twice OFF_S."""
READ_S: Final = 1.5
"""Seconds in which a clock is read: two reads half a second apart must agree."""
RUNS_S: Final = 3.5
"""Seconds between two readings that show that the clock runs: one that stands would hide any pause."""
MOST: Final = 24
"""The longest leaps are looked at, so many; the others stay time without pictures."""


def without_leaps(probe: Probe, layout: Layout, clock_in: ClockIn) -> Probe:
    """Return the recording without the leaps of its time stamps across which the clock in the picture ran on."""
    leaps = [gap for gap in probe.timeline.pauses if gap.end - gap.start >= LEAP_S]
    longest = sorted(leaps, key=lambda gap: gap.start - gap.end)[:MOST]
    ran_on = [gap for gap in longest if _ran_on(probe, layout, gap, clock_in)]
    return probe.closed([probe.timeline.from_then(gap.end) for gap in ran_on]) if ran_on else probe


def _ran_on(probe: Probe, layout: Layout, gap: Gap, clock_in: ClockIn) -> bool:
    """Tell whether the clock runs before and after a leap, and shows that no time passed between."""
    last = gap.start - READ_S
    begins = (last - RUNS_S, last, gap.end, gap.end + RUNS_S)
    if begins[0] < 0.0:
        return False
    clocks = [clock_in(probe, layout, begin, begin + READ_S) for begin in begins]
    if None in clocks:
        return False
    shown = [clock_between(clocks[0] or "", clock or "") for clock in clocks]
    passed = (0.0, RUNS_S, RUNS_S + READ_S, 2 * RUNS_S + READ_S)
    runs = shown[1] - shown[0] >= RUNS_S - OFF_S and shown[3] - shown[2] >= RUNS_S - OFF_S
    return runs and all(abs(a - b) <= OFF_S for a, b in zip(shown, passed, strict=True))
