"""The table itself: felt, padded edge with holders for cups, and the floor below."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.train.table import bodies as shapes
from verifier.train.table.bodies import FELT, PRINTED, body, disc
from verifier.train.table.faces import CARD_PX
from verifier.train.table.felts import FELT_MM
from verifier.train.table.laid import Table

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


def build(table: Table, rng: Generator, layer_of: Callable[[object, Image], int]) -> None:
    """Put up a table of any size on any floor; `layer_of` keeps a print under a key and returns its layer."""
    a, b, y0, y1 = rng.uniform(930, 1060), rng.uniform(800, 930), rng.uniform(290, 350), rng.uniform(470, 530)
    turn = np.radians(np.linspace(180, 360, 61))
    arc = np.stack([a * np.cos(turn), y0 + b * np.sin(turn)], 1)
    edge = np.vstack([[(-a, y1)], arc, [(a, y1)]])
    table.edge = edge
    vertices = np.column_stack([np.vstack([edge, [(0.0, y1)]]), np.zeros(len(edge) + 1)])
    fan = np.array([[i, i + 1, len(edge)] for i in range(len(edge) - 1)])
    texel = np.column_stack([vertices[:, :2] / FELT_MM + 0.5, np.zeros(len(vertices))])
    table.bodies.append(body(vertices, fan, texel=texel, kind=FELT))
    floor = np.array([(-4e3, -4e3, -750.0), (4e3, -4e3, -750.0), (4e3, 4e3, -750.0), (-4e3, 4e3, -750.0)])
    tiles = floor[:, :2] / rng.uniform(150, 900)
    layer = layer_of("floor", _carpet(rng))
    texel = np.column_stack([tiles, np.full(4, float(layer))])
    table.bodies.append(body(floor, np.array([[0, 1, 2], [0, 2, 3]]), texel=texel, kind=PRINTED))
    _rim(table, rng, np.vstack([edge, edge[:1]]), rng.uniform(60, 150))


def _rim(table: Table, rng: Generator, edge: Floats, width: float) -> None:
    """Add the padded or wooden edge around the felt, at times with holders for cups in it."""
    middle = np.array([0.0, 150.0])
    out = edge - middle
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    high, colour = rng.uniform(8, 45), rng.uniform(0.02, 0.55) * rng.uniform(0.5, 1.2, 3)
    if rng.random() < 0.4:
        colour = np.array([0.1, 0.2, 0.38]) * rng.uniform(0.3, 1.4)
    profile = [
        (0.0, -2.0),
        (2.0, 0.5 * high),
        (0.2 * width, 0.92 * high),
        (0.5 * width, high),
        (0.85 * width, 0.8 * high),
        (width, 0.0),
        (width, -200.0),
    ]
    lines = [np.column_stack([edge + out * away, np.full(len(edge), z)]) for away, z in profile]
    table.bodies.append(shapes.strip(lines, np.clip(colour, 0.01, 1), gloss=float(rng.uniform(0, 0.4))))
    if rng.random() < 0.5:
        for i in rng.permutation(len(edge) - 2)[: rng.integers(1, 6)]:
            x, y = edge[i] + out[i] * width * 0.5
            metal = rng.uniform(0.3, 0.8)
            parts, _ = disc(
                (x, y, high - 1),
                min(48.0, 0.45 * width),
                4,
                face=(metal, metal, metal),
                side=(metal, metal, metal),
                gloss=0.5,
            )
            hole, _ = disc(
                (x, y, high + 3.1), min(40.0, 0.36 * width), 0.2, face=(0.02, 0.02, 0.02), side=(0.02, 0.02, 0.02)
            )
            table.bodies += parts + hole


def _carpet(rng: Generator) -> Image:
    """Return a floor's repeated pattern, BGRA."""
    w, h = CARD_PX
    image = np.full((h, w, 3), rng.uniform(5, 140, 3), np.float32).astype(np.uint8)
    for _ in range(int(rng.choice([0, 6, 25]))):
        colour = tuple(map(float, rng.uniform(5, 170, 3)))
        at = (int(rng.integers(w)), int(rng.integers(h)))
        for dx in (-w, 0, w):
            for dy in (-h, 0, h):
                cv2.circle(
                    image, (at[0] + dx, at[1] + dy), int(rng.integers(6, 40)), colour, int(rng.choice([-1, 3, 8]))
                )
    return np.dstack([image, np.full((h, w), 255, np.uint8)])
