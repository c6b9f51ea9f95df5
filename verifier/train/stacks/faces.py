"""Faces of chips of any maker: body, edge spots, dice round the rim, inlay; the rim's colours follow from the face."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.colours import Colour, as_colour

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
SIDE: Final = 192
"""Pixels of a face, edge to edge; its corners are filled too."""
TURNS: Final = 512
"""Columns of a rim, once round."""
ROWS: Final = 16
"""Rows of a rim, from the upper edge to the lower."""
_BODIES: Final[tuple[Colour, ...]] = (
    (45, 38, 190), (40, 40, 150), (60, 70, 215), (165, 85, 35), (200, 110, 40), (95, 45, 25), (150, 60, 60),
    (62, 118, 32), (80, 150, 60), (50, 80, 25), (36, 34, 34), (60, 58, 58), (228, 230, 232), (190, 215, 225),
    (205, 200, 190), (40, 120, 235), (60, 180, 240), (110, 225, 240), (135, 50, 105), (190, 120, 160), (185, 150, 238),
    (150, 150, 148), (50, 75, 115), (170, 160, 60),
)  # fmt: skip
"""Reds, blues, greens, blacks, whites, oranges, yellows, purples, pink, grey, brown, teal (BGR)."""
_SPOTS: Final[tuple[Colour, ...]] = (
    (235, 235, 235), (210, 225, 232), (60, 190, 235), (170, 80, 30), (40, 40, 45), (70, 140, 50), (60, 50, 190),
    (140, 70, 130), (210, 180, 120),
)  # fmt: skip
_WORDS: Final = ("5", "10", "25", "$1", "$5", "100", "500", "CASINO", "POKER", "1000", "LUCKY", "50", "ACE", "20")


def draw_face(rng: Generator) -> Image:
    """Return a random face from above, (SIDE, SIDE, 3) BGR."""
    body = _near(_BODIES[int(rng.integers(len(_BODIES)))], 12, rng)
    far = [tone for tone in _SPOTS if np.abs(np.array(tone) - body).max() > 70]
    spot = _near(far[0] if rng.random() < 0.5 else far[int(rng.integers(len(far)))], 8, rng)
    image = np.empty((SIDE * 2, SIDE * 2, 3), np.uint8)
    image[...] = np.asarray(body, np.uint8)
    count = int(rng.choice([0, 3, 4, 5, 6, 8, 10, 12], p=[0.12, 0.04, 0.14, 0.06, 0.34, 0.2, 0.05, 0.05]))
    depth = float(rng.uniform(0.12, 0.34))
    _edge_spots(image, count, 1.0 - depth, spot, rng)
    if rng.random() < 0.5:
        _rim_print(image, count or 6, 1.0 - depth / 2, depth, spot, body, rng)
    _inlay(image, float(rng.uniform(0.3, 0.97 - depth)), body, spot, rng)
    small = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    small *= 1 + _grain(rng, float(rng.uniform(0.005, 0.04)))
    return np.asarray(np.clip(small, 0, 255), np.uint8)


def rim_of(face: Image, rng: Generator) -> Image:
    """Return the rim (ROWS, TURNS, 3) of a chip by its face: the edge's colours run down it, darker at both edges."""
    side = face.shape[0]
    size = (side // 2, TURNS)
    wound = cv2.warpPolar(face, size, ((side - 1) / 2, (side - 1) / 2), side / 2, cv2.INTER_LINEAR)
    outer = wound[:, int(size[0] * 0.92) : int(size[0] * 0.98)].astype(np.float32).mean(1)
    if rng.random() < 0.08:
        outer[:] = np.median(outer, axis=0)
    rim = np.repeat(outer[None], ROWS, 0)
    if rng.random() < 0.12:
        middle = slice(ROWS // 3, 2 * ROWS // 3)
        rim[middle] = np.roll(rim[middle], int(rng.integers(TURNS)), 1)
    across = np.abs(np.linspace(-1, 1, ROWS))
    dark = 1 - float(rng.uniform(0.2, 0.75)) * across ** float(rng.uniform(3, 8))
    rim *= dark[:, None, None] * rng.normal(1, 0.03, (ROWS, TURNS, 1))
    return np.asarray(np.clip(rim, 0, 255), np.uint8)


def _near(tone: Colour, sigma: float, rng: Generator) -> Floats:
    return np.clip(np.array(tone) * rng.uniform(0.85, 1.12) + rng.normal(0, sigma, 3), 10, 248)


def _grain(rng: Generator, sigma: float) -> NDArray[np.float32]:
    coarse = rng.normal(0, sigma, (SIDE // 4, SIDE // 4)).astype(np.float32)
    fine = rng.normal(0, sigma, (SIDE, SIDE)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (SIDE, SIDE)) + fine, np.float32)[..., None]


def _at(radius: float, turn: float) -> tuple[float, float]:
    """Pixels of a place on a face of twice SIDE, its radius in shares of the chip's."""
    return SIDE + SIDE * radius * float(np.cos(turn)), SIDE + SIDE * radius * float(np.sin(turn))


def _edge_spots(image: Image, count: int, inner: float, tone: Floats, rng: Generator) -> None:
    pieces = int(rng.choice([1, 1, 1, 2, 3]))
    half = float(rng.uniform(0.14, 0.5)) * np.pi / max(count, 3)
    wedge = float(rng.choice([1.0, 1.0, 0.3]))
    for index in range(count):
        for piece in range(pieces):
            width = half / (2 * pieces - 1)
            middle = index * 2 * np.pi / count + (2 * piece - pieces + 1) * 2 * width
            turns = middle + np.linspace(-width, width, 7)
            outside = [_at(1.5, turn) for turn in turns]
            inside = [_at(inner, middle + wedge * (turn - middle)) for turn in turns[::-1]]
            points = np.round(np.array(outside + inside) * 16).astype(np.int32)
            cv2.fillPoly(image, [points], as_colour(tone), cv2.LINE_AA, 4)


def _rim_print(
    image: Image, count: int, radius: float, depth: float, spot: Floats, body: Floats, rng: Generator
) -> None:
    """Dice, dots or dashes between the spots or on them."""
    kind, on_spots = int(rng.integers(3)), rng.random() < 0.3
    tone = as_colour(body if on_spots else spot)
    for index in range(count):
        turn = (index + (0.0 if on_spots else 0.5)) * 2 * np.pi / count
        if kind == 0:
            for _ in range(int(rng.integers(2, 7))):
                x, y = _at(radius + float(rng.uniform(-0.3, 0.3)) * depth, turn + float(rng.uniform(-0.12, 0.12)))
                cv2.circle(image, (round(x), round(y)), max(2, round(0.08 * depth * 2 * SIDE)), tone, -1, cv2.LINE_AA)
        else:
            x, y = _at(radius, turn)
            size = (depth * SIDE * 0.6, depth * SIDE * (0.6 if kind == 1 else 0.2))
            box = cv2.boxPoints(((x, y), size, float(np.degrees(turn)) + 90.0 * (kind == 2)))
            cv2.fillPoly(image, [np.round(box).astype(np.int32)], tone, cv2.LINE_AA)


def _inlay(image: Image, radius: float, body: Floats, spot: Floats, rng: Generator) -> None:
    """Draw a label of paper, or the body with raised rings; print words or a mark in most."""
    at, size = (SIDE, SIDE), round(radius * SIDE)
    ground = body
    if rng.random() < 0.55:
        ground = (
            np.clip(rng.uniform(170, 250) + rng.normal(0, 12, 3), 0, 255) if rng.random() < 0.6 else body * 0.8 + 30
        )
        cv2.circle(image, at, size, as_colour(ground), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):
        ring = round(size * float(rng.uniform(0.6, 1.02)))
        tone = spot if rng.random() < 0.35 else ground * float(rng.choice([0.6, 0.75, 1.2]))
        cv2.circle(image, at, ring, as_colour(np.clip(tone, 0, 255)), int(rng.integers(1, 7)), cv2.LINE_AA)
    if rng.random() < 0.6:
        ink = as_colour(
            spot if rng.random() < 0.4 else np.clip(ground + (130 if ground.mean() < 120 else -130), 0, 255)
        )
        word = _WORDS[int(rng.integers(len(_WORDS)))]
        font, thick = int(rng.integers(0, 5)), int(rng.integers(2, 8))
        (w, h), _ = cv2.getTextSize(word, font, 1.0, thick)
        scale = 1.5 * size / max(w, 1.6 * h)
        cv2.putText(
            image,
            word,
            (round(SIDE - w * scale / 2), round(SIDE + h * scale / 2)),
            font,
            scale,
            ink,
            thick,
            cv2.LINE_AA,
        )
    if rng.random() < 0.3:
        for turn in np.arange(0, 2 * np.pi, 2 * np.pi / int(rng.integers(8, 40))):
            x, y = _at(radius * 0.85, float(turn))
            cv2.circle(image, (round(x), round(y)), int(rng.integers(2, 8)), as_colour(spot), -1, cv2.LINE_AA)
