"""Court cards without a drawn figure of the usual kind: a big letter instead, or a painting printed small."""

from __future__ import annotations

from typing import Final, Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.glyphs import Mask, stamp
from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
_SKINS: Final[tuple[Colour, ...]] = ((165, 190, 225), (130, 165, 205), (185, 205, 235))


def plain_court(seed: int) -> Literal["letter", "painted"] | None:
    """Which of these a deck's figures are; None for drawn figures."""
    draw = np.random.default_rng([seed, 6]).random()
    return "letter" if draw < 0.2 else "painted" if draw < 0.36 else None


def big_letter(image: Image, rank: str, seed: int, letter: Mask, pip: Mask, scale: float, ink: Colour) -> None:
    """Print the letter large into a card `image` of `scale` px/mm, once or twice, perhaps with pips, in place."""
    deck = np.random.default_rng([seed, 7])
    w, h = CARD_MM
    twice, pips = deck.random() < 0.3, deck.random() < 0.5
    tall = float(deck.uniform(16, 26) if twice else deck.uniform(20, 48))
    wide = min(tall * letter.shape[1] / letter.shape[0] * float(deck.uniform(0.8, 1.2)), 0.6 * w)
    size = (wide * scale, tall * scale)
    if twice:
        stamp(image, letter, (w / 2 * scale, 0.3 * h * scale), size, ink)
        stamp(image, letter, (w / 2 * scale, 0.7 * h * scale), size, ink, flip=True)
    else:
        stamp(image, letter, (w / 2 * scale, h / 2 * scale), size, ink)
    if pips:
        small, x, y = float(deck.uniform(7, 12)), float(deck.uniform(15, 20)), float(deck.uniform(9, 15))
        stamp(image, pip, (x * scale, y * scale), (small * scale, small * scale), ink)
        stamp(image, pip, ((w - x) * scale, (h - y) * scale), (small * scale, small * scale), ink, flip=True)


def painted(image: Image, rank: str, suit: str, seed: int, scale: float, left: float) -> None:
    """Lay soft strokes of many colours with a face, as of a printed painting, into the card's middle, in place."""
    deck = np.random.default_rng([seed, 8])
    rng = np.random.default_rng([seed, 9, "JQK".index(rank), "shdc".index(suit)])
    h, w = image.shape[:2]
    x0, y0 = round(left * scale), round(float(deck.uniform(5, 14)) * scale)
    twin = deck.random() < 0.6
    rows = (h - 2 * y0) // (2 if twin else 1)
    half = _strokes(rows, w - 2 * x0, rng, image[h // 2, w // 2].astype(float))
    image[y0 : y0 + rows, x0 : w - x0] = half
    if twin:
        image[h - y0 - rows : h - y0, x0 : w - x0] = half[::-1, ::-1]
    if deck.random() < 0.6:
        cv2.rectangle(image, (x0, y0), (w - x0, h - y0), (40, 40, 40), max(1, round(0.3 * scale)), cv2.LINE_AA)


def _strokes(rows: int, columns: int, rng: Generator, paper: NDArray[np.float64]) -> Image:
    tones = rng.uniform(20, 220, 3) + rng.normal(0, 45, (9, 6, 3))
    coarse = np.clip(tones, 10, 245).astype(np.uint8)
    body = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC)
    fine = rng.normal(0, 22, (max(4, rows // 3), max(4, columns // 3), 1)).astype(np.float32)
    body = np.clip(body + cv2.resize(fine, (columns, rows))[..., None], 0, 255)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    u, v = (x / columns - 0.5) * 2, y / rows
    inside = (np.abs(u) < 0.25 + 0.6 * np.clip((v - 0.3) * 1.6, 0, 1)) & (v > 0.06)
    out = np.where(inside[..., None], body, paper).astype(np.uint8)
    centre, size = (columns // 2, int(0.24 * rows)), (max(1, int(0.13 * columns)), max(1, int(0.11 * rows)))
    cv2.ellipse(out, centre, size, 0, 0, 360, _SKINS[int(rng.integers(3))], -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 0.8), np.uint8)
