"""Free outlines of the black suits: spades and clubs of many proportions on stems of many kinds."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from verifier.simulate.render.glyphs import arc

Point = tuple[float, float]
Polygon = list[Point]


def black_pip(suit: str, rng: Generator) -> list[Polygon]:
    """Polygons of a spade or a club in a unit square, upright; both suits of one seed stand on the same stem."""
    top, waist, foot, flare = (float(rng.uniform(*span)) for span in ((0.5, 0.66), (0.012, 0.08), (0.06, 0.36), (0, 1)))
    ends = float(rng.uniform(0.9, 1.0)) if rng.random() < 0.9 else 0.82
    body = _spade(rng) if suit == "s" else _club(rng)
    return [*body, _stem(top, waist, foot, flare, ends)]


def _spade(rng: Generator) -> list[Polygon]:
    """Return a heart upside down: hollow to bulging flanks, lobes of any width that hang low or not."""
    width, at = float(rng.uniform(0.32, 0.5)), float(rng.uniform(0.5, 0.68))
    bulge, hang = float(rng.uniform(0.0, 0.3)), float(rng.uniform(0.1, 0.27))
    notch = at + float(rng.uniform(-0.02, 0.12))
    flank = curve(
        (0, 0), (bulge, float(rng.uniform(0.1, 0.26))), (width, at - float(rng.uniform(0.1, 0.3))), (width, at)
    )
    lobe = curve((width, at), (width, at + 1.33 * hang), (0.02, at + 1.33 * hang), (0.0, notch))
    right = [*flank, *lobe]
    return [[*((0.5 + x, y) for x, y in right), *((0.5 - x, y) for x, y in reversed(right))]]


def _club(rng: Generator) -> list[Polygon]:
    """Three round or oval leaves, apart or grown together."""
    upper, lower = (float(rng.uniform(0.17, 0.27)) for _ in range(2))
    oval, at = float(rng.uniform(0.85, 1.15)), float(rng.uniform(0.52, 0.66))
    apart = min(float(rng.uniform(0.19, 0.3)), 0.5 - lower)
    leaves = [arc(0.5, upper * oval, upper, upper * oval, 0, 360)]
    leaves += [arc(0.5 + side * apart, at, lower, lower / oval, 0, 360) for side in (-1, 1)]
    heart, low = float(rng.uniform(0.03, 0.14)), max(at, 0.6)
    return [*leaves, [(0.5 - heart, upper), (0.5 + heart, upper), (0.5 + heart, low), (0.5 - heart, low)]]


def _stem(top: float, waist: float, foot: float, flare: float, end: float) -> Polygon:
    """Return a stem from `top` to `end`, half as wide as `waist` there and `foot` below; `flare` bends its sides."""
    right = curve(
        (waist, top), (waist, top + (0.4 + 0.5 * flare) * (end - top)), (foot * (1 - flare), end), (foot, end)
    )
    return [*((0.5 + x, y) for x, y in right), *((0.5 - x, y) for x, y in reversed(right))]


def curve(start: Point, one: Point, other: Point, end: Point) -> Polygon:
    """Points of a cubic Bezier curve."""
    t = np.linspace(0, 1, 13)[:, None]
    a, b, c, d = (np.array(point) for point in (start, one, other, end))
    points = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
    return [(float(x), float(y)) for x, y in points]
