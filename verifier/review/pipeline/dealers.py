"""Who dealt when, as the manifest tells: `Kim 20:00, Pat 22:30`, or one name for the whole file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Final

from msgspec import Struct

_TURN = re.compile(r"(?P<name>.*\D)\s+(?P<at>\d{1,2}:\d{2}(:\d{2})?)")

BEFORE: Final = timedelta(hours=6)
"""A turn may have begun so long before the recording; what is earlier in the day means the next day."""


class Turn(Struct, frozen=True):
    """A dealer's turn, from a clock (ISO 8601) on; None: from the beginning of the recording on."""

    dealer: str
    since: str | None = None


def read_dealers(text: str, clock: str | None) -> list[Turn]:
    """Read the turns in a file whose first picture shows `clock`, in order; a time is the first such one from BEFORE
    ahead of it.

    Without a clock only a name without a time tells anything. Raises ValueError for text that is not understood.
    """
    turns = []
    for part in filter(None, (one.strip() for one in re.split("[,;]", text))):
        told = _TURN.fullmatch(part)
        if told is None and re.search(r"\d:", part):
            raise ValueError(part)
        if told is None:
            turns.append(Turn(part, clock))
            continue
        hour, minute, second = map(int, f"{told['at']}:00".split(":")[:3])
        at = time(hour, minute, second)
        if clock is not None:
            turns.append(Turn(told["name"].strip(), _first(at, datetime.fromisoformat(clock) - BEFORE)))
    return sorted(turns, key=lambda turn: turn.since or "")


def dealer_at(turns: Sequence[Turn], clock: str | None) -> str | None:
    """Who dealt at a clock; None where that is not told."""
    begun = [turn for turn in turns if turn.since is None or (clock is not None and turn.since <= clock)]
    return begun[-1].dealer if begun else None


def _first(at: time, moment: datetime) -> str:
    """Return the first occurrence of a time of day from a moment on."""
    same = datetime.combine(moment.date(), at)
    return (same if same >= moment else same + timedelta(days=1)).isoformat(timespec="seconds")
