"""Grounds that are no gaming table: wood, carpet, cloth, paper, patterned and plain, as tiles laid over the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.camera import Camera
from verifier.simulate.render.colours import Colour, as_colour
from verifier.simulate.render.look import Look
from verifier.simulate.render.painter import Painter

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
_SIDE: Final = 256
_COLOURS: Final[tuple[Colour, ...]] = (
    (60, 95, 140), (95, 120, 150), (150, 150, 155), (90, 80, 75), (70, 110, 160), (205, 210, 212), (35, 45, 70),
    (120, 160, 190), (50, 50, 52), (140, 90, 50), (60, 60, 150), (80, 120, 60),
)  # fmt: skip


def draw_surface(look: Look, camera: Camera, rng: Generator) -> Image:
    """Return the ground of `look.surface` over the whole picture, with a few large patches of other tones."""
    base = np.clip(np.array(_COLOURS[int(rng.integers(len(_COLOURS)))]) + rng.normal(0, 18, 3), 10, 245)
    if look.surface == "paper":
        base = np.clip(rng.uniform(185, 250) + rng.normal(0, 6, 3), 150, 255)
    tile = np.clip(_TILES[look.surface](rng, base.astype(np.float32)), 0, 255).astype(np.uint8)
    image = _laid(tile, camera, rng)
    image = _uneven(image, rng)
    painter = Painter(image, camera)
    for _ in range(int(rng.integers(0, 4))):
        at, size = rng.uniform((-800, -450), (800, 450)), rng.uniform(60, 500, 2)
        tone = as_colour(np.clip(base + rng.normal(0, 55, 3), 5, 250))
        painter.rect((at[0], at[1], at[0] + size[0], at[1] + size[1]), tone)
    if rng.random() < 0.2:
        _written(painter, rng)
    return image


def _laid(tile: Image, camera: Camera, rng: Generator) -> Image:
    """Return the tile repeated over the picture, turned by any angle; 0.4 to 3 mm a pixel."""
    size = max(0.4, camera.pixels_per_mm * float(rng.uniform(0.4, 2.2)))
    turn = float(rng.choice([0.0, 90.0, rng.uniform(0, 360)]))
    times = int(np.ceil(np.hypot(*camera.size) / (_SIDE * size))) + 1
    wide = cv2.repeat(tile, times, times)
    side = times * _SIDE / 2
    matrix = cv2.getRotationMatrix2D((side, side), turn, size)
    matrix[:, 2] = matrix[:, 2] + np.array(camera.size) / 2 - side
    out = cv2.warpAffine(wide, matrix, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def _uneven(image: Image, rng: Generator) -> Image:
    """Broad changes of tone: wear, folds, stains."""
    cells = rng.normal(128, float(rng.uniform(2, 14)), (int(rng.integers(3, 9)), int(rng.integers(3, 9))))
    field = cv2.resize(cells.astype(np.float32), (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC)
    grey = cv2.cvtColor(np.clip(field, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.multiply(image, grey, scale=1 / 128.0), np.uint8)


def _noise(rng: Generator, rows: int, columns: int, sigma: float) -> Floats:
    small = rng.normal(0, sigma, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(small, (_SIDE, _SIDE), interpolation=cv2.INTER_LINEAR), np.float32)[..., None]


def _wood(rng: Generator, base: Floats) -> Floats:
    grain = _noise(rng, 150, 5, 10.0) + _noise(rng, 40, 3, 12.0)
    out = base + grain * np.array([0.8, 0.95, 1.0], np.float32)
    planks = int(rng.integers(0, 6))
    for index in range(planks):
        y0, y1 = index * _SIDE // planks, (index + 1) * _SIDE // planks
        out[y0:y1] += float(rng.normal(0, 9))
        out[y0 : y0 + 2] *= 0.55
    return np.asarray(out)


def _carpet(rng: Generator, base: Floats) -> Floats:
    other = np.clip(base + rng.normal(0, 35, 3), 5, 250).astype(np.float32)
    share = np.clip(_noise(rng, 20, 20, 0.8) + 0.4, 0, 1)
    return np.asarray(base * (1 - share) + other * share + _noise(rng, 256, 256, 20.0))


def _plain(rng: Generator, base: Floats) -> Floats:
    return np.asarray(base + _noise(rng, 4, 4, 3.0) + _noise(rng, 256, 256, 2.0))


def _cloth(rng: Generator, base: Floats) -> Floats:
    turn = np.arange(_SIDE, dtype=np.float32) * np.float32(2 * np.pi / float(rng.choice([4, 8, 16])))
    weave = (np.sin(turn)[:, None] + np.sin(turn)[None, :])[..., None] * np.float32(rng.uniform(2, 12))
    return np.asarray(base + weave + _noise(rng, 7, 7, 7.0) + _noise(rng, 256, 256, 4.0))


def _paper(rng: Generator, base: Floats) -> Floats:
    out = base + _noise(rng, 3, 3, 3.0) + _noise(rng, 256, 256, 1.5)
    if rng.random() < 0.4:
        out[:: int(rng.integers(12, 30))] -= 50.0
    return np.asarray(out)


def _pattern(rng: Generator, base: Floats) -> Floats:
    """Stripes, checks, dots or leaves in two or three colours."""
    out = np.empty((_SIDE, _SIDE, 3), np.float32)
    out[...] = base
    kind, step = int(rng.integers(4)), int(rng.choice([16, 32, 64, 128]))
    for _ in range(int(rng.integers(1, 3))):
        tone = as_colour(np.clip(base + rng.normal(0, 70, 3), 5, 250))
        wide = int(rng.integers(max(2, step // 8), step * 2 // 3))
        for x in range(0, _SIDE, step):
            if kind in (0, 1):
                out[:, x : x + wide] = out[:, x : x + wide] * 0.4 + np.array(tone, np.float32) * 0.6
            if kind == 1:
                out[x : x + wide] = out[x : x + wide] * 0.4 + np.array(tone, np.float32) * 0.6
            for y in range(0, _SIDE, step) if kind > 1 else ():
                centre = (x + step // 2, y + step // 2)
                axes = (max(1, wide // 2), max(1, wide // (2 if kind == 2 else 5)))
                cv2.ellipse(out, centre, axes, float(rng.uniform(0, 180)), 0, 360, tone, -1, cv2.LINE_AA)
    return np.asarray(out + _noise(rng, 256, 256, 3.0))


_TILES: Final[dict[str, Callable[[Generator, Floats], Floats]]] = {
    "wood": _wood, "carpet": _carpet, "plain": _plain, "cloth": _cloth, "paper": _paper, "pattern": _pattern,
}  # fmt: skip


def _written(painter: Painter, rng: Generator) -> None:
    """Words printed on the ground, as on boxes, mats and papers."""
    word = ("WELCOME", "KITCHEN", "10", "ACE", "A", "MAT 7", "8", "NOTES", "2026", "K", "J Q")[int(rng.integers(11))]
    at = (float(rng.uniform(-500, 500)), float(rng.uniform(-350, 350)))
    ink = as_colour(rng.uniform(0, 255, 3))
    painter.text(word, at, float(rng.uniform(12, 90)), float(rng.uniform(0, 360)), "sans:700", ink, 0.8)
