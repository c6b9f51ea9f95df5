"""Logs for changes of the checks that a mutation run (`benchmarks/law_mutations.py`) found unnoticed; by clause."""

from __future__ import annotations

import pytest
from law_build import Log, hand_out, row

STEPS = ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out", "to_tray", "to_receptacle")


def exchanged(told_by: dict[str, str | None]) -> Log:
    """A tip exchange; a step of `told_by` is told by a fan of that owner alone, or not at all."""
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    for step in STEPS:
        owner = told_by.get(step, step)
        if owner == step:
            log.add("tip_exchange", step=step, cents=500)
        elif owner is not None:
            log.add("chips_fanned", owner=owner, at="inner", cents=500, kind="tip")
    return log


@pytest.mark.parametrize(
    ("clause", "told_by", "verdict"),
    [
        ("fan-exchanged-only", {}, "pass"),
        ("fan-exchanged-only", {"fanned_in": "tip_exchange_in"}, "pass"),
        ("fan-exchanged-only", {"fanned_in": "tip_exchange_out"}, "violation"),
        ("fan-exchanged-only", {"fanned_in": None}, "violation"),
        ("place-right", {"fanned_out": "tip_exchange_out"}, "pass"),
        ("place-right", {"fanned_out": "tip_exchange_in"}, "violation"),
        ("place-right", {"fanned_out": None}, "violation"),
    ],
)
def test_a_fan_of_exchanged_tips_tells_the_step(clause: str, told_by: dict[str, str | None], verdict: str) -> None:
    assert row(exchanged(told_by).judge(), f"ND-08-11.18.b-{clause}") == verdict
