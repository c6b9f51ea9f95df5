"""The card itself: its rounded outline, worn edge, marks of use, sheen and shadow."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.warp import Texture, premultiply, shadow_texture
from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
_PAD_MM: Final = 1.0


@lru_cache(maxsize=64)
def card_outline(scale: float) -> Image:
    """Coverage of the rounded card with its margin, at `scale`."""
    big = scale * 4
    pad = round(_PAD_MM * scale) * 4
    w, h = round(CARD_MM[0] * scale) * 4, round(CARD_MM[1] * scale) * 4
    mask = np.zeros((h + 2 * pad, w + 2 * pad), np.uint8)
    r = round(3.5 * big)
    cv2.rectangle(mask, (pad + r, pad), (pad + w - 1 - r, pad + h - 1), 255, -1)
    cv2.rectangle(mask, (pad, pad + r), (pad + w - 1, pad + h - 1 - r), 255, -1)
    for x in (pad + r, pad + w - 1 - r):
        for y in (pad + r, pad + h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    small = cv2.resize(mask, (mask.shape[1] // 4, mask.shape[0] // 4), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def finish_card(image: Image, scale: float) -> Texture:
    """Add the worn edge and the rounded outline."""
    pad = round(_PAD_MM * scale)
    cv2.rectangle(image, (0, 0), (image.shape[1] - 1, image.shape[0] - 1), (185, 190, 190), 1)
    wide = cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    return Texture.centred(premultiply(np.asarray(wide, dtype=np.uint8), card_outline(scale)), scale)


@lru_cache(maxsize=64)
def worn(scale: float, kind: int) -> Texture:
    """Return marks of use in black and white over a card: a curl's shading, a crease, scratches, thumb marks."""
    rng = np.random.default_rng([kind, 17])
    w, h = round(CARD_MM[0] * scale), round(CARD_MM[1] * scale)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    turn = float(rng.uniform(0, 2 * np.pi))
    along = (x / w - 0.5) * np.cos(turn) + (y / h - 0.5) * np.sin(turn)
    tone = -150.0 * np.clip(along + float(rng.uniform(-0.3, 0.1)), 0, 1) + 120.0 * np.clip(-along - 0.15, 0, 1)
    if kind % 2:
        tone = tone - 110.0 * np.exp(-(((along - float(rng.uniform(-0.4, 0.4))) * h / (0.5 * scale)) ** 2))
    marks = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(0, 8))):
        a, b = rng.uniform(0, (w, h)), rng.normal(0, 12 * scale, 2)
        end = (int(a[0] + b[0]), int(a[1] + b[1]))
        cv2.line(marks, (int(a[0]), int(a[1])), end, float(rng.choice([-90, 90])), max(1, round(0.3 * scale)))
    tone = np.clip(tone + marks + cv2.resize(rng.normal(0, 18, (6, 5)).astype(np.float32), (w, h)), -255, 255)
    light = np.where(tone > 0, 255, 0).astype(np.uint8)
    bgr = np.dstack([light, light, light])
    return Texture.centred(premultiply(bgr, np.abs(tone).astype(np.uint8)), scale)


@lru_cache(maxsize=32)
def card_shadow(scale: float, softness: float) -> Texture:
    """Return the soft shadow of a card."""
    return shadow_texture(card_outline(scale), scale, softness)


@lru_cache(maxsize=64)
def glare(scale: float, kind: int) -> Texture:
    """Return a white sheen that fades over a card."""
    w, h = round(61 * scale), round(86 * scale)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    u, v = x / w - 0.5, y / h - 0.5
    turn = kind * 0.8 + 0.3
    band = np.exp(-((u * np.cos(turn) + v * np.sin(turn)) ** 2) / 0.06)
    cover = (band * 200).astype(np.uint8)
    return Texture.centred(np.dstack([cover] * 4), scale)
