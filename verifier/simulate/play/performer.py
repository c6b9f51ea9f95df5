"""Plays the steps of a script on the stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from verifier.domain import events
from verifier.simulate.play import dealing, paying, pickup, players, steps, tips
from verifier.simulate.play.layout_state import OnLayout

_ACTS: Final[dict[type[Any], Callable[[OnLayout, Any], None]]] = {
    steps.PlaceWager: players.place_wager,
    steps.Signal: players.signal,
    steps.TouchCard: players.touch_card,
    steps.ChangeWager: players.change_wager,
    steps.Deal: dealing.deal,
    steps.Reveal: dealing.reveal,
    steps.SplitCards: dealing.split_cards,
    steps.Collect: paying.collect,
    steps.Pay: paying.pay,
    steps.Tie: paying.tie,
    steps.PayTips: tips.pay_tips,
}


def play_round(table: OnLayout, script: steps.RoundScript, number: int, trip: int) -> None:
    """Performs a round; `trip` hands' cards are brought to the discard holder at a time."""
    table.stage.round = number
    table.clear_round()
    for step in script.steps:
        _perform(table, step, trip)
    table.stage.round = None


def _perform(table: OnLayout, step: steps.AnyStep, trip: int) -> None:
    if isinstance(step, steps.StartRound):
        dealing.start_round(table)
    elif isinstance(step, steps.DealerStands):
        begin = table.now
        table.pause(0.3, 0.8)
        if step.clause:
            table.stage.deviate(step.clause, "dealer", begin, table.now)
    elif isinstance(step, steps.TakeCards):
        pickup.take_cards(table, step, trip)
    elif isinstance(step, steps.DepositTips):
        tips.deposit(table)
    elif isinstance(step, steps.EndRound):
        table.stage.note(events.RoundEnded, table.now, table.now + 0.05)
        table.now += 0.1
    elif isinstance(step, steps.PlayersTakeBack):
        players.take_back(table)
    else:
        _ACTS[type(step)](table, step)
