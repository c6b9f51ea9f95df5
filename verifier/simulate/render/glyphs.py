"""Masks of ranks and suit pips in many styles: built-in and installed fonts, strokes of our own, and pip polygons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
_HEIGHT: Final = 160
_FONT_FOLDERS: Final = tuple(
    Path("/usr/share/fonts") / name
    for name in ("truetype/dejavu", "truetype/liberation", "truetype/freefont", "opentype/urw-base35")
)

FONTS: Final[dict[str, tuple[str, ...]]] = {
    "train": (
        "sans:600", "sans:800", "uni:2", "uni:5", "hershey:4", "hershey:7", "strokes:0.11", "strokes:0.16",
        "LiberationSerif-Bold.ttf", "DejaVuSerif-Bold.ttf", "LiberationSans-Bold.ttf", "DejaVuSansCondensed-Bold.ttf",
    ),
    "test": (
        "sans:500", "uni:3", "hershey:3", "strokes:0.13", "DejaVuSans-Bold.ttf", "LiberationSansNarrow-Bold.ttf",
        "DejaVuSerifCondensed-Bold.ttf",
    ),
}  # fmt: skip
"""Index fonts of the two splits; installed fonts that are missing fall back to the built-in one."""


MORE_FONTS: Final[dict[str, tuple[str, ...]]] = {
    "train": (
        *FONTS["train"], "sans:400", "strokes:0.09", "strokes:0.2", "hershey:2", "hershey:6", "LiberationMono-Bold.ttf",
        "LiberationSerif-Regular.ttf", "LiberationSans-Regular.ttf", "DejaVuSans.ttf", "DejaVuSerif.ttf",
        "LiberationSansNarrow-Regular.ttf", "C059-Bold.otf", "C059-Roman.otf", "NimbusSansNarrow-Bold.otf",
        "URWBookman-Demi.otf", "URWGothic-Demi.otf", "FreeSerifBold.ttf", "FreeMonoBold.ttf", "P052-Bold.otf",
        "NimbusRoman-Bold.otf", "Z003-MediumItalic.otf", "LiberationSerif-BoldItalic.ttf",
    ),
    "test": (
        *FONTS["test"], "sans:700", "DejaVuSansMono-Bold.ttf", "FreeSansBold.ttf", "NimbusMonoPS-Bold.otf",
        "URWBookman-Light.otf", "URWGothic-Book.otf", "P052-Roman.otf", "LiberationSans-BoldItalic.ttf",
    ),
}  # fmt: skip
"""The splits' index fonts and more, for decks of every kind (Debian's fonts-urw-base35, fonts-freefont-ttf)."""


@lru_cache(maxsize=64)
def _face(name: str) -> cv2.FontFace:
    for folder in _FONT_FOLDERS:
        if (folder / name).is_file():
            return cv2.FontFace(str(folder / name))
    return cv2.FontFace(name if name in ("sans", "italic", "uni") else "sans")


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list[tuple[float, float]]:
    turn = np.radians(np.linspace(start, end, 17))
    return [(float(cx + rx * np.cos(a)), float(cy + ry * np.sin(a))) for a in turn]


_STROKES: Final[dict[str, list[list[tuple[float, float]]]]] = {
    "A": [[(0.02, 1), (0.35, 0), (0.68, 1)], [(0.15, 0.64), (0.55, 0.64)]],
    "2": [[*_arc(0.33, 0.29, 0.3, 0.29, 190, 380), (0.02, 1), (0.66, 1)]],
    "3": [[*_arc(0.31, 0.26, 0.28, 0.26, 200, 450)], [*_arc(0.31, 0.74, 0.33, 0.26, -90, 160)]],
    "4": [[(0.66, 0.7), (0, 0.7), (0.48, 0), (0.48, 1)]],
    "5": [[(0.6, 0), (0.1, 0), (0.06, 0.45), *_arc(0.3, 0.68, 0.33, 0.32, -110, 155)]],
    "6": [[(0.5, 0), (0.1, 0.5), *_arc(0.33, 0.69, 0.31, 0.31, 180, 540)]],
    "7": [[(0, 0), (0.64, 0), (0.22, 1)]],
    "8": [[*_arc(0.33, 0.25, 0.27, 0.25, 0, 360)], [*_arc(0.33, 0.75, 0.32, 0.25, 0, 360)]],
    "9": [[(0.2, 1), (0.58, 0.5), *_arc(0.33, 0.31, 0.31, 0.31, 0, 360)]],
    "10": [[(0.08, 0), (0.08, 1)], [*_arc(0.52, 0.5, 0.23, 0.5, 0, 360)]],
    "J": [[(0.55, 0), (0.55, 0.72), *_arc(0.29, 0.72, 0.26, 0.28, 0, 175)], [(0.3, 0), (0.7, 0)]],
    "Q": [[*_arc(0.34, 0.48, 0.32, 0.48, 0, 360)], [(0.36, 0.7), (0.7, 1.04)]],
    "K": [[(0.05, 0), (0.05, 1)], [(0.62, 0), (0.08, 0.58)], [(0.26, 0.4), (0.66, 1)]],
}


def _strokes(rank: str, thickness: float) -> Mask:
    image = np.zeros((int(_HEIGHT * 1.3), int(_HEIGHT * 1.1)), np.uint8)
    for line in _STROKES[rank]:
        points = (np.array(line) * _HEIGHT + 0.15 * _HEIGHT).astype(np.int32)
        cv2.polylines(image, [points], False, 255, max(2, round(thickness * _HEIGHT)), cv2.LINE_AA)
    return image


def _trim(image: Mask) -> Mask:
    x, y, w, h = cv2.boundingRect((image > 40).astype(np.uint8))
    return np.ascontiguousarray(image[y : y + h, x : x + w])


@lru_cache(maxsize=512)
def text_mask(text: str, font: str) -> Mask:
    """Coverage 0..255 of `text` in `font`, trimmed to the ink, about 160 pixels high."""
    name, _, detail = font.partition(":")
    if name == "strokes" and text in _STROKES:
        return _trim(_strokes(text, float(detail)))
    image = np.zeros((_HEIGHT * 2, _HEIGHT * (len(text) + 1), 3), np.uint8)
    origin = (_HEIGHT // 3, int(_HEIGHT * 1.5))
    if name == "hershey":
        scale = _HEIGHT / 22.0
        cv2.putText(image, text, origin, int(detail), scale, (255, 255, 255), round(_HEIGHT / 11), cv2.LINE_AA)
    else:
        weight = int(detail) if name == "sans" and detail else 0
        cv2.putText(image, text, origin, (255, 255, 255), _face(name), _HEIGHT, weight)
    mask = np.ascontiguousarray(image[..., 0])
    if name == "uni":
        mask = np.asarray(cv2.dilate(mask, np.ones((int(detail) * 2 + 1,) * 2, np.uint8)), dtype=np.uint8)
    return _trim(mask)


def _outline(suit: str, v: np.ndarray) -> list[list[tuple[float, float]]]:
    """Polygons of a pip in a unit square, upright; `v` (4,) in -1..1 varies the shape."""
    a, b = 0.03 * float(v[0]), 0.04 * float(v[1])
    if suit == "d":
        pinch = 0.06 + 0.05 * float(v[2])
        return [[(0.5, 0), (0.72 - pinch / 2, 0.28 + pinch / 2), (0.92 + a, 0.5), (0.72 - pinch / 2, 0.72 - pinch / 2),
                 (0.5, 1), (0.28 + pinch / 2, 0.72 - pinch / 2), (0.08 - a, 0.5), (0.28 + pinch / 2, 0.28 + pinch / 2),
                 ]]  # fmt: skip
    lobe = 0.26 + a / 2
    if suit == "h":
        left = _arc(0.26, 0.28, 0.26, lobe, 150, 345)
        right = _arc(0.74, 0.28, 0.26, lobe, 195, 390)
        return [[*left, *right, (0.86 - b, 0.6), (0.5, 1.0), (0.14 + b, 0.6)]]
    stem = [(0.5, 0.6), (0.55, 0.82), (0.72 + b, 1.0), (0.28 - b, 1.0), (0.45, 0.82)]
    if suit == "s":
        left = _arc(0.26, 0.62, 0.24, 0.22 + a, 200, 15)
        right = _arc(0.74, 0.62, 0.24, 0.22 + a, 165, -20)
        return [[(0.5, 0.0), (0.28 - b, 0.3), *left, (0.5, 0.66), *right, (0.72 + b, 0.3)], stem]
    r = 0.235 + a / 2
    return [_arc(0.5, r, r, r, 0, 360), _arc(0.24, 0.57, r, r, 0, 360), _arc(0.76, 0.57, r, r, 0, 360),
            [(0.4, 0.3), (0.6, 0.3), (0.58, 0.6), (0.42, 0.6)], stem]  # fmt: skip


@lru_cache(maxsize=256)
def pip_mask(suit: str, variant: int) -> Mask:
    """Coverage of an upright pip, about 160 pixels high; `variant` draws its shape, the built-in font's among them."""
    rng = np.random.default_rng([variant, 77])
    if rng.random() < 0.25:
        image = np.zeros((_HEIGHT * 2, _HEIGHT * 2, 3), np.uint8)
        symbol = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[suit]
        face = _face("sans" if rng.random() < 0.5 else "uni")
        cv2.putText(image, symbol, (20, int(_HEIGHT * 1.5)), (255, 255, 255), face, _HEIGHT, 700)
        return _trim(np.ascontiguousarray(image[..., 0]))
    image = np.zeros((_HEIGHT + 20, _HEIGHT + 20), np.uint8)
    width = float(rng.uniform(0.82, 1.0))
    for polygon in _outline(suit, rng.uniform(-1, 1, 4)):
        points = np.array(polygon) * (_HEIGHT * width, _HEIGHT) + 10
        cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return _trim(image)


