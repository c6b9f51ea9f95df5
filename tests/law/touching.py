"""Plays without pauses: each act begins at the moment at which the one before it ends. The order stays as it was."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from verifier.domain.events import AnyEvent, EventLog
from verifier.law.grouping import in_order


def apart(events: Sequence[AnyEvent]) -> bool:
    """Tell whether each act of a play is over when the next begins."""
    return all(before.t_end <= after.t_start for before, after in pairwise(in_order(events)))


def touching(log: EventLog) -> EventLog:
    """Return the log with each act beginning at the moment (s) at which the one before it ends; a log whose acts lie
    over one another as it is.
    """
    if not apart(log.events):
        return log
    found: list[AnyEvent] = []
    for event in in_order(log.events):
        start = found[-1].t_end if found else event.t_start
        lasts = event.t_end - event.t_start
        found.append(msgspec.structs.replace(event, t_start=start, t_end=round(start + lasts, 3)))
    return EventLog(log.header, tuple(found))
