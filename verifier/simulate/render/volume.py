"""The hand as a volume: a height field of capsules, its outline, and which landmarks it hides itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.hands import BONES, RADII, Curls, oriented, skeleton

Field = NDArray[np.float32]
Floats = NDArray[np.float64]
Side = Literal["left", "right"]
Facing = Literal["back", "palm", "edge"]
HALF_MM: Final = (125.0, 215.0, 45.0)
"""The texture reaches this far from the wrist to either side, to the fingertips, and to the elbow."""
Build = tuple[float, float]
Gesture = tuple[Side, Facing, Curls, float]
"""Which hand, the side that shows, the fingers' curls and their spread."""
LOW: Final = -1000.0
_WEBS: Final = ((5, 9), (9, 13), (13, 17))
_PALM: Final = ((0, 5, 14.0, 12.5), (0, 9, 15.0, 13.0), (0, 13, 15.0, 12.5), (0, 17, 14.0, 11.5), (5, 9, 11.5, 12.0),
                (9, 13, 12.0, 11.5), (13, 17, 11.5, 10.5), (0, 1, 15.0, 16.0), (1, 2, 16.0, 13.5),
                (2, 5, 11.0, 10.5))  # fmt: skip


def _capsule(
    field: Field, a: Floats, b: Floats, ra: float, rb: float, scale: float, origin: tuple[float, float]
) -> None:
    """Raise `field` to the upper surface of a tapering capsule from `a` to `b` (x, y, height in mm)."""
    reach = max(ra, rb)
    low = ((np.minimum(a, b)[:2] - reach + origin) * scale).astype(int)
    high = ((np.maximum(a, b)[:2] + reach + origin) * scale).astype(int) + 2
    x0, y0 = max(0, low[0]), max(0, low[1])
    x1, y1 = min(field.shape[1], high[0]), min(field.shape[0], high[1])
    if x0 >= x1 or y0 >= y1:
        return
    x = ((np.arange(x0, x1, dtype=np.float32) + 0.5) / scale - origin[0] - a[0])[None, :]
    y = ((np.arange(y0, y1, dtype=np.float32) + 0.5) / scale - origin[1] - a[1])[:, None]
    d = (b - a).astype(np.float32)
    t = x * d[0] + y * d[1]
    t /= max(float(d[0] ** 2 + d[1] ** 2), 1e-3)
    np.maximum(t, 0, out=t)
    np.minimum(t, 1, out=t)
    gap, along = t * d[0], t * d[1]
    np.subtract(x, gap, out=gap)
    np.subtract(y, along, out=along)
    gap *= gap
    along *= along
    gap += along
    up = t * np.float32(rb - ra)
    up += np.float32(ra)
    up *= up
    up -= gap
    top = np.multiply(t, d[2], out=t)
    top += np.float32(a[2])
    top += np.sqrt(np.maximum(up, 0, out=gap), out=gap)
    np.copyto(top, np.float32(LOW), where=up <= 0)
    part = field[y0:y1, x0:x1]
    np.maximum(part, top, out=part)


def height_field(points: Floats, scale: float, girth: float = 1.0) -> Field:
    """Upper surface of the hand over its texture, mm; far below zero where there is none."""
    w, up, down = HALF_MM
    field = np.full((round((up + down) * scale), round(2 * w * scale)), LOW, np.float32)
    origin = (w, up)
    wrist = points[0] + np.array([0.0, 60.0, 0.0])
    flat = points.copy()
    for first, second, ra, rb in _PALM:
        _capsule(field, flat[first], flat[second], ra * (0.6 + 0.4 * girth), rb * (0.6 + 0.4 * girth), scale, origin)
    across = points[17] - points[5]
    across = across / max(float(np.linalg.norm(across)), 1e-6) * 10.0
    for offset in (-1.0, 1.0):
        _capsule(field, points[0] + across * offset, wrist + across * offset * 1.1, 17.0, 19.0, scale, origin)
    radii = RADII * girth
    for first, second in BONES:
        _capsule(field, points[first], points[second], float(radii[first]), float(radii[second]), scale, origin)
    for first, second in _WEBS:
        a, b = (points[i] * 0.68 + points[i + 1] * 0.32 for i in (first, second))
        if float(np.hypot(*(a - b)[:2])) < 34.0 and abs(float(a[2] - b[2])) < 12.0:
            _capsule(field, a, b, 7.5 * girth, 7.5 * girth, scale, origin)
    return field


_COARSE: Final = 0.5


@lru_cache(maxsize=32)
def _coarse(gesture: Gesture, build: Build) -> tuple[Floats, Field]:
    """Landmarks and a coarse height field, for outlines and for what hides what."""
    side, facing, curls, spread = gesture
    points = oriented(skeleton(curls, spread), side, facing) * build[0]
    return points, height_field(points, _COARSE, build[1])


@lru_cache(maxsize=256)
def hand_outline(gesture: Gesture, build: Build) -> Floats:
    """(N, 2) outline of the hand in its own millimetres (wrist at the origin, fingers up), forearm left out."""
    _, field = _coarse(gesture, build)
    scale = _COARSE
    rows = np.arange(field.shape[0])[:, None] / scale - HALF_MM[1]
    mask = ((field > LOW / 2) & (rows < 20.0)).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    return np.asarray((outline + 0.5) / scale - np.array(HALF_MM[:2]))


@lru_cache(maxsize=512)
def hand_seen(gesture: Gesture, build: Build) -> tuple[bool, ...]:
    """Which of the 21 landmarks the hand itself does not hide."""
    points, field = _coarse(gesture, build)
    scale = _COARSE
    pixel = ((points[:, :2] + HALF_MM[:2]) * scale).astype(int)
    rows = np.clip(pixel[:, 1], 0, field.shape[0] - 1)
    columns = np.clip(pixel[:, 0], 0, field.shape[1] - 1)
    return tuple(bool(v) for v in points[:, 2] + RADII + 4.0 >= field[rows, columns])
