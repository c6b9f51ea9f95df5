"""What cameras, domes, lamps and recorders do to a picture before it is compressed: each fault has its own function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Fault = Callable[[Image, Generator], Image]


def faulty(image: Image, rng: Generator, share: float = 1.0) -> Image:
    """Return a BGR picture with some faults, each drawn by its own chance times `share`."""
    for fault, chance in FAULTS:
        if rng.random() < chance * share:
            image = fault(image, rng)
    return image


def defocused(image: Image, rng: Generator) -> Image:
    """Out of focus: a disk of up to 2.5 pixels' radius."""
    radius = float(rng.uniform(0.8, 2.5))
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def dirty(image: Image, rng: Generator) -> Image:
    """Smears, drops and scratches on the dome: soft patches that lose contrast."""
    h, w = image.shape[:2]
    mask = np.zeros((h // 4, w // 4), np.uint8)
    for _ in range(int(rng.integers(1, 9))):
        at = (int(rng.integers(w // 4)), int(rng.integers(h // 4)))
        if rng.random() < 0.6:
            axes = (int(rng.integers(2, max(3, w // 24))), int(rng.integers(2, max(3, w // 36))))
            cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(40, 190)), -1)
        else:
            end = (at[0] + int(rng.normal(0, w / 12)), at[1] + int(rng.normal(0, w / 12)))
            cv2.line(mask, at, end, float(rng.uniform(40, 150)), int(rng.integers(1, 3)))
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.8, 4.0)))
    cover = cv2.cvtColor(cv2.resize(soft, (w, h)), cv2.COLOR_GRAY2BGR)
    haze = np.full_like(image, float(rng.choice([30, 90, 150, 210])))
    keep = cv2.multiply(image, cv2.bitwise_not(cover), scale=1 / 255.0)
    return np.asarray(cv2.add(keep, cv2.multiply(haze, cover, scale=1 / 255.0)), np.uint8)


def _grown(gain: NDArray[np.float32], image: Image) -> Image:
    """Return the picture times a small field of gains (0..2), enlarged to it."""
    small = np.clip(gain * 128.0, 0, 255).astype(np.uint8)
    wide = cv2.resize(small, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image, cv2.cvtColor(wide, cv2.COLOR_GRAY2BGR), scale=1 / 128.0), np.uint8)


def vignetted(image: Image, rng: Generator) -> Image:
    """Darker away from the lens's middle."""
    x = np.linspace(-1, 1, 32, dtype=np.float32)
    cx, cy = rng.uniform(-0.7, 0.7, 2)
    far = (x[None, :] - cx) ** 2 + (x[:, None] - cy) ** 2
    return _grown(np.asarray(1.05 - float(rng.uniform(0.1, 0.35)) * far, np.float32), image)


def flickering(image: Image, rng: Generator) -> Image:
    """Bands of a lamp that pulses while the rows are read."""
    rows = np.linspace(0, float(rng.uniform(1, 5)) * 2 * np.pi, 64) + float(rng.uniform(0, 6.28))
    wave = 1.0 + float(rng.uniform(0.05, 0.25)) * np.sin(rows)
    return _grown(np.repeat(wave[:, None], 2, 1).astype(np.float32), image)


def patch_lit(image: Image, rng: Generator) -> Image:
    """Return the picture with a hard edge of light or shadow across it: a window, somebody's shadow."""
    w = 64
    mask = np.full((w, w), 1.0, np.float32)
    corners = (rng.uniform(-0.3, 1.3, (4, 2)) * w).astype(np.int32)
    cv2.fillConvexPoly(mask, cv2.convexHull(corners), float(rng.choice([0.5, 0.65, 0.8, 1.25, 1.5])))
    return _grown(np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 4))), np.float32), image)


def toned(image: Image, rng: Generator) -> Image:
    """Other gamma, brightness, contrast and white balance."""
    steps = np.arange(256, dtype=np.float32) / 255.0
    gamma, gain, lift = float(rng.uniform(0.6, 1.6)), float(rng.uniform(0.75, 1.3)), float(rng.normal(0, 0.05))
    curves = [(steps**gamma * gain * float(rng.normal(1, 0.04)) + lift) * 255.0 for _ in range(3)]
    table = np.clip(np.stack(curves, -1), 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(image, table), np.uint8)


def dim(image: Image, rng: Generator) -> Image:
    """Too little light: dark, with the grain of high gain."""
    dark = cv2.convertScaleAbs(image, alpha=float(rng.uniform(0.3, 0.6)))
    grain = rng.integers(0, 1 << 30)
    noise = np.random.default_rng(grain).normal(
        128, float(rng.uniform(4, 11)), (image.shape[0] // 2, image.shape[1] // 2, 3)
    )
    wide = cv2.resize(np.clip(noise, 0, 255).astype(np.uint8), (image.shape[1], image.shape[0]))
    return np.asarray(cv2.addWeighted(dark, 1.0, wide, 1.0, -128.0), np.uint8)


def pale(image: Image, rng: Generator) -> Image:
    """Return the picture in the greyish colours of old recorders; sometimes without any colour."""
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    share = 1.0 if rng.random() < 0.25 else float(rng.uniform(0.25, 0.8))
    return np.asarray(cv2.addWeighted(grey, share, image, 1.0 - share, 0.0), np.uint8)


def vivid(image: Image, rng: Generator) -> Image:
    """Stronger colours than the eye sees."""
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    more = float(rng.uniform(0.2, 0.7))
    return np.asarray(cv2.addWeighted(image, 1.0 + more, grey, -more, 0.0), np.uint8)


def sharpened(image: Image, rng: Generator) -> Image:
    """Halos of a camera that sharpens too much."""
    soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.8, 2.0)))
    more = float(rng.uniform(0.4, 1.6))
    return np.asarray(cv2.addWeighted(image, 1.0 + more, soft, -more, 0.0), np.uint8)


def interlaced(image: Image, rng: Generator) -> Image:
    """Every second row of another instant: what moves, here a part or all, shows a comb."""
    shift = int(rng.choice([-3, -2, -1, 1, 2, 3]))
    other = np.roll(image, shift, 1)
    out = image.copy()
    x0 = int(rng.integers(0, image.shape[1] // 2))
    x1 = int(rng.integers(x0 + image.shape[1] // 4, image.shape[1] + 1))
    out[1::2, x0:x1] = other[1::2, x0:x1]
    return out


def colour_shifted(image: Image, rng: Generator) -> Image:
    """Colour a pixel or two beside its edge, and coarser than the light: analogue lines and 4:2:0."""
    parts = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    h, w = image.shape[:2]
    step = int(rng.integers(2, 5))
    tone = cv2.resize(np.ascontiguousarray(parts[..., 1:]), (w // step, h // step), interpolation=cv2.INTER_AREA)
    parts[..., 1:] = np.roll(cv2.resize(tone, (w, h)), int(rng.integers(-2, 3)), 1)
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


FAULTS: Final[tuple[tuple[Fault, float], ...]] = (
    (patch_lit, 0.12), (dirty, 0.10), (vignetted, 0.20), (flickering, 0.06), (defocused, 0.15), (toned, 0.40),
    (dim, 0.05), (pale, 0.12), (vivid, 0.08), (colour_shifted, 0.10), (sharpened, 0.18), (interlaced, 0.06),
)  # fmt: skip
"""Every fault with its chance, in the order in which light, lens and recorder add them."""
