"""A table that is left for a while: tray, shoe and discards are covered, or not (99-01.3-08-03(4), -07(1), -07(2))."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.simulate.bodies import PropBody
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import middle

_MARGIN_MM: Final = 14.0
Covers = list[PropBody]


def cover(table: OnLayout, fault: str = "") -> Covers:
    """Cover tray and discards with the right hand, the shoe with the left; leave `fault` (tray, shoe, cards) open."""
    stage, plan = table.stage, table.stage.plan
    covers: Covers = []
    right, left = table.right, table.left
    for name, hand, box in (("cards", right, plan.discard), ("tray", right, plan.tray), ("shoe", left, plan.shoe)):
        if name == fault:
            continue
        x, y = middle(box)
        start = max(hand.free, table.now)
        ready = hand.go(start, (x * 0.8, 420.0), shape="grip", z=60.0)
        size = (box[2] - box[0] + _MARGIN_MM, box[3] - box[1] + _MARGIN_MM)
        lid = stage.prop("cloth", (x * 0.8, 620.0, 60.0, 0.0), size, ready)
        laid = hand.go(ready, (x, y + 30.0), shape="grip", z=60.0, speed=420.0)
        lid.carry(hand, ready, laid, (x, y, 46.0, 0.0))
        hand.go_rest(hand.wait(laid + 0.3))
        covers.append(lid)
    table.now = max(table.left.free, table.right.free)
    return covers


def closed(table: OnLayout, seconds: float, fault: str = "") -> None:
    """Nobody is at the table for some seconds."""
    start = table.now
    table.now += seconds
    table.stage.note(
        events.TableState,
        start + 0.2,
        start + 1.0,
        state="temp_closed",
        dealer_present=False,
        tray="open" if fault == "tray" else "covered",
        cards_covered=fault != "cards",
        shoe_covered=fault != "shoe",
    )


def uncover(table: OnLayout, covers: Covers) -> None:
    """Act out how the dealer who comes takes the covers away."""
    stage = table.stage
    for lid in covers:
        hand = table.right if lid.xy[0] > -200.0 else table.left
        x, y = lid.xy
        held = hand.wait(hand.go(max(hand.free, table.now), (x, y + 30.0), shape="grip", z=60.0) + 0.2)
        away = hand.go(held, (x * 0.8, 460.0), shape="grip", z=70.0, speed=420.0)
        lid.carry(hand, held, away, (x * 0.8, 640.0, 60.0, 0.0))
        lid.vanish(away + 0.05)
        hand.go_rest(away + 0.1)
    table.now = max(table.left.free, table.right.free)
    stage.note(events.TableState, table.now - 0.1, table.now, state="open", dealer_present=True, tray="open")
