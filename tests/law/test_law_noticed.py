"""Logs for changes of the checks that a mutation run (`benchmarks/law_mutations.py`) found unnoticed; by clause."""

from __future__ import annotations

import pytest
from law_build import Log, hand_out, row
from manual_build import Manual

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


@pytest.mark.parametrize(("after", "verdict"), [(-1.0, "pass"), (0.29, "pass"), (0.31, "violation")])
def test_the_manual_turns_the_first_card_before_a_player_decides(after: float, verdict: str) -> None:
    """A signal may begin 0.3 s before the card lies open."""
    log = Manual().play("Th 9c 8d 9d Td 7h", {2: 1000, 5: 500}, {"space:2": "stand", "space:5": "stand"}).log
    turned = log.one("card_revealed", at="dealer")
    act = min(r["t_start"] for r in log.all("hand_signal"))
    log.change(turned, t_start=round(act + after - 0.2, 3), t_end=round(act + after, 3))
    assert row(log.judge(rulebook="house-manual"), "HM-shoe.4-order") == verdict
