"""Crops as the readers get them: straightened cards, squares round chips and hands (pixels, BGR).

The geometry is part of the models: a reviewing program must cut in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.observations import Box, Keypoint
from verifier.train.labels import rectangle

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
CARD_INPUT: Final = (64, 96)
CARD_MARGIN: Final = 0.06
"""Share of the card's side that is added at each edge."""
CHIP_INPUT: Final = (32, 32)
CHIP_MARGIN: Final = 0.15
"""Share of the chip's diameter that is added at each edge."""
BILL_INPUT: Final = (160, 80)
OVERLAP_INPUT: Final = (96, 96)
OVERLAP_MARGIN: Final = (0.6, 0.35)
"""Shares of a card's width and length that are added at each edge, to show what lies beside it."""
HAND_INPUT: Final = (128, 128)
HAND_SCALE: Final = 1.35
"""Side of the square in longer sides of the hand's box."""
HAND_POINTS: Final = 21
"""Keypoints of a hand, in MediaPipe's order."""

Rect = tuple[tuple[float, float], tuple[float, float], float]


def cut(image: Image, rect: Rect, size: tuple[int, int]) -> Image:
    """Return the turned rectangle (centre, (w, h), degrees clockwise) straightened to `size`; replicate the border."""
    (x, y), (w, h), angle = rect
    turn = np.radians(angle)
    across, down = np.array([np.cos(turn), np.sin(turn)]) * w, np.array([-np.sin(turn), np.cos(turn)]) * h
    corner = np.array([x, y]) - across / 2 - down / 2
    matrix = np.column_stack([across / size[0], down / size[1], corner])
    matrix[:, 2] += matrix[:, :2] @ (0.5, 0.5) - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shrink = max(w / size[0], h / size[1])
    if shrink > 1.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * shrink), dtype=np.uint8)
    out = cv2.warpAffine(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8)


def card_crop(image: Image, rect: Rect) -> Image:
    """(96, 64, 3): the card upright (or upside down) with a margin of CARD_MARGIN round it."""
    centre, (w, h), angle = rect
    grow = 1 + 2 * CARD_MARGIN
    return cut(image, (centre, (w * grow, h * grow), angle), CARD_INPUT)


def overlap_crop(image: Image, rect: Rect) -> Image:
    """(96, 96, 3): the card with a margin of OVERLAP_MARGIN round it."""
    centre, (w, h), angle = rect
    across, along = OVERLAP_MARGIN
    return cut(image, (centre, (w * (1 + 2 * across), h * (1 + 2 * along)), angle), OVERLAP_INPUT)


def chip_crop(image: Image, centre: tuple[float, float], radius: float) -> Image:
    """(32, 32, 3): the square round the chip with a margin of CHIP_MARGIN."""
    side = 2 * radius * (1 + 2 * CHIP_MARGIN)
    return cut(image, (centre, (side, side), 0.0), CHIP_INPUT)


def hand_crop(image: Image, box: Box) -> Image:
    """(128, 128, 3): the square round the hand's box, HAND_SCALE times its longer side."""
    centre, side = hand_square(box)
    return cut(image, (centre, (side, side), 0.0), HAND_INPUT)


def hand_square(box: Box) -> tuple[tuple[float, float], float]:
    """Middle and side of the square that is cut round a hand's box."""
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0) * HAND_SCALE


def hand_points(keypoints: Sequence[Keypoint] | None, box: Box) -> Floats:
    """(21, 3) a hand's keypoints in its crop: x and y as shares of the crop's side, p; NaN where unknown."""
    if keypoints is None:
        return np.full((HAND_POINTS, 3), np.nan, np.float32)
    (x, y), side = hand_square(box)
    points = np.array(keypoints, np.float32)
    points[:, :2] = (points[:, :2] - (x, y)) / side + 0.5
    return points


def jittered(rect: Rect, rng: Generator, strength: float = 1.0) -> Rect:
    """Return a rectangle as a detector gets it: shifted, stretched and turned a little, at times more than a little."""
    (x, y), (w, h), angle = rect
    strength *= 2.2 if rng.random() < 0.12 else 1.0
    shift = np.clip(rng.normal(0, 0.022 * strength, 2), -0.12, 0.12) * (w, h)
    grow = np.exp(np.clip(rng.normal(0.0, 0.03 * strength, 2), -0.14, 0.14))
    turn = float(np.clip(rng.normal(0, 2.2 * strength), -12, 12))
    return (x + float(shift[0]), y + float(shift[1])), (w * float(grow[0]), h * float(grow[1])), angle + turn


def jittered_box(box: Box, rng: Generator) -> Box:
    """Return an axis-aligned box, shifted and stretched a little."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    d = np.clip(rng.normal(0, 0.05, 4), -0.15, 0.15) * (w, h, w, h)
    return x0 + float(d[0]), y0 + float(d[1]), x1 + float(d[2]), y1 + float(d[3])


def jittered_card(quad: tuple[tuple[float, float], ...], rng: Generator) -> Rect:
    """Return the rectangle about a card's quad with a detector's errors, either way up."""
    centre, sides, angle = jittered(rectangle(quad), rng)
    return centre, sides, angle + (180.0 if rng.random() < 0.5 else 0.0)
