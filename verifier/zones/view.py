"""How the table lies in the picture: pixels to millimetres as the dealer sees them, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
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
    `size` is the picture's width and height, `scale` pixels a millimetre there; `tilt` (2,) is how the scale changes
    with the place, and `stretch` (2, 2) how it differs by direction: `stretch @ turned` is in even pixels.
    """

    size: tuple[int, int]
    side: Side
    mirrored: bool
    scale: float
    tilt: tuple[float, float] = (0.0, 0.0)
    stretch: tuple[tuple[float, float], tuple[float, float]] = ((1.0, 0.0), (0.0, 1.0))

    @property
    def turn(self) -> Floats:
        """(2, 2) The rotation, and mirroring, from pixels to the dealer's axes."""
        x, y = OUT[self.side]
        toward = np.array([x, y])
        right = np.array([y, -x]) * (-1.0 if self.mirrored else 1.0)
        return np.stack([right, toward])

    @property
    def matrix(self) -> Floats:
        """(3, 3) from homogeneous pixels to homogeneous table millimetres."""
        middle = np.array([[1, 0, -self.size[0] / 2], [0, 1, -self.size[1] / 2], [0, 0, 1.0]])
        even = np.eye(3)
        even[:2, :2] = np.asarray(self.stretch) @ self.turn / self.scale
        bent = np.eye(3)
        bent[2, :2] = self.tilt
        return np.asarray(bent @ even @ middle)

    def mm(self, pixels: ArrayLike) -> Floats:
        """(n, 2) pixels to table millimetres."""
        return projected(self.matrix, pixels)

    def px(self, table: ArrayLike) -> Floats:
        """(n, 2) table millimetres to pixels."""
        return projected(np.asarray(np.linalg.inv(self.matrix), np.float64), table)

    def upright(self, picture: Picture) -> Picture:
        """The picture turned, and mirrored back, so that the dealer sits at the bottom; not stretched."""
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


def projected(matrix: Floats, points: ArrayLike) -> Floats:
    """(n, 2) points through a (3, 3) homography."""
    array = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(array, matrix).reshape(-1, 2))
