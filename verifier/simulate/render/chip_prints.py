"""Chips as sets for home and club have them: wide printed or moulded faces of which only the rim shows the body.

Between white edge spots lie dice or suits, within them rings, dashes and an inlay that takes up to nine tenths of the
face: of the body's colour and lighter or darker, run from white to it, set with pale wedges, of paper or of foil. Which
colour the chip is, and so what it is worth, is told by the rim between the spots (99-01.3-08-03(3): "primary color").
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.colours import Colour, as_colour
from verifier.simulate.render.glyphs import FONTS, stamp, text_mask
from verifier.simulate.render.pips import pip_mask
from verifier.simulate.render.splits import Split
from verifier.simulate.render.warp import Texture, premultiply
from verifier.simulate.table import CHIP_DIAMETER_MM

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]
RADIUS: Final = CHIP_DIAMETER_MM / 2
EDGE: Final = 1.05
"""Side of half the picture in units of the chip's radius."""
LIGHT: Final[Colour] = (232.0, 238.0, 242.0)
PALES: Final = np.array([LIGHT, (205, 228, 240), (215, 215, 215), (190, 205, 212)], np.float32)
"""White, cream, greyish white and bone: what most spots and prints are of."""
DARK: Final[Colour] = (34.0, 32.0, 34.0)
RED: Final[Colour] = (45.0, 40.0, 205.0)
GOLD: Final[Colour] = (70.0, 165.0, 205.0)
INLAYS: Final = ("own", "run", "run", "wedges", "wedges", "paper", "foil")


class _Plate:
    """A face being painted: pixels (s, s, 3) float32 BGR, and each pixel's radius (1 at the rim) and turn (degrees)."""

    def __init__(self, side: int, body: Floats) -> None:
        self.side = side
        axis = (np.arange(side, dtype=np.float32) - (side - 1) / 2) / ((side - 1) / 2) * EDGE
        x, y = np.meshgrid(axis, axis)
        self.radius, self.turn = np.hypot(x, y), np.degrees(np.arctan2(y, x)) % 360
        self.x, self.y = x, y
        self.soft = 1.5 * EDGE / (side / 2)
        self.pixels: Floats = np.broadcast_to(body, (side, side, 3)).astype(np.float32)

    def ring(self, inner: float, outer: float) -> Floats:
        """(s, s) coverage of what lies between two radii, soft at its edges."""
        within = np.clip((self.radius - inner) / self.soft, 0, 1) * np.clip((outer - self.radius) / self.soft, 0, 1)
        return np.asarray(within, np.float32)

    def rays(self, count: int, half: float, start: float = 0.0) -> Floats:
        """(s, s) coverage of `count` rays, `half` degrees to either side of each."""
        off = np.abs((self.turn - start + 180 / count) % (360 / count) - 180 / count)
        return np.asarray(np.clip((half - off) * np.radians(1) * self.radius / self.soft + 0.5, 0, 1), np.float32)

    def paint(self, cover: Floats, colour: Floats | tuple[float, ...]) -> None:
        """Lay a colour, or a picture of the same size, over the face."""
        self.pixels += cover[..., None] * (np.asarray(colour, np.float32) - self.pixels)

    def print_mask(self, mask: Image, at: tuple[float, float], height: float, colour: Colour) -> None:
        """Print a glyph's or pip's mask about `at`, `height` in units of the radius."""
        unit = (self.side - 1) / 2 / EDGE
        wide = height * mask.shape[1] / mask.shape[0]
        middle = (self.side - 1) / 2
        image = np.clip(self.pixels, 0, 255).astype(np.uint8)
        place = (middle + at[0] * unit, middle + at[1] * unit)
        stamp(image, mask, place, (max(2.0, wide * unit), max(2.0, height * unit)), colour)
        self.pixels = image.astype(np.float32)


def printed_face(body: tuple[float, ...], cents: int, scale: float, rng: Generator, split: Split = "train") -> Texture:
    """Return the top face of a chip of a body colour (BGR) whose print follows from `rng`, at `scale` px/mm."""
    side = 2 * round(RADIUS * EDGE * scale * 2)
    own = np.asarray(body, np.float32)
    plate = _Plate(side, own)
    rim = float(rng.uniform(0.62, 0.9))
    _rim(plate, own, rim, rng)
    inlay = rim * float(rng.uniform(0.8, 1.0))
    _rings(plate, own, inlay, rim, rng)
    if rng.random() < 0.93:
        _inlay(plate, own, inlay, rng)
        _emblem(plate, cents, inlay, rng, split)
    _relief(plate, own, rng)
    cover = np.clip((1 - plate.radius) / plate.soft + 0.5, 0, 1)
    size = (side // 2, side // 2)
    small, alpha = (
        np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.uint8)
        for one in (np.clip(plate.pixels, 0, 255).astype(np.uint8), (255 * cover).astype(np.uint8))
    )
    return Texture.centred(premultiply(small, alpha), size[0] / (2 * RADIUS * EDGE))


