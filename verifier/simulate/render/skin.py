"""Hands as shaded volumes (a lit height field of capsules, nails, knuckles, creases) and sleeved forearms."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.hands import BONES, RADII, Curls, oriented, skeleton
from verifier.simulate.render.look import Person
from verifier.simulate.render.warp import Texture, premultiply, soften

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Floats = NDArray[np.float64]
Side = Literal["left", "right"]
Facing = Literal["back", "palm", "edge"]
HALF_MM: Final = (125.0, 215.0, 45.0)
"""The texture reaches this far from the wrist to either side, to the fingertips, and to the elbow."""
Build = tuple[float, float]
_LOW: Final = -1000.0
_WEBS: Final = ((5, 9), (9, 13), (13, 17))
_PALM: Final = ((0, 5, 14.0, 12.5), (0, 9, 15.0, 13.0), (0, 13, 15.0, 12.5), (0, 17, 14.0, 11.5), (5, 9, 11.5, 12.0),
                (9, 13, 12.0, 11.5), (13, 17, 11.5, 10.5), (0, 1, 15.0, 16.0), (1, 2, 16.0, 13.5),
                (2, 5, 11.0, 10.5))  # fmt: skip


def _capsule(
    field: Field, a: Floats, b: Floats, ra: float, rb: float, scale: float, origin: tuple[float, float]
) -> None:
    """Raises `field` to the upper surface of a tapering capsule from `a` to `b` (x, y, height in mm)."""
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
    t = np.clip((x * d[0] + y * d[1]) / max(float(d[0] ** 2 + d[1] ** 2), 1e-3), 0, 1)
    gap = (x - t * d[0]) ** 2 + (y - t * d[1]) ** 2
    r = np.float32(ra) + t * np.float32(rb - ra)
    up = r * r - gap
    top = np.where(up > 0, np.float32(a[2]) + t * d[2] + np.sqrt(np.maximum(up, 0)), np.float32(_LOW))
    part = field[y0:y1, x0:x1]
    np.maximum(part, top, out=part)


def height_field(points: Floats, scale: float, girth: float = 1.0) -> Field:
    """Upper surface of the hand over its texture, mm; far below zero where there is none."""
    w, up, down = HALF_MM
    field = np.full((round((up + down) * scale), round(2 * w * scale)), _LOW, np.float32)
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


def _marks(image: NDArray[np.float32], field: Field, points: Floats, facing: str, person: Person, scale: float) -> None:
    """Nails and knuckles on the back, creases and a lighter tone on the palm."""
    w, up, _ = HALF_MM
    pixel = (points[:, :2] + (w, up)) * scale

    def seen(index: int) -> bool:
        x, y = int(pixel[index, 0]), int(pixel[index, 1])
        inside = 0 <= x < field.shape[1] and 0 <= y < field.shape[0]
        return bool(inside and points[index, 2] + RADII[index] * 0.5 >= field[y, x] - 3.0)

    skin = np.array(person.skin)
    if facing == "back":
        nail = tuple(person.nails) if person.nails else tuple(np.clip(skin * 0.8 + np.array([55, 50, 62]), 0, 255))
        for tip in (4, 8, 12, 16, 20):
            if not seen(tip):
                continue
            along = pixel[tip] - pixel[tip - 1]
            angle = float(np.degrees(np.arctan2(along[1], along[0])))
            at = pixel[tip] + along / max(float(np.hypot(*along)), 1e-6) * 1.0 * scale
            axes = (RADII[tip] * 0.75 * scale, RADII[tip] * 0.58 * scale)
            cv2.ellipse(image, (tuple(at), (axes[0] * 2, axes[1] * 2), angle), tuple(map(float, nail)), -1, cv2.LINE_AA)
    strong = 0.82 if facing == "back" else 0.72
    for joint in (3, 6, 7, 10, 11, 14, 15, 18, 19):
        if seen(joint):
            along = pixel[joint] - pixel[joint - 1]
            normal = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-6) * RADII[joint] * 0.6 * scale
            line = (pixel[joint] - normal, pixel[joint] + normal)
            cv2.line(
                image,
                tuple(map(int, line[0])),
                tuple(map(int, line[1])),
                tuple(skin * strong),
                max(1, round(0.9 * scale)),
                cv2.LINE_AA,
            )
    if facing == "palm":
        _creases(image, pixel, tuple(skin * 0.8), scale)


def _creases(image: NDArray[np.float32], pixel: Floats, colour: tuple[float, ...], scale: float) -> None:
    wrist, index, little, middle = pixel[0], pixel[5], pixel[17], pixel[9]
    curves = (
        (index * 0.85 + wrist * 0.15, middle * 0.6 + wrist * 0.4, wrist * 0.85 + middle * 0.15),
        (index * 0.8 + wrist * 0.2, middle * 0.7 + wrist * 0.3, little * 0.65 + wrist * 0.35),
        (index * 0.35 + middle * 0.62 + wrist * 0.03, middle * 0.82 + wrist * 0.18, little * 0.88 + wrist * 0.12),
    )
    for a, b, c in curves:
        t = np.linspace(0, 1, 12)[:, None]
        line = (1 - t) ** 2 * a + 2 * t * (1 - t) * (b * 2 - (a + c) / 2) + t**2 * c
        cv2.polylines(
            image, [np.round(line * 16).astype(np.int32)], False, colour, max(1, round(scale * 1.1)), cv2.LINE_AA, 4
        )


def _ring(image: NDArray[np.float32], points: Floats, person: Person, scale: float) -> None:
    if person.ring is None:
        return
    w, up, _ = HALF_MM
    knuckle, joint = 1 + 4 * person.ring, 2 + 4 * person.ring
    if float(np.hypot(*(points[joint] - points[knuckle])[:2])) < 25.0:
        return
    a, b = ((points[i, :2] + (w, up)) * scale for i in (knuckle, joint))
    at, along = a * 0.45 + b * 0.55, b - a
    normal = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-6) * 8.0 * scale
    cv2.line(
        image,
        tuple(map(int, at - normal)),
        tuple(map(int, at + normal)),
        (90, 190, 225),
        max(1, round(2.6 * scale)),
        cv2.LINE_AA,
    )


def _shade(field: Field, scale: float) -> Field:
    """Brightness 0.35..1.25 from the surface's slope, lit from above and a little from one side, with dark hollows."""
    solid = np.where(field > _LOW / 2, field, np.float32(-6.0))
    smooth = cv2.GaussianBlur(solid, (0, 0), max(0.4, 1.1 * scale))
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=0.125 * scale)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=0.125 * scale)
    up = 1.0 / np.sqrt(1.0 + (gx * gx + gy * gy) * 0.55)
    light = 0.42 + 0.62 * up * (1.0 - 0.10 * gx - 0.16 * gy)
    hollow = np.clip((soften(solid, 5.0 * scale) - solid) / 14.0, 0.0, 0.5)
    return np.asarray(np.clip(light * (1.0 - 0.7 * hollow), 0.3, 1.25), dtype=np.float32)


