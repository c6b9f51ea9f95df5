"""The law speaks of the order of acts: a play whose acts touch in time is judged as the same play with pauses.

The tables of poker, the manual and Washington are judged so beside their other tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from case_files import FOLDER, case_header, play, read_cases, wrong
from touching import touching

from verifier.law.judge import judge

PAUSES_DECIDE = frozenset(
    {
        "a dealer is back at the open table after more than ten seconds",
        "a hand signals to hit and then to stand, and gets no card",
    }
)
"""Cases in which the length of a pause decides, or is told."""


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.yaml")), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_acts_that_touch_are_judged_as_acts_apart(file: Path) -> None:
    logs = {c.case: (c, play(c, file).build(**case_header(c))) for c in read_cases(file) if c.case not in PAUSES_DECIDE}
    told = {title: wrong(case, judge(touching(log))) for title, (case, log) in logs.items()}
    assert {title: what for title, what in told.items() if what} == {}
