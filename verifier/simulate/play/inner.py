"""Chips in the inner table area: laid in columns of one value, fanned, stacked again, pushed to a player (07(3))."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from verifier.domain import events
from verifier.simulate.actors import Hand
from verifier.simulate.bodies import ChipBody
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import tray_point
from verifier.simulate.scene import Vec
from verifier.simulate.table import CHIP_THICKNESS_MM

SET: Final = 5
_COLUMN_MM: Final = 47.0
_STEP_MM: Final = 23.0
Columns = list[list[ChipBody]]


def columns(chips: Sequence[ChipBody]) -> Columns:
    """Chips by value, the dearest first, at most five to a column."""
    found: Columns = []
    ordered = sorted(chips, key=lambda chip: -chip.cents)
    for _, group in groupby(ordered, key=lambda chip: chip.cents):
        same = [*group]
        found += [same[start : start + SET] for start in range(0, len(same), SET)]
    return found


def take(table: OnLayout, values: Sequence[int], at: Vec, hand: Hand, origin: str) -> tuple[list[ChipBody], float]:
    """Take chips from the tray with a hand; give them and the time when they are held."""
    stage = table.stage
    tray = tray_point(stage.plan, at)
    arrive = hand.go(max(hand.free, table.now), tray, shape="grip", speed=850.0)
    taken = hand.wait(arrive + stage.rng.uniform(0.5, 0.9))
    chips = [stage.chip(value, (*tray, 4.0, stage.rng.uniform(0, 360)), taken) for value in values]
    stage.note(
        events.ChipsFromTray, arrive, taken, cents=sum(values), chips=counts(values), hand=hand.side, origin=origin
    )
    return chips, taken


def lay(table: OnLayout, hand: Hand, chips: Sequence[ChipBody], since: float, at: Vec) -> tuple[Columns, float]:
    """Lay down in columns, the first at `at`, the chips that the hand holds since a time; give columns and end."""
    laid = columns(chips)
    middle = (at[0] + (len(laid) - 1) * _COLUMN_MM / 2, at[1])
    arrive = hand.go(since, middle, shape="grip", z=22.0, speed=700.0)
    for number, column in enumerate(laid):
        for level, chip in enumerate(column):
            spot = (at[0] + number * _COLUMN_MM, at[1], level * CHIP_THICKNESS_MM, chip.pose[3])
            chip.carry(hand, since, arrive, spot)
    end = hand.wait(arrive + 0.3)
    table.now = end
    return laid, end


def spread(table: OnLayout, hand: Hand, laid: Columns, t: float) -> tuple[float, float]:
    """Fan all columns toward the dealer with the flat hand; give begin and end."""
    x, y = _middle(laid)
    longest = max(len(column) for column in laid)
    if longest == 1:
        table.now = t + 0.1
        return t + 0.02, t + 0.1
    far = y + (longest - 1) * _STEP_MM
    start = hand.go(max(t, hand.free), (x, y + 48.0), shape="flat", z=20.0, speed=800.0)
    end = hand.go(start, (x, far + 48.0), shape="flat", z=18.0, speed=190.0, least=0.5, lift=0.0)
    for column in laid:
        for level, chip in enumerate(column):
            cx, cy, _, angle = chip.pose
            chip.slide(start, end, (cx, cy + level * _STEP_MM, 1.6 * min(level, 1) + 0.05 * level, angle))
    table.now = end
    return start, end


def restack(table: OnLayout, hand: Hand, laid: Columns) -> None:
    """Push the fanned columns together again with the hand."""
    if max(len(column) for column in laid) == 1:
        return
    x, y = _middle(laid)
    longest = max(len(column) for column in laid)
    start = hand.go(max(table.now, hand.free), (x, y + longest * _STEP_MM + 30.0), shape="flat", z=18.0)
    end = hand.go(start, (x, y + 40.0), shape="flat", z=18.0, speed=300.0, least=0.4, lift=0.0)
    for column in laid:
        base = column[0].pose
        for level, chip in enumerate(column):
            chip.slide(start, end, (base[0], base[1], level * CHIP_THICKNESS_MM, chip.pose[3]))
    table.now = end


def push(table: OnLayout, hand: Hand, laid: Columns, space: int, reason: str) -> None:
    """Push the columns with the hand to a player, who takes them."""
    stage = table.stage
    spots = stage.plan.spaces[space]
    x, y = _middle(laid)
    target = (spots.wager[0] * 0.55 + spots.cards[0] * 0.45, spots.wager[1] * 0.55 + spots.cards[1] * 0.45)
    start = hand.go(max(table.now, hand.free), (x, y + 50.0), shape="flat", z=18.0)
    end = hand.go(start, (target[0], target[1] + 50.0), shape="flat", z=18.0, speed=480.0, least=0.4, lift=0.0)
    chips = [chip for column in laid for chip in column]
    for chip in chips:
        cx, cy, z, angle = chip.pose
        chip.slide(start, end, (cx + target[0] - x, cy + target[1] - y, z, angle))
    hand.go_rest(hand.wait(end + 0.1))
    cents = sum(chip.cents for chip in chips)
    stage.note(events.ChipsPushed, start, end, at=f"space:{space}", cents=cents, reason=reason)
    _player_takes(table, chips, space, end)
    table.now = end + 0.2


def _player_takes(table: OnLayout, chips: Sequence[ChipBody], space: int, t: float) -> None:
    """Draw the chips in with the player's hand, in one or two grips."""
    stage, hand = table.stage, table.stage.players[space]
    middle = (sum(c.xy[0] for c in chips) / len(chips), sum(c.xy[1] for c in chips) / len(chips))
    held = hand.wait(hand.go(max(t, hand.free), middle, shape="grip", z=24.0, least=0.3) + 0.25)
    out = hand.go_rest(held)
    for level, chip in enumerate(chips):
        chip.hold(hand, held, out, (stage.rng.uniform(-20, 20), stage.rng.uniform(-20, 20), -14.0 + level % 5, 0.0))
        chip.vanish(out)


