"""Cuts what the readers look at out of a picture: straightened cards, squares round chips and hands (BGR uint8).

The geometry belongs to the trained models: training cuts in the same way.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.geometry import Floats

CARD_MARGIN: Final = 0.06
"""Share of the card's side that is added at each edge."""
OVERLAP_MARGIN: Final = (0.6, 0.35)
"""Shares of a card's width and length that are added at each edge, to show what lies beside it."""
CHIP_MARGIN: Final = 0.15
"""Share of the chip's diameter that is added at each edge."""
HAND_SCALE: Final = 1.35
"""Side of the square in longer sides of the hand's box."""
_BLUR_FROM: Final = 1.6


def card_crop(picture: Picture, quad: Floats, size: tuple[int, int]) -> Picture:
    """Return the card with corners `quad` (4, 2), the first two on a short side, straightened to `size` (w, h)."""
    return _cut(picture, *_spanned(quad), size)


def overlap_crop(picture: Picture, quad: Floats, size: tuple[int, int]) -> Picture:
    """Return a card and what lies beside it (OVERLAP_MARGIN), straightened as `card_crop` does."""
    return _cut(picture, *_spanned(quad, OVERLAP_MARGIN), size)


def card_corners(quad: Floats, shares: Floats) -> Floats:
    """(4, 2) in the picture of what lies at `shares` (4, 2) of the crop that `card_crop` cuts for `quad`."""
    centre, across, down = _spanned(quad)
    return np.asarray(centre + (shares[:, :1] - 0.5) * across + (shares[:, 1:] - 0.5) * down, np.float32)


def _spanned(quad: Floats, margin: tuple[float, float] = (CARD_MARGIN, CARD_MARGIN)) -> tuple[Floats, Floats, Floats]:
    """Middle, width and height vectors of a card's or bill's crop."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    return quad.mean(axis=0), across * (1 + 2 * margin[0]), down * (1 + 2 * margin[1])


def bill_crop(picture: Picture, quad: Floats, size: tuple[int, int]) -> Picture:
    """Return the bank note with corners `quad` (4, 2), the first two on a long side, straightened to `size` (w, h)."""
    return _cut(picture, *_spanned(quad), size)


def chip_crop(picture: Picture, centre: tuple[float, float], radius: float, size: tuple[int, int]) -> Picture:
    """Return the square around a chip."""
    side = 2 * radius * (1 + 2 * CHIP_MARGIN)
    return _square(picture, centre, side, size)


def hand_crop(picture: Picture, box: tuple[float, float, float, float], size: tuple[int, int]) -> Picture:
    """Return the square around a hand's box, HAND_SCALE times its longer side."""
    return _square(picture, *hand_square(box), size)


def hand_square(box: tuple[float, float, float, float]) -> tuple[tuple[float, float], float]:
    """Middle and side (pixels) of the square that `hand_crop` cuts."""
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0) * HAND_SCALE


def _square(picture: Picture, centre: tuple[float, float], side: float, size: tuple[int, int]) -> Picture:
    across, down = np.array([side, 0.0], np.float32), np.array([0.0, side], np.float32)
    return _cut(picture, np.array(centre, np.float32), across, down, size)


def _cut(picture: Picture, centre: Floats, across: Floats, down: Floats, size: tuple[int, int]) -> Picture:
    """Return the parallelogram spanned by `across` and `down` about `centre`; the border is replicated."""
    shrink = max(float(np.hypot(*across)) / size[0], float(np.hypot(*down)) / size[1])
    corner = np.asarray(centre - across / 2 - down / 2, np.float32)
    if shrink > _BLUR_FROM:
        picture, corner = _softened(picture, corner, across, down, shrink)
    matrix = np.column_stack([across / size[0], down / size[1], corner]).astype(np.float64)
    matrix[:, 2] += matrix[:, :2] @ (0.5, 0.5) - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _softened(picture: Picture, corner: Floats, across: Floats, down: Floats, shrink: float) -> tuple[Picture, Floats]:
    """Return the neighbourhood alone, blurred against aliasing, and `corner` moved into it."""
    points = np.stack([corner, corner + across, corner + across + down, corner + down])
    pad = 3 * shrink
    limit = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
    low = np.clip(np.floor(points.min(axis=0) - pad), 0, limit).astype(int)
    high = np.clip(np.ceil(points.max(axis=0) + pad), low, limit).astype(int) + 1
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    return np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 * shrink), np.uint8), (corner - low).astype(np.float32)
