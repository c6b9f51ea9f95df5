"""How chips lie: stacks of 1 to 20 in rows or anywhere, tidy or leaning; spilled and shingled chips; tins."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.table import CHIP_THICKNESS_MM
from verifier.train.stacks.faces import Image, draw_face, rim_of
from verifier.train.stacks.solids import Solid

Floats = NDArray[np.float64]
UP: Final = np.array([0.0, 0.0, 1.0])
RADIUS: Final = 19.5
"""Millimetres from a chip's middle to its edge."""
HIGHEST: Final = 20
"""Chips in a stack at most."""
LEAN: Final = 0.9
"""Of a stack's chips, the farthest that a middle strays from the lowest one's, in radii."""


class Arranger:
    """Random arrangements: each is a list of groups that do not reach into one another, lowest solids first."""

    def __init__(self, rng: Generator, faces: Sequence[Image] = ()) -> None:
        """With `faces` some chips look like these (square pictures of top faces), all others are drawn."""
        self.rng = rng
        kinds = [self._kind(faces) for _ in range(int(rng.integers(1, 7)))]
        thick = CHIP_THICKNESS_MM * float(rng.uniform(0.8, 1.2))
        self.kinds = [Solid(np.zeros(3), UP, RADIUS, thick, face, rim_of(face, rng), 0.0) for face in kinds]
        self.untidy = float(rng.choice([0.3, 0.8, 1.6, 3.0]))

    def _kind(self, faces: Sequence[Image]) -> Image:
        if faces and self.rng.random() < 0.2:
            return faces[int(self.rng.integers(len(faces)))]
        return draw_face(self.rng)

    def groups(self) -> list[list[Solid]]:
        """One arrangement about the table's origin."""
        places = self._places()
        makers: tuple[Callable[[Floats], list[Solid]], ...] = (self.stack, self.spilled, self.shingled, self.tin)
        odds = [0.84, 0.07, 0.05, 0.04] if self.rng.random() < 0.6 else [0.97, 0.01, 0.01, 0.01]
        out = []
        for place in places:
            maker = makers[int(self.rng.choice(4, p=odds))]
            room = min((math.dist(place, other) for other in places if other is not place), default=999.0)
            if maker in (self.spilled, self.shingled) and room < 5 * RADIUS:
                maker = self.stack
            out.append(maker(place))
        return out

    def _places(self) -> list[Floats]:
        """Places on the table that lie more than two radii apart."""
        rng = self.rng
        count = int(rng.choice([1, 2, 3, 4, 5, 6, 8, 11], p=[0.16, 0.19, 0.19, 0.15, 0.11, 0.09, 0.07, 0.04]))
        if rng.random() < 0.55:
            return self._rows(count)
        spread = RADIUS * float(rng.uniform(1.3, 3.5)) * math.sqrt(count)
        out: list[Floats] = []
        for _ in range(20 * count):
            place = rng.normal(0, spread, 2)
            if len(out) < count and all(math.dist(place, other) > 2.1 * RADIUS for other in out):
                out.append(place)
        return out

    def _rows(self, count: int) -> list[Floats]:
        rng = self.rng
        pitch = 2 * RADIUS * float(rng.choice([rng.uniform(1.04, 1.15), rng.uniform(1.1, 2.2)]))
        turn = float(rng.normal(0, 0.35)) if rng.random() < 0.7 else float(rng.uniform(0, np.pi))
        rows = 1 if count < 4 else int(rng.integers(1, 4))
        across = -(-count // rows)
        along, away = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        shift = 0.5 if rng.random() < 0.4 else 0.0
        loose = 0.02 * RADIUS if pitch < 2.2 * RADIUS else 0.08 * RADIUS
        return [
            (
                (number % across - (across - 1) / 2 + shift * (number // across % 2)) * along
                + (number // across - (rows - 1) / 2) * away
            )
            * pitch
            + rng.normal(0, loose, 2)
            for number in range(count)
        ]

    def _chip(self, kind: Solid, place: Floats, z: float, axis: Floats = UP) -> Solid:
        top = np.array([place[0], place[1], z + kind.thick])
        light, spin = float(self.rng.normal(1.0, 0.025)), float(self.rng.uniform(0, 2 * np.pi))
        return replace(kind, top=top, axis=axis, spin=spin, light=light)

    def _any(self) -> Solid:
        return self.kinds[int(self.rng.integers(len(self.kinds)))]

    def _leaning(self, most: float) -> Floats:
        """Return an axis up to about `most` radians off the vertical."""
        tilt = self.rng.normal(0, most / 2, 2)
        return np.array([tilt[0], tilt[1], 1.0])

    def stack(self, place: Floats) -> list[Solid]:
        """Return a stack: straight, untidy, or leaning to a side; of one kind or of several."""
        rng = self.rng
        high = 1 if rng.random() < 0.15 else int(rng.integers(1, HIGHEST + 1))
        slip = self.untidy * float(rng.uniform(0.5, 1.5))
        way = float(rng.uniform(0, 2 * np.pi))
        lean = np.array([np.cos(way), np.sin(way)]) * float(rng.choice([0, 0, rng.uniform(0, 1.2)]))
        one, mixed = self._any(), rng.random() < 0.25
        axis = self._leaning(0.03 * self.untidy if high > 1 else 0.01)
        drift, z, out = np.zeros(2), 0.0, []
        for level in range(high):
            kind = self._any() if mixed and rng.random() < 0.5 else one
            drift = np.clip(drift + lean + rng.normal(0, 0.15 * slip, 2), -LEAN * RADIUS, LEAN * RADIUS)
            off = place + drift * (level > 0) + rng.normal(0, slip, 2)
            out.append(self._chip(kind, off, z, axis + np.append(rng.normal(0, 0.004 * slip, 2), 0.0)))
            z += one.thick * float(rng.uniform(1.0, 1.04))
        return out

    def spilled(self, place: Floats) -> list[Solid]:
        """Chips flat on the table and half on one another."""
        out: list[Solid] = []
        spread = RADIUS * float(self.rng.uniform(0.6, 1.5))
        for _ in range(int(self.rng.integers(2, 9))):
            at = place + self.rng.normal(0, spread, 2)
            under = [math.dist(at, other.top[:2]) < 1.9 * RADIUS for other in out]
            below = max((other.top[2] for other, hit in zip(out, under, strict=True) if hit), default=0.0)
            axis = self._leaning(0.12) if below else UP
            out.append(self._chip(self._any(), at, below, axis))
        return out

    def shingled(self, place: Floats) -> list[Solid]:
        """Return a row of chips, each with one edge on the one before, as a stack that fell or was spread."""
        rng = self.rng
        way, count = float(rng.uniform(0, 2 * np.pi)), int(rng.integers(3, 10))
        along = np.array([np.cos(way), np.sin(way)])
        step = RADIUS * float(rng.uniform(0.7, 1.5))
        one, mixed = self._any(), rng.random() < 0.3
        tilt = math.asin(one.thick / step)
        axis = np.array([*along * math.tan(tilt), 1.0])
        bend = float(rng.normal(0, 0.08))
        out = []
        for number in range(count):
            at = place + along * (number - (count - 1) / 2) * step + [0.0, bend * (number - count / 2) ** 2]
            kind = self._any() if mixed else one
            z = RADIUS * math.sin(tilt) if number else 0.0
            out.append(self._chip(kind, at + rng.normal(0, 0.3, 2), z, axis if number else UP))
        return out

    def tin(self, place: Floats) -> list[Solid]:
        """Return a tin or cup of one colour, which is no chip."""
        rng = self.rng
        tone = rng.uniform(10, 245) * rng.uniform(0.7, 1.3, 3)
        face = np.empty((32, 32, 3), np.uint8)
        face[...] = np.clip(tone * float(rng.uniform(0.2, 1.0)), 0, 255).astype(np.uint8)
        rim = np.clip(tone * np.ones((16, 512, 1)), 0, 255).astype(np.uint8)
        if rng.random() < 0.5:
            rim[5:11, : int(rng.integers(60, 400))] = np.clip(rng.uniform(0, 255, 3), 0, 255).astype(np.uint8)
        tall, radius = float(rng.uniform(15, 70)), RADIUS * float(rng.uniform(0.6, 1.0))
        return [Solid(np.array([*place, tall]), UP, radius, tall, face, rim, float(rng.uniform(0, 6)), chip=False)]
