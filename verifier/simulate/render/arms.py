"""Forearms with their sleeves and watches."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.people import Person
from verifier.simulate.render.warp import premultiply

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
ARM_MM: Final = 900.0
_ARM_HALF: Final = 62.0
_BLOCK: Final = 64
"""Rows that are drawn at a time."""
_STRAP: Final = (40.0, 40.0, 45.0)
_GLASS: Final = (190, 195, 195)


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


class Forearm:
    """The forearm hanging down from the wrist at the origin (y grows to the elbow), with its sleeve and watch.

    Its colours are drawn from the wrist down only as far as they are asked for: most of it lies outside the picture.
    """

    def __init__(self, person: Person, scale: float) -> None:
        self._person = person
        self.size = round(2 * _ARM_HALF * scale), round((ARM_MM + 10) * scale)
        self.to_mm = np.array([[1 / scale, 0, 0.5 / scale - _ARM_HALF], [0, 1 / scale, 0.5 / scale - 10.0], [0, 0, 1]])
        columns, rows = self.size
        self._x = (np.arange(columns)[None, :] + 0.5) / scale - _ARM_HALF
        self._y = np.arange(rows)[:, None] / scale - 10.0
        self._folds = _folds(person, self.size)
        self._ink = inked(person.tattoo, (rows, columns), scale) if person.tattoo else None
        self._half, self._round = self._widths()
        reach = (self._half * self._round - np.abs(self._x)) * scale + 0.5
        self.cover = (np.clip(reach, 0, 1) * (self._round > 0.02) * 255).astype(np.uint8)
        self._pixels = np.empty((rows, columns, 4), np.uint8)
        self._drawn = 0

    def pixels(self, rows: int) -> Image:
        """Return the premultiplied BGRA of at least the first `rows` rows, or of all."""
        while self._drawn < min(rows, self.size[1]):
            part = slice(self._drawn, min(self._drawn + _BLOCK, self.size[1]))
            self._pixels[part] = premultiply(self._colours(part), self.cover[part])
            self._drawn = part.stop
        return self._pixels[: self._drawn]

    def _widths(self) -> tuple[Floats, Floats]:
        """Half the width of each row, (rows, 1) mm, and the share of it that shows where the wrist is rounded off."""
        y, person = self._y, self._person
        half = (24.0 + np.minimum(np.maximum(y, 0.0), 260.0) / 13.0) * person.scale + 5.0 * (y >= person.sleeve_from)
        return half, np.where(y < 8, np.sqrt(np.clip(1 - ((8 - y) / 18.0) ** 2, 0, 1)), 1.0)

    def _colours(self, part: slice) -> Image:
        x, y, person = self._x, self._y[part], self._person
        share = np.clip(np.abs(x) / (self._half[part] * np.maximum(self._round[part], 0.05)), 0, 1.5)
        light = 0.45 + 0.58 * np.sqrt(np.clip(1.0 - share**2, 0, 1)) - 0.05 * x / _ARM_HALF
        clothed = np.where(y >= person.sleeve_from, 1.0, 0.0)
        if person.pattern and clothed.any():
            light = light * (1.0 + (_print(person.pattern, x, y, 6.0 + person.sleeve[0] % 17) - 1.0) * clothed)
        cuff = np.exp(-(((y - person.sleeve_from - 1.5) / 2.0) ** 2))
        light = light * (1.0 + self._folds[part] * clothed) * (1.0 - 0.35 * cuff)
        planes = [np.clip(self._skin(part, c) * light, 0, 255).astype(np.uint8) for c in range(3)]
        if person.watch and person.sleeve_from > 45:
            for plane, strap, glass in zip(planes, _STRAP, _GLASS, strict=True):
                np.copyto(plane, (strap * light).astype(np.uint8), where=(np.abs(y - 28.0) < 9.0) & (share < 1.02))
                plane[np.hypot(y - 28.0, x) < 16.0] = glass
        return np.asarray(cv2.merge(planes), np.uint8)

    def _skin(self, part: slice, channel: int) -> Floats:
        """One channel of skin, glove and sleeve without light; (rows, 1), or (rows, columns) where there is ink."""
        y, person = self._y[part], self._person
        skin = np.full_like(y, person.skin[channel])
        if self._ink is not None:
            skin = skin * (1.0 - 0.55 * self._ink[part])
        if person.glove is not None:
            skin = np.where(y < 45.0, person.glove[channel], skin)
        return np.where(y >= person.sleeve_from, person.sleeve[channel], skin)


def _folds(person: Person, size: tuple[int, int]) -> NDArray[np.float32]:
    """How much lighter or darker the sleeve's folds are, with a standard deviation of 0.07."""
    rng = np.random.default_rng(abs(hash(person.sleeve)) % (1 << 32))
    cells = rng.normal(0, 1, (round(ARM_MM / 9), round(_ARM_HALF / 8))).astype(np.float32)
    folds = np.asarray(cv2.resize(cells, size, interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray(folds * (0.07 / max(float(np.std(folds)), 1e-6)), np.float32)


@lru_cache(maxsize=64)
def forearm(person: Person, scale: float) -> Forearm:
    """Return the forearm of `person` at `scale` px/mm."""
    return Forearm(person, scale)
