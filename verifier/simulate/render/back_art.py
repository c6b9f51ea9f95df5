"""Card backs of every kind that players use: plain, ruled, latticed, swirled, tiled, marbled, with emblems or words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.colours import Colour, as_colour
from verifier.simulate.render.glyphs import stamp, text_mask
from verifier.simulate.render.pips import pip_mask
from verifier.simulate.render.warp import one_colour

Image = NDArray[np.uint8]
Field = NDArray[np.float64]
_WORDS: Final = ("CASINO", "CLUB 21", "ACES", "LODGE", "PLAY", "VFW", "ROYAL", "777", "LUCKY", "N D", "BINGO", "EAGLE")


def back_art(seed: int, size: tuple[int, int], scale: float) -> Image:
    """Return a back of `size` (width, height) pixels at `scale` px/mm; everything follows from `seed`."""
    rng = np.random.default_rng([seed, 6])
    dark = as_colour(np.clip(_ink(rng), 5, 250))
    light = as_colour(np.clip(rng.uniform(190, 252, 3) if rng.random() < 0.6 else _ink(rng) * 0.5 + 110, 5, 252))
    paper = as_colour(rng.normal(244, 5, 3).clip(215, 255)) if rng.random() < 0.8 else light
    image = one_colour(size, paper)
    edge = 0 if rng.random() < 0.35 else max(1, round(float(rng.uniform(1.5, 7.0)) * scale))
    inner = image[edge : size[1] - edge, edge : size[0] - edge]
    share = np.clip(_FAMILIES[int(rng.integers(len(_FAMILIES)))](rng, inner.shape[:2], scale), 0.0, 1.0)
    inner[...] = between(share, light, dark)
    if rng.random() < 0.4:
        line = max(1, round(float(rng.uniform(0.4, 1.2)) * scale))
        gap = edge + round(float(rng.uniform(0.0, 3.0)) * scale)
        corners = (gap, gap), (size[0] - 1 - gap, size[1] - 1 - gap)
        cv2.rectangle(image, *corners, light if rng.random() < 0.5 else dark, line)
    if rng.random() < 0.45:
        _emblem(image, rng, dark, light, scale)
    return image


def between(share: Field, light: Colour, dark: Colour) -> Image:
    """(h, w, 3) of two colours, of the first as much as `share` says, 0..1."""
    rest = 1 - share
    planes = [(share * a + rest * b).astype(np.uint8) for a, b in zip(light, dark, strict=True)]
    return np.asarray(cv2.merge(planes), np.uint8)


def _ink(rng: Generator) -> NDArray[np.float64]:
    """Blues and reds mostly, as decks are; else any hue, or near black."""
    draw = rng.random()
    if draw < 0.35:
        return np.array((rng.uniform(95, 190), rng.uniform(30, 95), rng.uniform(10, 60)))
    if draw < 0.65:
        return np.array((rng.uniform(20, 70), rng.uniform(15, 50), rng.uniform(130, 215)))
    if draw < 0.75:
        return np.full(3, rng.uniform(15, 60))
    return rng.uniform(15, 200, 3)


def _grid(shape: tuple[int, int]) -> tuple[Field, Field]:
    h, w = shape
    yy, xx = np.mgrid[0:h, 0:w]
    return xx - w / 2 + 0.5, yy - h / 2 + 0.5


def _sharp(field: Field, rng: Generator) -> Field:
    return field * float(rng.uniform(0.8, 4.0)) + float(rng.uniform(0.1, 0.9))


def _plain(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    return np.zeros(shape) + float(rng.uniform(0.0, 0.15))


def _ruled(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    x, y = _grid(shape)
    turn, step = float(rng.choice([0.0, 0.785, 1.571, rng.uniform(0, 3.14)])), float(rng.uniform(1.2, 9.0)) * scale
    wave = np.sin((x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / step)
    if rng.random() < 0.6:
        wave = wave * np.sin((y * np.cos(turn) - x * np.sin(turn)) * 2 * np.pi / (step * float(rng.uniform(0.7, 1.4))))
    return _sharp(wave, rng)


def _lattice(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    x, y = _grid(shape)
    step = float(rng.uniform(2.0, 8.0)) * scale
    u, v = (x + y) / step, (x - y) / step * float(rng.uniform(0.8, 1.25))
    lines = np.minimum(np.abs(u - np.round(u)), np.abs(v - np.round(v)))
    dots = np.hypot(u - np.floor(u) - 0.5, v - np.floor(v) - 0.5)
    out = (float(rng.uniform(0.06, 0.2)) - lines) * 12
    return np.maximum(out, (float(rng.uniform(0.05, 0.3)) - dots) * 12) if rng.random() < 0.7 else out


def _swirled(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    """Guilloche: waves round the middle, the same both ways up."""
    x, y = _grid(shape)
    r, turn = np.hypot(x, y) / scale, np.arctan2(y, x)
    petals, pitch = 2 * int(rng.integers(2, 13)), float(rng.uniform(1.5, 7.0))
    lean = float(rng.uniform(0.0, 6.0))
    wave = np.sin(r * 2 * np.pi / pitch + lean * np.sin(petals * turn)) + 0.8 * np.cos(
        petals * turn + r * rng.uniform(0, 0.6)
    )
    fine = np.sin(np.abs(x) / scale * rng.uniform(1, 5)) * np.sin(np.abs(y) / scale * rng.uniform(1, 5))
    return _sharp(wave * 0.6 + fine * float(rng.uniform(0, 0.8)), rng)


def _marbled(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    """Photograph-like: noise of several sizes."""
    h, w = shape
    out = np.zeros(shape)
    for cells, weight in ((3, 1.0), (7, 0.7), (15, 0.45), (33, 0.3)):
        noise = rng.normal(0, weight, (cells + 1, max(2, cells * 2 // 3))).astype(np.float32)
        out += cv2.resize(noise, (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.4:
        out = np.sin(out * float(rng.uniform(1.5, 5.0)))
    if rng.random() < 0.4:
        out = (out + out[::-1, ::-1]) / 1.5
    return out * 0.4 + float(rng.uniform(0.2, 0.7))


def _tiled(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    """Return a field of one small mark, repeated again and again."""
    h, w = shape
    side = max(4, round(float(rng.uniform(3.0, 11.0)) * scale))
    mark = pip_mask("shdc"[int(rng.integers(4))], int(rng.integers(1000)))
    if rng.random() < 0.4:
        mark = text_mask(_WORDS[int(rng.integers(len(_WORDS)))][0], "sans:700")
    inset = max(2, round(side * float(rng.uniform(0.5, 0.85))))
    tile = np.zeros((side, side), np.float64)
    tile[:inset, :inset] = cv2.resize(mark, (inset, inset), interpolation=cv2.INTER_AREA) / 255.0
    many = np.tile(tile, (h // side + 2, w // side + 2))
    if rng.random() < 0.6:
        rows = (np.arange(many.shape[0]) // side % 2 == 1)[:, None]
        many = np.where(rows, np.roll(many, side // 2, 1), many)
    return many[:h, :w]


def _shaded(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    """Return a slow change of tone, straight or round."""
    x, y = _grid(shape)
    x, y = x / shape[1], y / shape[0]
    turn = float(rng.uniform(0, 6.28))
    return np.hypot(x, y) * 1.3 if rng.random() < 0.5 else 0.5 + x * np.cos(turn) + y * np.sin(turn)


def _panels(rng: Generator, shape: tuple[int, int], scale: float) -> Field:
    """Large shapes: diamonds, halves, frames within frames."""
    x, y = _grid(shape)
    u, v = np.abs(x) / (shape[1] / 2), np.abs(y) / (shape[0] / 2)
    distance = (np.maximum(u, v), u + v, np.hypot(u, v), u - v * 0.5)[int(rng.integers(4))]
    return _sharp(np.sin(distance * np.pi * float(rng.uniform(1.0, 6.0))) * 2, rng)


_FAMILIES: Final[tuple[Callable[[Generator, tuple[int, int], float], Field], ...]] = (
    _plain, _ruled, _ruled, _lattice, _lattice, _swirled, _swirled, _swirled, _marbled, _tiled, _shaded, _panels,
    _panels,
)  # fmt: skip


def _emblem(image: Image, rng: Generator, dark: Colour, light: Colour, scale: float) -> None:
    """Draw a medallion, a word or a mark in the middle, or one in each half."""
    h, w = image.shape[:2]
    size = float(rng.uniform(9, 24)) * scale
    ground, ink = (dark, light) if rng.random() < 0.5 else (light, dark)
    font = ("sans:600", "uni:3", "hershey:4", "LiberationSerif-Bold.ttf")[int(rng.integers(4))]
    words = rng.random() < 0.4
    mark = (
        text_mask(_WORDS[int(rng.integers(len(_WORDS)))], font) if words else pip_mask("shdc"[int(rng.integers(4))], 7)
    )
    wide, tall = (size * 1.7, size * 1.7 * mark.shape[0] / mark.shape[1]) if words else (size * 0.8, size * 0.9)
    double = rng.random() < 0.35
    for side in (-1, 1) if double else (0,):
        at = (w / 2, h / 2 + side * h * 0.23)
        if rng.random() < 0.6 or not double:
            axes = (max(1, round(size * 0.95)), max(1, round(size * float(rng.uniform(0.7, 1.2)))))
            cv2.ellipse(image, (round(at[0]), round(at[1])), axes, 0, 0, 360, ground, -1, cv2.LINE_AA)
            cv2.ellipse(
                image, (round(at[0]), round(at[1])), axes, 0, 0, 360, ink, max(1, round(0.5 * scale)), cv2.LINE_AA
            )
        stamp(image, mark, at, (wide, tall), ink, flip=side > 0)
