"""Lines, curls and tints about the pips of a card, as many decks have them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
INSET: Final = (4.0, 16.0)
"""Millimetres from the card's edge to the lines."""
FAINT: Final = 0.75
"""How far at most their colour is mixed with the paper's."""


def ornament(image: Image, seed: int, scale: float, ink: Colour) -> None:
    """Draw the ornament of a seed on a face (h, w, 3) of `scale` px/mm, in place: the same on every card of a deck."""
    rng = np.random.default_rng([seed, 92])
    paper = np.asarray(image[0, 0], np.float64)
    own = rng.uniform(20, 210, 3) if rng.random() < 0.4 else np.asarray(ink)
    blue, green, red = map(float, own + (paper - own) * rng.uniform(0, FAINT))
    colour = (blue, green, red)
    x0, y0 = float(rng.uniform(*INSET)), float(rng.uniform(*INSET))
    x1, y1 = CARD_MM[0] - x0, CARD_MM[1] - y0
    if rng.random() < 0.25:
        tint = tuple(map(float, paper + (own - paper) * rng.uniform(0.03, 0.15)))
        cv2.rectangle(image, _at(x0, y0, scale), _at(x1, y1, scale), tint, -1)
    thick = max(1, round(float(rng.uniform(0.2, 0.7)) * scale))
    gap_x, gap_y = (float(rng.choice([0.0, rng.uniform(0, 0.45)])) for _ in range(2))
    for double in (0.0, float(rng.uniform(0.8, 1.6)))[: int(rng.integers(1, 3))]:
        _sides(image, (x0 + double, y0 + double, x1 - double, y1 - double), (gap_x, gap_y), scale, colour, thick)
    if rng.random() < 0.5:
        radius = float(rng.uniform(0.8, 3.0)) * scale
        turns = (0, int(rng.integers(150, 361)))
        for x, y, angle in ((x0, y0, 0), (x1, y0, 90), (x1, y1, 180), (x0, y1, 270)):
            axes = (max(1, round(radius)), max(1, round(radius * float(rng.uniform(0.6, 1.0)))))
            cv2.ellipse(image, _at(x, y, scale), axes, angle, *turns, colour, thick, cv2.LINE_AA)


def _sides(
    image: Image,
    box: tuple[float, float, float, float],
    gaps: tuple[float, float],
    scale: float,
    colour: Colour,
    thick: int,
) -> None:
    """Draw the four sides of a box, each without a share of its length at both ends."""
    x0, y0, x1, y1 = box
    dx, dy = gaps[0] * (x1 - x0), gaps[1] * (y1 - y0)
    ends = (
        ((x0 + dx, y0), (x1 - dx, y0)),
        ((x0 + dx, y1), (x1 - dx, y1)),
        ((x0, y0 + dy), (x0, y1 - dy)),
        ((x1, y0 + dy), (x1, y1 - dy)),
    )
    for one, other in ends:
        cv2.line(image, _at(*one, scale), _at(*other, scale), colour, thick, cv2.LINE_AA)


def _at(x: float, y: float, scale: float) -> tuple[int, int]:
    return round(x * scale), round(y * scale)
