"""Where the windows of training pictures lie and how they are seen: cameras of any roll, lens, tilt and distance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from verifier.domain.layout import CARD_MM
from verifier.simulate.render import Camera
from verifier.simulate.scene import Scene
from verifier.simulate.table import VIEW_MM

SHEET: Final = (1280, 720)
"""Size of the whole picture from which windows are taken, before magnification."""
CARD_WIDTHS: Final = ((22.0, 32.0, 0.25), (32.0, 64.0, 0.53), (64.0, 160.0, 0.22))
"""Widths of a card in pixels at the middle of the table: from, to, share of the pictures."""
WILD_WIDTHS: Final = ((22.0, 34.0, 0.15), (34.0, 72.0, 0.35), (72.0, 130.0, 0.3), (130.0, 220.0, 0.2))
"""The same at tables of any kind: photographs are taken from near, too."""
WATCHED_WIDTHS: Final = ((24.0, 36.0, 0.6), (36.0, 48.0, 0.3), (48.0, 80.0, 0.1))
"""The same where pictures are for watching recordings, which are shrunk until a card is about 31 pixels wide."""
ANYWHERE: Final = 0.2
"""Share of the windows that lie anywhere on the table: print, clock, tray, cups and bare felt are no objects."""
TABLE_MM: Final = (950.0, 540.0)
"""Half width and height of the part of the table about which windows lie."""
TRIES: Final = 2
"""Windows that are considered; the fullest is taken."""


def wild_camera(camera: Camera, rng: Generator) -> Camera:
    """Return the camera held at any roll, behind a lens that may bend straight lines."""
    roll = camera.roll + (float(rng.uniform(0, 360)) if rng.random() < 0.5 else 0.0)
    bend = float(rng.uniform(-0.5, 0.15)) if rng.random() < 0.4 else 0.0
    return replace(camera, roll=roll, bend=bend)


def slanted(rng: Generator) -> Camera:
    """Return a camera beside the table, 25 to 65 degrees from the vertical: stacks of chips show their sides."""
    tilt, height = float(rng.uniform(25, 65)), float(rng.uniform(450, 1500))
    slant = height / math.cos(math.radians(tilt))
    focal = slant * min(SHEET[0] / VIEW_MM[0], SHEET[1] / VIEW_MM[1])
    x, y = rng.normal(0.0, 150.0, 2)
    at = (float(x), float(y) + height * math.tan(math.radians(tilt)))
    return Camera(SHEET, focal, height, at, tilt, 0.0, float(rng.normal(0.0, 4.0)))


def window(
    camera: Camera, scene: Scene, size: int, rng: Generator, widths: Sequence[tuple[float, float, float]] = CARD_WIDTHS
) -> Camera:
    """Return the view of a square window about something in the scene, or anywhere, at a random scale."""
    low, high, _ = widths[int(rng.choice(len(widths), p=[share for _, _, share in widths]))]
    scale = float(rng.uniform(low, high)) / (camera.pixels_per_mm * CARD_MM[0])
    things = [thing.xy for group in (scene.cards, scene.chips, scene.hands) for thing in group]
    side = size / scale
    if not things or rng.random() < ANYWHERE:
        things = [(float(rng.uniform(-x, x)), float(rng.uniform(-y, y))) for x, y in [TABLE_MM] * TRIES]
    spots = camera.project([(x, y, 0.0) for x, y in things])
    corners = [spots[int(rng.integers(len(spots)))] - side * rng.uniform(0.2, 0.8, 2) for _ in range(TRIES)]
    filled = [int(((spots >= corner) & (spots <= corner + side)).all(1).sum()) for corner in corners]
    x0, y0 = corners[int(np.argmax(filled))]
    return camera.window(float(x0), float(y0), (size, size), scale)