def to_tray(table: OnLayout, hand: Hand, laid: Columns, origin: str) -> None:
    """Chips go to the tray."""
    stage = table.stage
    chips = [chip for column in laid for chip in column]
    x, y = _middle(laid)
    held = hand.wait(hand.go(max(table.now, hand.free), (x, y), shape="grip", z=24.0) + 0.3)
    dropped = hand.go(held, tray_point(stage.plan, (x, y)), speed=800.0)
    for chip in chips:
        chip.hold(hand, held, dropped, (stage.rng.uniform(-14, 14), stage.rng.uniform(-6, 14), -14.0, 0.0))
        chip.vanish(dropped + 0.08)
    end = hand.wait(dropped + 0.2)
    hand.go_rest(end)
    values = [chip.cents for chip in chips]
    stage.note(
        events.ChipsToTray, dropped - 0.1, end, cents=sum(values), chips=counts(values), hand=hand.side, origin=origin
    )
    table.now = end + 0.1


def clear(table: OnLayout) -> None:
    """Both hands leave the inner area and keep away for about a second."""
    stage = table.stage
    away = max(hand.go_rest(max(hand.free, table.now)) for hand in (table.left, table.right))
    start = max(table.now + 0.1, away - 0.25)
    duration = stage.rng.uniform(0.9, 1.3)
    stage.note(events.HandsClear, start, start + duration, region="inner", duration=round(duration, 2))
    table.now = start + duration


def note_fan(
    table: OnLayout, owner: str, laid: Columns, hand: Hand, times: tuple[float, float], at: str = "inner"
) -> None:
    """Record a fan of all columns."""
    values = [chip.cents for column in laid for chip in column]
    table.stage.note(
        events.ChipsFanned,
        *times,
        owner=owner,
        at=at,
        cents=sum(values),
        chips=counts(values),
        hand=hand.side,
        direction="dealer",
        set_sizes=[len(column) for column in laid],
    )


def spread_and_note(table: OnLayout, hand: Hand, laid: Columns, owner: str) -> None:
    """Fans all columns and records it."""
    times = spread(table, hand, laid, table.now)
    note_fan(table, owner, laid, hand, times)


def counts(values: Sequence[int]) -> dict[str, int]:
    """Chip values as the chip map of an event."""
    return {str(value): values.count(value) for value in sorted({*values}, reverse=True)}


def _middle(laid: Columns) -> Vec:
    xs = [column[0].xy[0] for column in laid]
    return (sum(xs) / len(xs), laid[0][0].xy[1])
