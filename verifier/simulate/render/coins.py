"""Half dollars that are coins, as a site may use them instead of a chip (N.D. Admin. Code 99-01.3-08-03(1)).

A disc of worn metal: a head or a bird in relief, letters round the rim, a milled edge, the lamp's sheen across it. No
coin is copied; what a reader can learn is metal and relief.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.colours import Colour, as_colour
from verifier.simulate.render.warp import Texture, premultiply
from verifier.simulate.table import COIN_DIAMETER_MM

Floats = NDArray[np.float32]
RADIUS: Final = COIN_DIAMETER_MM / 2
_METALS: Final[tuple[Colour, ...]] = ((178.0, 180.0, 180.0), (160.0, 166.0, 170.0), (150.0, 158.0, 172.0))
"""Silver, nickel, and nickel that has yellowed."""


@lru_cache(maxsize=1024)
def coin_metal(maker: int) -> Colour:
    """Return the metal of the coins of table number `maker`, some of them dark with age."""
    rng = np.random.default_rng([maker, 50, 1])
    metal = np.array(_METALS[int(rng.integers(len(_METALS)))]) * rng.uniform(0.72, 1.12) + rng.normal(0, 4, 3)
    return as_colour(np.clip(metal, 40, 235))


@lru_cache(maxsize=256)
def coin_texture(maker: int, scale: float) -> Texture:
    """Return the face of a half dollar of table number `maker` at `scale` px/mm."""
    rng = np.random.default_rng([maker, 50, 2])
    fine = scale * 3
    side = 2 * round((RADIUS + 1.0) * fine)
    middle = (side - 1) / 2
    relief = _relief(rng, side, fine)
    turn = float(rng.uniform(0, 2 * np.pi))
    across, down = np.meshgrid(*[(np.arange(side) - middle) / (RADIUS * fine)] * 2)
    sheen = 1.0 + rng.uniform(0.05, 0.35) * (across * np.cos(turn) + down * np.sin(turn))
    edges = np.cos(turn) * cv2.Sobel(relief, cv2.CV_32F, 1, 0) + np.sin(turn) * cv2.Sobel(relief, cv2.CV_32F, 0, 1)
    light = sheen * np.where(np.hypot(across, down) > 1 - 1.2 / RADIUS, 0.78, 1.0)
    image = np.array(coin_metal(maker)) * light[..., None] + rng.uniform(20, 55) * edges[..., None]
    cover = np.zeros((side, side), np.uint8)
    cv2.circle(cover, (round(middle),) * 2, round(RADIUS * fine), 255, -1, cv2.LINE_AA)
    size = (side // 3, side // 3)
    small, alpha = (
        np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.uint8)
        for one in (np.clip(image, 0, 255).astype(np.uint8), cover)
    )
    return Texture.centred(premultiply(small, alpha), size[0] * fine / side)


def _relief(rng: Generator, side: int, fine: float) -> Floats:
    """Height 0..1 of what stands out: a rough outline in the middle and marks round the rim."""
    relief = np.zeros((side, side), np.float32)
    middle = (side - 1) / 2
    turns = np.linspace(0, 2 * np.pi, 14)[:-1]
    reach = RADIUS * fine * rng.uniform(0.32, 0.66, len(turns))
    outline = np.column_stack([np.cos(turns), np.sin(turns)]) * reach[:, None] + middle
    cv2.fillPoly(relief, [np.round(outline).astype(np.int32)], (1.0,), cv2.LINE_AA)
    for turn in np.linspace(0, 2 * np.pi * rng.uniform(0.6, 0.95), int(rng.integers(10, 24))):
        at = middle + 0.82 * RADIUS * fine * np.array([np.cos(turn), np.sin(turn)])
        cv2.circle(relief, (round(at[0]), round(at[1])), max(1, round(0.8 * fine)), (1.0,), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(relief, (0, 0), max(0.3, 0.35 * fine)), np.float32)
