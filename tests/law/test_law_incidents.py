"""What is one incident is one finding."""

from __future__ import annotations

import msgspec
import pytest
from law_build import Log, findings, hand_out

from verifier.domain.events import PayoffPlaced
from verifier.law.catalogue import by_id
from verifier.law.incidents import UNSPREAD, finding, incidents
from verifier.law.instances import Instance

FAN, EQUAL = "ND-08-11.16.a-fan-payoff", "ND-08-11.16.a-payoff-equal"


def unspread() -> Log:
    """A payoff that is not spread: nobody sees what it comes to."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.drop(*log.all("chips_fanned", owner="payoff"))
    for event in ("payoff_placed", "chips_from_tray"):
        log.change(log.one(event), cents=None, chips=None)
    return log


def test_a_sum_that_nobody_could_see_is_told_with_the_chips_that_were_not_spread() -> None:
    (found,) = findings(unspread().judge(), "undetermined")
    assert found.clause == FAN
    assert EQUAL in found.also


@pytest.mark.parametrize(
    ("clock", "t_end", "told"),
    [
        ("2026-11-16T21:07:09", 2.0, "2026-11-16T21:07:08"),  # a second before the reading
        ("2026-11-16T21:07:09", 1.5, "2026-11-16T21:07:09"),  # half a second: the same second
        ("2026-11-16T21:07:09", 1.6, "2026-11-16T21:07:08"),
        ("2026-11-17T00:00:01", 9.0, "2026-11-16T23:59:53"),  # over midnight
        ("no clock", 2.0, "no clock"),
        (None, 2.0, None),
    ],
)
def test_a_findings_clock_is_that_of_the_moment_at_which_it_begins(
    clock: str | None, t_end: float, told: str | None
) -> None:
    """An event's clock was read at its end."""
    event = msgspec.structs.replace(payoff(1), t_end=t_end, clock=clock)
    bare = Instance(clause=FAN, verdict="violation", at="space:2", round=1, events=(event,), observed="not fanned")
    found = finding(bare, by_id("nd-twenty-one")[FAN])
    assert (found.t_start, found.clock) == (1.0, told)


def payoff(number: int) -> PayoffPlaced:
    return PayoffPlaced(
        id=f"e{number:05}", t_start=1.0, t_end=2.0, p=0.99, source="video", kind="original", at="space:2", cents=None
    )


@pytest.mark.parametrize(("number", "told"), [(1, [FAN]), (2, [EQUAL, FAN])], ids=["the same chips", "others"])
def test_beside_a_violation_the_open_sum_is_said_with_it(number: int, told: list[str]) -> None:
    bare = Instance(clause=FAN, verdict="violation", at="space:2", round=1, events=(payoff(1),), observed="not fanned")
    open_sum = Instance(clause=EQUAL, verdict="undetermined", at="space:2", round=1, events=(payoff(number),))
    roots = incidents([bare, open_sum])
    assert sorted(root.clause for root in roots) == sorted(told)
    said = next(root for root in roots if root.clause == FAN)
    assert ("sum_not_told" in said.remarks) == (len(told) == 1)
    assert said.also == ()


@pytest.mark.parametrize(("equal", "shown_by"), [(a, b) for a, others in UNSPREAD.items() for b in others])
def test_each_sum_is_said_with_what_kept_it_from_being_seen(equal: str, shown_by: str) -> None:
    bare = Instance(clause=shown_by, verdict="violation", at="inner", round=None, events=(payoff(1),), observed="so")
    open_sum = Instance(clause=equal, verdict="undetermined", at="inner", round=None, events=(payoff(1),))
    assert [root.clause for root in incidents([bare, open_sum])] == [shown_by]
