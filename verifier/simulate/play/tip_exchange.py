"""A dealer exchanges tips for chips of other values before leaving (99-01.3-08-11(18)(b))."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.simulate.play import inner
from verifier.simulate.play.hands_in_play import change
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import middle
from verifier.simulate.scene import Vec
from verifier.simulate.table import ABOVE_RECEPTACLE_MM

_LEFT: Final[Vec] = (-300.0, 60.0)
_RIGHT: Final[Vec] = (90.0, 60.0)
_TIPS: Final = ([100] * 5, [100] * 10, [100] * 5 + [500], [50] * 4 + [100] * 3, [200] * 5 + [100] * 5)


def exchange_tips(table: OnLayout, fault: str = "") -> None:
    """Empty the receptacle at the left, fan the tips, lay their replacement at the right, and put both away."""
    stage, left, right = table.stage, table.left, table.right
    values = stage.rng.choice(_TIPS)
    cents = sum(values)
    tips = _empty(table, values, _RIGHT if fault == "wrong_side" else _LEFT, skip_left=fault == "wrong_side")
    begin, end = inner.spread(table, left, tips, table.now) if fault != "not_fanned" else (table.now, table.now)
    if fault != "not_fanned":
        inner.note_fan(table, "tip_exchange_in", tips, left, (begin, end))
        stage.note(events.TipExchange, begin, end, step="fanned_in", cents=cents)
    inner.clear(table)
    given = change(cents + (100 if fault == "unequal" else 0))
    chips, taken = inner.take(table, given, _RIGHT, right, "tip")
    stage.note(events.TipExchange, taken - 0.3, taken, step="taken", cents=sum(given))
    at = (_LEFT[0], 190.0) if fault in ("wrong_side", "not_right") else _RIGHT
    laid, end = inner.lay(table, right, chips, taken, at)
    if fault != "not_right":
        stage.note(events.TipExchange, taken, end, step="placed_right", cents=sum(given))
        times = inner.spread(table, right, laid, end)
        inner.note_fan(table, "tip_exchange_out", laid, right, times)
        stage.note(events.TipExchange, *times, step="fanned_out", cents=sum(given))
    if fault != "hands_stay":
        inner.clear(table)
    if fault == "receptacle_first":
        _put_away(table, laid)
        _trayed(table, tips)
    else:
        _trayed(table, tips)
        _put_away(table, laid)


def _trayed(table: OnLayout, tips: inner.Columns) -> None:
    inner.to_tray(table, table.left, tips, "tip")
    cents = sum(chip.cents for column in tips for chip in column)
    table.stage.note(events.TipExchange, table.now - 0.3, table.now, step="to_tray", cents=cents)


def _empty(table: OnLayout, values: list[int], at: Vec, *, skip_left: bool) -> inner.Columns:
    """Tip the chips out of the receptacle with the right hand; lay them at the dealer's left and return them."""
    stage, right = table.stage, table.right
    box = middle(stage.plan.tip_receptacle)
    arrive = right.go(max(right.free, table.now), (box[0], box[1] + 8.0), shape="grip", z=ABOVE_RECEPTACLE_MM)
    taken = right.wait(arrive + stage.rng.uniform(0.7, 1.1))
    chips = [stage.chip(value, (*box, 60.0, stage.rng.uniform(0, 360)), taken) for value in values]
    stage.note(events.TipExchange, arrive, taken, step="emptied", cents=sum(values))
    laid, end = inner.lay(table, right, chips, taken, at)
    if not skip_left:
        stage.note(events.TipExchange, taken, end, step="placed_left", cents=sum(values))
    right.go_rest(end)
    return laid


def _put_away(table: OnLayout, laid: inner.Columns) -> None:
    """Put the replacement chips into the receptacle."""
    stage, right = table.stage, table.right
    chips = [chip for column in laid for chip in column]
    x = sum(chip.xy[0] for chip in chips) / len(chips)
    held = right.wait(right.go(max(right.free, table.now), (x, chips[0].xy[1]), shape="grip", z=24.0) + 0.3)
    dropped = right.go(held, middle(stage.plan.tip_receptacle), z=ABOVE_RECEPTACLE_MM, speed=800.0)
    for chip in chips:
        chip.hold(right, held, dropped, (stage.rng.uniform(-10, 10), stage.rng.uniform(0, 12), -14.0, 0.0))
        chip.vanish(dropped + 0.1)
    end = right.wait(dropped + 0.2)
    right.go_rest(end)
    stage.note(events.TipExchange, dropped, end, step="to_receptacle", cents=sum(chip.cents for chip in chips))
    table.now = end + 0.1
