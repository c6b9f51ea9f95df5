"""How the dealer settles: sweeping lost stakes, fanning and paying winners, tapping ties (11(12), 11(13), 11(16))."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from verifier.domain import events
from verifier.domain.places import Place
from verifier.simulate.actors import Hand
from verifier.simulate.play.layout_state import OnLayout, Stack, chip_counts, stack_cents
from verifier.simulate.play.spots import fan_offsets, payoff_spot, set_sizes, stake_spot, tray_point
from verifier.simulate.play.steps import Collect, Pay, ReturnExcess, ReturnStakes, StakeKind, Tie, TrayAside
from verifier.simulate.play.tips import move_tips
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

SETS_ABOVE_CENTS: Final = 500
"""A bet of more than five dollars is fanned by value in sets of five (11(16)(a))."""
_ASIDE: Final[Vec] = (205.0, 235.0)
_RETURN_MM: Final = 62.0


def collect(table: OnLayout, step: Collect) -> None:
    """One hand sweeps the stakes of the hands in turn and drops them into the tray."""
    stage = table.stage
    hand = _sweeping_hand(table, step.at[0])
    t = max(hand.free, table.now)
    if step.fault == "both_hands":
        t = max(t, table.left.free)
    held: list[tuple[float, Stack]] = []
    mode = "hand_by_hand" if table.house.sweep_or_hand_by_hand == "hand_by_hand" else "sweep"
    used = "both" if step.fault == "both_hands" else hand.side
    for place in step.at:
        for kind in [kind for kind in step.kinds if table.stakes.get(place, {}).get(kind)]:
            stack = table.stakes[place].pop(kind)
            if step.fault == "both_hands":
                _accompany(table, hand, t, stack)
            t, contact = _take(hand, t, stack)
            held.append((t, stack))
            stage.note(
                events.ChipsCollected, contact, t, kind=kind, at=place, cents=stack_cents(stack), to="hand",
                hand=used, mode=mode,
            )  # fmt: skip
    if not held:
        return
    if step.fault == "aside":
        _lay_aside(table, hand, held, t)
    else:
        _to_tray(table, hand, held, t, used)


def _to_tray(table: OnLayout, hand: Hand, held: list[tuple[float, Stack]], t: float, used: str) -> None:
    dropped = hand.go(t, tray_point(table.stage.plan, hand.tool), speed=950.0)
    _hold_all(table, hand, held, dropped)
    end = hand.wait(dropped + 0.15)
    hand.go_rest(end)
    cents = sum(stack_cents(stack) for _, stack in held)
    table.stage.note(events.ChipsToTray, dropped - 0.1, end, cents=cents, hand=used, origin="settlement")
    table.now = end + 0.1


def _accompany(table: OnLayout, hand: Hand, t: float, stack: Stack) -> None:
    """The other hand goes along, so that both are on the chips."""
    other = table.left if hand is table.right else table.right
    x, y = stack[0].xy
    aside = -58.0 if other is table.left else 58.0
    other.go(t, (x + aside, y + 14.0), shape="grip", z=24.0, speed=900.0, least=0.2)


def _lay_aside(table: OnLayout, hand: Hand, held: list[tuple[float, Stack]], t: float) -> None:
    """Collected chips are laid on the felt before the tray (against 11(13))."""
    x, y = _ASIDE
    laid = hand.go(t, (x, y), shape="grip", z=22.0, speed=900.0)
    level = 0
    for since, stack in held:
        for chip in stack:
            chip.carry(hand, since, laid, (x, y, level * CHIP_THICKNESS_MM, chip.pose[3]))
            table.aside.append(chip)
            level += 1
    hand.go_rest(hand.wait(laid + 0.12))
    table.now = laid + 0.2


def tray_aside(table: OnLayout, step: TrayAside) -> None:
    """Chips that were laid aside go to the tray."""
    right, stack = table.right, table.aside
    held = right.wait(right.go(max(right.free, table.now), stack[0].xy, shape="grip", z=24.0) + 0.12)
    table.aside = []
    _to_tray(table, right, [(held, stack)], held, "right")


def return_stakes(table: OnLayout, step: ReturnStakes) -> None:
    """Stakes that are void go back: the flat right hand pushes each stack toward its player (11(10)(e))."""
    for kind in step.kinds:
        _push_back(table, step.at, table.stakes[step.at][kind], kind, step.reason)
    table.right.go_rest(table.right.free)
    table.now += 0.15


def return_excess(table: OnLayout, step: ReturnExcess) -> None:
    """The top chip of a wager that is too high is pushed back before the deal (09(1))."""
    table.now = max(table.now, table.wagers_down) + 0.2
    chip = table.stakes[step.at]["original"].pop()
    _push_back(table, step.at, [chip], "original", "excess")
    table.right.go_rest(table.right.free)
    player = table.stage.player_hand(step.at)
    held = player.wait(player.go(max(player.free, table.now), chip.xy, shape="grip", z=24.0, least=0.3) + 0.2)
    out = player.go_rest(held)
    chip.hold(player, held, out, (0.0, 6.0, -14.0, 0.0))
    chip.vanish(out)
    table.now = table.wagers_down = held + 0.2


def _push_back(table: OnLayout, at: str, stack: Stack, kind: str, reason: str) -> None:
    stage, right = table.stage, table.right
    ox, oy = stage.plan.spaces[Place.parse(at).number].outward
    x, y = stack[0].xy
    contact = right.go(max(right.free, table.now), _on_top((x, y)), shape="flat", z=20.0, speed=850.0)
    target = (x + ox * _RETURN_MM, y + oy * _RETURN_MM)
    end = right.go(contact, _on_top(target), shape="flat", z=18.0, speed=220.0, least=0.35, lift=0.0)
    base = stack[0].pose[2]
    for chip in stack:
        chip.slide(contact, end, (*target, chip.pose[2] - base, chip.pose[3]))
    stage.note(events.ChipsReturned, contact, end, kind=kind, at=at, cents=stack_cents(stack), reason=reason)
    table.now = end + 0.05


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
        return
    x, y = stake_spot(stage.plan, step.at, "original")
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
    by_value = sum(table.place_cents(step.at, kind) for kind in kinds) > SETS_ABOVE_CENTS
    by_value = by_value and step.fault != "values_mixed"
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
            _, direction = _payoff_place(table, step.at, kind, kinds, len(stacks[kind]))
            stay = step.fault == "hands_stay"
            fanned = Fan("payoff", step.at, kind, direction, by_value, table.fan_hand, stay)
            end = fan(table, end, stacks[kind], fanned)
    if step.fault == "hands_stay":
        table.now = table.fan_hand.wait(end + 0.35)
    else:
        _clear(table, step.at, end)


class Fan(Struct, frozen=True):
    """How a stack is spread: whose it is, where, in which direction, by whose hand; `stay`: the hand stays on it."""

    owner: str
    at: str
    kind: str
    along: Vec
    by_value: bool
    hand: Hand
    stay: bool = False


def fan(table: OnLayout, t: float, stack: Stack, how: Fan) -> float:
    """Spreads a stack into a row along a direction; a single chip lies free already. Gives the time of the end."""
    stage, hand, along = table.stage, how.hand, how.along
    values = [chip.cents for chip in stack]
    start, end = t + 0.02, t + 0.1
    if len(stack) > 1:
        offsets = fan_offsets(values, by_value=how.by_value)
        base = stack[0].xy
        far = (base[0] + along[0] * offsets[-1], base[1] + along[1] * offsets[-1])
        start = hand.go(max(t, hand.free), _on_top(base), shape="flat", z=20.0, speed=900.0)
        end = hand.go(start, _on_top(far), shape="flat", z=18.0, speed=190.0, least=0.45, lift=0.0)
        for level, (chip, offset) in enumerate(zip(stack, offsets, strict=True)):
            height = 0.0 if level == 0 or offset - offsets[level - 1] > 33.0 else 1.6
            place = (base[0] + along[0] * offset, base[1] + along[1] * offset)
            chip.slide(start, end, (*place, height + 0.05 * level, chip.pose[3]))
        if not how.stay:
            hand.go(end, _beside(far), shape="relaxed", speed=800.0)
    direction = "side" if not along[1] else "dealer" if along[1] > 0 else "player"
    stage.note(
        events.ChipsFanned, start, end, owner=how.owner, at=how.at, cents=stack_cents(stack), kind=how.kind,
        chips=chip_counts(stack), hand=hand.side if len(stack) > 1 else None, direction=direction,
        set_sizes=set_sizes(values, by_value=how.by_value),
    )  # fmt: skip
    return end


def _on_top(at: Vec) -> Vec:
    """Working point of a flat hand whose fingertips press on a chip."""
    return (at[0], at[1] + 48.0)


def _beside(at: Vec) -> Vec:
    return (at[0] * 0.8, min(at[1] + 170.0, 262.0))


def _payoff_place(table: OnLayout, place: str, kind: str, kinds: list[StakeKind], chips: int) -> tuple[Vec, Vec]:
    return payoff_spot(table.stage.plan, place, kind, [*kinds], hands=table.hands_of(place), chips=chips)


def _take_and_place(table: OnLayout, step: Pay, t: float) -> dict[StakeKind, Stack]:
    """The right hand takes the sum from the tray and places a stack for each stake."""
    stage = table.stage
    hand = table.left if step.fault == "left_takes" else table.right
    kinds: list[StakeKind] = list(step.payoffs)
    spots = {
        kind: stage.near(_payoff_place(table, step.at, kind, kinds, len(step.payoffs[kind]))[0], 1.5) for kind in kinds
    }
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
            events.PayoffPlaced, since, down, kind=kind, at=step.at, cents=stack_cents(stacks[kind]),
            chips=chip_counts(stacks[kind]), hand=hand.side,
        )  # fmt: skip
        since = down
    if hand is table.right:
        hand.go_rest(since)
    table.payoffs.setdefault(step.at, []).extend(stacks.values())
    table.now = since + 0.05
    return stacks


def _from_tray(
    table: OnLayout, step: Pay, hand: Hand, toward: Vec, t: float
) -> tuple[float, dict[StakeKind, Stack]]:  # fmt: skip
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
        events.ChipsFromTray, arrive, taken, cents=stack_cents(everything), chips=chip_counts(everything),
        hand=hand.side, origin="settlement",
    )  # fmt: skip
    return taken, stacks


def _clear(table: OnLayout, region: str, end: float) -> None:
    """Both hands leave the region and keep away from it."""
    stage = table.stage
    away = max(table.left.go_rest(table.left.free), table.right.go_rest(table.right.free))
    start = max(end + 0.15, away - 0.35)
    duration = stage.rng.uniform(0.85, 1.3)
    stage.note(events.HandsClear, start, start + duration, region=region, duration=round(duration, 2))
    table.now = start + duration
