"""How the dealer settles: sweeping lost stakes, fanning and paying winners, tapping ties (11(12), 11(13), 11(16))."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.simulate.actors import Hand
from verifier.simulate.play.layout_state import OnLayout, Stack, chip_counts, stack_cents
from verifier.simulate.play.spots import fan_offsets, payoff_spot, set_sizes, stake_spot, tray_point
from verifier.simulate.play.steps import Collect, Pay, StakeKind, Tie
from verifier.simulate.play.tips import move_tip
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

_KINDS: Final = ("original", "split", "double", "tip")
SETS_ABOVE_CENTS: Final = 500
"""A bet of more than five dollars is fanned by value in sets of five (11(16)(a))."""


def collect(table: OnLayout, step: Collect) -> None:
    """One hand sweeps the stakes of the hands in turn and drops them into the tray."""
    stage = table.stage
    hand = _sweeping_hand(table, step.at[0])
    begin = t = max(hand.free, table.now)
    total, held = 0, []
    for place in step.at:
        for kind in [kind for kind in _KINDS if table.stakes.get(place, {}).get(kind)]:
            stack = table.stakes[place].pop(kind)
            t, contact = _take(hand, t, stack)
            held.append((t, stack))
            total += stack_cents(stack)
            mode = "hand_by_hand" if table.house.sweep_or_hand_by_hand == "hand_by_hand" else "sweep"
            stage.note(
                events.ChipsCollected, contact, t, kind=kind, at=place, cents=stack_cents(stack), to="hand",
                hand=hand.side, mode=mode,
            )  # fmt: skip
    tray = tray_point(stage.plan, hand.tool)
    dropped = hand.go(t, tray, speed=950.0)
    _hold_all(table, hand, held, dropped)
    end = hand.wait(dropped + 0.15)
    hand.go_rest(end)
    stage.note(events.ChipsToTray, dropped - 0.1, end, cents=total, hand=hand.side, origin="settlement")
    if step.clause:
        stage.deviate(step.clause, step.at[0], begin, end)
    table.now = end + 0.1


def _sweeping_hand(table: OnLayout, place: str) -> Hand:
    if table.house.sweep_or_hand_by_hand == "hand_by_hand":
        return table.right
    x = stake_spot(table.stage.plan, place, "original")[0]
    return table.right if x > -200.0 else table.left


def _take(hand: Hand, t: float, stack: Stack) -> tuple[float, float]:
    """Closes the hand on a stack; gives the time when it is held and the time of contact."""
    contact = hand.go(t, stack[0].xy, shape="grip", z=24.0, speed=900.0, least=0.2)
    return hand.wait(contact + 0.14), contact


def _hold_all(table: OnLayout, hand: Hand, held: list[tuple[float, Stack]], until: float) -> None:
    rng = table.stage.rng
    for since, stack in held:
        for level, chip in enumerate(stack):
            chip.hold(hand, since, until, (rng.uniform(-10, 10), rng.uniform(-4, 14), -14.0 + 3.3 * level, 0.0))
            chip.vanish(until + 0.08)


def tie(table: OnLayout, step: Tie) -> None:
    """Two taps of the flat right hand beside the wager."""
    stage, right = table.stage, table.right
    begin = max(right.free, table.now)
    if not step.tap:
        table.now = begin + 0.5
        if step.clause:
            stage.deviate(step.clause, step.at, begin, table.now)
        return
    x, y = stake_spot(stage.plan, step.at, "original")
    spot = stage.near((x + 6.0, y + 52.0), 4.0)
    start = t = right.go(begin, spot, shape="flat", z=38.0, speed=900.0)
    for _ in range(2):
        t = right.go(t, (spot[0], spot[1] - 4.0), z=10.0, least=0.15, lift=0.0)
        t = right.go(t, spot, z=40.0, least=0.18, lift=0.0)
    right.go_rest(t)
    stage.note(events.PushTapped, start, t, at=step.at)
    if step.clause:
        stage.deviate(step.clause, step.at, begin, t)
    table.now = t + 0.2


def pay(table: OnLayout, step: Pay) -> None:
    """Fans the stakes, takes the payoff from the tray, places it beside, fans it and clears the hands."""
    stage = table.stage
    begin = max(table.now, table.fan_hand.free)
    t = begin
    kinds: list[StakeKind] = list(step.payoffs)
    by_value = sum(table.place_cents(step.at, kind) for kind in kinds) > SETS_ABOVE_CENTS
    for kind in kinds:
        if step.fan_wager:
            t = fan(table, t, table.stakes[step.at][kind], "wager", step.at, kind, (0.0, 1.0), by_value)
    if step.tip_wins:
        t = move_tip(table, t, step.at)
    stacks = _take_and_place(table, step, t)
    end = table.now
    if step.fan_payoff:
        for kind in kinds:
            _, direction = _payoff_place(table, step.at, kind, kinds)
            end = fan(table, end, stacks[kind], "payoff", step.at, kind, (direction, 0.0), by_value)
    _clear(table, step.at, end)
    if step.clause:
        stage.deviate(step.clause, step.at, begin, table.now)


def fan(
    table: OnLayout, t: float, stack: Stack, owner: str, at: str, kind: str, along: Vec, by_value: bool
) -> float:  # fmt: skip
    """Spreads a stack into a row along a direction; a single chip lies free already. Gives the time of the end."""
    stage, hand = table.stage, table.fan_hand
    values = [chip.cents for chip in stack]
    start, end = t + 0.02, t + 0.1
    if len(stack) > 1:
        offsets = fan_offsets(values, by_value=by_value)
        base = stack[0].xy
        far = (base[0] + along[0] * offsets[-1], base[1] + along[1] * offsets[-1])
        start = hand.go(max(t, hand.free), _on_top(base), shape="flat", z=20.0, speed=900.0)
        end = hand.go(start, _on_top(far), shape="flat", z=18.0, speed=190.0, least=0.45, lift=0.0)
        for level, (chip, offset) in enumerate(zip(stack, offsets, strict=True)):
            height = 0.0 if level == 0 or offset - offsets[level - 1] > 33.0 else 1.6
            place = (base[0] + along[0] * offset, base[1] + along[1] * offset)
            chip.slide(start, end, (*place, height + 0.05 * level, chip.pose[3]))
        hand.go(end, _beside(far), shape="relaxed", speed=800.0)
    stage.note(
        events.ChipsFanned, start, end, owner=owner, at=at, cents=stack_cents(stack), kind=kind,
        chips=chip_counts(stack), hand=hand.side if len(stack) > 1 else None,
        direction="dealer" if along[1] else "side", set_sizes=set_sizes(values, by_value=by_value),
    )  # fmt: skip
    return end


def _on_top(at: Vec) -> Vec:
    """Working point of a flat hand whose fingertips press on a chip."""
    return (at[0], at[1] + 48.0)


def _beside(at: Vec) -> Vec:
    return (at[0] * 0.8, min(at[1] + 170.0, 262.0))


def _payoff_place(table: OnLayout, place: str, kind: str, kinds: list[StakeKind]) -> tuple[Vec, float]:
    split = place.split("/")[0] in table.split
    return payoff_spot(table.stage.plan, place, kind, [*kinds], split=split)


def _take_and_place(table: OnLayout, step: Pay, t: float) -> dict[StakeKind, Stack]:
    """The right hand takes the sum from the tray and places a stack for each stake."""
    stage, right = table.stage, table.right
    kinds: list[StakeKind] = list(step.payoffs)
    spots = {kind: stage.near(_payoff_place(table, step.at, kind, kinds)[0], 1.5) for kind in kinds}
    tray = tray_point(stage.plan, spots[kinds[0]])
    arrive = right.go(max(right.free, t - 0.3), tray, shape="grip", speed=850.0, by=t + 0.05)
    taken = right.wait(arrive + stage.rng.uniform(0.25, 0.45))
    stacks = {kind: stage.stack(step.payoffs[kind], tray, taken) for kind in kinds}
    everything = [chip for stack in stacks.values() for chip in stack]
    stage.note(
        events.ChipsFromTray, arrive, taken, cents=stack_cents(everything), chips=chip_counts(everything),
        hand="right", origin="settlement",
    )  # fmt: skip
    since = taken
    waiting = dict.fromkeys(kinds, taken)
    for kind in kinds:
        placed = right.go(since, spots[kind], shape="grip", z=20.0, speed=900.0)
        for level, chip in enumerate(stacks[kind]):
            chip.carry(right, waiting[kind], placed, (*spots[kind], level * CHIP_THICKNESS_MM, chip.pose[3]))
        down = right.wait(placed + 0.15)
        stage.note(
            events.PayoffPlaced, since, down, kind=kind, at=step.at, cents=stack_cents(stacks[kind]),
            chips=chip_counts(stacks[kind]), hand="right",
        )  # fmt: skip
        since = down
    right.go_rest(since)
    table.payoffs.setdefault(step.at, []).extend(stacks.values())
    table.now = since + 0.05
    return stacks


def _clear(table: OnLayout, region: str, end: float) -> None:
    """Both hands leave the region and keep away from it."""
    stage = table.stage
    away = max(table.left.go_rest(table.left.free), table.right.go_rest(table.right.free))
    start = max(end + 0.15, away - 0.35)
    duration = stage.rng.uniform(0.85, 1.3)
    stage.note(events.HandsClear, start, start + duration, region=region, duration=round(duration, 2))
    table.now = start + duration
