"""Colours as blue, green and red, and how they are varied."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Colour = tuple[float, float, float]
"""Blue, green, red in 0..255."""


def as_colour(values: Iterable[float]) -> Colour:
    """Three numbers as a colour."""
    b, g, r = (float(value) for value in values)
    return b, g, r


def shaded(colour: Colour, gain: float, lift: float = 0.0) -> Colour:
    """Return a colour made lighter or darker."""
    b, g, r = colour
    return min(255.0, b * gain + lift), min(255.0, g * gain + lift), min(255.0, r * gain + lift)


def jittered(rng: np.random.Generator, colour: Colour, sigma: float) -> Colour:
    """Return a colour with normal noise of `sigma` levels on each channel, kept within 5 and 250."""
    return as_colour(np.clip(np.array(colour) + rng.normal(0, sigma, 3), 5, 250))
