"""Where arms come from: small geometry shared by the scene samplers (table frame, millimetres and degrees)."""

from __future__ import annotations

import math
from typing import Final, Literal

from numpy.random import Generator

from verifier.simulate.scene import Vec

FACINGS: Final[tuple[Literal["back", "palm", "edge"], ...]] = ("back", "palm", "edge")


def reach(xy: Vec, angle: float, length: float) -> Vec:
    """Return the point `length` from `xy` along `angle` (0 up in the picture, clockwise)."""
    turn = math.radians(angle)
    return (xy[0] + length * math.sin(turn), xy[1] - length * math.cos(turn))


def arm_from(
    rng: Generator, wrist: Vec, angle: float, owner: Literal["dealer", "player"], side: Literal["left", "right"]
) -> Vec:
    """Return an elbow behind the wrist, bent a little outward to the arm's own side, 300 to 850 mm away."""
    outward = 12.0 if side == "left" else -12.0
    bend = outward + float(rng.normal(0, 14))
    return reach(wrist, angle + 180.0 + bend, float(rng.uniform(300, 850)))
