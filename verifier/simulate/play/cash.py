"""A player buys chips for cash, or exchanges chips for others (99-01.3-08-07(3)(b),(c))."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from verifier.domain import events
from verifier.simulate.bodies import BillBody
from verifier.simulate.play import inner
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import middle
from verifier.simulate.scene import Vec

_BUY_INS: Final = (
    ([2000], [500] * 3 + [100] * 5), ([2000, 2000], [500] * 7 + [100] * 5), ([10000], [2500] * 3 + [500] * 5),
    ([5000, 1000], [2500] + [500] * 5 + [100] * 10), ([2000, 1000, 500], [500] * 5 + [100] * 10),
    ([2000, 2000, 2000], [2500] * 2 + [500, 500]), ([1000, 1000, 500, 500], [500] * 5 + [100] * 5),
)  # fmt: skip
"""Notes and the chips that are given for them."""
_EXCHANGES: Final = (
    ([2500], [500] * 5), ([500], [100] * 5), ([500] * 5, [2500]), ([100] * 5, [500]), ([500], [100] * 3 + [200]),
    ([2500], [500] * 4 + [100] * 5), ([100] * 10, [500, 500]), ([10000], [2500] * 3 + [500] * 5),
)  # fmt: skip
_BILL_GAP_MM: Final = 74.0
_LEFT: Final[Vec] = (-290.0, 60.0)
_RIGHT: Final[Vec] = (110.0, 60.0)


def buy_in(table: OnLayout, space: int, fault: str = "") -> None:
    """Cash is spread, left, paid for in fanned chips that are left and pushed, and dropped last."""
    rng = table.stage.rng
    options = [pair for pair in _BUY_INS if len(pair[0]) > 1] if fault in ("unsorted", "overlapped") else [*_BUY_INS]
    if fault == "unsorted":
        options = [pair for pair in options if len(set(pair[0])) > 1 and len(pair[0]) > 2]  # two are in sequence
    notes, values = rng.choice(options)
    bills = _offer(table, space, notes, fault)
    _spread(table, bills, fault)
    if fault != "stays_on_cash":
        inner.clear(table)
    given = [*values, 500] if fault == "unequal" else [*values]
    hand = table.left if fault == "left_stacks" else table.right
    chips, taken = inner.take(table, given, _RIGHT, hand, "buy_in")
    laid, end = inner.lay(table, hand, chips, taken, _RIGHT)
    if fault == "drops_first":
        _drop(table, bills)
    if fault != "not_fanned":
        times = inner.spread(table, table.right, laid, end)
        inner.note_fan(table, "buy_in", laid, table.right, times)
        if fault != "stays_on_chips":
            inner.clear(table)
        inner.restack(table, table.right, laid)
    inner.push(table, table.right, laid, space, "buy_in")
    if fault != "drops_first":
        _drop(table, bills)


def _offer(table: OnLayout, space: int, notes: Sequence[int], fault: str) -> list[BillBody]:
    """Act out how the player lays the notes on the felt; return the notes."""
    stage, hand = table.stage, table.stage.players[space]
    spots = stage.plan.spaces[space]
    spot = (spots.cards[0] * 0.7, spots.cards[1] * 0.7 + 20.0)
    face: Literal["up", "down"] = "up" if fault == "face_up" else "down"
    start = max(table.now, hand.free)
    hand.wait(start)
    angle = stage.rng.uniform(-25, 25)
    bills = [stage.bill(cents, (*hand.tool, 20.0, angle), start, face) for cents in sorted(notes, reverse=True)]
    laid = hand.go(start, (spot[0], spot[1] - 30.0), shape="pinch", z=14.0, speed=700.0)
    for level, bill in enumerate(bills):
        bill.carry(hand, start, laid, (spot[0] + 3.0 * level, spot[1] + 4.0 * level, 0.2 + 0.2 * level, angle))
    hand.go_rest(hand.wait(laid + 0.2))
    table.now = laid + 0.35
    return bills


def _spread(table: OnLayout, bills: Sequence[BillBody], fault: str) -> None:
    """Act out the dealer's spreading of the notes: face down, flat, by value, square to the tray, in the inner area."""
    stage, left, right = table.stage, table.left, table.right
    x, y = bills[0].xy
    held = right.wait(right.go(max(right.free, table.now), (x, y + 40.0), shape="pinch", z=12.0) + 0.15)
    order = [*bills]
    if fault == "unsorted":
        order = [order[1], order[0], *order[2:]] if order[0].cents != order[1].cents else order[::-1][1:] + order[-1:]
    angle = 0.0 if fault == "not_square" else 90.0
    gap = 26.0 if fault == "overlapped" else (164.0 if fault == "not_square" else _BILL_GAP_MM)
    begin, since = held, dict.fromkeys((bill.ident for bill in bills), held)
    for number, bill in enumerate(order):
        spot = (-250.0 + gap * number, 150.0)
        arrive = right.go(right.free, (spot[0] + 10.0, spot[1] + 40.0), z=12.0, speed=520.0, least=0.3, lift=8.0)
        start = since[bill.ident]
        bill.carry(right, start, arrive, (*spot, 0.2 + 0.1 * number, angle + stage.rng.uniform(-2, 2)))
    end = right.wait(right.free + 0.1)
    left.wait(end)
    sums: dict[str, int] = {}
    for bill in bills:
        sums[str(bill.cents)] = sums.get(str(bill.cents), 0) + 1
    stage.note(
        events.CurrencySpread,
        begin,
        end,
        bills=sums,
        cents=sum(bill.cents for bill in bills),
        face_down=fault != "face_up",
        perpendicular=fault != "not_square",
        monotone=fault != "unsorted",
        overlap=fault == "overlapped",
    )
    table.now = end + 0.1


