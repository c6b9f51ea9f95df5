"""Chips as flat cylinders before a camera anywhere: drawn one over the other; how much of each top shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.train.stacks.faces import ROWS, TURNS

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Pixels = NDArray[np.float32]
_ROW: Final = 256
"""Places that are looked up in a picture together."""
_NEAR: Final = 20.0
"""Millimetres before the camera from which something is drawn."""


@dataclass(frozen=True)
class Solid:
    """A flat cylinder: `top` the middle of its top face and `axis` its way up (mm, z up), radius and thickness (mm).

    `face` (side, side, 3) and `rim` (ROWS, TURNS, 3) are BGR, turned by `spin` radians. `chip` is False for tins.
    """

    top: Floats
    axis: Floats
    radius: float
    thick: float
    face: Image
    rim: Image
    spin: float
    light: float = 1.0
    chip: bool = True


@dataclass(frozen=True)
class Viewpoint:
    """A pinhole camera that looks at a point of the table; right, down and ahead are rows of `turn`.

    `at` is its place (mm), `focal` pixels, `middle` the picture's principal point (pixels).
    """

    at: Floats
    turn: Floats
    focal: float
    middle: Floats

    @classmethod
    def low(cls, away: float, angle: float, roll: float, focal: float, middle: Floats) -> Viewpoint:
        """Return a camera `away` mm from the origin, `angle` radians above the table, turned by `roll` on its axis."""
        ahead = np.array([0.0, np.cos(angle), -np.sin(angle)])
        right, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, -np.sin(angle), -np.cos(angle)])
        c, s = np.cos(roll), np.sin(roll)
        return cls(-away * ahead, np.stack([c * right + s * down, c * down - s * right, ahead]), focal, middle)

    def project(self, points: Floats) -> Floats:
        """Points (..., 3) in mm as pixels (..., 2)."""
        x = (points - self.at) @ self.turn.T
        return np.asarray(self.middle + self.focal * x[..., :2] / x[..., 2:])

    def depth(self, point: Floats) -> float:
        """Millimetres ahead of the camera."""
        return float((point - self.at) @ self.turn[2])

    def change(self, point: Floats) -> Floats:
        """How pixels change with a point's place: (2, 3), pixels a millimetre."""
        x = (point - self.at) @ self.turn.T
        flat = np.array([[1.0, 0.0, -x[0] / x[2]], [0.0, 1.0, -x[1] / x[2]]])
        return np.asarray(self.focal / x[2] * flat @ self.turn)


@dataclass
class Drawing:
    """A picture being drawn: BGR, and whose top face each pixel shows (the solid's number, else -1)."""

    image: Image
    view: Viewpoint
    owner: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.owner = np.full(self.image.shape[:2], -1, np.int32)

    def add(self, number: int, solid: Solid, light: float) -> None:
        """Draw a solid over what is there; light falls from `light` radians about the axis."""
        if self.view.depth(solid.top) < _NEAR:
            return
        frame, down = seen(solid, self.view)
        centre = self.view.project(solid.top)
        reach = np.abs(frame).sum(1) + np.abs(down) + 2
        h, w = self.owner.shape
        x0, y0 = np.maximum(0, np.floor(centre - reach)).astype(int)
        x1, y1 = np.minimum((w, h), np.ceil(centre + reach)).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        back = np.linalg.inv(frame)
        columns = (np.arange(x0, x1) - centre[0])[:, None] * back[:, 0]
        rows = (np.arange(y0, y1) - centre[1])[:, None] * back[:, 1]
        at = np.asarray(rows[:, None] + columns[None], np.float32)
        part, mine = self.image[y0:y1, x0:x1], self.owner[y0:y1, x0:x1]
        top = np.nonzero((at**2).sum(-1) <= 1)
        side, turn, share = _on_rim(at, back @ down)
        part[side] = _rim(solid, turn, share, light)
        mine[side] = -1
        part[top] = _face(solid, at[top])
        mine[top] = number

    def shares(self, solids: Sequence[Solid]) -> list[float]:
        """Return the share of each solid's top face, in the picture or not, that can be seen; 0 for one turned away."""
        counts = np.bincount(self.owner.ravel() + 1, minlength=len(solids) + 1)[1:]
        areas = [np.pi * float(np.linalg.det(seen(solid, self.view)[0])) for solid in solids]
        return [count / max(1.0, area) if area > 0 else 0.0 for count, area in zip(counts.tolist(), areas, strict=True)]


def seen(solid: Solid, view: Viewpoint) -> tuple[Floats, Floats]:
    """Return a top face's half axes as columns (2, 2) and the way from its upper to its lower edge (2,), in pixels."""
    axis = solid.axis / np.linalg.norm(solid.axis)
    first = np.cross([0.0, 1.0, 0.0], axis)
    first /= np.linalg.norm(first)
    change = view.change(solid.top)
    frame = change @ np.stack([first, np.cross(first, axis)], 1) * solid.radius
    return frame, change @ -axis * solid.thick


def half_axis(solid: Solid, view: Viewpoint) -> float:
    """Half the longer axis of a top face, in pixels."""
    return float(np.linalg.svd(seen(solid, view)[0], compute_uv=False)[0])


def _on_rim(at: Pixels, down: Floats) -> tuple[tuple[NDArray[np.intp], ...], Pixels, Pixels]:
    """Where the rim shows, the angle there, and the share of the way down; places `at` in radii of the top face."""
    length = max(1e-3, float(np.linalg.norm(down)))
    way = (down / length).astype(np.float32)
    along, across = at @ way, at @ np.array([-way[1], way[0]], np.float32)
    edge = np.sqrt(np.clip(1 - across**2, 0, 1))
    inside = np.nonzero((np.abs(across) <= 1) & (along >= edge) & (along <= edge + length))
    along, across, edge = along[inside], across[inside], edge[inside]
    turn = np.arctan2(across * way[0] + edge * way[1], edge * way[0] - across * way[1])
    return inside, turn, (along - edge) / np.float32(length)


def _rim(solid: Solid, turn: Pixels, share: Pixels, light: float) -> Image:
    x = np.mod((turn + solid.spin) / (2 * np.pi), 1) * (TURNS - 1)
    out = _picked(solid.rim, x, share * (ROWS - 1))
    shade = np.float32(solid.light) * (np.float32(0.62) + np.float32(0.38) * np.cos(turn - np.float32(light)))
    return np.asarray(np.clip(out * shade[:, None], 0, 255), np.uint8)


def _face(solid: Solid, at: Pixels) -> Image:
    c, s = np.cos(solid.spin), np.sin(solid.spin)
    side = solid.face.shape[0] / 2
    turned = (at @ np.array([[c, s], [-s, c]], np.float32) * np.float32(0.99) + 1) * np.float32(side) - np.float32(0.5)
    out = _picked(solid.face, turned[:, 0], turned[:, 1])
    return np.asarray(np.clip(out * np.float32(solid.light), 0, 255), np.uint8)


def _picked(source: Image, x: Pixels, y: Pixels) -> Image:
    """Return the colours (N, 3) of a picture at N places between its pixels."""
    if not len(x):
        return np.empty((0, 3), np.uint8)
    rows = -(-len(x) // _ROW)
    grid = np.zeros((2, rows * _ROW), np.float32)
    grid[0, : len(x)], grid[1, : len(y)] = x, y
    out = cv2.remap(source, grid[0].reshape(rows, _ROW), grid[1].reshape(rows, _ROW), cv2.INTER_LINEAR)
    return np.asarray(out.reshape(-1, 3)[: len(x)], np.uint8)
