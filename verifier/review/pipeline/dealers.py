"""Who dealt when, as the manifest tells: `Kim 20:00, Pat 22:30`, or one name for the whole file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from msgspec import Struct, structs

from verifier.domain.events import AnyEvent, DealerShift, EventLog

_TURN = re.compile(r"(?P<name>.*\D)\s+(?P<at>\d{1,2}:\d{2}(:\d{2})?)")

BEFORE: Final = timedelta(hours=6)
"""A turn may have begun so long before the recording; what is earlier in the day means the next day."""
NEAR: Final = timedelta(minutes=15)
"""A manifest tells a change of dealers to the quarter of an hour (policy of this product)."""


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
    """Who dealt at a clock; None if that is not told."""
    begun = [turn for turn in turns if turn.since is None or (clock is not None and turn.since <= clock)]
    return begun[-1].dealer if begun else None


def _first(at: time, moment: datetime) -> str:
    """Return the first occurrence of a time of day from a moment on."""
    same = datetime.combine(moment.date(), at)
    return (same if same >= moment else same + timedelta(days=1)).isoformat(timespec="seconds")


def with_dealers(log: EventLog, turns: Sequence[Turn], clock_at: Callable[[float], str | None]) -> EventLog:
    """Return the log with the names of its dealers; `clock_at` is the recorder's clock at a time of the log (s).

    A change of dealers seen near the told time is the same change; the manifest names its two dealers.
    Who came at another change that was seen is not told, and around a change that was not seen nobody is named. In a
    player-banked game the log names the dealer's seat, which stays.
    """
    if not turns or log.header.rulebook.startswith("wa-"):
        return log
    seen = [event for event in log.events if isinstance(event, DealerShift) and event.phase == "start"]
    begins = _begins(turns, seen, clock_at)
    changes = {shift.id: turn.dealer for turn, shift in begins if shift is not None}

    def named(event: AnyEvent) -> AnyEvent:
        if isinstance(event, DealerShift) and event.phase == "start":
            known = changes.get(event.id)
            return structs.replace(event, dealer=known, how="log" if known else event.how)
        return structs.replace(event, dealer=_at(begins, event.t_start, clock_at))

    return EventLog(log.header, tuple(named(event) for event in log.events))


_Begin = tuple[Turn, DealerShift | None]


def _begins(
    turns: Sequence[Turn], seen: Sequence[DealerShift], clock_at: Callable[[float], str | None]
) -> list[_Begin]:
    """Return each turn with the change of dealers that was seen nearest to its time, one turn for each, in order.

    A turn that began before the recording has none.
    """
    found: list[_Begin] = []
    left = list(seen)
    first = clock_at(0.0)
    for turn in turns:
        within = turn.since is not None and first is not None and turn.since > first
        away = {shift.id: _apart(clock_at(shift.t_start), turn.since) for shift in left}
        near = min(left, key=lambda shift: away[shift.id], default=None) if within else None
        if near is not None and away[near.id] > NEAR:
            near = None
        found.append((turn, near))
        left = left[left.index(near) + 1 :] if near is not None else left
    return found


def _apart(clock: str | None, other: str | None) -> timedelta:
    if clock is None or other is None:
        return timedelta.max
    return abs(datetime.fromisoformat(clock) - datetime.fromisoformat(other))


def _at(begins: Sequence[_Begin], t: float, clock_at: Callable[[float], str | None]) -> str | None:
    """Return who dealt at a time of the log (s); None around a change that nobody saw."""
    clock, dealer = clock_at(t), None
    first = clock_at(0.0)
    for turn, shift in begins:
        if shift is not None:
            dealer = turn.dealer if t >= shift.t_start else dealer
        elif turn.since is None or (first is not None and turn.since <= first):
            dealer = turn.dealer
        elif clock is not None and _apart(clock, turn.since) <= NEAR:
            dealer = None
        elif clock is not None and turn.since <= clock:
            dealer = turn.dealer
    return dealer
