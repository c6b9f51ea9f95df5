"""The recording's burned-in clock: read now and then, and checked against a clock that advances a second a second."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from verifier.domain.layout import Polygon
from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.vision.ocr import LineReader, box_crop, box_of

READ_EVERY: Final = 10.0
"""Seconds of media time between reads once the clock is known."""
READ_FIRST: Final = 0.5
"""Seconds between reads until it is known, or when a read contradicts it."""
FIRST_TRIES: Final = 8
PENDING: Final = 3.0
"""Seconds from the first look for which looks may wait for the clock to be known."""
SEARCH_AGAIN: Final = 60.0
"""Seconds until a clock that was not found is searched again; twice as long after each further try."""
DRIFT: Final = 0.005
"""Seconds by which a recorder's clock may go wrong against media time in a second."""
STALE: Final = 60.0
"""Seconds after the last good read from which the clock is no longer stated."""
STRIP: Final = 0.14
"""Share of the picture's height, at the top and at the bottom, where clocks stand."""
PAD: Final = 3.0

_YEAR, _MONTH, _DAY = r"(?P<year>20\d\d)", r"(?P<month>0[1-9]|1[0-2])", r"(?P<day>0[1-9]|[12]\d|3[01])"
_BETWEEN: Final = r"[^\d:]?"
_TIME: Final = (
    r"\D{0,3}(?P<hour>[01]\d|2[0-3])[^\d/-]?(?P<minute>[0-5]\d)[^\d/-]?(?P<second>[0-5]\d)(?!\d)\s*(?P<half>[AP]M)?"
)
"""What stands between numbers is read badly, or not at all; but a date has no colons, a time no slashes or dashes."""
_ISO: Final = re.compile(rf"{_YEAR}{_BETWEEN}{_MONTH}{_BETWEEN}{_DAY}{_TIME}", re.IGNORECASE)
_US: Final = re.compile(rf"{_MONTH}(?P<cut>{_BETWEEN}){_DAY}(?:(?P=cut)|[^\d:\s]?){_YEAR}{_TIME}", re.IGNORECASE)
"""A blank before the year only where there is one before the day: `0120 2026-01-20` begins with something else."""
_EPOCH: Final = datetime(2000, 1, 1)