def _pale(rng: Generator) -> Floats:
    return np.asarray(PALES[int(rng.integers(len(PALES)))] * rng.uniform(0.85, 1.05), np.float32)


def _any(rng: Generator) -> Floats:
    return rng.uniform(15, 245, 3).astype(np.float32)


def _rim(plate: _Plate, own: Floats, rim: float, rng: Generator) -> None:
    """Edge spots, most of them white, and between them dice, suits or nothing."""
    count = int(rng.choice([0, 4, 6, 6, 8, 8, 8, 10, 12]))
    if not count:
        return
    dull = float(np.abs(own - PALES[0]).max()) < 60
    spot = _any(rng) if dull or rng.random() < 0.2 else _pale(rng)
    pale = spot.min() > 150 and not dull
    half = float(rng.uniform(0.14, 0.28 if pale else 0.2)) * 360 / count
    inner = rim * float(rng.uniform(0.92, 1.06))
    plate.paint(plate.ring(inner, 2.0) * plate.rays(count, half), spot)
    if rng.random() < 0.3:
        plate.paint(plate.ring(inner, 2.0) * plate.rays(count, half * 0.4), own if rng.random() < 0.5 else _any(rng))
    if rng.random() < 0.55:
        at = (rim + 1) / 2
        mark = float(rng.uniform(0.35, 0.6)) * (1 - rim)
        for index in range(count):
            turn = np.radians((index + 0.5) * 360 / count)
            place = (float(at * np.cos(turn)), float(at * np.sin(turn)))
            if rng.random() < 0.5:
                plate.print_mask(pip_mask("shdc"[index % 4], 7), place, 1.6 * mark, as_colour(spot))
            else:
                _die(plate, place, mark, spot, rng)


def _die(plate: _Plate, at: tuple[float, float], half: float, colour: Floats, rng: Generator) -> None:
    """Draw a die's outline with a few dots."""
    away = np.maximum(np.abs(plate.x - at[0]), np.abs(plate.y - at[1]))
    outline = np.clip((half - away) / plate.soft, 0, 1) - np.clip((half * 0.75 - away) / plate.soft, 0, 1)
    plate.paint(np.clip(outline, 0, 1) * 0.8, colour)
    for _ in range(int(rng.integers(1, 5))):
        dot = np.asarray(at) + rng.uniform(-0.5, 0.5, 2) * half
        plate.paint(np.clip((half * 0.18 - np.hypot(plate.x - dot[0], plate.y - dot[1])) / plate.soft, 0, 1), colour)


def _rings(plate: _Plate, own: Floats, inlay: float, rim: float, rng: Generator) -> None:
    """Draw what runs between rim and inlay: dashes, thin rings, a band of another colour."""
    kind = rng.random()
    if kind < 0.35:
        dashes = plate.rays(int(rng.choice([8, 12, 16, 24])), float(rng.uniform(3, 10)), float(rng.uniform(0, 40)))
        plate.paint(plate.ring(inlay, inlay + 0.35 * (1 - inlay)) * dashes, _pale(rng))
    elif kind < 0.75:
        for _ in range(int(rng.integers(1, 4))):
            at = float(rng.uniform(inlay, rim + 0.02))
            colour = _pale(rng) if rng.random() < 0.6 else own * 0.5 if rng.random() < 0.5 else _any(rng)
            plate.paint(plate.ring(at - 0.012, at + float(rng.uniform(0.01, 0.05))), colour)
    elif kind < 0.85:
        plate.paint(plate.ring(inlay, rim), _any(rng) if rng.random() < 0.5 else _pale(rng))


def _inlay(plate: _Plate, own: Floats, inlay: float, rng: Generator) -> None:
    kind = str(rng.choice(INLAYS))
    within, pale = plate.ring(-1.0, inlay), _pale(rng)
    if kind == "own":
        plate.paint(within, np.clip(own * rng.uniform(0.65, 1.25) + rng.uniform(-10, 25), 0, 255))
    elif kind == "paper":
        plate.paint(within, pale if rng.random() < 0.5 else np.asarray(DARK) if rng.random() < 0.4 else _any(rng))
    elif kind == "foil":
        run = 0.5 + 0.5 * np.sin(plate.x * rng.normal(0, 5) + plate.y * rng.normal(0, 5) + rng.uniform(0, 6))
        other = np.clip(own * 0.5 + _any(rng) * 0.5, 0, 255)
        plate.paint(within, run[..., None] * pale + (1 - run[..., None]) * other)
    else:
        _run(plate, own, pale, inlay, within, rng)
        if kind == "wedges":
            _wedges(plate, inlay, pale, rng)


