"""How a dealer's shift ends and the next one's begins (99-01.3-08-11(18)(a), -08(3))."""

from __future__ import annotations

from typing import Final

from verifier.domain import events
from verifier.simulate.actors import Hand
from verifier.simulate.bodies import PropBody
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.spots import middle
from verifier.simulate.scene import HandShape
from verifier.simulate.table import ABOVE_RECEPTACLE_MM

_OUT_Y: Final = 860.0


def end_shift(table: OnLayout, receptacle: PropBody, clause: str | None, *, takes_first: bool = False) -> None:
    """Both sides of both hands are shown, the tip receptacle is taken, the dealer leaves.

    `clause` is broken: hands are not shown, only their backs are, as fists, or (`takes_first`) after the receptacle was
    taken.
    """
    stage = table.stage
    table.pause(0.5, 1.2)
    begin = table.now
    taken = _take_receptacle(table, receptacle) if takes_first else 0.0
    if clause is None or takes_first:
        _show_hands(table)
    elif (part := stage.rng.choice(("", "", "backs", "fists"))) != "":
        _show_hands(table, part)
    taken = table.right.take_up(receptacle.xy, taken) if takes_first else _take_receptacle(table, receptacle)
    left_by = max(_leave(hand, taken) for hand in (table.left, table.right))
    table.left.gone = table.right.gone = True
    receptacle.hold(table.right, taken, left_by, (0.0, -10.0, -ABOVE_RECEPTACLE_MM + 20.0, 0.0))
    receptacle.vanish(left_by)
    stage.note(events.DealerShift, taken + 0.2, left_by, phase="end", how="sleeve")
    if clause is not None:
        stage.deviate(clause, None, begin, left_by)
    table.now = left_by


def _show_hands(table: OnLayout, part: str = "") -> None:
    """Hands over the inner area, backs up and then palms up, fingers stretched (11(18)(a)); or a `part` of that."""
    stage, rng = table.stage, table.stage.rng
    shape: HandShape = "fist" if part == "fists" else rng.choice(("open", "open", "flat"))
    x, y = rng.uniform(95.0, 135.0), rng.uniform(150.0, 185.0)
    start = max(
        hand.go(table.now, (sign * x, y), shape=shape, z=70.0, speed=650.0, shape_at=0.7)
        for hand, sign in ((table.left, -1.0), (table.right, 1.0))
    )
    turned = start + rng.uniform(0.75, 1.05)
    end = turned if part == "backs" else turned + 0.12 + rng.uniform(0.75, 1.1)
    for hand in (table.left, table.right):
        if part != "backs":
            hand.turn_over(turned, "palm")
            hand.wait(end)
            hand.turn_over(end, "back")
        hand.wait(end + 0.15)
    palms, stretched = part != "backs", part != "fists"
    stage.note(
        events.HandsShown,
        start,
        end,
        left_palm=palms,
        left_back=True,
        right_palm=palms,
        right_back=True,
        fingers_extended=stretched,
        duration=round(end - start, 2),
    )
    table.now = end + 0.15


def _take_receptacle(table: OnLayout, receptacle: PropBody) -> float:
    stage, right = table.stage, table.right
    spot = middle(stage.plan.tip_receptacle)
    contact = right.go(max(right.free, table.now), (spot[0], spot[1] + 10.0), shape="grip", z=ABOVE_RECEPTACLE_MM)
    held = right.wait(contact + 0.3)
    stage.note(events.TipReceptacleTaken, contact, held)
    return held


def _leave(hand: Hand, t: float) -> float:
    sign = -1.0 if hand.side == "left" else 1.0
    return hand.go(
        max(t, hand.free),
        (sign * 270.0 + 60.0, _OUT_Y),
        shape="relaxed" if sign < 0 else "grip",
        z=ABOVE_RECEPTACLE_MM,
        speed=700.0,
        lift=0.0,
    )


def change_places(table: OnLayout, name: str) -> None:
    """Let a player who deals and banks leave the dealer's place, and another one come to it."""
    stage = table.stage
    begin = table.now
    left_by = max(_leave(hand, begin) for hand in (table.left, table.right))
    table.left.gone = table.right.gone = True
    stage.note(events.DealerShift, begin, left_by, phase="end")
    arrive = left_by + stage.rng.uniform(3.2, 4.5)
    dealer = stage.new_dealer(name, arrive, away=True)
    table.now = max(hand.go_rest(arrive + 0.2) for hand in (dealer.left, dealer.right))
    stage.note(events.DealerShift, arrive + 0.3, table.now, phase="start")


def begin_shift(table: OnLayout, name: str) -> PropBody:
    """After some seconds another dealer comes, puts down a tip receptacle and stands ready."""
    stage, rng = table.stage, table.stage.rng
    arrive = table.now + rng.uniform(3.2, 4.5)
    dealer = stage.new_dealer(name, arrive, away=True)
    spot = middle(stage.plan.tip_receptacle)
    receptacle = stage.prop("tip_receptacle", (*dealer.right.tool, 20.0, 0.0), _receptacle_size(table), arrive)
    down = dealer.right.go(arrive, (spot[0], spot[1] + 10.0), shape="grip", z=ABOVE_RECEPTACLE_MM, speed=700.0)
    receptacle.carry(dealer.right, arrive, down, (*spot, 0.0, 0.0))
    dealer.right.go_rest(dealer.right.wait(down + 0.2))
    ready = dealer.left.go_rest(arrive + 0.4)
    stage.note(events.DealerShift, arrive + 0.3, max(ready, down + 0.2), phase="start", how="sleeve")
    table.now = max(ready, dealer.right.free)
    _clap(table)
    return receptacle


def _clap(table: OnLayout) -> None:
    """Hands meet over the inner area, as dealers clear them."""
    start = table.now + 0.2
    for hand, sign in ((table.left, -1.0), (table.right, 1.0)):
        t = hand.go(start, (sign * 70.0, 175.0), shape="flat", z=55.0)
        hand.wait(t + 0.25)
        hand.go_rest(hand.free)
    table.now = max(table.left.free, table.right.free)


def first_receptacle(table: OnLayout) -> PropBody:
    """Return the receptacle of the dealer who is at the table when the recording begins."""
    spot = middle(table.stage.plan.tip_receptacle)
    return table.stage.prop("tip_receptacle", (*spot, 0.0, 0.0), _receptacle_size(table), 0.0)


def _receptacle_size(table: OnLayout) -> tuple[float, float]:
    x0, y0, x1, y1 = table.stage.plan.tip_receptacle
    return (x1 - x0, y1 - y0)
