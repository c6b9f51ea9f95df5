"""Forearms with their sleeves and watches."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.look import Person
from verifier.simulate.render.warp import Texture, premultiply

ARM_MM: Final = 900.0
_ARM_HALF: Final = 62.0


def arm_half_width(along: float, person: Person) -> float:
    """Half the forearm's width `along` millimetres from the wrist."""
    half = (24.0 + min(along, 260.0) / 260.0 * 20.0) * person.scale
    return half + (5.0 if along >= person.sleeve_from else 0.0)


def inked(seed: int, shape: tuple[int, ...], scale: float) -> NDArray[np.float32]:
    """Coverage 0..1 of a tattoo: curls and patches of about a centimetre."""
    rng = np.random.default_rng([seed, 8])
    size = (max(3, int(shape[1] / scale / 7)), max(3, int(shape[0] / scale / 7)))
    field = cv2.resize(rng.normal(0, 1, size[::-1]).astype(np.float32), shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(2.5 * (0.35 - np.abs(field - 0.25)) * 2, 0, 1), np.float32)


def _print(pattern: int, x: NDArray[np.floating], y: NDArray[np.floating], step: float) -> NDArray[np.floating]:
    """Brightness of a sleeve's print: stripes along or across, checks, dots."""
    along, across = np.sin(2 * np.pi * x / step), np.sin(2 * np.pi * y / step)
    both = {1: along + 0 * y, 2: across + 0 * x, 3: np.maximum(along, across), 4: along * across * 1.5 - 0.6}[pattern]
    return np.asarray(1.0 + 0.4 * np.clip(both * 3, -1, 1))


@lru_cache(maxsize=64)
def arm_texture(person: Person, scale: float) -> Texture:
    """The forearm hanging down from the wrist at the origin (y grows to the elbow), with its sleeve and watch."""
    rows, columns = round((ARM_MM + 10) * scale), round(2 * _ARM_HALF * scale)
    y = np.arange(rows)[:, None] / scale - 10.0
    below = np.maximum(y, 0.0)
    x = (np.arange(columns)[None, :] + 0.5) / scale - _ARM_HALF
    half = (24.0 + np.minimum(below, 260.0) / 13.0) * person.scale + 5.0 * (below >= person.sleeve_from)
    round_start = np.where(y < 8, np.sqrt(np.clip(1 - ((8 - y) / 18.0) ** 2, 0, 1)), 1.0)
    share = np.clip(np.abs(x) / (half * np.maximum(round_start, 0.05)), 0, 1.5)
    light = 0.45 + 0.58 * np.sqrt(np.clip(1.0 - share**2, 0, 1)) - 0.05 * x / _ARM_HALF
    rng = np.random.default_rng(abs(hash(person.sleeve)) % (1 << 32))
    cells = rng.normal(0, 1, (round(ARM_MM / 9), round(_ARM_HALF / 8))).astype(np.float32)
    folds = np.asarray(cv2.resize(cells, (columns, rows), interpolation=cv2.INTER_CUBIC))
    folds = folds * (0.07 / max(float(np.std(folds)), 1e-6))
    sleeve = (y >= person.sleeve_from).astype(np.float32) * np.ones_like(x)
    skin = np.broadcast_to(np.array(person.skin), (rows, columns, 3))
    if person.tattoo:
        skin = skin * (1.0 - 0.55 * inked(person.tattoo, (rows, columns), scale)[..., None])
    if person.glove is not None:
        skin = np.where((y < 45.0)[..., None], np.array(person.glove), skin)
    colour = (1 - sleeve)[..., None] * skin + sleeve[..., None] * np.array(person.sleeve)
    cuff = np.exp(-(((y - person.sleeve_from - 1.5) / 2.0) ** 2))
    if person.pattern:
        light = light * (1.0 + (_print(person.pattern, x, y, 6.0 + person.sleeve[0] % 17) - 1.0) * sleeve)
    light = light * (1.0 + folds * sleeve) * (1.0 - 0.35 * cuff)
    image = np.clip(colour * light[..., None], 0, 255)
    if person.watch and person.sleeve_from > 45:
        band = np.abs(y - 28.0) < 9.0
        image = np.where((band & (share < 1.02))[..., None], np.array([40.0, 40.0, 45.0]) * light[..., None], image)
        image = np.where((np.hypot(y - 28.0, x) < 16.0)[..., None], np.array([190.0, 195.0, 195.0]), image)
    cover = (np.clip((half * round_start - np.abs(x)) * scale + 0.5, 0, 1) * (round_start > 0.02) * 255).astype(
        np.uint8
    )
    to_mm = np.array([[1 / scale, 0, 0.5 / scale - _ARM_HALF], [0, 1 / scale, 0.5 / scale - 10.0], [0, 0, 1.0]])
    return Texture(premultiply(image.astype(np.uint8), cover), to_mm)
