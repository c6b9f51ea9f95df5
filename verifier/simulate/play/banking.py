"""How a player who deals and banks handles chips: covers wagers, pays with the cover, takes what is lost."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.domain.places import Place
from verifier.simulate.play.layout_state import OnLayout, Stack, stack_cents
from verifier.simulate.play.spots import tray_point
from verifier.simulate.play.steps import Cover, CoverBack, PayCover, TakeBoth, TurnDown
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

_BESIDE: Final[Vec] = (-62.0, -12.0)
"""A cover lies at the dealer's left of its wager; a double's cover as far again."""
_NEXT_MM: Final = -45.0


def cover(table: OnLayout, step: Cover) -> None:
    """Act out how the right hand takes chips from the bank and lays them beside the wager."""
    stage = table.stage
    table.now = max(table.now, table.wagers_down)
    x, y = stage.plan.spaces[Place.parse(step.at).number].wager
    before = len(table.payoffs.get(step.at, []))
    spot = stage.near((x + _BESIDE[0] + _NEXT_MM * before, y + _BESIDE[1]), 1.5)
    begun, stack = _from_bank(table, step.chips, spot)
    table.payoffs.setdefault(step.at, []).append(stack)
    stage.note(events.WagerCovered, begun, table.now, at=step.at, cents=stack_cents(stack))
    table.right.go_rest(table.now)
    table.now += 0.1


def _from_bank(table: OnLayout, chips: list[int], spot: Vec) -> tuple[float, Stack]:
    """Bring a stack from the tray to a spot; set the time to when it lies; give the time of taking and the stack."""
    stage, right = table.stage, table.right
    tray = tray_point(stage.plan, spot)
    taken = right.wait(right.go(max(right.free, table.now), tray, shape="grip", speed=850.0) + 0.3)
    stack = stage.stack(chips, tray, taken)
    placed = right.go(taken, spot, shape="grip", z=20.0, speed=900.0)
    for level, chip in enumerate(stack):
        chip.carry(right, taken, placed, (*spot, level * CHIP_THICKNESS_MM, chip.pose[3]))
    table.now = right.wait(placed + 0.15)
    return taken, stack


def pay_cover(table: OnLayout, step: PayCover) -> None:
    """Act out how the covers become the payoff: the hand points at each; a natural's other half comes from the bank."""
    stage, right = table.stage, table.right
    kinds = [*table.stakes[step.at]]
    for kind, stack in zip(kinds, [*table.payoffs.get(step.at, [])], strict=True):
        x, y = stack[0].xy
        start = right.go(max(right.free, table.now), (x, y + 40.0), shape="flat", z=22.0, speed=850.0)
        table.now = right.wait(start + 0.35)
        stage.note(events.PayoffPlaced, start, table.now, kind=kind, at=step.at, cents=stack_cents(stack), hand="right")
        if step.extra:
            begun, more = _from_bank(table, step.extra, (x, y - 42.0))
            table.payoffs[step.at].append(more)
            stage.note(
                events.PayoffPlaced, begun, table.now, kind=kind, at=step.at, cents=stack_cents(more), hand="right"
            )
    right.go_rest(table.now)
    table.now += 0.15


def take_both(table: OnLayout, step: TakeBoth) -> None:
    """Act out how a lost wager and its cover go to the bank."""
    _to_bank(table, step.at, [*table.stakes.pop(step.at).items()])


def cover_back(table: OnLayout, step: CoverBack) -> None:
    """At a tie the bank takes its cover back; the wager stays."""
    _to_bank(table, step.at, [])


def _to_bank(table: OnLayout, at: str, lost: list[tuple[str, Stack]]) -> None:
    stage, right, rng = table.stage, table.right, table.stage.rng
    t = max(right.free, table.now)
    held: list[tuple[float, Stack]] = []
    for kind, stack in [*lost, *(("", stack) for stack in table.payoffs.pop(at, []))]:
        contact = right.go(t, stack[0].xy, shape="grip", z=24.0, speed=900.0, least=0.2)
        t = right.wait(contact + 0.14)
        held.append((t, stack))
        if kind:
            stage.note(
                events.ChipsCollected, contact, t, kind=kind, at=at, cents=stack_cents(stack), to="tray", hand="right"
            )
    dropped = right.go(t, tray_point(stage.plan, right.tool), speed=950.0)
    for since, stack in held:
        for level, chip in enumerate(stack):
            chip.hold(right, since, dropped, (rng.uniform(-10, 10), rng.uniform(-4, 14), -14.0 + 3.3 * level, 0.0))
            chip.vanish(dropped + 0.08)
    end = right.wait(dropped + 0.15)
    right.go_rest(end)
    table.now = end + 0.1


def turn_down(table: OnLayout, step: TurnDown) -> None:
    """Act out how the player of a busted hand turns its cards face down."""
    stage, hand = table.stage, table.stage.player_hand(step.at)
    t = max(hand.free, table.now)
    begun = None
    for card in reversed(table.cards[step.at]):
        x, y = card.xy
        contact = hand.wait(hand.go(t, (x, y - 30.0), shape="pinch", z=10.0) + 0.1)
        t = hand.go(contact, (x + 8.0, y - 34.0), shape="pinch", z=14.0, least=0.35, lift=18.0)
        card.turn(contact, t, "down")
        begun = contact if begun is None else begun
    hand.go_rest(hand.wait(t + 0.1))
    stage.note(events.CardsMoved, begun or t, t, kind="turn_down", from_=step.at, to=step.at)
    table.now = t + 0.25
