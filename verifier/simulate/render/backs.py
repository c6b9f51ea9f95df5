"""Back designs of playing cards."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.back_art import back_art, between
from verifier.simulate.render.colours import as_colour
from verifier.simulate.render.glyphs import stamp
from verifier.simulate.render.look import WILD
from verifier.simulate.render.pips import pip_mask
from verifier.simulate.render.stock import finish_card
from verifier.simulate.render.warp import Texture
from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
_BACK_COLOURS: Final = (
    (40, 30, 170),
    (140, 60, 30),
    (60, 30, 110),
    (45, 95, 40),
    (35, 35, 40),
    (20, 90, 170),
    (120, 40, 90),
)


def _back_pattern(image: Image, kind: int, colour: Colour, light: Colour, scale: float) -> None:
    h, w = image.shape[:2]
    step = max(3, round((2.2 + kind % 5) * scale))
    yy, xx = np.mgrid[0:h, 0:w]
    u, v = (xx - w / 2) / step, (yy - h / 2) / step
    waves = (
        lambda: np.sin(np.pi * (u + v)) * np.sin(np.pi * (u - v)),
        lambda: np.sin(np.pi * u * 1.3) + np.sin(np.pi * v * 1.3),
        lambda: np.sin(np.hypot(u, v) * 3.0),
        lambda: np.sin(np.pi * (u + v) * 1.4),
        lambda: np.cos(np.arctan2(v, u) * 12) + np.sin(np.hypot(u, v) * 2),
        lambda: np.full(u.shape, -1.0),
    )
    share = np.clip(waves[kind % 6]() * 2 + 0.5, 0, 1)
    image[...] = between(share, light, colour)


@lru_cache(maxsize=256)
def back_texture(back: int, scale: float) -> Texture:
    """Return the back design number `back` at `scale` px/mm; odd and even designs differ in their patterns' parameters.

    Designs from `look.WILD` up are of every kind (`back_art`); those below are a card room's ordinary ones.
    """
    if back >= WILD:
        small = (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))
        drawn = cv2.resize(back_art(back, (small[0] * 2, small[1] * 2), scale * 2), small, interpolation=cv2.INTER_AREA)
        return finish_card(np.ascontiguousarray(drawn, dtype=np.uint8), scale)
    size = (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))
    drawn = cv2.resize(_ordinary(back, scale * 2), size, interpolation=cv2.INTER_AREA)
    return finish_card(np.asarray(drawn, dtype=np.uint8), scale)


def _ordinary(back: int, scale: float) -> Image:
    """Return a card room's back at `scale` px/mm: a border or none, a pattern, and now and then a pip in an oval."""
    rng = np.random.default_rng([back, 5])
    w, h = round(CARD_MM[0] * scale), round(CARD_MM[1] * scale)
    colour = np.clip(np.array(_BACK_COLOURS[int(rng.integers(len(_BACK_COLOURS)))]) + rng.normal(0, 12, 3), 5, 245)
    light = np.clip(235 - rng.uniform(0, 60, 3), 0, 255) if rng.random() < 0.7 else np.clip(colour + 50, 0, 255)
    image = np.full((h, w, 3), 245, np.uint8)
    border = 0.0 if rng.random() < 0.25 else float(rng.uniform(2.5, 5.0))
    edge = round(border * scale)
    inner = image[edge : h - edge, edge : w - edge]
    _back_pattern(inner, int(rng.integers(60)), as_colour(colour), as_colour(light), scale)
    if rng.random() < 0.5:
        _medallion(image, back, as_colour(colour), as_colour(light), scale)
    return image


def _medallion(image: Image, back: int, colour: Colour, light: Colour, scale: float) -> None:
    h, w = image.shape[:2]
    for across, along, tone in ((14, 18, light), (11, 15, colour)):
        axes = (round(across * scale), round(along * scale))
        cv2.ellipse(image, (w // 2, h // 2), axes, 0, 0, 360, tone, -1, cv2.LINE_AA)
    mask = pip_mask("shdc"[back % 4], back)
    stamp(image, mask, (w / 2, h / 2), (12 * scale, 13 * scale), light)