def _run(plate: _Plate, own: Floats, pale: Floats, inlay: float, within: Floats, rng: Generator) -> None:
    """From white to the body's own colour, outward, inward or across."""
    across = plate.x * np.cos(turn := float(rng.uniform(0, 6.3))) + plate.y * np.sin(turn)
    share = plate.radius / inlay if rng.random() < 0.6 else 0.5 + 0.5 * across / inlay
    share = np.clip(share if rng.random() < 0.5 else 1 - share, 0, 1) ** float(rng.uniform(0.5, 2.5))
    share *= float(rng.uniform(0.5, 1.0))
    strong = np.clip(own * rng.uniform(0.85, 1.2), 0, 255)
    plate.paint(within, share[..., None] * strong + (1 - share[..., None]) * pale)


def _wedges(plate: _Plate, inlay: float, pale: Floats, rng: Generator) -> None:
    """Pale fields about the middle, a dot or suit on each now and then."""
    count, start = int(rng.integers(3, 10)), float(rng.uniform(0, 120))
    inner, outer = inlay * float(rng.uniform(0.2, 0.5)), inlay * float(rng.uniform(0.75, 0.98))
    fields = plate.ring(inner, outer) * plate.rays(count, float(rng.uniform(0.25, 0.42)) * 360 / count, start)
    plate.paint(fields * float(rng.uniform(0.5, 1.0)), pale)
    colour = _dye(rng)
    for index in range(count if rng.random() < 0.6 else 0):
        turn = np.radians(start + index * 360 / count)
        at = (float(np.cos(turn)) * (inner + outer) / 2, float(np.sin(turn)) * (inner + outer) / 2)
        plate.print_mask(pip_mask("shdc"[index % 4], 7), at, 0.4 * (outer - inner), colour)


def _dye(rng: Generator) -> Colour:
    return (DARK, RED, LIGHT, GOLD)[int(rng.choice(4, p=[0.45, 0.25, 0.2, 0.1]))]


def _emblem(plate: _Plate, cents: int, inlay: float, rng: Generator, split: Split) -> None:
    """Draw a suit or a number in the middle, the value aside, a line of letters round it."""
    fonts = FONTS[split]
    font = fonts[int(rng.integers(len(fonts)))]
    text = text_mask(str(cents // 100 if cents >= 100 else cents), font)
    kind = rng.random()
    if kind < 0.45:
        plate.print_mask(
            pip_mask("shdc"[int(rng.integers(4))], 7), (0.0, 0.0), inlay * rng.uniform(0.3, 0.8), _dye(rng)
        )
        if rng.random() < 0.6:
            turn = float(rng.uniform(0, 6.3))
            at = (0.6 * inlay * float(np.cos(turn)), 0.6 * inlay * float(np.sin(turn)))
            plate.print_mask(text, at, inlay * float(rng.uniform(0.15, 0.3)), _dye(rng))
    elif kind < 0.85:
        plate.print_mask(text, (0.0, 0.0), inlay * float(rng.uniform(0.35, 0.9)), _dye(rng))
    if rng.random() < 0.3:
        letters = plate.rays(int(rng.integers(20, 40)), float(rng.uniform(2, 4)))
        gap = np.abs(plate.turn - 180) < float(rng.uniform(60, 180))
        plate.paint(plate.ring(inlay * 0.72, inlay * 0.86) * letters * gap * 0.8, _dye(rng))


def _relief(plate: _Plate, own: Floats, rng: Generator) -> None:
    """Moulded edges, scratches, and the lamp's sheen over all of it."""
    for at in rng.uniform(0.5, 1.0, int(rng.integers(0, 3))):
        plate.paint(plate.ring(float(at) - 0.015, float(at) + 0.015) * 0.5, own * (0.55 if rng.random() < 0.6 else 1.3))
    plate.paint(plate.ring(0.96, 2.0) * 0.6, own * 0.6)
    coarse = rng.normal(0, 1, (12, 12)).astype(np.float32)
    grain = cv2.resize(coarse, (plate.side, plate.side), interpolation=cv2.INTER_CUBIC)
    turn = float(rng.uniform(0, 6.3))
    across = plate.x * np.cos(turn) + plate.y * np.sin(turn)
    plate.pixels *= (1 + float(rng.uniform(0, 0.2)) * across + float(rng.uniform(0, 0.06)) * grain)[..., None]
    if rng.random() < 0.35:
        at = rng.uniform(-0.6, 0.6, 2)
        glare = np.exp(-(((plate.x - at[0]) ** 2 + (plate.y - at[1]) ** 2) / float(rng.uniform(0.1, 0.8))))
        plate.paint((glare * float(rng.uniform(0.1, 0.5))).astype(np.float32), as_colour((250, 250, 250)))
