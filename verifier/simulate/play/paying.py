"""How the dealer pays: fanning and paying winners, tapping ties (11(12), 11(13), 11(16))."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from verifier.domain import events
from verifier.domain.places import Place
from verifier.simulate.actors import Hand
from verifier.simulate.play.layout_state import OnLayout, Stack, chip_counts, stack_cents
from verifier.simulate.play.spots import (
    PAID_ASTRAY_MM,
    fan_offsets,
    on_top,
    payoff_spot,
    set_sizes,
    stake_spot,
    tray_point,
)
from verifier.simulate.play.steps import Pay, StakeKind, Tie
from verifier.simulate.play.tips import move_tips
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

SETS_ABOVE_CENTS: Final = 500
"""A bet of more than five dollars is fanned by value in sets of five (11(16)(a))."""


def tie(table: OnLayout, step: Tie) -> None:
    """Two taps of the flat right hand beside the wager."""
    stage, right = table.stage, table.right
    begin = max(right.free, table.now)
    if not step.tap:
        table.now = begin + 0.5
        return
    x, y = stake_spot(stage.plan, step.at, "split" if Place.parse(step.at).hand else "original")
    spot = stage.near((x + 6.0, y + 52.0), 4.0)
    start = t = right.go(begin, spot, shape="flat", z=38.0, speed=900.0)
    for _ in range(2):
        t = right.go(t, (spot[0], spot[1] - 4.0), z=10.0, least=0.15, lift=0.0)
        t = right.go(t, spot, z=40.0, least=0.18, lift=0.0)
    right.go_rest(t)
    stage.note(events.PushTapped, start, t, at=step.at)
    table.now = t + 0.2


def pay(table: OnLayout, step: Pay) -> None:
    """Fans the stakes, takes the payoff from the tray, places it beside, fans it and clears the hands."""
    t = max(table.now, table.fan_hand.free)
    kinds: list[StakeKind] = list(step.payoffs)
    by_value = _by_value(table, step)
    along = (0.0, -1.0) if step.fault == "fan_to_player" else (0.0, 1.0)
    other = table.left if table.fan_hand is table.right else table.right
    hand = other if step.fault == "other_hand_fans" else table.fan_hand
    for kind in kinds:
        if step.fan_wager:
            stack = table.stakes[step.at][kind]
            t = fan(table, t, stack, Fan("wager", step.at, kind, along, by_value, hand))
    if step.tip_wins and not table.house.tips_fanned_after:
        t = move_tips(table, t, step.at, table.right if step.fault == "tip_right_hand" else table.left)
    stacks = _take_and_place(table, step, t)
    end = table.now
    if step.fan_payoff:
        for kind in kinds:
            _, direction = _payoff_place(table, step, kind)
            dwell = step.fault == "hands_stay"
            fanned = Fan("payoff", step.at, kind, direction, by_value, table.fan_hand, dwell)
            end = fan(table, end, stacks[kind], fanned)
    if step.fault == "hands_stay":
        table.now = table.fan_hand.wait(end + 0.35)
    else:
        _clear(table, step.at, end)


class Fan(Struct, frozen=True):
    """How a stack is spread: whose it is, where, in which direction, by whose hand; `dwell`: the hand stays on it."""

    owner: str
    at: str
    kind: str
    along: Vec
    by_value: bool
    hand: Hand
    dwell: bool = False


def fan(table: OnLayout, t: float, stack: Stack, how: Fan) -> float:
    """Spreads a stack into a row along a direction; a single chip lies free already. Gives the time of the end."""
    stage, hand, along = table.stage, how.hand, how.along
    values = [chip.cents for chip in stack]
    start, end = t + 0.02, t + 0.1
    if len(stack) > 1:
        offsets = fan_offsets(values, by_value=how.by_value)
        base = stack[0].xy
        far = (base[0] + along[0] * offsets[-1], base[1] + along[1] * offsets[-1])
        start = hand.go(max(t, hand.free), on_top(base), shape="flat", z=20.0, speed=900.0)
        end = hand.go(start, on_top(far), shape="flat", z=18.0, speed=190.0, least=0.45, lift=0.0)
        for level, (chip, offset) in enumerate(zip(stack, offsets, strict=True)):
            height = 0.0 if level == 0 or offset - offsets[level - 1] > 33.0 else 1.6
            place = (base[0] + along[0] * offset, base[1] + along[1] * offset)
            chip.slide(start, end, (*place, height + 0.05 * level, chip.pose[3]))
        if not how.dwell:
            hand.go(end, _beside(far), shape="relaxed", speed=800.0)
    direction = "side" if not along[1] else "dealer" if along[1] > 0 else "player"
    stage.note(
        events.ChipsFanned,
        start,
        end,
        owner=how.owner,
        at=how.at,
        cents=stack_cents(stack),
        kind=how.kind,
        chips=chip_counts(stack),
        hand=hand.side if len(stack) > 1 else None,
        direction=direction,
        set_sizes=set_sizes(values, by_value=how.by_value),
    )
    return end


def _beside(at: Vec) -> Vec:
    return (at[0] * 0.8, min(at[1] + 170.0, 262.0))


def _by_value(table: OnLayout, step: Pay) -> bool:
    """Tell whether the chips of each value are fanned apart."""
    whole = sum(table.place_cents(step.at, kind) for kind in step.payoffs)
    return whole > SETS_ABOVE_CENTS and step.fault != "values_mixed"


def _payoff_place(table: OnLayout, step: Pay, kind: StakeKind) -> tuple[Vec, Vec]:
    length = fan_offsets(sorted(step.payoffs[kind]), by_value=_by_value(table, step))[-1]
    hands = table.hands_of(step.at)
    (x, y), along = payoff_spot(table.stage.plan, step.at, kind, [*step.payoffs], hands=hands, length=length)
    return ((x + PAID_ASTRAY_MM, y), along) if step.fault == "far" else ((x, y), along)


def _take_and_place(table: OnLayout, step: Pay, t: float) -> dict[StakeKind, Stack]:
    """Take the sum from the tray with the right hand, place a stack for each stake, and return the stacks."""
    stage = table.stage
    hand = table.left if step.fault == "left_takes" else table.right
    kinds: list[StakeKind] = list(step.payoffs)
    spots = {kind: stage.near(_payoff_place(table, step, kind)[0], 1.5) for kind in kinds}
    if step.fault == "from_hand":
        taken, ready = table.in_hand
        stacks: dict[StakeKind, Stack] = {kinds[0]: ready}
        since = max(hand.free, t)
        hand.wait(since)
    else:
        taken, stacks = _from_tray(table, step, hand, spots[kinds[0]], t)
        since = taken
    for kind in kinds:
        placed = hand.go(since, spots[kind], shape="grip", z=20.0, speed=900.0)
        for level, chip in enumerate(stacks[kind]):
            chip.carry(hand, taken, placed, (*spots[kind], level * CHIP_THICKNESS_MM, chip.pose[3]))
        down = hand.wait(placed + 0.15)
        stage.note(
            events.PayoffPlaced,
            since,
            down,
            kind=kind,
            at=step.at,
            cents=stack_cents(stacks[kind]),
            chips=chip_counts(stacks[kind]),
            hand=hand.side,
            position="elsewhere" if step.fault == "far" else "beside",
        )
        since = down
    if hand is table.right:
        hand.go_rest(since)
    table.payoffs.setdefault(step.at, []).extend(stacks.values())
    table.now = since + 0.05
    return stacks


def _from_tray(table: OnLayout, step: Pay, hand: Hand, toward: Vec, t: float) -> tuple[float, dict[StakeKind, Stack]]:
    """Chips for the payoffs (and for the next hand's, where that is planted) are taken at once."""
    stage = table.stage
    tray = tray_point(stage.plan, toward)
    arrive = hand.go(max(hand.free, t - 0.3), tray, shape="grip", speed=850.0, by=t + 0.05)
    taken = hand.wait(arrive + stage.rng.uniform(0.25, 0.45))
    stacks = {kind: stage.stack(chips, tray, taken) for kind, chips in step.payoffs.items()}
    everything = [chip for stack in stacks.values() for chip in stack]
    if step.extra:
        table.in_hand = (taken, stage.stack(step.extra, (tray[0], tray[1] + 6.0), taken))
        everything += table.in_hand[1]
    stage.note(
        events.ChipsFromTray,
        arrive,
        taken,
        cents=stack_cents(everything),
        chips=chip_counts(everything),
        hand=hand.side,
        origin="settlement",
    )
    return taken, stacks


def _clear(table: OnLayout, region: str, end: float) -> None:
    """Both hands leave the region and keep away from it."""
    stage = table.stage
    away = max(table.left.go_rest(table.left.free), table.right.go_rest(table.right.free))
    start = max(end + 0.15, away - 0.35)
    duration = stage.rng.uniform(0.85, 1.3)
    stage.note(events.HandsClear, start, start + duration, region=region, duration=round(duration, 2))
    table.now = start + duration
