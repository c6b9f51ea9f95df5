"""How won tips are moved, paid and put away (99-01.3-08-11(14), -11(16)(a),(b))."""

from __future__ import annotations

from verifier.domain import events
from verifier.simulate.play.layout_state import OnLayout, Stack, chip_counts, stack_cents
from verifier.simulate.play.spots import fan_offsets, middle, set_sizes, tip_spot, tray_point
from verifier.simulate.play.steps import PayTips
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

_PAYOFF_BESIDE_MM = 46.0


def move_tip(table: OnLayout, t: float, place: str) -> float:
    """The left hand brings a won tip to the inner table area and fans it there; gives the time of the end."""
    stage, left = table.stage, table.left
    stack = table.stakes[place].pop("tip")
    spot = stage.near(tip_spot(stage.plan, len(table.tips)), 2.0)
    contact = left.go(max(t, left.free), stack[0].xy, shape="grip", z=24.0, speed=900.0)
    held = left.wait(contact + 0.12)
    laid = left.go(held, spot, shape="grip", z=20.0, speed=850.0)
    for level, chip in enumerate(stack):
        chip.carry(left, held, laid, (*spot, level * CHIP_THICKNESS_MM, chip.pose[3]))
    down = left.wait(laid + 0.1)
    stage.note(events.WagerMoved, contact, down, kind="tip", from_=place, to="inner", hand="left")
    table.tips[place] = [stack]
    return _fan(table, down, stack, "tip", place)


def pay_tips(table: OnLayout, step: PayTips) -> None:
    """After all hands, the right hand pays each tip beside it and it is fanned; then the hands leave the inner area."""
    stage = table.stage
    end = table.now
    for place in step.at:
        stack = table.tips[place][0]
        x, y = stack[0].xy
        payoff = _bring(table, [chip.cents for chip in stack], (x + _PAYOFF_BESIDE_MM, y), place)
        end = _fan(table, table.now, payoff, "tip_payoff", place)
        table.now = end
        table.tips[place].append(payoff)
    away = max(table.left.go_rest(table.left.free), table.right.go_rest(table.right.free))
    duration = stage.rng.uniform(0.85, 1.2)
    start = max(end + 0.1, away - 0.2)
    stage.note(events.HandsClear, start, start + duration, region="inner", duration=round(duration, 2))
    table.now = start + duration


def deposit(table: OnLayout) -> None:
    """The right hand puts tips and their payoffs into the tip receptacle."""
    stage, right = table.stage, table.right
    chips = [chip for stacks in table.tips.values() for stack in stacks for chip in stack]
    held: list[tuple[float, Stack]] = []
    t = max(right.free, table.now)
    for stacks in table.tips.values():
        for stack in stacks:
            contact = right.go(t, stack[-1].xy, shape="grip", z=24.0, speed=900.0)
            t = right.wait(contact + 0.1)
            held.append((t, stack))
    dropped = right.go(t, middle(stage.plan.tip_receptacle), z=60.0, speed=850.0)
    for since, stack in held:
        for chip in stack:
            chip.hold(right, since, dropped, (stage.rng.uniform(-10, 10), stage.rng.uniform(0, 12), -14.0, 0.0))
            chip.vanish(dropped + 0.1)
    end = right.wait(dropped + 0.2)
    right.go_rest(end)
    stage.note(events.TipDeposited, dropped - 0.1, end, cents=stack_cents(chips), chips=chip_counts(chips))
    table.now = end


def _bring(table: OnLayout, values: list[int], spot: Vec, place: str) -> Stack:
    stage, right = table.stage, table.right
    tray = tray_point(stage.plan, spot)
    arrive = right.go(max(right.free, table.now - 0.2), tray, shape="grip", speed=850.0, by=table.now + 0.05)
    taken = right.wait(arrive + 0.25)
    stack = stage.stack(values, tray, taken)
    placed = right.go(taken, spot, shape="grip", z=20.0, speed=850.0)
    for level, chip in enumerate(stack):
        chip.carry(right, taken, placed, (*spot, level * CHIP_THICKNESS_MM, chip.pose[3]))
    down = right.wait(placed + 0.12)
    right.go_rest(down)
    cents = stack_cents(stack)
    stage.note(events.ChipsFromTray, arrive, taken, cents=cents, chips=chip_counts(stack), hand="right", origin="tip")
    stage.note(
        events.PayoffPlaced, taken, down, kind="tip", at=place, cents=cents, chips=chip_counts(stack), hand="right"
    )  # fmt: skip
    table.now = down + 0.05
    return stack


def _fan(table: OnLayout, t: float, stack: Stack, owner: str, place: str) -> float:
    stage, left = table.stage, table.left
    values = [chip.cents for chip in stack]
    start, end = t + 0.02, t + 0.1
    if len(stack) > 1:
        x, y = stack[0].xy
        offsets = fan_offsets(values, by_value=False)
        start = left.go(max(t, left.free), (x, y + 48.0), shape="flat", z=18.0, speed=800.0)
        end = left.go(start, (x, y + 48.0 + offsets[-1]), shape="flat", z=18.0, speed=190.0, least=0.4, lift=0.0)
        for level, (chip, offset) in enumerate(zip(stack, offsets, strict=True)):
            chip.slide(start, end, (x, y + offset, 1.6 * min(level, 1) + 0.05 * level, chip.pose[3]))
        left.go_rest(end)
    stage.note(
        events.ChipsFanned, start, end, owner=owner, at=place, cents=stack_cents(stack), kind="tip",
        chips=chip_counts(stack), hand="left" if len(stack) > 1 else None, direction="dealer",
        set_sizes=set_sizes(values, by_value=False),
    )  # fmt: skip
    return end
