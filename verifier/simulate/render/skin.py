"""Hands as shaded volumes: lit, with nails, knuckles, creases and rings."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.arms import inked
from verifier.simulate.render.hands import RADII, oriented, skeleton
from verifier.simulate.render.people import Person
from verifier.simulate.render.volume import HALF_MM, LOW, Build, Facing, Field, Floats, Gesture, height_field
from verifier.simulate.render.warp import Texture, premultiply, soften

Image = NDArray[np.uint8]
Part = tuple[slice, slice]
_WARM: Final = np.array([0.14, 0.10, 0.0], np.float32)
_ROUGH: Final = np.array([1.2, 1.0, 0.6], np.float32)
"""How much blood and blotches change blue, green and red."""


def _marks(image: NDArray[np.float32], field: Field, points: Floats, facing: str, person: Person, scale: float) -> None:
    """Nails and knuckles on the back, creases and a lighter tone on the palm."""
    w, up, _ = HALF_MM
    pixel = (points[:, :2] + (w, up)) * scale

    def seen(index: int) -> bool:
        x, y = int(pixel[index, 0]), int(pixel[index, 1])
        inside = 0 <= x < field.shape[1] and 0 <= y < field.shape[0]
        return bool(inside and points[index, 2] + RADII[index] * 0.5 >= field[y, x] - 3.0)

    skin = np.array(person.glove or person.skin)
    if person.glove is None and facing == "back":
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
    if person.glove is None and facing == "palm":
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


def _shade(field: Field, part: Part, scale: float) -> Field:
    """Brightness 0.3..1.25 from the slope in `part`, lit from above and a little from one side, with dark hollows."""
    solid = np.where(field > LOW / 2, field, np.float32(-6.0))
    smooth = cv2.GaussianBlur(solid, (0, 0), max(0.4, 1.1 * scale))
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=0.125 * scale)[part]
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=0.125 * scale)[part]
    up = 1.0 / np.sqrt(1.0 + (gx * gx + gy * gy) * 0.55)
    light = 0.42 + 0.62 * up * (1.0 - 0.10 * gx - 0.16 * gy)
    hollow = np.clip((soften(solid, 5.0 * scale)[part] - solid[part]) / 14.0, 0.0, 0.5)
    return np.asarray(np.clip(light * (1.0 - 0.7 * hollow), 0.3, 1.25), dtype=np.float32)


@lru_cache(maxsize=8)
def _mottle(shape: tuple[int, ...], scale: float) -> Field:
    """Uneven skin: blotches of about a centimetre and fine grain."""
    rng = np.random.default_rng(shape[0])
    size = (max(3, int(shape[1] / scale / 9)), max(3, int(shape[0] / scale / 9)))
    rough = cv2.resize(rng.normal(0, 0.035, size[::-1]).astype(np.float32), shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(rough + rng.normal(0, 0.018, shape), dtype=np.float32)


@lru_cache(maxsize=8)
def _volume(gesture: Gesture, build: Build, scale: float) -> tuple[Floats, Field, Image]:
    """Landmarks, upper surface and coverage of a hand; `scale` in px/mm."""
    side, facing, curls, spread = gesture
    points = oriented(skeleton(curls, spread), side, facing) * build[0]
    field = height_field(points, scale, build[1])
    cover = (field > LOW / 2).view(np.uint8) * np.uint8(255)
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.6), np.uint8)
    fade_rows = np.arange(field.shape[0]) / scale - HALF_MM[1]
    fade = np.clip((38.0 - fade_rows) / 12.0, 0.0, 1.0)[:, None]
    return points, field, (cover * fade).astype(np.uint8)


def _skin(facing: Facing, person: Person) -> Floats:
    skin = np.array(person.glove or person.skin)
    if person.glove is None and facing == "palm":
        skin = np.clip(skin * 1.05 + np.array([6, 6, 10]), 0, 255)
    return skin


def _warm(points: Floats, shape: tuple[int, ...], scale: float) -> Field:
    """Where fingertips and knuckles are redder, 0..1."""
    spots = np.zeros(shape, np.float32)
    for tip in (4, 8, 12, 16, 20, 5, 9, 13, 17):
        at = (points[tip, :2] + HALF_MM[:2]) * scale
        cv2.circle(spots, (int(at[0]), int(at[1])), max(1, int(8 * scale)), 1.0, -1)
    return np.asarray(soften(spots, 5.0 * scale), np.float32)


def _complexion(
    points: Floats,
    part: Part,
    shape: tuple[int, ...],
    facing: Facing,
    person: Person,
    scale: float,
) -> Field:
    """Return the unlit, unmarked skin or glove in `part` of a texture, (h, w, 3) float32."""
    warm = _warm(points, shape, scale)[part] if person.glove is None else None
    ink = None
    if person.tattoo and person.glove is None and facing == "back":
        ink = 1.0 - 0.55 * inked(person.tattoo, shape, scale)[part]
    mottle, planes = _mottle(shape, scale)[part], []
    for tone, red, rough in zip(_skin(facing, person), _WARM, _ROUGH, strict=True):
        plane = np.full(mottle.shape, tone, np.float32)
        if warm is not None:
            plane *= 1.0 - warm * red
        if ink is not None:
            plane *= ink
        plane *= 1.0 + mottle * rough
        planes.append(plane)
    return np.asarray(cv2.merge(planes), np.float32)


@lru_cache(maxsize=96)
def hand_texture(gesture: Gesture, person: Person, scale: float) -> Texture:
    """Return the hand with its wrist at the origin and its fingers up at `scale` px/mm."""
    facing = gesture[1]
    points, field, alpha = _volume(gesture, person.build, scale)
    x, y, w, h = cv2.boundingRect(alpha)
    part = slice(y, y + h), slice(x, x + w)
    image = np.empty((*field.shape, 3), np.float32)
    image[part] = _complexion(points, part, field.shape, facing, person, scale)
    _marks(image, field, points, facing, person, scale)
    if facing != "edge" and person.glove is None:
        _ring(image, points, person, scale)
    lit = image[part] * cv2.cvtColor(_shade(field, part, scale), cv2.COLOR_GRAY2BGR)
    out = np.zeros((*field.shape, 4), np.uint8)
    out[part] = premultiply(np.clip(lit, 0, 255).astype(np.uint8), np.ascontiguousarray(alpha[part]))
    return Texture(out, hand_frame(scale)[1])


@lru_cache(maxsize=96)
def hand_shadow(gesture: Gesture, build: Build, scale: float) -> Texture:
    """Return the blurred silhouette of a hand's texture, for black, in the same place."""
    alpha = _volume(gesture, build, scale)[2]
    return Texture(np.asarray(soften(alpha, 6.0 * scale), np.uint8), hand_frame(scale)[1])


def hand_frame(scale: float) -> tuple[tuple[int, int], Floats]:
    """Width and height in pixels of hands' textures at `scale` px/mm, and what maps their pixels to millimetres."""
    w, up, down = HALF_MM
    to_mm = np.array([[1 / scale, 0, 0.5 / scale - w], [0, 1 / scale, 0.5 / scale - up], [0, 0, 1.0]])
    return (round(2 * w * scale), round((up + down) * scale)), to_mm