@lru_cache(maxsize=8)
def _mottle(shape: tuple[int, ...], scale: float) -> Field:
    """Uneven skin: blotches of about a centimetre and fine grain."""
    rng = np.random.default_rng(shape[0])
    size = (max(3, int(shape[1] / scale / 9)), max(3, int(shape[0] / scale / 9)))
    rough = cv2.resize(rng.normal(0, 0.035, size[::-1]).astype(np.float32), shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(rough + rng.normal(0, 0.018, shape), dtype=np.float32)


@lru_cache(maxsize=192)
def hand_textures(
    side: Side, facing: Facing, curls: Curls, spread: float, person: Person, scale: float
) -> tuple[Texture, Texture]:
    """The hand with its wrist at the origin and its fingers up at `scale` px/mm, and its shadow."""
    points = oriented(skeleton(curls, spread), side, facing) * person.scale
    field = height_field(points, scale, person.girth)
    skin = np.array(person.skin)
    if facing == "palm":
        skin = np.clip(skin * 1.05 + np.array([6, 6, 10]), 0, 255)
    image = np.full((*field.shape, 3), skin, np.float32)
    w, up, _ = HALF_MM
    spots = np.zeros(field.shape, np.float32)
    for tip in (4, 8, 12, 16, 20, 5, 9, 13, 17):
        at = (points[tip, :2] + (w, up)) * scale
        cv2.circle(spots, (int(at[0]), int(at[1])), max(1, int(8 * scale)), 1.0, -1)
    warm = soften(spots, 5.0 * scale)[..., None]
    image *= 1.0 - warm * np.array([0.14, 0.10, 0.0], np.float32)
    image *= 1.0 + _mottle(field.shape, scale)[..., None] * np.array([1.2, 1.0, 0.6], np.float32)
    _marks(image, field, points, facing, person, scale)
    if facing != "edge":
        _ring(image, points, person, scale)
    image *= _shade(field, scale)[..., None]
    cover = (field > _LOW / 2).astype(np.uint8) * 255
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.6), np.uint8)
    fade_rows = np.arange(field.shape[0]) / scale - up
    fade = np.clip((38.0 - fade_rows) / 12.0, 0.0, 1.0)[:, None]
    alpha = (cover * fade).astype(np.uint8)
    bgr = np.clip(image, 0, 255).astype(np.uint8)
    texture = _placed(premultiply(bgr, alpha), scale)
    return texture, _shadow(texture, scale)


def _placed(pixels: Image, scale: float) -> Texture:
    w, up, _ = HALF_MM
    to_mm = np.array([[1 / scale, 0, 0.5 / scale - w], [0, 1 / scale, 0.5 / scale - up], [0, 0, 1.0]])
    return Texture(pixels, to_mm)


