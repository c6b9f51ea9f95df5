"""Masks of ranks in many styles: built-in and installed fonts, and strokes of our own; printing of masks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
GLYPH_HEIGHT: Final = 160
"""Pixels of a glyph's mask."""
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
def font_face(name: str) -> cv2.FontFace:
    """Return an installed font by its file's name, or one of OpenCV's own; the built-in "sans" where it is missing."""
    for folder in _FONT_FOLDERS:
        if (folder / name).is_file():
            return cv2.FontFace(str(folder / name))
    return cv2.FontFace(name if name in ("sans", "italic", "uni") else "sans")


def arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list[tuple[float, float]]:
    """Points of an ellipse's arc from one angle to another, in degrees."""
    turn = np.radians(np.linspace(start, end, 17))
    return [(float(cx + rx * np.cos(a)), float(cy + ry * np.sin(a))) for a in turn]


_STROKES: Final[dict[str, list[list[tuple[float, float]]]]] = {
    "A": [[(0.02, 1), (0.35, 0), (0.68, 1)], [(0.15, 0.64), (0.55, 0.64)]],
    "2": [[*arc(0.33, 0.29, 0.3, 0.29, 190, 380), (0.02, 1), (0.66, 1)]],
    "3": [[*arc(0.31, 0.26, 0.28, 0.26, 200, 450)], [*arc(0.31, 0.74, 0.33, 0.26, -90, 160)]],
    "4": [[(0.66, 0.7), (0, 0.7), (0.48, 0), (0.48, 1)]],
    "5": [[(0.6, 0), (0.1, 0), (0.06, 0.45), *arc(0.3, 0.68, 0.33, 0.32, -110, 155)]],
    "6": [[(0.5, 0), (0.1, 0.5), *arc(0.33, 0.69, 0.31, 0.31, 180, 540)]],
    "7": [[(0, 0), (0.64, 0), (0.22, 1)]],
    "8": [[*arc(0.33, 0.25, 0.27, 0.25, 0, 360)], [*arc(0.33, 0.75, 0.32, 0.25, 0, 360)]],
    "9": [[(0.2, 1), (0.58, 0.5), *arc(0.33, 0.31, 0.31, 0.31, 0, 360)]],
    "10": [[(0.08, 0), (0.08, 1)], [*arc(0.52, 0.5, 0.23, 0.5, 0, 360)]],
    "J": [[(0.55, 0), (0.55, 0.72), *arc(0.29, 0.72, 0.26, 0.28, 0, 175)], [(0.3, 0), (0.7, 0)]],
    "Q": [[*arc(0.34, 0.48, 0.32, 0.48, 0, 360)], [(0.36, 0.7), (0.7, 1.04)]],
    "K": [[(0.05, 0), (0.05, 1)], [(0.62, 0), (0.08, 0.58)], [(0.26, 0.4), (0.66, 1)]],
}


def _strokes(rank: str, thickness: float) -> Mask:
    image = np.zeros((int(GLYPH_HEIGHT * 1.3), int(GLYPH_HEIGHT * 1.1)), np.uint8)
    for line in _STROKES[rank]:
        points = (np.array(line) * GLYPH_HEIGHT + 0.15 * GLYPH_HEIGHT).astype(np.int32)
        cv2.polylines(image, [points], False, 255, max(2, round(thickness * GLYPH_HEIGHT)), cv2.LINE_AA)
    return image


def trimmed(image: Mask) -> Mask:
    """Return the part of a mask that holds ink."""
    x, y, w, h = cv2.boundingRect((image > 40).astype(np.uint8))
    return np.ascontiguousarray(image[y : y + h, x : x + w])


@lru_cache(maxsize=512)
def text_mask(text: str, font: str) -> Mask:
    """Coverage 0..255 of `text` in `font`, trimmed to the ink, about 160 pixels high."""
    name, _, detail = font.partition(":")
    if name == "strokes" and text in _STROKES:
        return trimmed(_strokes(text, float(detail)))
    image = np.zeros((GLYPH_HEIGHT * 2, GLYPH_HEIGHT * (len(text) + 1), 3), np.uint8)
    origin = (GLYPH_HEIGHT // 3, int(GLYPH_HEIGHT * 1.5))
    if name == "hershey":
        scale = GLYPH_HEIGHT / 22.0
        cv2.putText(image, text, origin, int(detail), scale, (255, 255, 255), round(GLYPH_HEIGHT / 11), cv2.LINE_AA)
    else:
        weight = int(detail) if name == "sans" and detail else 0
        cv2.putText(image, text, origin, (255, 255, 255), font_face(name), GLYPH_HEIGHT, weight)
    mask = np.ascontiguousarray(image[..., 0])
    if name == "uni":
        mask = np.asarray(cv2.dilate(mask, np.ones((int(detail) * 2 + 1,) * 2, np.uint8)), dtype=np.uint8)
    return trimmed(mask)


def stamp(
    image: NDArray[np.uint8],
    mask: Mask,
    centre: tuple[float, float],
    size: tuple[float, float],
    colour: tuple[float, float, float],
    flip: bool = False,
) -> None:
    """Print `mask` scaled to `size` (w, h) pixels around `centre` in `colour` onto a BGR `image`, in place."""
    stamps(image, mask, [(centre, flip)], size, colour)


def stamps(
    image: NDArray[np.uint8],
    mask: Mask,
    places: Sequence[tuple[tuple[float, float], bool]],
    size: tuple[float, float],
    colour: tuple[float, float, float],
) -> None:
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
    """Print the colour `tone` in place over `part`, as much as `cover` says, 0..255."""
    share = cover.astype(np.float32)
    share /= 255.0
    alpha = np.asarray(cv2.cvtColor(share, cv2.COLOR_GRAY2BGR), np.float32)
    ink = alpha * tone
    np.subtract(1, alpha, out=alpha)
    alpha *= part
    alpha += ink
    part[...] = alpha.astype(np.uint8)
