"""Light and lens: uneven lamps, colour cast, noise, blur, and the burned-in clock."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.camera import Camera
from verifier.simulate.render.look import Look

Image = NDArray[np.uint8]
_CLOCK: Final[tuple[tuple[int, int, str], ...]] = (
    (18, 18, "box"),
    (18, 18, "shadow"),
    (-18, 18, "box"),
    (18, -18, "box"),
)
"""Corner offsets at a height of 720 (negative from the right or bottom) and the ground behind the text."""


def light_map(look: Look, size: tuple[int, int]) -> NDArray[np.float32]:
    """(h, w, 3) gain over the picture: a broad slope, a lamp's pool of light, brightness, and the colour cast."""
    w, h = max(8, size[0] // 8), max(8, size[1] // 8)
    rng = np.random.default_rng([look.seed, 21])
    x = np.linspace(-1, 1, w, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    slope = look.light[0] * x + look.light[1] * y
    cx, cy = rng.uniform(-0.8, 0.8, 2)
    pool = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 0.6)
    corner = 1.0 - 0.12 * (x * x + y * y)
    gain = look.brightness * (1.0 + look.uneven * (0.5 * slope + 0.5 * pool - 0.15)) * corner
    small = gain[..., None] * np.array(look.cast, np.float32)
    return np.asarray(cv2.resize(small.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def lens_maps(camera: Camera) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """For cv2.remap: where each pixel of the camera's picture lies in its pinhole's picture, in fixed point."""
    w, h = camera.size
    step = 16
    x, y = np.arange(0, w + step, step), np.arange(0, h + step, step)
    coarse = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2).astype(np.float64)
    (cx, cy), (px, py) = camera.middle, camera.pinhole().middle
    seen = (camera.straightened(coarse) + np.array([px - cx, py - cy])).astype(np.float32).reshape(len(y), len(x), 2)
    columns, rows = np.meshgrid(np.arange(w, dtype=np.float32) / step, np.arange(h, dtype=np.float32) / step)
    fine = cv2.remap(seen, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    one, two = cv2.convertMaps(np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1]), cv2.CV_16SC2)
    return np.asarray(one, np.int16), np.asarray(two, np.uint16)


def gains(look: Look, size: tuple[int, int]) -> Image:
    """Return the light map for `apply_light`."""
    gain = light_map(look, size)
    gain *= 128.0
    return np.asarray(np.clip(gain, 0, 255, out=gain).astype(np.uint8))


def apply_light(image: Image, gain: Image) -> Image:
    """Multiplies BGR by `gain` (uint8, 128 is one)."""
    return np.asarray(cv2.multiply(image, gain, scale=1 / 128.0), dtype=np.uint8)


def finish(image: Image, look: Look, rng: np.random.Generator, noise: Image | None) -> Image:
    """Lens blur, contrast and sensor noise; `noise` is a bigger tile of the look's noise (int8 as uint8 around 128)."""
    out = image
    if look.blur > 0.15:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), look.blur), np.uint8)
    if abs(look.contrast - 1.0) > 0.01:
        out = np.asarray(
            cv2.convertScaleAbs(out, alpha=look.contrast, beta=max(0.0, 110.0 * (1.0 - look.contrast))), np.uint8
        )
    if noise is not None and look.noise > 0.05:
        dy, dx = (
            int(rng.integers(noise.shape[0] - out.shape[0] + 1)),
            int(rng.integers(noise.shape[1] - out.shape[1] + 1)),
        )
        tile = noise[dy : dy + out.shape[0], dx : dx + out.shape[1]]
        out = np.asarray(cv2.addWeighted(out, 1.0, tile, 1.0, -128.0), np.uint8)
    return np.asarray(out, dtype=np.uint8)


@lru_cache(maxsize=8)
def _grain(kind: int, size: tuple[int, int]) -> NDArray[np.int8]:
    """Sensor noise with a standard deviation of 25, 64 pixels bigger than the picture: fine or clotted."""
    raw = np.random.default_rng([31, kind]).standard_normal((size[1] + 64, size[0] + 64, 3), dtype=np.float32)
    if kind % 2:
        raw = np.asarray(cv2.GaussianBlur(raw, (0, 0), 0.6) * 1.8, np.float32)
    return np.asarray(np.clip(raw * 25.0, -127, 127), dtype=np.int8)


def noise_tile(look: Look, size: tuple[int, int]) -> Image | None:
    """Return a tile of sensor noise around 128, 64 pixels bigger than the picture each way; None for a clean look."""
    if look.noise <= 0.05:
        return None
    grain = _grain(look.seed % 4, size)
    return np.asarray(cv2.convertScaleAbs(grain, alpha=look.noise / 25.0, beta=128.0), dtype=np.uint8)


def clock_box(style: int, size: tuple[int, int], text: str = "2026-11-02 21:14:07") -> tuple[int, int, int, int]:
    """(x0, y0, x1, y1) pixels of the burned-in clock in a picture of `size`."""
    scale = size[1] / 720.0
    width, height = round(len(text) * 13.2 * scale) + 8, round(30 * scale) + 2
    dx, dy, _ = _CLOCK[style % 4]
    x0 = round(dx * scale) if dx > 0 else size[0] + round(dx * scale) - width
    y0 = round(dy * scale) if dy > 0 else size[1] + round(dy * scale) - height
    return x0, y0, x0 + width, y0 + height


def burn_clock(image: Image, text: str, style: int) -> None:
    """Write the recording's date and time into its corner, in place."""
    h, w = image.shape[:2]
    x0, y0, x1, y1 = clock_box(style, (w, h), text)
    if _CLOCK[style % 4][2] == "box":
        cv2.rectangle(image, (x0, y0), (x1, y1), (12, 12, 12), -1)
    size = max(10, round(21 * h / 720.0))
    origin = (x0 + 5, y1 - round((y1 - y0) * 0.28))
    face = cv2.FontFace("sans")
    if _CLOCK[style % 4][2] == "shadow":
        cv2.putText(image, text, (origin[0] + 1, origin[1] + 1), (10, 10, 10), face, size, 500)
    cv2.putText(image, text, origin, (240, 240, 240), face, size, 500)
