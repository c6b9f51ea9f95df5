"""Numbered pictures, so that a test knows which picture of a recording it sees."""

from __future__ import annotations

import cv2
import numpy as np

SIZE = (320, 240)


def picture_at(number: int, size: tuple[int, int] = SIZE, moving: bool = True) -> np.ndarray:
    """A grey table with a white square that walks, and its number in grey code so that a frame can be told."""
    width, height = size
    out = np.full((height, width, 3), 90, np.uint8)
    x = 20 + (number * 7) % (width - 80) if moving else 40
    out[60:110, x : x + 40] = 235
    cv2.rectangle(out, (10, height - 40), (width - 10, height - 10), (60, 60, 60), -1)
    for bit in range(10):
        if number >> bit & 1:
            out[height - 35 : height - 15, 20 + 20 * bit : 34 + 20 * bit] = 220
    return out


def number_of(picture: np.ndarray) -> int:
    """The number that `picture_at` wrote."""
    height = picture.shape[0]
    return sum(1 << bit for bit in range(10) if picture[height - 25, 27 + 20 * bit].mean() > 140)
