"""Pasting flat textures into the picture through a homography, anti-aliased, touching only their own region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
P = TypeVar("P", np.uint8, np.float32, np.float64)
Floats = NDArray[np.float64]
Box = tuple[int, int, int, int]
LEVELS: Final = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
"""Texture scales in pixels per millimetre; a sprite is drawn at the first that is not below the picture's scale."""


def level_for(scale: float) -> float:
    """Return the texture scale for `scale` px/mm of the picture: never magnified much, minified at most 1.4 times."""
    return next((level for level in LEVELS if level >= scale * 0.98), LEVELS[-1])


@dataclass(frozen=True)
class Texture:
    """Premultiplied BGRA pixels, or (h, w) coverage for black.

    `to_mm` maps homogeneous pixel corners to the sprite's own millimetres.
    """

    pixels: Image
    to_mm: Floats

    @classmethod
    def centred(cls, pixels: Image, scale: float) -> Texture:
        """Return a texture of `scale` px/mm whose middle is the sprite's origin."""
        h, w = pixels.shape[:2]
        return cls(
            pixels, np.array([[1 / scale, 0, (0.5 - w / 2) / scale], [0, 1 / scale, (0.5 - h / 2) / scale], [0, 0, 1]])
        )


def one_colour(size: tuple[int, int], colour: Sequence[float] | Floats) -> Image:
    """(h, w, 3) pixels of one colour, `size` being (width, height); a row is repeated, which is quick."""
    image = np.empty((size[1], size[0], 3), np.uint8)
    image[:1] = np.asarray(colour)
    image[1:] = image[:1]
    return image


def premultiply(bgr: Image, alpha: Image) -> Image:
    """BGRA with the colours multiplied by the coverage."""
    share = alpha.astype(np.float32)
    share /= 255.0
    part = np.multiply(bgr, np.asarray(cv2.cvtColor(share, cv2.COLOR_GRAY2BGR)), dtype=np.float32)
    part += 0.5
    out = cv2.cvtColor(part.astype(np.uint8), cv2.COLOR_BGR2BGRA)
    return np.asarray(cv2.insertChannel(alpha, out, 3), np.uint8)


def pose(xy: tuple[float, float], angle: float, squeeze: tuple[float, float] = (1.0, 1.0)) -> Floats:
    """(3, 3) from a sprite's own millimetres to the table's: squeezed, turned clockwise by `angle` degrees, moved."""
    turn = np.radians(angle)
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c * squeeze[0], -s * squeeze[1], xy[0]], [s * squeeze[0], c * squeeze[1], xy[1]], [0, 0, 1.0]])


def transform(matrix: Floats, points: Floats) -> Floats:
    """(N, 2) points through a homography."""
    out = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(out[:, :2] / out[:, 2:])


def paste(canvas: Image, texture: Texture, matrix: Floats, opacity: float = 1.0) -> Box | None:
    """Lay `texture` on `canvas` (in place) where `matrix` (own millimetres to pixels) puts it; the region, or None."""
    whole = matrix @ texture.to_mm
    box = covered(whole, texture.pixels.shape[1::-1], canvas.shape[1::-1])
    if box is None:
        return None
    lay(canvas, texture.pixels, whole, box, opacity)
    return box


def lay(canvas: Image, pixels: Image, whole: Floats, box: Box, opacity: float = 1.0) -> None:
    """Composes a texture's premultiplied pixels over the `box` of `canvas`, in place; see `covered`."""
    x0, y0, x1, y1 = box
    shifted = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ whole
    layer = cv2.warpPerspective(pixels, shifted, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    over(canvas[y0:y1, x0:x1], np.asarray(layer, np.uint8), opacity)


def covered(whole: Floats, size: tuple[int, ...], canvas: tuple[int, ...]) -> Box | None:
    """Return the pixels (x0, y0, x1, y1) of a `canvas` (width, height) in which a texture of `size` can show, or None.

    `whole` maps the texture's pixels to the canvas's.
    """
    w, h = size
    corners = transform(whole, np.array(((-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5))))
    low, high = np.floor(corners.min(0)).astype(int), np.ceil(corners.max(0)).astype(int) + 1
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(canvas[0], int(high[0])), min(canvas[1], int(high[1]))
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def over(part: Image, layer: Image, opacity: float = 1.0) -> None:
    """Composes a premultiplied `layer` over BGR `part` in place: BGRA, or coverage alone for black."""
    if opacity < 1.0:
        layer = np.asarray(cv2.convertScaleAbs(layer, alpha=opacity), np.uint8)
    black = layer.ndim == 2
    cover = cv2.bitwise_not(layer if black else cv2.extractChannel(layer, 3))
    clear = cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR)
    if black:
        cv2.multiply(part, clear, dst=part, scale=1 / 255.0)
    else:
        cv2.multiply(part, clear, dst=clear, scale=1 / 255.0)
        cv2.add(clear, cv2.cvtColor(layer, cv2.COLOR_BGRA2BGR), dst=part)


def fill(canvas: Image, polygon: Floats, colour: tuple[float, ...]) -> None:
    """Fill a polygon with sub-pixel corners, (N, 2) pixels, anti-aliased."""
    cv2.fillPoly(canvas, [np.round(polygon * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def darken(image: Image, polygon: Floats, strength: float) -> None:
    """Draw a soft dark patch under a prop."""
    low = np.maximum(np.floor(polygon.min(0)).astype(int) - 6, 0)
    high = np.minimum(np.ceil(polygon.max(0)).astype(int) + 7, image.shape[1::-1])
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    fill(mask, polygon - low, (255.0,))
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2.5), dtype=np.uint8)
    part = image[low[1] : high[1], low[0] : high[0]]
    clear = cv2.LUT(mask, (255.0 - np.arange(256, dtype=np.uint8) * strength).astype(np.float32) / np.float32(255))
    part[...] = (part * np.asarray(cv2.cvtColor(clear, cv2.COLOR_GRAY2BGR))).astype(np.uint8)


def soften(image: NDArray[P], sigma: float) -> NDArray[P]:
    """Blur by a Gaussian of `sigma` pixels; a wide blur is made on a smaller picture, which the eye cannot tell."""
    if sigma < 3.0:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.3, sigma)))
    step = int(sigma / 1.5)
    size = (max(1, image.shape[1] // step), max(1, image.shape[0] // step))
    small = cv2.GaussianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (0, 0), sigma / step)
    return np.asarray(cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR))


def shadow_texture(mask: Image, scale: float, softness: float) -> Texture:
    """Return the blurred coverage of `mask`, for black; `softness` in millimetres; padded by 2.5 times that."""
    pad = int(np.ceil(softness * 2.5 * scale)) + 1
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0.0,))
    soft = soften(np.asarray(wide, np.uint8), softness * scale)
    return Texture.centred(soft, scale)
