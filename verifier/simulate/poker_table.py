"""Where things stand on a simulated poker table, in the table frame of `scene.py` (millimetres)."""

from __future__ import annotations

import math
from typing import Final

from verifier.simulate.scene import Vec
from verifier.simulate.table import SpaceSpots, TablePlan

Rectangle = tuple[float, float, float, float]
_WIDEST: Final = math.radians(110.0)
"""How far round from the middle of the players' side the outermost seats are."""
_CARDS_MM: Final = (600.0, 300.0)
"""Half axes of the ellipse on which hole cards lie; the others likewise."""
_BETS_MM: Final = (440.0, 190.0)
_BUTTON_MM: Final = (520.0, 250.0)
_AREA_MM: Final = ((365.0, 135.0), (760.0, 430.0))
_BUTTON_TURN: Final = 0.13
"""Radians by which the button lies beside the middle of a seat."""
CARD_STEP_MM: Final = 56.0
"""From one card of a seat to the next beside it."""
_ROWS_MM: Final = (8.0, 88.0)
"""How far outward the first row of a seat's cards lies where it has two, and from it to the second."""
BOARD_STEP_MM: Final = 70.0


class PokerPlan(TablePlan, frozen=True, kw_only=True):
    """A poker table. Its `spaces` are the seats, clockwise from the dealer's left; `wager` is where bets are pushed."""

    inner: Rectangle = (-175.0, 185.0, 175.0, 345.0)
    tray: Rectangle = (-330.0, 365.0, 330.0, 450.0)
    board: Rectangle = (-185.0, -80.0, 185.0, 40.0)
    pot: Rectangle = (-120.0, 52.0, 120.0, 160.0)
    muck: Rectangle = (165.0, 65.0, 350.0, 215.0)
    burns: Rectangle = (-350.0, 65.0, -185.0, 180.0)


def plan_poker(seats: int) -> PokerPlan:
    """Return a table with `seats` (2 to 9) seats spread round it."""
    if not 2 <= seats <= 9:
        raise ValueError(f"{seats} seats: expected 2 to 9")
    return PokerPlan(spaces={number: _seat(turn_of(number, seats)) for number in range(1, seats + 1)})


def turn_of(number: int, seats: int) -> float:
    """Return how far round a seat is, in radians from the middle of the players' side, clockwise."""
    return -_WIDEST + 2 * _WIDEST * (number - 1) / (seats - 1)


def _on(axes: Vec, turn: float) -> Vec:
    return axes[0] * math.sin(turn), -axes[1] * math.cos(turn)


def _seat(turn: float) -> SpaceSpots:
    cards, bets = _on(_CARDS_MM, turn), _on(_BETS_MM, turn)
    way = math.hypot(cards[0] - bets[0], cards[1] - bets[1])
    outward = ((cards[0] - bets[0]) / way, (cards[1] - bets[1]) / way)
    return SpaceSpots(wager=bets, cards=cards, tip=bets, insurance=bets, outward=outward)


def seat_area(number: int, seats: int) -> list[Vec]:
    """Return the outline of a seat: its part of the ring that all seats share."""
    half = _WIDEST / (seats - 1)
    turns = [turn_of(number, seats) + half * step for step in (-0.97, -0.5, 0.0, 0.5, 0.97)]
    inner, outer = _AREA_MM
    return [_on(outer, turn) for turn in turns] + [_on(inner, turn) for turn in reversed(turns)]


def button_spot(number: int, seats: int) -> Vec:
    """Return where the dealer button lies while a seat has it."""
    return _on(_BUTTON_MM, turn_of(number, seats) + _BUTTON_TURN)


def card_spot(plan: TablePlan, seat: int, column: float, row: float = 0.0, *, rows: bool = False) -> tuple[Vec, float]:
    """Return middle and angle (degrees) of a card of a seat: side by side as the player sees them, or in two `rows`."""
    spots = plan.spaces[seat]
    along = (-spots.outward[1], spots.outward[0])
    step, out = CARD_STEP_MM * column, (_ROWS_MM[0] + _ROWS_MM[1] * row) if rows else 0.0
    angle = math.degrees(math.atan2(spots.outward[0], -spots.outward[1]))
    x, y = (spots.cards[i] + along[i] * step + spots.outward[i] * out for i in (0, 1))
    return (x, y), angle


def hole_spot(plan: TablePlan, seat: int, index: int) -> tuple[float, float, float]:
    """Return middle and angle (degrees) of a hold'em player's hole card."""
    (x, y), angle = card_spot(plan, seat, index - 0.5)
    return x, y, angle


def board_spot(plan: PokerPlan, index: int) -> Vec:
    """Return the middle of a board card."""
    x0, y0, x1, y1 = plan.board
    return (x0 + x1) / 2 + BOARD_STEP_MM * (index - 2), (y0 + y1) / 2


def middle_of(box: Rectangle) -> Vec:
    """Return the middle of a rectangle."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
