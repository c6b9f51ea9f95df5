"""Court cards: figure-like, symmetrical, coloured patches in a frame, different for J, Q and K and for each deck."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.glyphs import Mask, stamp

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
_PALETTE: tuple[Colour, ...] = (
    (40, 40, 200), (190, 90, 30), (40, 190, 235), (30, 30, 30), (60, 130, 50), (150, 60, 110), (205, 170, 90),
)  # fmt: skip


def shape(image: Image, points: list[tuple[float, float]], colour: Colour) -> None:
    """Draw a polygon in the half figure's unit frame: x -1..1 left to right, y 0 (top) .. 1 (the card's middle)."""
    h, w = image.shape[:2]
    pixels = np.array([((x + 1) / 2 * w, y * h) for x, y in points])
    cv2.fillPoly(image, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    cv2.polylines(image, [np.round(pixels * 16).astype(np.int32)], True, (25, 25, 25), 1, cv2.LINE_AA, 4)


def _robe(image: Image, rng: np.random.Generator, colours: list[Colour]) -> None:
    shape(image, [(-0.85, 1), (-0.72, 0.66), (-0.28, 0.52), (0.28, 0.52), (0.72, 0.66), (0.85, 1)], colours[0])
    shape(image, [(-0.3, 0.52), (0.3, 0.52), (0.42, 1), (-0.42, 1)], colours[1])
    for step in range(int(rng.integers(2, 5))):
        y = 0.58 + step * 0.11
        shape(image, [(-0.12, y), (0, y - 0.04), (0.12, y), (0, y + 0.05)], colours[2])
    side = 1.0 if rng.random() < 0.5 else -1.0
    shape(image, [(side * 0.72, 0.66), (side * 0.86, 0.8), (side * 0.3, 0.94), (side * 0.26, 0.84)], colours[2])
    for step in range(4):
        x = -0.8 + step * 0.13
        shape(image, [(x, 0.98), (x + 0.05, 0.78), (x + 0.1, 0.98)], colours[3])
        shape(image, [(-x, 0.98), (-x - 0.05, 0.78), (-x - 0.1, 0.98)], colours[3])
    shape(image, [(side * 0.62, 0.05), (side * 0.69, 0.05), (side * 0.66, 0.92), (side * 0.6, 0.92)], colours[2])
    shape(image, [(side * 0.5, 0.6), (side * 0.8, 0.6), (side * 0.8, 0.63), (side * 0.5, 0.63)], colours[1])


def _head(image: Image, rank: str, rng: np.random.Generator, colours: list[Colour]) -> None:
    h, w = image.shape[:2]
    hair: Colour = ((60, 170, 225), (40, 70, 120), (60, 60, 60))[int(rng.integers(3))]
    wide = 0.42 if rank == "Q" else 0.34
    shape(image, [(-wide, 0.54), (-wide, 0.26), (0, 0.14), (wide, 0.26), (wide, 0.54)], hair)
    cv2.ellipse(
        image, (w // 2, int(0.36 * h)), (int(0.13 * w), int(0.145 * h)), 0, 0, 360, (195, 215, 240), -1, cv2.LINE_AA
    )
    for x in (-0.055, 0.055):
        cv2.circle(image, (int((0.5 + x) * w), int(0.34 * h)), max(1, w // 60), (40, 30, 30), -1, cv2.LINE_AA)
    cv2.line(image, (int(0.47 * w), int(0.43 * h)), (int(0.53 * w), int(0.43 * h)), (50, 50, 170), max(1, w // 60))
    if rank == "K":
        shape(image, [(-0.24, 0.42), (0.24, 0.42), (0.1, 0.6), (0, 0.64), (-0.1, 0.6)], hair)
        crown = [(-0.36, 0.26), (-0.44, 0.06), (-0.2, 0.16), (0, 0.02), (0.2, 0.16), (0.44, 0.06), (0.36, 0.26)]
    elif rank == "Q":
        crown = [(-0.26, 0.24), (-0.32, 0.1), (-0.1, 0.15), (0, 0.06), (0.1, 0.15), (0.32, 0.1), (0.26, 0.24)]
    else:
        crown = [(-0.4, 0.25), (-0.42, 0.14), (-0.1, 0.08), (0.36, 0.1), (0.44, 0.2), (0.36, 0.25)]
    shape(image, crown, colours[2] if rank != "J" else colours[0])


def court(
    image: Image, rank: str, suit: str, seed: int, pip: Mask, scale: float, left: float, frame: bool, ink: Colour
) -> None:
    """Draw the figure of `rank` into a card `image` of `scale` px/mm, in place, `left` mm inside the card's sides."""
    rng = np.random.default_rng([seed, "JQK".index(rank), "shdc".index(suit)])
    h, w = image.shape[:2]
    x0, x1, y0 = round(left * scale), w - round(left * scale), round(7 * scale)
    colours = [_PALETTE[i] for i in np.random.default_rng([seed, 3]).permutation(len(_PALETTE))[:5]]
    rng.shuffle(colours[:3])
    half = np.full((h // 2 - y0, x1 - x0, 3), image[h // 2, w // 2], np.uint8)
    _robe(half, rng, colours)
    _head(half, rank, rng, colours)
    size = 8.0 * scale
    stamp(half, pip, (size * 0.65, size * 0.7), (size * 0.9, size), ink)
    image[y0 : y0 + half.shape[0], x0:x1] = half
    image[h - y0 - half.shape[0] : h - y0, x0:x1] = half[::-1, ::-1]
    if frame:
        cv2.rectangle(image, (x0, y0), (x1, h - y0), (120, 60, 30), max(1, round(0.4 * scale)), cv2.LINE_AA)
