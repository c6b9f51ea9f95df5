"""How the table lies in the picture: pixels to millimetres as the dealer sees them, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from verifier.recording.decode import Picture

Side = Literal["bottom", "top", "left", "right"]
Floats = NDArray[np.float64]
SIDES: Final[tuple[Side, ...]] = ("bottom", "left", "top", "right")
"""In the order of quarter turns, clockwise, by which a picture with the dealer at the bottom was turned."""
OUT: Final[dict[Side, tuple[float, float]]] = {
    "bottom": (0.0, 1.0),
    "top": (0.0, -1.0),
    "left": (-1.0, 0.0),
    "right": (1.0, 0.0),
}
"""The direction in the picture (x right, y down) in which the dealer sits."""


@dataclass(frozen=True, slots=True)
class View:
    """Where the dealer sits, whether the picture is mirrored, and the map from pixels to the table.

    Table millimetres have their origin at the middle of the picture, x to the dealer's right, y toward the dealer.
    `size` is the picture's width and height, `scale` pixels a millimetre there, the same everywhere.
    """

    size: tuple[int, int]
    side: Side
    mirrored: bool
    scale: float

    @property
    def turn(self) -> Floats:
        """(2, 2) The rotation, and mirroring, from pixels to the dealer's axes."""
        x, y = OUT[self.side]
        toward = np.array([x, y])
        right = np.array([y, -x]) * (-1.0 if self.mirrored else 1.0)
        return np.stack([right, toward])

    def mm(self, pixels: ArrayLike) -> Floats:
        """(n, 2) pixels to table millimetres."""
        off = np.asarray(pixels, np.float64).reshape(-1, 2) - np.asarray(self.size) / 2
        return np.asarray(off @ self.turn.T / self.scale)

    def px(self, table: ArrayLike) -> Floats:
        """(n, 2) table millimetres to pixels."""
        return np.asarray(
            np.asarray(table, np.float64).reshape(-1, 2) * self.scale @ self.turn + np.asarray(self.size) / 2
        )

    def upright(self, picture: Picture) -> Picture:
        """Return the picture turned, and mirrored back, so that the dealer sits at the bottom."""
        turned = np.rot90(picture, {"bottom": 0, "left": 1, "top": 2, "right": 3}[self.side])
        return np.ascontiguousarray(turned[:, ::-1] if self.mirrored else turned)

    def to_upright(self, points: ArrayLike) -> Floats:
        """(n, 2) pixels of the picture as pixels of the upright one."""
        off = np.asarray(points, np.float64) - np.asarray(self.size) / 2
        return np.asarray(off @ self.turn.T + np.asarray(self._upright_size) / 2)

    def from_upright(self, points: ArrayLike) -> Floats:
        """(n, 2) pixels of the upright picture as pixels of the picture itself."""
        off = np.asarray(points, np.float64) - np.asarray(self._upright_size) / 2
        return np.asarray(off @ self.turn + np.asarray(self.size) / 2)

    @property
    def _upright_size(self) -> tuple[int, int]:
        width, height = self.size
        return (width, height) if self.side in ("bottom", "top") else (height, width)
