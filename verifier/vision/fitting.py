"""Pictures and their parts at the size at which the network looks at them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.geometry import Bounds

STRIDE: Final = 32
SIDES: Final = (640, 800, 960, 1120, 1280, 1600, 1920, 2560)
CARD_WIDTH: Final = 31.0
"""Pixels of a card's width that the network needs (benchmarks/results/models.md, table of resolutions)."""
PAD: Final = 114
"""Grey level of the border, as Ultralytics' training pads."""


def side_for(card: float, longest: int) -> int:
    """Return the long side at which to look at pictures of `longest` pixels whose cards are `card` pixels wide.

    One of SIDES, at which a card is at least CARD_WIDTH wide; never more than the picture has.
    """
    wanted = min(longest, longest * CARD_WIDTH / max(card, 1.0))
    return next((side for side in SIDES if side >= wanted - 0.02 * side), SIDES[-1])


@dataclass(frozen=True, slots=True)
class Fitted:
    """A part of a picture for the network; `scale` maps original to network pixels, `bounds` are its place."""

    blob: Picture
    scale: float
    bounds: Bounds


def fit(picture: Picture, long_side: int, bounds: Bounds | None = None) -> Fitted:
    """Cuts `bounds` out of (h, w, 3), scales so that the whole picture's long side would be `long_side`, and pads.

    The padding, right and below, is to the network's stride.
    """
    scale = long_side / max(picture.shape[:2])
    x0, y0, x1, y1 = bounds or (0, 0, picture.shape[1], picture.shape[0])
    part = picture[y0:y1, x0:x1]
    size = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
    if size != (x1 - x0, y1 - y0):
        how = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
        part = np.asarray(cv2.resize(part, size, interpolation=how), np.uint8)
    padded = np.full((_up(size[1]), _up(size[0]), 3), PAD, np.uint8)
    padded[: size[1], : size[0]] = part
    return Fitted(padded[None], scale, (x0, y0, x1, y1))


def _up(value: int) -> int:
    return math.ceil(value / STRIDE) * STRIDE
