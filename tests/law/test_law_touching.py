"""The law speaks of the order of acts: a play whose acts touch in time is judged as the same play with pauses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from case_files import FOLDER, case_header, play, read_cases, wrong

from verifier.domain.events import AnyEvent, EventLog
from verifier.law.grouping import in_order
from verifier.law.judge import judge

PAUSES_DECIDE = frozenset({
    "a dealer is back at the open table after more than ten seconds",
    "a hand signals to hit and then to stand, and gets no card",
})  # fmt: skip
"""Cases in which the length of a pause decides, or is told."""


def apart(events: Sequence[AnyEvent]) -> bool:
    """Tell whether each act of a play is over when the next begins."""
    return all(before.t_end <= after.t_start for before, after in pairwise(events))


def touching(log: EventLog) -> EventLog:
    """Return the log with each act beginning at the moment (s) at which the one before it ends."""
    found: list[AnyEvent] = []
    for event in in_order(log.events):
        start = found[-1].t_end if found else event.t_start
        lasts = event.t_end - event.t_start
        found.append(msgspec.structs.replace(event, t_start=start, t_end=round(start + lasts, 3)))
    return EventLog(log.header, tuple(found))


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.yaml")), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_acts_that_touch_are_judged_as_acts_apart(file: Path) -> None:
    told = {}
    for case in read_cases(file):
        log = play(case, file).build(**case_header(case))
        if apart(in_order(log.events)) and case.case not in PAUSES_DECIDE:
            told[case.case] = wrong(case, judge(touching(log)))
    assert {title: what for title, what in told.items() if what} == {}
