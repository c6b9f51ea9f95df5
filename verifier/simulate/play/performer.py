"""Plays the steps of a script on the stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from verifier.domain import events
from verifier.simulate.play import (
    banking,
    collecting,
    dealing,
    dealing_aside,
    paying,
    pickup,
    players,
    steps,
    surrender,
    tips,
)
from verifier.simulate.play.layout_state import OnLayout

_ACTS: Final[dict[type[steps.Step], Callable[..., None]]] = {
    steps.PlaceWager: players.place_wager,
    steps.Signal: players.signal,
    steps.TouchCard: players.touch_card,
    steps.ChangeWager: players.change_wager,
    steps.Deal: dealing.deal,
    steps.Reveal: dealing.reveal,
    steps.SplitCards: dealing.split_cards,
    steps.Collect: collecting.collect,
    steps.Pay: paying.pay,
    steps.Tie: paying.tie,
    steps.PayTips: tips.pay_tips,
    steps.MoveInsurance: dealing_aside.move_insurance,
    steps.HoldAside: dealing_aside.hold_aside,
    steps.Peek: dealing_aside.peek,
    steps.ReadCards: dealing_aside.read_cards,
    steps.BurnFrom: dealing_aside.burn_from,
    steps.ReturnExcess: collecting.return_excess,
    steps.TrayAside: collecting.tray_aside,
    steps.Cover: banking.cover,
    steps.PayCover: banking.pay_cover,
    steps.TakeBoth: banking.take_both,
    steps.CoverBack: banking.cover_back,
    steps.TurnDown: banking.turn_down,
    steps.ReturnStakes: collecting.return_stakes,
    steps.GiveUp: surrender.give_up,
}


def play_round(table: OnLayout, script: steps.RoundScript, number: int, hand_path: int) -> None:
    """Perform a round; bring the cards of `hand_path` hands to the discard holder at a time."""
    table.stage.round = number
    table.clear_round()
    for step in script.steps:
        begin = table.now
        _perform(table, step, hand_path)
        if step.clause:
            table.stage.deviate(step.clause, _place(step), begin, max(table.now, begin + 0.1))
    table.stage.round = None


def _perform(table: OnLayout, step: steps.AnyStep, hand_path: int) -> None:
    if isinstance(step, steps.StartRound):
        dealing.start_round(table)
    elif isinstance(step, steps.DealerStands | steps.Omitted):
        table.pause(0.3, 0.8)
    elif isinstance(step, steps.TakeCards):
        pickup.take_cards(table, step, hand_path)
    elif isinstance(step, steps.DepositTips):
        tips.deposit(table)
    elif isinstance(step, steps.EndRound):
        table.stage.note(events.RoundEnded, table.now, table.now + 0.05)
        table.now += 0.1
    elif isinstance(step, steps.PlayersTakeBack):
        players.take_back(table)
    else:
        _ACTS[type(step)](table, step)


def _place(step: steps.AnyStep) -> str | None:
    """Where a planted breach shows."""
    if isinstance(step, steps.Deal):
        return step.to
    at = getattr(step, "at", None) or getattr(step, "places", None)
    return at if isinstance(at, str) or not at else at[0]