def stamp(image: NDArray[np.uint8], mask: Mask, centre: tuple[float, float], size: tuple[float, float],
          colour: tuple[float, float, float], flip: bool = False) -> None:  # fmt: skip
    """Prints `mask` scaled to `size` (w, h) pixels around `centre` in `colour` onto a BGR `image`, in place."""
    stamps(image, mask, [(centre, flip)], size, colour)


def stamps(image: NDArray[np.uint8], mask: Mask, places: Sequence[tuple[tuple[float, float], bool]],
           size: tuple[float, float], colour: tuple[float, float, float]) -> None:  # fmt: skip
    """`stamp` at several centres, each upright or upside down (True)."""
    w, h = max(1, round(size[0])), max(1, round(size[1]))
    small = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    turned = small[::-1, ::-1]
    tone = np.array(colour, np.float32)
    for centre, flip in places:
        x, y = round(centre[0] - w / 2), round(centre[1] - h / 2)
        x0, y0, x1, y1 = max(0, x), max(0, y), min(image.shape[1], x + w), min(image.shape[0], y + h)
        if x0 < x1 and y0 < y1:
            cover = (turned if flip else small)[y0 - y : y1 - y, x0 - x : x1 - x]
            _ink(image[y0:y1, x0:x1], np.asarray(cover, np.uint8), tone)


def _ink(part: NDArray[np.uint8], cover: Mask, tone: NDArray[np.float32]) -> None:
    """Prints in place the colour `tone` over `part` as much as `cover` says, 0..255."""
    share = cover.astype(np.float32)
    share /= 255.0
    alpha = np.asarray(cv2.cvtColor(share, cv2.COLOR_GRAY2BGR), np.float32)
    ink = alpha * tone
    np.subtract(1, alpha, out=alpha)
    alpha *= part
    alpha += ink
    part[...] = alpha.astype(np.uint8)
