"""The time window of a night: when it may work, and which night it is. Times are the computer's local time."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from msgspec import Struct

from verifier.domain.errors import BadInput

_NOON = 12


class Hours(Struct, frozen=True):
    """From when until when work is done, each day; None: at any time."""

    start: time | None = None
    end: time | None = None

    def stop_after(self, now: datetime) -> datetime | None:
        """Return the next moment at which work must stop."""
        return None if self.end is None else _next(now, self.end)

    def wait_from(self, now: datetime) -> float:
        """Seconds until work may begin; 0 within the window."""
        if self.start is None or self.end is None or self.start == self.end:
            return 0.0
        clock = now.time()
        inside = self.start <= clock < self.end
        if self.start > self.end:
            inside = clock >= self.start or clock < self.end
        return 0.0 if inside else (_next(now, self.start) - now).total_seconds()


def read_time(text: str) -> time:
    """Read a time of day such as 08:00. Raises BadInput."""
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError as error:
        raise BadInput("the time window", f"found {text!r}, expected a time such as 08:00", "correct it") from error


def night_of(now: datetime) -> str:
    """Return the night that a moment belongs to, named by the day on which it begins: until noon it is the day
    before.
    """
    return (now - timedelta(hours=_NOON)).date().isoformat()


def _next(now: datetime, at: time) -> datetime:
    today = datetime.combine(now.date(), at)
    return today if today > now else today + timedelta(days=1)
