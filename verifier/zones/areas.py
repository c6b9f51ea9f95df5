"""The zones of each space, from its spot and its first card. Table millimetres, as the dealer sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.zones.proposal import Part

Floats = NDArray[np.float64]
Rect = tuple[float, float, float, float]

CHIP_MM: Final = 39.0
CELL_MM: Final = 4.0
REACH_MM: Final = 1.25 * CARD_MM[1]
"""A space reaches so far (mm) from the places of its things, and never nearer to those of another space."""
NEXT_CARD: Final = np.array([-CARD_MM[0] / 2, CARD_MM[1] / 2])
"""Step from a card to the next one, which overlaps its lower left quarter (99-01.3-08-10(2))."""
SECOND_HAND: Final = np.array([1.2 * CARD_MM[0], 0.0])
"""From the first card of a hand to that of one that was split from it."""
TIP: Final = np.array([-1.6 * CHIP_MM, 0.9 * CHIP_MM])
"""From the wager spot to a tip: beside the wager, with a chip's room for fingers, off the payoff's side."""
PAYOFF: Final = np.array([[1.15, 0.0], [2.2, 0.0], [0.0, 1.0], [1.0, 1.3]]) * CHIP_MM
"""From the wager spot to doubled wagers, payoffs and their spread rows, at the dealer's right."""
ROOM_MM: Final = 10.0
OWN_LOOKS: Final = 4
"""So many looks at a space's first card are needed to place it by itself; else the other spaces place it."""
ELSEWHERE_MM: Final = 45.0
"""A first card so far from the place that the other spaces suggest (half a card's length) may be of another hand."""
SLANTED: Final = 0.07
"""Things may look larger or smaller there than in the middle. From this share on an area's size is not sure: the area
is off by twice the share."""
DOUBTED: Final = 0.7
INSIDE: Final = 0.9
OUTERMOST: Final = 0.8
"""Confidence of an area with a doubt; of one between two neighbours; of one with a neighbour at one side only."""


@dataclass(frozen=True, slots=True)
class Space:
    """The places of a space's things: (2,) each."""

    wager: Floats
    first: Floats
    insurance: Floats

    @property
    def tip(self) -> Floats:
        return np.asarray(self.wager + TIP)

    def spine(self) -> Floats:
        """Return points (n, 2) near which all things of the space lie."""
        between = [self.wager + share * (self.first - self.wager) for share in (0.33, 0.67)]
        cards = [self.first, self.first + NEXT_CARD, self.first + 2 * NEXT_CARD, self.first + 0.6 * SECOND_HAND]
        return np.vstack([self.wager, self.tip, self.wager + PAYOFF, *between, *cards, self.insurance])

    def cards_outline(self) -> Floats:
        """Return the outline (n, 2) of the cards: three further cards and a second hand."""
        half = np.array(CARD_MM) / 2 + ROOM_MM
        at = [self.first, self.first + NEXT_CARD, self.first + 2 * NEXT_CARD, self.first + SECOND_HAND]
        corners = [centre + half * sign for centre in at for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return np.asarray(cv2.convexHull(np.array(corners, np.float32)).reshape(-1, 2), np.float64)


@dataclass(frozen=True, slots=True)
class Told:
    """What an area rests on: looks at the space's first card and at its neighbours', how far (mm) that card lies from
    where the others tell, the scale there by that of the middle, and a fixture that was not found though the area may
    reach it.
    """

    looks: int
    neighbours: Sequence[int]
    off: float
    scale: float
    missing: str | None
    outermost: bool


def area_part(told: Told, sure: float) -> Part:
    """Return how sure an area is; `sure` (0..1) is how sure its wager spot is."""
    doubts = {
        "no card was seen to rest there often enough: placed as at the other spaces": told.looks < OWN_LOOKS,
        f"its cards lie {told.off:.0f} mm from the place that the other spaces suggest": told.off > ELSEWHERE_MM,
        "no card of a neighbour was seen often enough to place the border": any(n < OWN_LOOKS for n in told.neighbours),
        f"the {told.missing} was not found, and the area may reach into it": told.missing is not None,
        f"the camera slants: the size of things differs by {told.scale - 1:+.0%} there": abs(told.scale - 1) > SLANTED,
    }
    for reason, holds in doubts.items():
        if holds:
            return Part(confidence=min(sure, DOUBTED), reason=reason)
    if told.outermost:
        return Part(confidence=min(sure, OUTERMOST), reason="its outer side has no neighbour: told by its reach alone")
    return Part(confidence=min(sure, INSIDE), reason="what is nearer to its spot and cards than to its neighbours'")


def circle(at: Floats, radius: float, points: int = 12) -> Floats:
    """(n, 2) A circle's outline."""
    turn = np.linspace(0.0, 2 * np.pi, points, endpoint=False)
    return np.asarray(at + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def outlines(spaces: Sequence[Space], without: Sequence[Floats], surface: Floats) -> list[Floats]:
    """Return the area (n, 2) of each space. None overlap; all lie on the `surface`, outside of `without` (polygons)."""
    spines = [space.spine() for space in spaces]
    low = np.vstack(spines).min(axis=0) - REACH_MM - 2 * CELL_MM
    high = np.vstack(spines).max(axis=0) + REACH_MM + 2 * CELL_MM
    xs, ys = np.arange(low[0], high[0], CELL_MM), np.arange(low[1], high[1], CELL_MM)
    grid = np.stack(np.meshgrid(xs, ys), -1)
    gaps = np.array(
        [np.min([np.hypot(grid[..., 0] - x, grid[..., 1] - y) for x, y in spine], axis=0) for spine in spines]
    )
    owner, near = gaps.argmin(axis=0), gaps.min(axis=0) < REACH_MM
    free = _filled([surface], low, near.shape) & ~_filled(without, low, near.shape)
    return [_outline((owner == index) & near & free, low) for index in range(len(spaces))]


def _filled(polygons: Sequence[Floats], low: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [((polygon - low) / CELL_MM).round().astype(np.int32)], (1.0,))
    return mask > 0


def _outline(mask: NDArray[np.bool_], low: Floats) -> Floats:
    """Return the outline of the largest part, drawn in by a cell so that neighbours do not touch."""
    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    found, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not found:
        return np.empty((0, 2))
    outline = cv2.approxPolyDP(max(found, key=cv2.contourArea), 0.9, True).reshape(-1, 2)
    return np.asarray(outline * CELL_MM + low, np.float64)