def parse_clock(text: str) -> datetime | None:
    """Return the first date and time with seconds of a text, year first or American month/day/year; None for anything
    else.

    What stands before it may touch it (`CAM32026-11-02`).
    """
    found = min(filter(None, (_ISO.search(text), _US.search(text))), key=lambda one: one.start(), default=None)
    if found is None:
        return None
    year, month, day, hour, minute, second = map(int, found.group("year", "month", "day", "hour", "minute", "second"))
    half = (found["half"] or "").upper()
    if half:
        hour = hour % 12 + (12 if half == "PM" else 0)
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """A date and time read in the picture, and where it stands (x0, y0, x1, y1 pixels)."""

    shown: datetime
    box: Box


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Between which values, in seconds, clock less media time lies; learned at media time `t` from `reads` reads."""

    low: float
    high: float
    t: float
    reads: int = 1

    def joined(self, other: _Bounds) -> _Bounds | None:
        slack = DRIFT * (other.t - self.t) + 0.05
        low, high = max(self.low - slack, other.low), min(self.high + slack, other.high)
        return _Bounds(low, high, other.t, self.reads + 1) if low <= high else None


class Clock:
    """Turns single reads into a clock for every moment; says nothing where it is not sure.

    A clock counts once two reads agree. A read that contradicts it silences it until a further read decides. `was_sure`
    is whether two reads ever agreed.
    """

    def __init__(self) -> None:
        self._known: _Bounds | None = None
        self._rival: _Bounds | None = None
        self.was_sure = False

    def add(self, t: float, shown: datetime) -> None:
        """Take a read at media time `t`; a clock that shows whole seconds is up to a second behind the true one."""
        offset = (shown - _EPOCH).total_seconds() - t
        new = _Bounds(offset, offset + 1.0, t)
        if self._known is not None and (joined := self._known.joined(new)):
            self._known, self._rival = joined, None
        elif self._known is None:
            self._known = new
        elif self._rival is not None and (joined := self._rival.joined(new)):
            self._known, self._rival = joined, None
        else:
            self._rival = new
        self.was_sure |= self.sure

    @property
    def sure(self) -> bool:
        return self._known is not None and self._known.reads >= 2 and self._rival is None

    def at(self, t: float) -> str | None:
        """Return the clock at media time `t`, ISO 8601 to the second."""
        if not self.sure or self._known is None or abs(t - self._known.t) > STALE:
            return None
        offset = (self._known.low + self._known.high) / 2
        return (_EPOCH + timedelta(seconds=math.floor(t + offset + 1e-6))).isoformat(timespec="seconds")


class ClockReader:
    """Reads the clock of one recording: in the layout's zone, or else where one is found at the top or bottom.

    Where the zone shows none at first, one is searched, too: recorders are set up anew, and move it.

    A stretch of a recording begins at the first picture that is looked at.
    """

    def __init__(self, reader: LineReader, zone: Polygon | None = None) -> None:
        self.clock = Clock()
        self._reader = reader
        self._began: float | None = None
        self._search_at = -math.inf
        self._read = -math.inf
        self._tries = 0
        self._box: Box | None = None
        if zone is not None:
            self._box = _padded(box_of(zone))

    def due(self, t: float) -> bool:
        """Tell whether the picture at media time `t` is to be read."""
        if self._box is None:
            return t >= self._search_at
        waiting = not self.clock.sure and self._tries < FIRST_TRIES
        return t - self._read >= (READ_FIRST if waiting else READ_EVERY) - 1e-6

    def pending(self, t: float) -> bool:
        """Tell whether the first reads are still under way, so that waiting a little makes the clock known."""
        return not self.clock.sure and self._box is not None and self._tries < 4 and self._since(t) < PENDING

    def look(self, t: float, picture: Picture) -> None:
        """Read a picture (h, w, 3) BGR at media time `t`."""
        if self._began is None:
            self._began = t
        if self._box is None:
            self._search(t, picture)
            return
        self._read = t
        self._tries = 0 if self.clock.sure else self._tries + 1
        text = self._reader.line(box_crop(picture, self._box))
        if text is not None and (shown := parse_clock(text)):
            self.clock.add(t, shown)
        elif self._tries >= FIRST_TRIES and not self.clock.was_sure and t >= self._search_at:
            self._search(t, picture)

    def _since(self, t: float) -> float:
        """Seconds from the first look to media time `t`."""
        return 0.0 if self._began is None else t - self._began

    def _search(self, t: float, picture: Picture) -> None:
        self._search_at = t + max(SEARCH_AGAIN, self._since(t))
        found = search_clock(picture, self._reader)
        if found is not None:
            self._box, self._read, self._tries = found.box, t, 1
            self.clock.add(t, found.shown)


def search_clock(picture: Picture, reader: LineReader) -> ClockSeen | None:
    """Return the clock at the top or the bottom of a picture (h, w, 3), None if none is read; its box has room to
    read.
    """
    height, width = picture.shape[:2]
    strip = round(STRIP * height)
    for top in (0, height - strip):
        for line in reader.lines(picture[top : top + strip]):
            shown = parse_clock(line.text)
            if shown is not None:
                x0, y0, x1, y1 = line.box
                box = (max(0.0, x0 - 2 * PAD), y0 + top - PAD, min(float(width), x1 + 2 * PAD), y1 + top + PAD)
                return ClockSeen(shown, box)
    return None


def find_clock(picture: Picture, reader: LineReader, zone: Polygon | None = None) -> ClockSeen | None:
    """Return the clock of a picture (h, w, 3): in its zone, or else searched at the top and the bottom."""
    if zone is None:
        return search_clock(picture, reader)
    shown = read_clock(picture, reader, box_of(zone))
    return ClockSeen(shown, box_of(zone)) if shown is not None else None


def read_clock(picture: Picture, reader: LineReader, box: Box) -> datetime | None:
    """Return the date and time in a box of the picture, None if it cannot be read."""
    text = reader.line(box_crop(picture, _padded(box)))
    return parse_clock(text) if text is not None else None


def _padded(box: Box) -> Box:
    x0, y0, x1, y1 = box
    return x0 - PAD, y0 - PAD, x1 + PAD, y1 + PAD
