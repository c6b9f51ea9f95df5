"""A pinhole camera hanging above the table: millimetres of `simulate.scene` to pixels of the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.simulate.table import VIEW_MM

Floats = NDArray[np.float64]
Difficulty = Literal["easy", "normal", "hard"]
DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "normal", "hard")
_TILT: dict[Difficulty, float] = {"easy": 4.0, "normal": 12.0, "hard": 25.0}


@dataclass(frozen=True)
class Camera:
    """Where the camera hangs and how it looks; angles in degrees, `focal` and the principal point in pixels."""

    size: tuple[int, int]
    focal: float
    height: float = 1900.0
    at: tuple[float, float] = (0.0, 0.0)
    tilt: float = 0.0
    pan: float = 0.0
    roll: float = 0.0
    centre: tuple[float, float] | None = None
    bend: float = 0.0
    """The lens's radial distortion k: what is r focal lengths from the middle moves to r (1 + k r^2); barrel < 0."""

    @classmethod
    def straight(cls, size: tuple[int, int], height: float = 1900.0) -> Camera:
        """Straight above the middle of the table, the whole of VIEW_MM just in the picture."""
        return cls(size=size, focal=height * min(size[0] / VIEW_MM[0], size[1] / VIEW_MM[1]), height=height)

    @classmethod
    def sample(cls, rng: np.random.Generator, size: tuple[int, int], difficulty: Difficulty = "normal") -> Camera:
        """Return a plausible ceiling camera for `size`; "hard" tilts up to 25 degrees."""
        height = float(rng.uniform(1500.0, 2600.0))
        fit = min(size[0] / VIEW_MM[0], size[1] / VIEW_MM[1])
        most = _TILT[difficulty]
        tilt, pan = float(rng.uniform(-most, most)), float(rng.uniform(-most / 2, most / 2))
        aim = rng.normal(0.0, 15.0, 2)
        at = (
            float(aim[0] - height * math.tan(math.radians(pan))),
            float(aim[1] + height * math.tan(math.radians(tilt))),
        )
        zoom = float(rng.uniform(0.93, 1.06)) * (1.0 - abs(tilt) / 250.0)
        slant = math.hypot(height, math.hypot(at[0] - aim[0], at[1] - aim[1]))
        return cls(size, fit * slant * zoom, height, at, tilt, pan, float(rng.normal(0.0, 1.0 + most / 15.0)))

    def window(self, x0: float, y0: float, size: tuple[int, int], scale: float = 1.0) -> Camera:
        """Return the camera of the part at (x0, y0) of this picture, magnified by `scale`; `size` in new pixels."""
        cx, cy = self.middle
        return replace(self, size=size, focal=self.focal * scale, centre=((cx - x0) * scale, (cy - y0) * scale))

    @property
    def middle(self) -> tuple[float, float]:
        """Principal point in pixels."""
        return self.centre or (self.size[0] / 2, self.size[1] / 2)

    @cached_property
    def position(self) -> Floats:
        """The eye in the table frame, (3,) mm."""
        return np.array([self.at[0], self.at[1], self.height])

    @cached_property
    def matrix(self) -> Floats:
        """(3, 4) projection from homogeneous table millimetres to pixels of the pinhole picture."""
        ax, ay, az = (math.radians(value) for value in (self.tilt, self.pan, self.roll))
        turn_x = np.array([[1, 0, 0], [0, math.cos(ax), math.sin(ax)], [0, -math.sin(ax), math.cos(ax)]])
        turn_y = np.array([[math.cos(ay), 0, -math.sin(ay)], [0, 1, 0], [math.sin(ay), 0, math.cos(ay)]])
        turn_z = np.array([[math.cos(az), -math.sin(az), 0], [math.sin(az), math.cos(az), 0], [0, 0, 1]])
        rotation = turn_z @ turn_x @ turn_y @ np.diag([1.0, 1.0, -1.0])
        cx, cy = self.middle
        lens = np.array([[self.focal, 0, cx], [0, self.focal, cy], [0, 0, 1.0]])
        out: Floats = lens @ rotation @ np.hstack([np.eye(3), -self.position[:, None]])
        return out

    def project(self, points: Floats | list[tuple[float, float, float]]) -> Floats:
        """(N, 3) or (N, 2) table millimetres to (N, 2) pixels."""
        array = np.asarray(points, dtype=np.float64)
        axes = array.shape[1]
        out = array @ self.matrix[:, :axes].T + self.matrix[:, 3]
        return self.bent(out[:, :2] / out[:, 2:])

    def bent(self, pixels: Floats) -> Floats:
        """Where the lens puts (N, 2) pixels of the pinhole picture."""
        if self.bend == 0.0:
            return pixels
        out = pixels - self.middle
        r2 = np.minimum((out * out).sum(1, keepdims=True) / self.focal**2, self._widest)
        return np.asarray(out * (1.0 + self.bend * r2) + self.middle)

    def straightened(self, pixels: Floats) -> Floats:
        """Return the pinhole picture's pixels for (N, 2) pixels of the picture: the inverse of `bent`."""
        if self.bend == 0.0:
            return pixels
        seen = pixels - self.middle
        s = np.maximum(np.hypot(seen[:, 0], seen[:, 1]) / self.focal, 1e-9)
        edge = math.sqrt(self._widest)
        gain = 1.0 + self.bend * self._widest
        r = np.minimum(s, edge)
        for _ in range(6):
            r = np.clip(r - (r * (1.0 + self.bend * r * r) - s) / (1.0 + 3.0 * self.bend * r * r), 0.0, edge)
        r = np.where(s > edge * gain, s / gain, r)
        return np.asarray(seen * (r / s)[:, None] + self.middle)

    @property
    def _widest(self) -> float:
        """Squared radius (focal lengths) beyond which a barrel would fold back; farther points keep its gain."""
        return 0.25 / abs(self.bend)

    def pinhole(self) -> Camera:
        """Return the camera without its lens's distortion, just wide enough for all that this one sees."""
        if self.bend == 0.0:
            return self
        w, h = self.size
        t = np.linspace(0.0, 1.0, 17)
        edge = np.vstack(
            [np.stack([t * w, s * np.ones(17)], 1) for s in (0.0, h)]
            + [np.stack([s * np.ones(17), t * h], 1) for s in (0.0, w)]
        )
        seen = self.straightened(edge)
        low, high = np.floor(seen.min(0)).astype(int) - 1, np.ceil(seen.max(0)).astype(int) + 1
        cx, cy = self.middle
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        return replace(self, size=size, centre=(cx - float(low[0]), cy - float(low[1])), bend=0.0)

    def homography(self, z: float = 0.0) -> Floats:
        """(3, 3) from (x, y, 1) millimetres on the plane at height `z` to homogeneous pixels of the pinhole picture."""
        m = self.matrix
        out = m[:, (0, 1, 3)]
        out[:, 2] += m[:, 2] * z
        return np.asarray(out)

    def ground(self, pixels: Floats, z: float = 0.0) -> Floats:
        """(N, 2) pixels back to (N, 2) millimetres on the plane at height `z`."""
        inverse = np.linalg.inv(self.homography(z))
        out = np.hstack([self.straightened(pixels), np.ones((len(pixels), 1))]) @ inverse.T
        return np.asarray(out[:, :2] / out[:, 2:])

    @cached_property
    def pixels_per_mm(self) -> float:
        """Scale at the middle of the table."""
        box = self.project([(-50.0, 0.0, 0.0), (50.0, 0.0, 0.0), (0.0, -50.0, 0.0), (0.0, 50.0, 0.0)])
        return float((np.linalg.norm(box[1] - box[0]) + np.linalg.norm(box[3] - box[2])) / 200.0)

    @property
    def card_px(self) -> tuple[float, float]:
        """Size of a card at the middle of the table in pixels."""
        return CARD_MM[0] * self.pixels_per_mm, CARD_MM[1] * self.pixels_per_mm
