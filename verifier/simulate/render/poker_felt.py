"""What is printed on a poker table's felt: betting line, places of board, pot and seats, and the house's words."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from verifier.simulate.poker_table import PokerPlan, board_spot, middle_of, turn_of
from verifier.simulate.render.colours import as_colour
from verifier.simulate.render.glyphs import FONTS
from verifier.simulate.render.look import Look
from verifier.simulate.render.painter import Colour, Floats, Painter
from verifier.simulate.table import CARD_MM

_INKS: Final[tuple[Colour, ...]] = (
    (225, 230, 230), (70, 190, 225), (200, 215, 220), (60, 160, 215), (30, 30, 35),
)  # fmt: skip
_WORDS: Final = ("TEXAS HOLD'EM", "POKER", "CHARITABLE GAMING", "HOLD'EM", "CARD ROOM")
_EDGE_MM: Final = (868.0, 492.0)
"""Half axes of the felt."""
_LINE_MM: Final = (505.0, 232.0)
"""Half axes of the betting line: between where cards lie and where bets are pushed."""
_OUTER_MM: Final = (745.0, 415.0)
_SEAT_MM: Final = (715.0, 395.0)
"""Where a seat's number stands."""


def oval(axes: tuple[float, float], corner: float = 2.0) -> Floats:
    """(N, 2) outline of an oval about the table's middle, millimetres; more than 2 makes it squarer (superellipse)."""
    turn = np.linspace(0.0, 2 * np.pi, 121)[:-1]
    x, y = np.cos(turn), np.sin(turn)
    power = 2.0 / corner
    return np.stack([axes[0] * np.sign(x) * np.abs(x) ** power, axes[1] * np.sign(y) * np.abs(y) ** power], 1)


def poker_edge(grow: float = 0.0) -> Floats:
    """(N, 2) outline of a poker table's felt, millimetres, moved out by `grow`."""
    return oval((_EDGE_MM[0] + grow, _EDGE_MM[1] + grow), 3.0)


def print_poker(painter: Painter, plan: PokerPlan, look: Look, rng: np.random.Generator) -> None:
    """Print the felt of a hold'em table; how much of it, and how, follows from the look's seed."""
    ink = _INKS[int(rng.integers(len(_INKS)))]
    font = FONTS[look.split][int(rng.integers(len(FONTS[look.split])))]
    font = "sans:700" if font.startswith("strokes") else font
    opacity = float(rng.uniform(0.35, 0.85))
    faded = as_colour(np.array(ink) * opacity + np.array(look.felt) * (1 - opacity))
    if rng.random() < 0.35:
        _diamonds(painter, look, float(rng.uniform(44.0, 70.0)))
    corner = float(rng.choice((2.0, 2.0, 2.6)))
    painter.line(oval(_LINE_MM, corner), faded, float(rng.uniform(2.0, 6.0)), closed=True)
    if rng.random() < 0.4:
        painter.line(oval(_OUTER_MM, 2.6), faded, 4.0, closed=True)
    if rng.random() < 0.7:
        _boxes(painter, plan, faded)
    if rng.random() < 0.5:
        x0, y0, x1, y1 = plan.pot
        painter.line(oval(((x1 - x0) / 2, (y1 - y0) / 2)) + middle_of(plan.pot), faded, 2.0, closed=True)
    painter.text(
        _WORDS[int(rng.integers(len(_WORDS)))], (0.0, -118.0), float(rng.uniform(24, 38)), 0.0, font, ink, opacity
    )
    if rng.random() < 0.5:
        _numbers(painter, plan, font, ink, opacity)


def _diamonds(painter: Painter, look: Look, step: float) -> None:
    """Print the fine pattern of a speed cloth, a shade darker than the cloth."""
    edge = poker_edge(-8.0).astype(np.float32)
    shade = as_colour(np.array(look.felt) * 0.9)
    half = step / 9.0
    for row, y in enumerate(np.arange(-460.0, 461.0, step / 2)):
        for x in np.arange(-840.0 + (row % 2) * step / 2, 841.0, step):
            corners = np.array([(x - half, y), (x, y - half * 1.5), (x + half, y), (x, y + half * 1.5)])
            if cv2.pointPolygonTest(edge, (float(x), float(y)), True) > half * 1.5:
                painter.polygon(corners, shade)


def _boxes(painter: Painter, plan: PokerPlan, colour: Colour) -> None:
    """Print a box for each card of the board."""
    wide, high = CARD_MM[0] / 2 + 2.5, CARD_MM[1] / 2 + 3.5
    for index in range(5):
        x, y = board_spot(plan, index)
        corners = [(x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)]
        painter.line(np.array(corners), colour, 2.0, closed=True)


def _numbers(painter: Painter, plan: PokerPlan, font: str, ink: Colour, opacity: float) -> None:
    """Print each seat's number before it, to be read by the dealer."""
    for number in plan.spaces:
        turn = turn_of(number, len(plan.spaces))
        at = (_SEAT_MM[0] * math.sin(turn), -_SEAT_MM[1] * math.cos(turn))
        painter.text(str(number), at, 30.0, 0.0, font, ink, opacity)
