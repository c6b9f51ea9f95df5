"""A hand's 21 keypoints (MediaPipe's order) from the reader's probabilities along each axis."""

from __future__ import annotations

from typing import Final

import numpy as np

from verifier.vision.geometry import Floats

POINTS: Final = "points"
"""The reader's output that holds them."""
WINDOW: Final = 0.074
"""Half the stretch about the likeliest place that counts for it, in shares of the crop: a tenth of the hand's box."""


PALM: Final = 9
"""The middle finger's knuckle."""
FLESH: Final = (
    np.array([21, 18, 15, 12, 10, 13, 11, 10, 8, 13, 12, 10, 9, 13, 11, 10, 8, 12, 10, 8, 7], np.float32)[:, None] / 100
)
"""Flesh round each keypoint, in lengths from the wrist to the middle finger's knuckle, of grown people's hands."""


def box_of(points: Floats, size: tuple[int, int]) -> Floats:
    """(4,) x0, y0, x1, y1 of a hand with keypoints (21, 3), its flesh included, within a picture of `size` (w, h)."""
    length = float(np.hypot(*(points[PALM, :2] - points[0, :2])))
    low, high = (points[:, :2] - FLESH * length).min(axis=0), (points[:, :2] + FLESH * length).max(axis=0)
    return np.concatenate([np.clip(low, 0, size), np.clip(high, 0, size)]).astype(np.float32)


def decoded(logits: Floats, span: tuple[float, float], temperature: float) -> Floats:
    """(n, 21, 2, bins) logits to (n, 21, 3): x and y in shares of the crop's side, and p.

    p is the probability that the keypoint lies within about a tenth of the hand's box of that place.
    """
    low, high = span
    bins = logits.shape[-1]
    centres = low + (np.arange(bins, dtype=np.float32) + 0.5) * (high - low) / bins
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    shares = powers / powers.sum(axis=-1, keepdims=True)
    best = centres[shares.argmax(axis=-1)]
    near = np.where(np.abs(centres - best[..., None]) <= WINDOW, shares, 0.0)
    mass = near.sum(axis=-1)
    places = (near * centres).sum(axis=-1) / mass
    return np.concatenate([places, mass.prod(axis=-1, keepdims=True)], axis=-1).astype(np.float32)
