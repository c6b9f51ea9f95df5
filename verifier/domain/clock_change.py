"""What a jump of a clock is: the change to or from summer time, or a clock that was set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

Kind = Literal["summer_time_begins", "summer_time_ends", "set_forward", "set_back"]

US_CALENDAR: Final = "America/Chicago"
"""Where no time zone is configured, a jump of an hour on a day of the change in the United States is that change."""
NEAR_CHANGE: Final = timedelta(hours=12)
"""Recorders follow the change at once, or when they next ask a time server: a jump so far from it belongs to it."""
_YEARS: Final = range(1970, 2200)


class ClockChange(Struct, frozen=True):
    """A clock's jump by `seconds` (negative: back) against the time that really passed."""

    kind: Kind
    seconds: float

    @property
    def summer_time(self) -> bool:
        """Whether it is the change to or from summer time."""
        return self.kind in ("summer_time_begins", "summer_time_ends")


def summer_time_shift(before: datetime, after: datetime, zone: str | None) -> float:
    """Seconds by which clocks of a time zone (IANA name, None: as in the United States) are changed near two readings.

    0 where there is no change then. The readings are of the zone's own clock.
    """
    if before.year not in _YEARS or after.year not in _YEARS:
        return 0.0
    place = ZoneInfo(zone or US_CALENDAR)
    first, last = min(before, after) - NEAR_CHANGE, max(before, after) + NEAR_CHANGE
    offsets = [moment.replace(tzinfo=place).utcoffset() or timedelta() for moment in (first, last)]
    return (offsets[1] - offsets[0]).total_seconds()


def passed_between(before: str, after: str, zone: str | None = None) -> float:
    """Seconds from one reading (ISO 8601) of a time zone's own clock to another: the hour that it skips did not pass.

    Of an hour that comes twice the first is meant.
    """
    place = ZoneInfo(zone or US_CALENDAR)
    first, last = (datetime.fromisoformat(text).replace(tzinfo=place).astimezone(UTC) for text in (before, after))
    return (last - first).total_seconds()


def clock_change(
    before: datetime, after: datetime, passed: float, slack: float, zone: str | None = None
) -> ClockChange | None:
    """Return what happened to a clock that showed `before` and, `passed` seconds later, `after`.

    None where it ran on within `slack` seconds.
    """
    off = (after - before).total_seconds() - passed
    if abs(off) <= slack:
        return None
    shift = summer_time_shift(before, after, zone)
    if shift and abs(off - shift) <= slack:
        return ClockChange("summer_time_begins" if shift > 0 else "summer_time_ends", shift)
    return ClockChange("set_forward" if off > 0 else "set_back", round(off, 3))


def told_change(change: ClockChange) -> str:
    """Return the change in words that follow "the recorder's clock"."""
    way = "forward" if change.seconds > 0 else "back"
    words = f"was set {way} by {abs(change.seconds):.0f} s"
    if not change.summer_time:
        return words
    return f"{words}: summer time {'began' if change.seconds > 0 else 'ended'}"
