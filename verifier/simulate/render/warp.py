"""Pasting flat textures into the picture through a homography, anti-aliased, touching only their own region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
LEVELS: Final = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
"""Texture scales in pixels per millimetre; a sprite is drawn at the first that is not below the picture's scale."""


def level_for(scale: float) -> float:
    """The texture scale (px/mm) for a picture of `scale` px/mm: never magnified much, minified at most 1.4 times."""
    return next((level for level in LEVELS if level >= scale * 0.98), LEVELS[-1])


@dataclass(frozen=True)
class Texture:
    """Premultiplied BGRA pixels; `to_mm` maps homogeneous pixel corners to the sprite's own millimetres."""

    pixels: Image
    to_mm: Floats

    @classmethod
    def centred(cls, pixels: Image, scale: float) -> Texture:
        """A texture of `scale` px/mm whose middle is the sprite's origin."""
        h, w = pixels.shape[:2]
        return cls(
            pixels, np.array([[1 / scale, 0, (0.5 - w / 2) / scale], [0, 1 / scale, (0.5 - h / 2) / scale], [0, 0, 1]])
        )


def premultiply(bgr: Image, alpha: Image) -> Image:
    """BGRA with the colours multiplied by the coverage."""
    share = alpha.astype(np.float32)[..., None] / 255.0
    return np.dstack([(bgr * share + 0.5).astype(np.uint8), alpha])


def pose(xy: tuple[float, float], angle: float, squeeze: tuple[float, float] = (1.0, 1.0)) -> Floats:
    """(3, 3) from a sprite's own millimetres to the table's: squeezed, turned clockwise by `angle` degrees, moved."""
    turn = np.radians(angle)
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c * squeeze[0], -s * squeeze[1], xy[0]], [s * squeeze[0], c * squeeze[1], xy[1]], [0, 0, 1.0]])


def transform(matrix: Floats, points: Floats) -> Floats:
    """(N, 2) points through a homography."""
    out = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(out[:, :2] / out[:, 2:])


def paste(canvas: Image, texture: Texture, matrix: Floats, opacity: float = 1.0) -> tuple[int, int, int, int] | None:
    """Lays `texture` on `canvas` (in place) where `matrix` (own millimetres to pixels) puts it; the region, or None."""
    whole = matrix @ texture.to_mm
    h, w = texture.pixels.shape[:2]
    corners = transform(whole, np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]]))
    low, high = np.floor(corners.min(0)).astype(int), np.ceil(corners.max(0)).astype(int) + 1
    x0, y0 = max(0, low[0]), max(0, low[1])
    x1, y1 = min(canvas.shape[1], high[0]), min(canvas.shape[0], high[1])
    if x0 >= x1 or y0 >= y1:
        return None
    shifted = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ whole
    layer = np.asarray(
        cv2.warpPerspective(texture.pixels, shifted, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR), np.uint8
    )
    over(canvas[y0:y1, x0:x1], layer, opacity)
    return int(x0), int(y0), int(x1), int(y1)


def over(part: Image, layer: Image, opacity: float = 1.0) -> None:
    """Composes a premultiplied BGRA `layer` over BGR `part` in place."""
    if opacity < 1.0:
        layer = np.asarray(cv2.convertScaleAbs(layer, alpha=opacity), np.uint8)
    clear = cv2.cvtColor(cv2.bitwise_not(np.ascontiguousarray(layer[..., 3])), cv2.COLOR_GRAY2BGR)
    cv2.add(cv2.multiply(part, clear, scale=1 / 255.0), np.ascontiguousarray(layer[..., :3]), dst=part)


def fill(canvas: Image, polygon: Floats, colour: tuple[float, ...]) -> None:
    """A filled anti-aliased polygon with sub-pixel corners, (N, 2) pixels."""
    cv2.fillPoly(canvas, [np.round(polygon * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def soften(image: NDArray[Any], sigma: float) -> NDArray[Any]:
    """A Gaussian blur of `sigma` pixels; a wide one is made on a smaller picture, which the eye cannot tell."""
    if sigma < 3.0:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.3, sigma)))
    step = int(sigma / 1.5)
    size = (max(1, image.shape[1] // step), max(1, image.shape[0] // step))
    small = cv2.GaussianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (0, 0), sigma / step)
    return np.asarray(cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR))


def shadow_texture(mask: Image, scale: float, softness: float) -> Texture:
    """A black texture with the blurred coverage of `mask`; `softness` in millimetres; padded by three times that."""
    pad = int(np.ceil(softness * 2.5 * scale)) + 1
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0.0,))
    soft = soften(np.asarray(wide), softness * scale)
    out = np.zeros((*soft.shape, 4), np.uint8)
    out[..., 3] = soft
    return Texture.centred(out, scale)
