"""How stakes leave the layout: swept to the tray, laid aside, or pushed back to their player (11(10), 11(13))."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.domain.places import Place
from verifier.simulate.actors import Hand
from verifier.simulate.play.layout_state import OnLayout, Stack, stack_cents
from verifier.simulate.play.spots import on_top, stake_spot, tray_point
from verifier.simulate.play.steps import Collect, ReturnExcess, ReturnStakes, TrayAside
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

_ASIDE: Final[Vec] = (205.0, 235.0)
_RETURN_MM: Final = 62.0


def collect(table: OnLayout, step: Collect) -> None:
    """One hand sweeps the stakes of the hands in turn and drops them into the tray."""
    stage = table.stage
    hand = table.left if step.fault == "left_hand" else _sweeping_hand(table, step.at[0])
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
                events.ChipsCollected,
                contact,
                t,
                kind=kind,
                at=place,
                cents=stack_cents(stack),
                to="hand",
                hand=used,
                mode=mode,
            )
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
    """Let the other hand go along, so that both are on the chips."""
    other = table.left if hand is table.right else table.right
    x, y = stack[0].xy
    aside = -58.0 if other is table.left else 58.0
    other.go(t, (x + aside, y + 14.0), shape="grip", z=24.0, speed=900.0, least=0.2)


def _lay_aside(table: OnLayout, hand: Hand, held: list[tuple[float, Stack]], t: float) -> None:
    """Lay collected chips on the felt before the tray (against 11(13))."""
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
        push_back(table, step.at, table.stakes[step.at][kind], kind, step.reason)
    table.right.go_rest(table.right.free)
    table.now += 0.15


def return_excess(table: OnLayout, step: ReturnExcess) -> None:
    """Act out how the top chip of a wager that is too high is pushed back before the deal (09(1))."""
    table.now = max(table.now, table.wagers_down) + 0.2
    chip = table.stakes[step.at]["original"].pop()
    push_back(table, step.at, [chip], "original", "excess")
    table.right.go_rest(table.right.free)
    player = table.stage.player_hand(step.at)
    held = player.wait(player.go(max(player.free, table.now), chip.xy, shape="grip", z=24.0, least=0.3) + 0.2)
    out = player.go_rest(held)
    chip.hold(player, held, out, (0.0, 6.0, -14.0, 0.0))
    chip.vanish(out)
    table.now = table.wagers_down = held + 0.2


def push_back(table: OnLayout, at: str, stack: Stack, kind: str, reason: str) -> None:
    """Act out how the flat right hand pushes a stack toward its player."""
    stage, right = table.stage, table.right
    ox, oy = stage.plan.spaces[Place.parse(at).number].outward
    x, y = stack[0].xy
    contact = right.go(max(right.free, table.now), on_top((x, y)), shape="flat", z=20.0, speed=850.0)
    target = (x + ox * _RETURN_MM, y + oy * _RETURN_MM)
    end = right.go(contact, on_top(target), shape="flat", z=18.0, speed=220.0, least=0.35, lift=0.0)
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
    """Close the hand on a stack; give the time when it is held and the time of contact."""
    contact = hand.go(t, stack[0].xy, shape="grip", z=24.0, speed=900.0, least=0.2)
    return hand.wait(contact + 0.14), contact


def _hold_all(table: OnLayout, hand: Hand, held: list[tuple[float, Stack]], until: float) -> None:
    rng = table.stage.rng
    for since, stack in held:
        for level, chip in enumerate(stack):
            chip.hold(hand, since, until, (rng.uniform(-10, 10), rng.uniform(-4, 14), -14.0 + 3.3 * level, 0.0))
            chip.vanish(until + 0.08)
