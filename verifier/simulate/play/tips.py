"""How won tips are moved, paid and put away (99-01.3-08-11(14), -11(16)(a),(b))."""

from __future__ import annotations

from verifier.domain import events
from verifier.simulate.actors import Hand
from verifier.simulate.play.layout_state import OnLayout, Stack, chip_counts, stack_cents
from verifier.simulate.play.spots import fan_offsets, middle, set_sizes, tip_spot, tray_point
from verifier.simulate.play.steps import TIPS, PayTips
from verifier.simulate.scene import Vec
from verifier.simulate.table import ABOVE_RECEPTACLE_MM, CHIP_THICKNESS_MM

_PAYOFF_BESIDE_MM = 46.0


def move_tips(table: OnLayout, t: float, place: str, hand: Hand | None = None) -> float:
    """Bring a won tip (and its double) to the inner table area with the left hand; fan it there; give the end."""
    stage, hand = table.stage, hand or table.left
    for kind in [kind for kind in TIPS if table.stakes[place].get(kind)]:
        stack = table.stakes[place].pop(kind)
        spot = stage.near(tip_spot(stage.plan, sum(len(stacks) for stacks in table.tips.values())), 2.0)
        contact = hand.go(max(t, hand.free), stack[0].xy, shape="grip", z=24.0, speed=900.0)
        held = hand.wait(contact + 0.12)
        laid = hand.go(held, spot, shape="grip", z=20.0, speed=850.0)
        for level, chip in enumerate(stack):
            chip.carry(hand, held, laid, (*spot, level * CHIP_THICKNESS_MM, chip.pose[3]))
        down = hand.wait(laid + 0.1)
        stage.note(events.WagerMoved, contact, down, kind=kind, from_=place, to="inner", hand=hand.side)
        table.tips.setdefault(place, []).append((kind, stack))
        t = _fan(table, down, stack, "tip", place, kind)
    return t


def pay_tips(table: OnLayout, step: PayTips) -> None:
    """After all hands, the right hand pays each tip beside it and it is fanned; then the hands leave the inner area."""
    stage = table.stage
    if table.house.tips_fanned_after:
        for place in step.at:
            table.now = move_tips(table, table.now, place)
    end = table.now
    payer = table.left if step.fault == "left_takes" else table.right
    for place in step.at:
        for kind, stack in [*table.tips[place]]:
            x, y = stack[0].xy
            owed = step.wrong.get(place) or [chip.cents for chip in stack]
            payoff = _bring(table, payer, owed, (x + _PAYOFF_BESIDE_MM, y), place, kind)
            end = table.now
            if step.fault != "not_fanned":
                end = _fan(table, table.now, payoff, "tip_payoff", place, kind, dwell=step.fault == "hands_stay")
            table.now = end
            table.paid_tips.append(payoff)
    if step.fault == "hands_stay":
        table.left.wait(end + 4.0)
        return
    away = max(table.left.go_rest(table.left.free), table.right.go_rest(table.right.free))
    duration = stage.rng.uniform(0.85, 1.2)
    start = max(end + 0.1, away - 0.2)
    stage.note(events.HandsClear, start, start + duration, region="inner", duration=round(duration, 2))
    table.now = start + duration


def deposit(table: OnLayout) -> None:
    """Put tips and their payoffs into the tip receptacle with the right hand."""
    stage, right = table.stage, table.right
    stacks = [stack for won in table.tips.values() for _, stack in won] + table.paid_tips
    stacks.sort(key=lambda stack: -stack[0].xy[0])
    chips = [chip for stack in stacks for chip in stack]
    held: list[tuple[float, Stack]] = []
    t = max(right.free, table.now)
    for stack in stacks:
        contact = right.go(t, stack[-1].xy, shape="grip", z=24.0, speed=900.0)
        t = right.wait(contact + 0.1)
        held.append((t, stack))
    dropped = right.go(t, middle(stage.plan.tip_receptacle), z=ABOVE_RECEPTACLE_MM, speed=850.0)
    for since, stack in held:
        for chip in stack:
            chip.hold(right, since, dropped, (stage.rng.uniform(-10, 10), stage.rng.uniform(0, 12), -14.0, 0.0))
            chip.vanish(dropped + 0.1)
    end = right.wait(dropped + 0.2)
    right.go_rest(end)
    stage.note(events.TipDeposited, dropped - 0.1, end, cents=stack_cents(chips), chips=chip_counts(chips))
    table.now = end


def _bring(table: OnLayout, hand: Hand, values: list[int], spot: Vec, place: str, kind: str) -> Stack:
    stage = table.stage
    tray = tray_point(stage.plan, spot)
    arrive = hand.go(max(hand.free, table.now - 0.2), tray, shape="grip", speed=850.0, by=table.now + 0.05)
    taken = hand.wait(arrive + 0.25)
    stack = stage.stack(values, tray, taken)
    placed = hand.go(taken, spot, shape="grip", z=20.0, speed=850.0)
    for level, chip in enumerate(stack):
        chip.carry(hand, taken, placed, (*spot, level * CHIP_THICKNESS_MM, chip.pose[3]))
    down = hand.wait(placed + 0.12)
    hand.go_rest(down)
    cents = stack_cents(stack)
    stage.note(events.ChipsFromTray, arrive, taken, cents=cents, chips=chip_counts(stack), hand=hand.side, origin="tip")
    stage.note(
        events.PayoffPlaced, taken, down, kind=kind, at=place, cents=cents, chips=chip_counts(stack), hand=hand.side
    )
    table.now = down + 0.05
    return stack


def _fan(table: OnLayout, t: float, stack: Stack, owner: str, place: str, kind: str, *, dwell: bool = False) -> float:
    stage, left = table.stage, table.left
    values = [chip.cents for chip in stack]
    start, end = t + 0.02, t + 0.1
    if len(stack) > 1 or dwell:
        x, y = stack[0].xy
        offsets = fan_offsets(values, by_value=False)
        start = left.go(max(t, left.free), (x, y + 48.0), shape="flat", z=18.0, speed=800.0)
        end = left.go(start, (x, y + 48.0 + offsets[-1]), shape="flat", z=18.0, speed=190.0, least=0.4, lift=0.0)
        for level, (chip, offset) in enumerate(zip(stack, offsets, strict=True)):
            chip.slide(start, end, (x, y + offset, 1.6 * min(level, 1) + 0.05 * level, chip.pose[3]))
        if not dwell:
            left.go_rest(end)
    stage.note(
        events.ChipsFanned,
        start,
        end,
        owner=owner,
        at=place,
        cents=stack_cents(stack),
        kind=kind,
        chips=chip_counts(stack),
        hand="left" if len(stack) > 1 else None,
        direction="dealer",
        set_sizes=set_sizes(values, by_value=False),
    )
    return end
