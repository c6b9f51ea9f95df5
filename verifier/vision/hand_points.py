"""A hand's 21 keypoints (MediaPipe's order) from the reader's probabilities along each axis."""

from __future__ import annotations

from typing import Final

import numpy as np

from verifier.vision.geometry import Floats

POINTS: Final = "points"
"""The reader's output that holds them."""
WINDOW: Final = 0.074
"""Half the stretch about the likeliest place that counts for it, in shares of the crop: a tenth of the hand's box."""


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
