"""Suit pips: drawn outlines of many shapes, and those of installed fonts."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from verifier.simulate.render.glyphs import GLYPH_HEIGHT, Mask, arc, font_face, trimmed
from verifier.simulate.render.pip_shapes import black_pip

SYMBOLS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
WILD_PIP: Final = 10_000
"""Pips from this variant on are of every kind; odd ones are the split "test"'s."""
FREE: Final = 0.6
"""Share of the drawn clubs and spades of every kind that are free shapes; the others are the usual outline, bent."""
PIP_FONTS: Final = (
    "FreeSerif.ttf", "FreeSans.ttf", "FreeMono.ttf", "LiberationSerif-Regular.ttf", "LiberationSans-Regular.ttf",
    "LiberationMono-Regular.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf", "DejaVuSans.ttf", "D050000L.otf",
)  # fmt: skip
PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": ((0, 0),),
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "7": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "8": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    "9": ((-1, -1), (1, -1), (-1, -1 / 3), (1, -1 / 3), (0, 0), (-1, 1 / 3), (1, 1 / 3), (-1, 1), (1, 1)),
    "T": (
        (-1, -1),
        (1, -1),
        (0, -2 / 3),
        (-1, -1 / 3),
        (1, -1 / 3),
        (-1, 1 / 3),
        (1, 1 / 3),
        (0, 2 / 3),
        (-1, 1),
        (1, 1),
    ),
}
"""Where the pips stand, in units of the layout's half width and half height from the middle."""


def _outline(suit: str, v: np.ndarray) -> list[list[tuple[float, float]]]:
    """Polygons of a pip in a unit square, upright; `v` (4,) in -1..1 varies the shape."""
    a, b = 0.03 * float(v[0]), 0.04 * float(v[1])
    if suit == "d":
        pinch = 0.06 + 0.05 * float(v[2])
        return [
            [
                (0.5, 0),
                (0.72 - pinch / 2, 0.28 + pinch / 2),
                (0.92 + a, 0.5),
                (0.72 - pinch / 2, 0.72 - pinch / 2),
                (0.5, 1),
                (0.28 + pinch / 2, 0.72 - pinch / 2),
                (0.08 - a, 0.5),
                (0.28 + pinch / 2, 0.28 + pinch / 2),
            ]
        ]
    lobe = 0.26 + a / 2
    if suit == "h":
        left = arc(0.26, 0.28, 0.26, lobe, 150, 345)
        right = arc(0.74, 0.28, 0.26, lobe, 195, 390)
        return [[*left, *right, (0.86 - b, 0.6), (0.5, 1.0), (0.14 + b, 0.6)]]
    stem = [(0.5, 0.6), (0.55, 0.82), (0.72 + b, 1.0), (0.28 - b, 1.0), (0.45, 0.82)]
    if suit == "s":
        left = arc(0.26, 0.62, 0.24, 0.22 + a, 200, 15)
        right = arc(0.74, 0.62, 0.24, 0.22 + a, 165, -20)
        return [[(0.5, 0.0), (0.28 - b, 0.3), *left, (0.5, 0.66), *right, (0.72 + b, 0.3)], stem]
    r = 0.235 + a / 2
    return [
        arc(0.5, r, r, r, 0, 360),
        arc(0.24, 0.57, r, r, 0, 360),
        arc(0.76, 0.57, r, r, 0, 360),
        [(0.4, 0.3), (0.6, 0.3), (0.58, 0.6), (0.42, 0.6)],
        stem,
    ]


@lru_cache(maxsize=256)
def pip_mask(suit: str, variant: int) -> Mask:
    """Coverage of an upright pip, about 160 pixels high; `variant` draws its shape, the built-in font's among them.

    From WILD_PIP on shapes are of every kind: of any installed font, and drawn ones that differ more.
    """
    if variant >= WILD_PIP:
        return _any_pip(suit, variant)
    rng = np.random.default_rng([variant, 77])
    if rng.random() < 0.25:
        image = np.zeros((GLYPH_HEIGHT * 2, GLYPH_HEIGHT * 2, 3), np.uint8)
        face = font_face("sans" if rng.random() < 0.5 else "uni")
        cv2.putText(image, SYMBOLS[suit], (20, int(GLYPH_HEIGHT * 1.5)), (255, 255, 255), face, GLYPH_HEIGHT, 700)
        return trimmed(np.ascontiguousarray(image[..., 0]))
    image = np.zeros((GLYPH_HEIGHT + 20, GLYPH_HEIGHT + 20), np.uint8)
    width = float(rng.uniform(0.82, 1.0))
    for polygon in _outline(suit, rng.uniform(-1, 1, 4)):
        points = np.array(polygon) * (GLYPH_HEIGHT * width, GLYPH_HEIGHT) + 10
        cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return trimmed(image)


def _any_pip(suit: str, variant: int) -> Mask:
    rng = np.random.default_rng([variant, 78])
    if rng.random() < 0.5:
        mask = _font_pip(suit, PIP_FONTS[int(rng.integers(len(PIP_FONTS)))])
    else:
        mask = _drawn_pip(suit, rng)
    heavy = int(rng.integers(-5, 6))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(heavy) + 1,) * 2)
    padded = cv2.copyMakeBorder(mask, 8, 8, 8, 8, cv2.BORDER_CONSTANT)
    changed = cv2.dilate(padded, kernel) if heavy >= 0 else cv2.erode(padded, kernel)
    wide = float(rng.uniform(0.75, 1.1))
    return trimmed(np.asarray(cv2.resize(changed, None, fx=wide, fy=1.0, interpolation=cv2.INTER_LINEAR), np.uint8))


def _font_pip(suit: str, font: str) -> Mask:
    image = np.zeros((GLYPH_HEIGHT * 2, GLYPH_HEIGHT * 2, 3), np.uint8)
    cv2.putText(image, SYMBOLS[suit], (30, int(GLYPH_HEIGHT * 1.5)), (255, 255, 255), font_face(font), GLYPH_HEIGHT, 0)
    return trimmed(np.ascontiguousarray(image[..., 0]))


def _drawn_pip(suit: str, rng: np.random.Generator) -> Mask:
    """Return a free shape, or the usual outline bent further: longer or no stems, fat or thin lobes, leaning sides."""
    free = rng.random() < FREE
    polygons = _outline(suit, rng.uniform(-1, 1, 4) * (1.0 if suit == "d" else 2.2))
    if suit in "sc" and free:
        polygons = black_pip(suit, rng)
    elif suit in "sc":
        foot, top, waist = (float(rng.uniform(*span)) for span in ((0.05, 0.34), (0.45, 0.7), (0.01, 0.09)))
        stem = [
            (0.5 - waist, top),
            (0.5 + waist, top),
            (0.5 + waist, 0.84),
            (0.5 + foot, 1.0),
            (0.5 - foot, 1.0),
            (0.5 - waist, 0.84),
        ]
        polygons = [*polygons[:-1], stem]
    image = np.zeros((GLYPH_HEIGHT + 20, GLYPH_HEIGHT + 20), np.uint8)
    for polygon in polygons:
        points = np.array(polygon) * GLYPH_HEIGHT + 10
        cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return trimmed(image)