def _drop(table: OnLayout, bills: Sequence[BillBody]) -> None:
    """Act out how the notes are gathered and pushed into the drop box."""
    stage, right = table.stage, table.right
    t = max(right.free, table.now)
    order = sorted(bills, key=lambda bill: bill.xy[0])
    slot = middle(stage.plan.drop)
    start = t
    held: list[tuple[float, BillBody]] = []
    for bill in order:
        x, y = bill.xy
        t = right.wait(right.go(t, (x + 8.0, y + 36.0), shape="pinch", z=12.0, speed=700.0, least=0.2) + 0.06)
        held.append((t, bill))
    there = right.go(t, (slot[0], slot[1] - 30.0), z=40.0, speed=700.0)
    for since, bill in held:
        bill.hold(right, since, there, (-4.0, -26.0, -20.0, 90.0))
        bill.vanish(there + 0.4)
    end = right.wait(there + 0.6)
    right.go_rest(end)
    stage.note(events.CurrencyDropped, there, end, what="currency", cents=sum(bill.cents for bill in bills))
    table.now = max(end, start) + 0.1


def give(table: OnLayout, space: int) -> None:
    """Chips are given to a player for nothing (against 06(1))."""
    values = table.stage.rng.choice(([500] * 4, [100] * 5, [2500]))
    chips, taken = inner.take(table, values, _RIGHT, table.right, "buy_in")
    laid, end = inner.lay(table, table.right, chips, taken, _RIGHT)
    inner.note_fan(table, "buy_in", laid, table.right, inner.spread(table, table.right, laid, end))
    inner.clear(table)
    inner.restack(table, table.right, laid)
    inner.push(table, table.right, laid, space, "buy_in")


def exchange(table: OnLayout, space: int, fault: str = "") -> None:
    """Chips are received and fanned at the left; others are fanned at the right and pushed; the first are trayed."""
    stage = table.stage
    several = [pair for pair in _EXCHANGES if len(pair[0]) > 1]
    brought, given = stage.rng.choice(several if fault == "not_fanned" else [*_EXCHANGES])
    received = _receive(table, space, brought)
    if fault == "trayed_first":
        inner.spread_and_note(table, table.left, received, "exchange_in")
        inner.clear(table)
        inner.to_tray(table, table.right, received, "exchange")
    elif fault != "not_fanned":
        inner.spread_and_note(table, table.left, received, "exchange_in")
        if fault != "stays_in":
            inner.clear(table)
    else:
        inner.clear(table)
    values = [*given, 100] if fault == "unequal" else [*given]
    chips, taken = inner.take(table, values, _RIGHT, table.right, "exchange")
    laid, end = inner.lay(table, table.right, chips, taken, _RIGHT)
    times = inner.spread(table, table.right, laid, end)
    inner.note_fan(table, "exchange_out", laid, table.right, times)
    if fault != "stays_out":
        inner.clear(table)
    inner.restack(table, table.right, laid)
    inner.push(table, table.right, laid, space, "exchange")
    if fault != "trayed_first":
        inner.to_tray(table, table.left, received, "exchange")


def _receive(table: OnLayout, space: int, values: Sequence[int]) -> inner.Columns:
    """Act out how the player puts chips before the dealer, who draws them to the left; return the chips' columns."""
    stage, hand = table.stage, table.stage.players[space]
    spots = stage.plan.spaces[space]
    spot = (spots.cards[0] * 0.72, spots.cards[1] * 0.72 + 20.0)
    start = max(table.now, hand.free)
    hand.wait(start)
    stack = stage.stack([*values], hand.tool, start)
    laid = hand.go(start, spot, shape="grip", speed=700.0)
    for level, chip in enumerate(stack):
        chip.carry(hand, start, laid, (*spot, 3.3 * level, chip.pose[3]))
    down = hand.wait(laid + 0.2)
    hand.go_rest(down)
    left = table.left
    held = left.wait(left.go(max(left.free, down + 0.2), spot, shape="grip", z=24.0) + 0.12)
    columns, end = inner.lay(table, left, stack, held, _LEFT)
    stage.note(events.ChipsReceived, laid, end, at=f"space:{space}", cents=sum(values), chips=inner.counts([*values]))
    return columns
