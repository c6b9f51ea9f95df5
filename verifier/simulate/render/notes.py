"""Bank notes: a plain one, and endless others drawn by chance about the outlines of United States notes.

Each has a pale margin, numbers in the corners, a portrait and seals on its face, a vignette on its back. What a
reader can learn of them is numbers and sides, not pictures: real notes look otherwise.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.colours import Colour, shaded
from verifier.simulate.render.glyphs import MORE_FONTS, stamp, text_mask
from verifier.simulate.render.warp import Texture, one_colour, premultiply

Image = NDArray[np.uint8]
BILL_MM: Final = (156.0, 66.0)
PLAIN: Final = 0
"""The design of the notes in simulated recordings."""
_CORNERS: Final = ((0.09, 0.2), (0.91, 0.2), (0.09, 0.8), (0.91, 0.8))
_INKS: Final[dict[str, tuple[Colour, ...]]] = {
    "up": ((60, 65, 60), (70, 85, 75), (50, 55, 62), (85, 90, 85)),
    "down": ((75, 115, 70), (60, 100, 55), (90, 120, 85), (80, 95, 60), (95, 125, 110)),
}
_TINTS: Final[tuple[Colour, ...]] = (
    (200, 175, 200),
    (150, 190, 225),
    (170, 205, 190),
    (220, 190, 165),
    (180, 195, 190),
)
"""Purple, orange, green, blue and grey washes (BGR), as notes of several values have."""
_WORDS: Final = {100: "ONE", 200: "TWO", 500: "FIVE", 1000: "TEN", 2000: "TWENTY", 5000: "FIFTY", 10000: "HUNDRED"}


@lru_cache(maxsize=128)
def bill_texture(cents: int, face: str, scale: float, design: int = PLAIN) -> Texture:
    """Return the side `face` ("up": the portrait) of a note of `cents` at `scale` px/mm; PLAIN or another `design`."""
    fine = scale * 2
    image = _plain(cents, face, fine) if design == PLAIN else _drawn(cents, face, fine, design)
    size = (image.shape[1] // 2, image.shape[0] // 2)
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Texture.centred(premultiply(small, np.full(size[::-1], 255, np.uint8)), scale)


def _blank(colour: Colour, fine: float) -> Image:
    return one_colour((max(4, round(BILL_MM[0] * fine)), max(4, round(BILL_MM[1] * fine))), colour)


def _plain(cents: int, face: str, fine: float) -> Image:
    """Green and grey, alike for all values but for the numbers and a few lines."""
    image = _blank((165, 185, 178) if face == "up" else (150, 182, 158), fine)
    h, w = image.shape[:2]
    ink: Colour = (70, 85, 75) if face == "up" else (75, 115, 70)
    edge = int(4 * fine)
    cv2.rectangle(image, (edge, edge), (w - edge, h - edge), ink, max(1, int(2.2 * fine)))
    rng = np.random.default_rng([cents, face == "up"])
    for _ in range(30):
        x = int(rng.integers(int(8 * fine), w - int(8 * fine)))
        end = (int(x + rng.normal(0, 8) * fine), h - int(9 * fine))
        cv2.line(image, (x, int(9 * fine)), end, (148, 170, 160), 1, cv2.LINE_AA)
    _oval(image, (0.5, 0.5), (14 * fine, 19 * fine), (140, 150, 148))
    if face == "up":
        _oval(image, (0.5, 0.45), (7 * fine, 9 * fine), (95, 100, 100))
        cv2.circle(image, (int(w * 0.7), h // 2), int(8 * fine), (75, 130, 80), -1, cv2.LINE_AA)
    mask = text_mask(str(cents // 100), "sans:700")
    for left, top in _CORNERS:
        stamp(image, mask, (w * left, h * top), (12 * fine * min(1.4, mask.shape[1] / mask.shape[0]), 11 * fine), ink)
    return image


def _oval(image: Image, at: tuple[float, float], axes: tuple[float, float], colour: Colour) -> None:
    h, w = image.shape[:2]
    middle = (int(w * at[0]), int(h * at[1]))
    cv2.ellipse(image, middle, (int(axes[0]), int(axes[1])), 0, 0, 360, colour, -1, cv2.LINE_AA)


def _drawn(cents: int, face: str, fine: float, design: int) -> Image:
    rng = np.random.default_rng([design, cents, face == "up", 23])
    pale = float(rng.uniform(150, 232))
    paper: Colour = (pale * float(rng.uniform(0.86, 1.0)), pale, pale * float(rng.uniform(0.9, 1.02)))
    image = _blank(paper, fine)
    inks = _INKS[face]
    ink = shaded(inks[int(rng.integers(len(inks)))], float(rng.uniform(0.6, 1.15)))
    _engraving(image, rng, fine, paper, ink)
    if face == "up":
        _portrait(image, rng, fine, paper, ink)
    else:
        _vignette(image, rng, fine, paper, ink)
    _words(image, rng, fine, ink, _WORDS.get(cents, "NOTE"))
    _numbers(image, rng, fine, (paper, ink), str(cents // 100))
    return _used(image, rng, fine)


def _engraving(image: Image, rng: Generator, fine: float, paper: Colour, ink: Colour) -> None:
    """Draw a frame inside the pale margin, filled more or less with fine lines, and a wash of colour."""
    h, w = image.shape[:2]
    edge = int(rng.uniform(3, 7) * fine)
    wash = _TINTS[int(rng.integers(len(_TINTS)))] if rng.random() < 0.5 else paper
    depth, full = float(rng.uniform(0.0, 0.55)), float(rng.uniform(0.3, 1.0))
    inner = image[edge : h - edge, edge : w - edge]
    across = np.abs(np.linspace(-1, 1, inner.shape[1], dtype=np.float32))[None, :, None]
    tone = np.asarray(wash, np.float32) * (1 - depth) + np.asarray(ink, np.float32) * depth
    share = np.clip(across * full + (1 - full) + rng.normal(0, 0.1), 0, 1)
    inner[...] = np.clip(inner * (1 - share) + tone * share, 0, 255).astype(np.uint8)
    lines = shaded(ink, float(rng.uniform(1.1, 1.8)), 20)
    for _ in range(int(rng.integers(0, 60))):
        x, y = int(rng.integers(edge, w - edge)), int(rng.integers(edge, h - edge))
        axes = (int(rng.uniform(3, 30) * fine), int(rng.uniform(2, 14) * fine))
        turn = float(rng.uniform(0, 360))
        cv2.ellipse(image, (x, y), axes, turn, 0, float(rng.uniform(40, 300)), lines, 1, cv2.LINE_AA)
    image[:edge], image[h - edge :], image[:, :edge], image[:, w - edge :] = (np.asarray(paper, np.uint8),) * 4
    if rng.random() < 0.8:
        cv2.rectangle(image, (edge, edge), (w - edge, h - edge), ink, max(1, int(rng.uniform(0.4, 2.5) * fine)))


def _portrait(image: Image, rng: Generator, fine: float, paper: Colour, ink: Colour) -> None:
    """Draw a head, mostly in an oval, and one or two seals at its sides."""
    x = float(rng.choice([0.5, rng.uniform(0.38, 0.55)]))
    if rng.random() < 0.7:
        light = shaded(paper, float(rng.uniform(0.8, 1.05)))
        _oval(image, (x, 0.5), (float(rng.uniform(12, 20)) * fine, float(rng.uniform(17, 26)) * fine), light)
    dark = shaded(ink, float(rng.uniform(0.8, 1.4)))
    _oval(image, (x, 0.78), (float(rng.uniform(10, 15)) * fine, 12 * fine), shaded(dark, 0.8))
    _oval(image, (x, float(rng.uniform(0.4, 0.5))), (7.5 * fine, float(rng.uniform(9, 12)) * fine), shaded(dark, 1.6))
    for side, chance in ((0.72, 0.9), (0.26, 0.7)):
        if rng.random() < chance:
            seal: Colour = (75, 130, 80) if side > 0.5 else dark
            at = (int(image.shape[1] * (side + rng.normal(0, 0.02))), int(image.shape[0] * rng.uniform(0.4, 0.6)))
            thick = -1 if rng.random() < 0.5 else max(1, int(1.5 * fine))
            cv2.circle(image, at, int(rng.uniform(5.5, 9) * fine), seal, thick, cv2.LINE_AA)


def _vignette(image: Image, rng: Generator, fine: float, paper: Colour, ink: Colour) -> None:
    """Draw a building in a frame or an oval; or circles, or words alone."""
    h, w = image.shape[:2]
    draw = rng.random()
    light = shaded(paper, float(rng.uniform(0.85, 1.05)))
    if draw < 0.25:
        _oval(image, (0.5, 0.5), (float(rng.uniform(14, 40)) * fine, float(rng.uniform(14, 22)) * fine), light)
        return
    if draw < 0.4:
        for side in (0.27, 0.73):
            _oval(image, (side, 0.5), (15 * fine, 15 * fine), light)
        return
    half, tall = float(rng.uniform(30, 50)) * fine, float(rng.uniform(13, 21)) * fine
    x0, y0, x1, y1 = (int(v) for v in (w / 2 - half, h / 2 - tall, w / 2 + half, h / 2 + tall))
    cv2.rectangle(image, (x0, y0), (x1, y1), light, -1)
    roof = int(y0 + tall * float(rng.uniform(0.4, 0.9)))
    cv2.rectangle(image, (x0 + (x1 - x0) // 8, roof), (x1 - (x1 - x0) // 8, y1 - 1), shaded(ink, 1.7, 10), -1)
    for column in np.linspace(x0 + (x1 - x0) / 6, x1 - (x1 - x0) / 6, int(rng.integers(5, 12))):
        cv2.line(image, (int(column), roof), (int(column), y1), light, max(1, int(1.2 * fine)), cv2.LINE_AA)


def _words(image: Image, rng: Generator, fine: float, ink: Colour, value: str) -> None:
    """Lines of text along the long sides, and the value in words."""
    h, w = image.shape[:2]
    for text, y in (("THE UNITED STATES OF AMERICA", 0.13), (f"{value} DOLLARS", 0.88), ("B 03542754 F", 0.27)):
        if rng.random() < 0.75:
            mask = text_mask(text, str(rng.choice(MORE_FONTS["train"][:8])))
            wide = float(rng.uniform(0.3, 0.55)) * w if y != 0.27 else 0.25 * w
            at = (w * (0.5 if y != 0.27 else float(rng.uniform(0.2, 0.8))), h * y)
            stamp(image, mask, at, (wide, min(wide * mask.shape[0] / mask.shape[1], 6 * fine)), ink)


def _numbers(image: Image, rng: Generator, fine: float, tones: tuple[Colour, Colour], number: str) -> None:
    """Print the value in three or four corners, one of them often larger; pale on a dark patch, or dark."""
    h, w = image.shape[:2]
    paper, ink = tones
    mask = text_mask(number, str(rng.choice(MORE_FONTS["train"])))
    usual, inset = float(rng.uniform(8, 12.5)), float(rng.uniform(0.0, 0.03))
    big, patched = int(rng.integers(0, 6)), rng.random() < 0.35
    left_out = int(rng.integers(0, 12))
    for place, (left, top) in enumerate(_CORNERS):
        if place == left_out:
            continue
        tall = usual * (float(rng.uniform(1.2, 1.7)) if place == big else 1.0) * fine
        wide = tall * min(1.5, mask.shape[1] / mask.shape[0])
        x = w * (left + (inset if left < 0.5 else -inset))
        x = min(max(x, wide / 2 + 4 * fine), w - wide / 2 - 4 * fine)
        y = min(max(h * top, tall / 2 + 4 * fine), h - tall / 2 - 4 * fine)
        if patched:
            cv2.ellipse(image, (int(x), int(y)), (int(wide * 0.75), int(tall * 0.75)), 0, 0, 360, ink, -1, cv2.LINE_AA)
        stamp(image, mask, (x, y), (wide, tall), paper if patched else shaded(ink, float(rng.uniform(0.6, 1.1))))


def _used(image: Image, rng: Generator, fine: float) -> Image:
    """Folds, dirt and a fading toward one side."""
    h, w = image.shape[:2]
    tone = cv2.resize(rng.normal(0, 9, (4, 8)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(rng.integers(0, 4))):
        x, lean = int(rng.integers(0, w)), int(rng.normal(0, 4) * fine)
        cv2.line(tone, (x, 0), (x + lean, h), float(rng.choice([-30, 25])), max(1, int(0.8 * fine)), cv2.LINE_AA)
    return np.asarray(np.clip(image + tone[..., None], 0, 255), np.uint8)