def _shadow(texture: Texture, scale: float) -> Texture:
    """The blurred silhouette of a hand's texture, black, in the same place."""
    out = np.zeros_like(texture.pixels)
    out[..., 3] = soften(np.ascontiguousarray(texture.pixels[..., 3]), 6.0 * scale)
    return Texture(out, texture.to_mm)


_COARSE: Final = 0.5


@lru_cache(maxsize=32)
def _coarse(side: Side, facing: Facing, curls: Curls, spread: float, build: Build) -> tuple[Floats, Field]:
    """Landmarks and a coarse height field, for outlines and for what hides what."""
    points = oriented(skeleton(curls, spread), side, facing) * build[0]
    return points, height_field(points, _COARSE, build[1])


@lru_cache(maxsize=256)
def hand_outline(side: Side, facing: Facing, curls: Curls, spread: float, build: Build) -> Floats:
    """(N, 2) outline of the hand in its own millimetres (wrist at the origin, fingers up), forearm left out."""
    _, field = _coarse(side, facing, curls, spread, build)
    scale = _COARSE
    rows = np.arange(field.shape[0])[:, None] / scale - HALF_MM[1]
    mask = ((field > _LOW / 2) & (rows < 20.0)).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    return np.asarray((outline + 0.5) / scale - np.array(HALF_MM[:2]))


ARM_MM: Final = 900.0
_ARM_HALF: Final = 62.0


def arm_half_width(along: float, person: Person) -> float:
    """Half the forearm's width `along` millimetres from the wrist."""
    half = (24.0 + min(along, 260.0) / 260.0 * 20.0) * person.scale
    return half + (5.0 if along >= person.sleeve_from else 0.0)


@lru_cache(maxsize=64)
def arm_texture(person: Person, scale: float) -> Texture:
    """The forearm hanging down from the wrist at the origin (y grows to the elbow), with its sleeve and watch."""
    rows, columns = round((ARM_MM + 10) * scale), round(2 * _ARM_HALF * scale)
    y = np.arange(rows)[:, None] / scale - 10.0
    x = (np.arange(columns)[None, :] + 0.5) / scale - _ARM_HALF
    half = np.array([arm_half_width(max(0.0, float(v)), person) for v in y[:, 0]])[:, None]
    round_start = np.where(y < 8, np.sqrt(np.clip(1 - ((8 - y) / 18.0) ** 2, 0, 1)), 1.0)
    share = np.clip(np.abs(x) / (half * np.maximum(round_start, 0.05)), 0, 1.5)
    light = 0.45 + 0.58 * np.sqrt(np.clip(1.0 - share**2, 0, 1)) - 0.05 * x / _ARM_HALF
    rng = np.random.default_rng(abs(hash(person.sleeve)) % (1 << 32))
    cells = rng.normal(0, 1, (round(ARM_MM / 9), round(_ARM_HALF / 8))).astype(np.float32)
    folds = np.asarray(cv2.resize(cells, (columns, rows), interpolation=cv2.INTER_CUBIC))
    folds = folds * (0.10 / max(float(np.std(folds)), 1e-6))
    sleeve = (y >= person.sleeve_from).astype(np.float32) * np.ones_like(x)
    colour = (1 - sleeve)[..., None] * np.array(person.skin) + sleeve[..., None] * np.array(person.sleeve)
    cuff = np.exp(-(((y - person.sleeve_from - 1.5) / 2.0) ** 2))
    light = light * (1.0 + folds * sleeve) * (1.0 - 0.35 * cuff)
    image = np.clip(colour * light[..., None], 0, 255)
    if person.watch and person.sleeve_from > 45:
        band = np.abs(y - 28.0) < 9.0
        image = np.where((band & (share < 1.02))[..., None], np.array([40.0, 40.0, 45.0]) * light[..., None], image)
        image = np.where((np.hypot(y - 28.0, x) < 16.0)[..., None], np.array([190.0, 195.0, 195.0]), image)
    cover = (np.clip((half * round_start - np.abs(x)) * scale + 0.5, 0, 1) * (round_start > 0.02) * 255).astype(
        np.uint8
    )
    to_mm = np.array([[1 / scale, 0, 0.5 / scale - _ARM_HALF], [0, 1 / scale, 0.5 / scale - 10.0], [0, 0, 1.0]])
    return Texture(premultiply(image.astype(np.uint8), cover), to_mm)


@lru_cache(maxsize=512)
def hand_seen(side: Side, facing: Facing, curls: Curls, spread: float, build: Build) -> tuple[bool, ...]:
    """Which of the 21 landmarks the hand itself does not hide."""
    points, field = _coarse(side, facing, curls, spread, build)
    scale = _COARSE
    pixel = ((points[:, :2] + HALF_MM[:2]) * scale).astype(int)
    rows = np.clip(pixel[:, 1], 0, field.shape[0] - 1)
    columns = np.clip(pixel[:, 0], 0, field.shape[1] - 1)
    return tuple(bool(v) for v in points[:, 2] + RADII + 4.0 >= field[rows, columns])
