"""How large a box is on the table, by the other cards of the picture, whatever the camera.

A camera maps the flat table to the picture by a homography. Cards are all of one size, so a few of them tell it up to
how the table is turned and shifted, which lengths do not depend on (metric rectification from known lengths, Hartley
and Zisserman 2004, section 2.7). A camera from above and one that slants by 45 degrees need no different rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from verifier.domain.layout import CARD_MM
from verifier.vision.geometry import Floats

FEWEST: Final = 4
"""Cards at least, as each gives two lengths and five numbers are sought. Of real cards seen from 45 degrees, each
measured by four others anywhere in the picture, 97 of 100 were off by less than OF_A_CARD; by three 90."""
SPREAD: Final = 0.1
"""Difference of a side from a card's, as a logarithm, from which it counts less: a box may be badly fitted."""
MOST_KEPT: Final = 24
"""Cards of the recording that tell the scale, the latest ones: more change it by less than their boxes' noise."""
OF_A_CARD: Final = 0.15
"""Most that either side of a card's box is off, as a share. Of 174 real cards seen aslant, each measured by the others,
none was off by more than 0.04 in still pictures, and by 0.13 in recordings. Two cards a fifth of a width apart make a
box that is too wide by 0.2."""
NOISE: Final = 0.03
"""Standard deviation of a side of a card's box, as a logarithm."""
USUAL: Final = np.array([0.17, 0.0, 0.0, 0.0])
USUAL_NOISE: Final = np.array([0.2, 0.3, 0.03, 0.03])
"""Means and standard deviations of how cameras see tables: by how much a length up the picture looks shorter than one
across (0.35 from 45 degrees) and their shear, as logarithms; the shares by which what lies a card's length nearer looks
larger, across and up (0.04 there). They matter where few cards tell, or all of them point the same way: up the picture
is away from a camera that is not rolled."""
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TableScale:
    """The map from the picture to the table, as far as lengths need it. Made by `scale_of`."""

    middle: Values
    """Where the map was set up, pixels."""
    unit: float
    """Pixels that one unit of the map's input has."""
    numbers: Values
    """Logarithms of the lengths that a step along x and along y has there, the shear, and the vanishing line (2)."""

    def sides(self, quad: Floats) -> tuple[float, float]:
        """Return the lengths (mm) of what a quad (4, 2) in pixels covers of the table: along its first and its second
        side.
        """
        one, other = _lengths(self.numbers, ((np.asarray(quad, float) - self.middle) / self.unit)[None])[0]
        return float(one), float(other)

    def is_card(self, quad: Floats) -> bool:
        """Tell whether a box (4, 2) has the sides of a card."""
        sides = sorted(self.sides(quad))
        return all(abs(side / true - 1.0) <= OF_A_CARD for side, true in zip(sides, CARD_MM, strict=True))

    def from_short_side(self, quad: Floats) -> Floats:
        """Return a card's corners (4, 2), the first two on what is its shorter side on the table.

        A camera that slants by 45 degrees shows a card that points at it as wide as high.
        """
        one, other = self.sides(quad)
        return quad if one <= other else np.roll(quad, 1, axis=0)


def scale_of(cards: Sequence[Floats]) -> TableScale | None:
    """Return what boxes of whole cards tell of the table's scale; None from fewer than FEWEST.

    Each is (4, 2) in pixels; the first two corners span what is its shorter side on the table, as its reading told.
    """
    if len(cards) < FEWEST:
        return None
    quads = np.stack([np.asarray(card, float) for card in cards])
    middle = quads.mean(axis=(0, 1))
    unit = float(np.median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)))
    placed = (quads - middle) / unit
    size = np.log(np.mean(CARD_MM))

    def off(numbers: Values) -> Values:
        found = _lengths(numbers, placed)
        wide, high, shear, *vanishing = numbers
        unusual = (np.array([high - wide, shear, *vanishing]) - USUAL) * NOISE / USUAL_NOISE
        return np.concatenate([np.log(np.maximum(found, 1e-3) / CARD_MM).ravel(), unusual])

    start = np.array([size, size, 0.0, 0.0, 0.0])
    fitted = least_squares(off, start, loss="soft_l1", f_scale=SPREAD)
    return TableScale(middle, unit, fitted.x)


class KnownCards:
    """Boxes of whole cards of a recording, and the scale that they tell. The camera stays where it is."""

    def __init__(self) -> None:
        self._quads: list[Floats] = []
        self._scale: TableScale | None = None
        self._stale = False

    def add(self, quad: Floats) -> None:
        """Add a card that lies alone, from its shorter side; it takes the place of one within half a card's width."""
        width, middle = float(np.linalg.norm(quad[1] - quad[0])), quad.mean(axis=0)
        kept = [one for one in self._quads if np.linalg.norm(one.mean(axis=0) - middle) > width / 2]
        self._quads, self._stale = [*kept, quad][-MOST_KEPT:], True

    @property
    def scale(self) -> TableScale | None:
        """What the cards tell of the table's scale; None while they are too few."""
        if self._stale:
            self._scale, self._stale = scale_of(self._quads), False
        return self._scale


def _lengths(numbers: Values, quads: Values) -> Values:
    """(n, 2) mean lengths of the two pairs of opposite sides of quads (n, 4, 2) on the table, in millimetres."""
    wide, high, shear, *vanishing = numbers
    flat = quads @ np.array([[np.exp(wide), 0.0], [shear * np.exp(high), np.exp(high)]])
    depth = 1.0 + quads @ np.array(vanishing)
    table = flat / np.maximum(depth, 0.05)[..., None]
    lengths = np.linalg.norm(np.roll(table, -1, axis=1) - table, axis=2)
    return np.asarray((lengths[:, :2] + lengths[:, 2:]) / 2)
