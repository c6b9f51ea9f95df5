"""What lies under and behind stacks of chips: wood, stone, cloth, felt with lines; a wall or lights behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.camera import Camera
from verifier.simulate.render.colours import as_colour
from verifier.simulate.render.look import Look
from verifier.simulate.render.surfaces import draw_surface
from verifier.train.stacks.solids import Viewpoint

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
_TILE: Final = 512
_FELTS: Final = ((62, 105, 28), (48, 110, 20), (75, 120, 40), (60, 150, 30), (120, 60, 25), (45, 40, 130), (45, 45, 48))
_TONES: Final = ((60, 95, 140), (95, 140, 185), (40, 60, 95), (130, 135, 140), (70, 72, 75), (190, 195, 200),
                 (110, 150, 180), (35, 40, 45), (240, 240, 240), (90, 70, 60), (60, 60, 120))  # fmt: skip


def ground(view: Viewpoint, size: int, rng: Generator, pieces: Sequence[Image] = ()) -> Image:
    """Return a picture (size, size, 3) of an empty table; a third of them pieces of photos where there are any."""
    if pieces and rng.random() < 0.3:
        return _piece(pieces[int(rng.integers(len(pieces)))], size, rng)
    tile = _tile(rng)
    reach = float(rng.uniform(350, 1100))
    corners = np.array([[-reach, -reach, 0], [reach, -reach, 0], [reach, reach, 0], [-reach, reach, 0]])
    near = view.at[1] + 25 / max(0.2, float(view.turn[2][1]))
    corners[:2, 1] = max(float(corners[0, 1]), near)
    image = _behind(size, rng, pieces)
    share = (corners[2, 1] - corners[0, 1]) / (2 * reach)
    source = np.array([[0, share * _TILE], [_TILE, share * _TILE], [_TILE, 0], [0, 0]], np.float32)
    warp = cv2.getPerspectiveTransform(source, view.project(corners).astype(np.float32))
    table = cv2.warpPerspective(tile, warp, (size, size), flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.full((_TILE, _TILE), 255, np.uint8), warp, (size, size), flags=cv2.INTER_LINEAR)
    share_of = (cover.astype(np.float32) / 255)[..., None]
    return np.asarray(table * share_of + image * (1 - share_of), np.uint8)


def _piece(piece: Image, size: int, rng: Generator) -> Image:
    """Return a square of a piece of a photo, mirrored or not."""
    h, w = piece.shape[:2]
    side = int(min(h, w) * float(rng.uniform(0.7, 1.0)))
    y, x = int(rng.integers(0, h - side + 1)), int(rng.integers(0, w - side + 1))
    part = cv2.resize(piece[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray(part[:, ::-1] if rng.random() < 0.5 else part, np.uint8).copy()


def _tile(rng: Generator) -> Image:
    kind = rng.random()
    if kind < 0.3:
        view = Camera((_TILE, _TILE), 1900.0 * float(rng.uniform(0.3, 1.5)))
        look = Look.sample(rng, "train", svg=False, wild=1.0)
        while look.surface == "table":
            look = Look.sample(rng, "train", svg=False, wild=1.0)
        return draw_surface(look, view, rng)
    if kind < 0.6:
        return _felt(rng)
    tones = [np.array(_TONES[int(v)]) * rng.uniform(0.7, 1.2) for v in rng.integers(len(_TONES), size=2)]
    stretch = float(rng.choice([1, 1, 12, 40]))
    mix = _clouds(rng, stretch, float(rng.uniform(0.4, 0.9)))
    mix = np.clip((mix - 0.5) * float(rng.uniform(0.6, 4)) + 0.5, 0, 1)[..., None]
    image = np.asarray(np.clip(tones[0] * mix + tones[1] * (1 - mix), 0, 255), np.uint8)
    return np.ascontiguousarray(np.rot90(image)) if rng.random() < 0.5 else image


def _clouds(rng: Generator, stretch: float, rough: float) -> NDArray[np.float32]:
    """Noise of several sizes, 0..1, `stretch` times as long as wide: stone and cloth, or the grain of wood."""
    out, weight, total = np.zeros((_TILE, _TILE), np.float32), 1.0, 0.0
    for cells in (4, 10, 24, 60, 150, 400):
        small = rng.random((cells, max(2, int(cells / stretch))), dtype=np.float32)
        out += weight * cv2.resize(small, (_TILE, _TILE), interpolation=cv2.INTER_CUBIC)
        total, weight = total + weight, weight * rough
    return np.asarray(out / total, np.float32)


def _felt(rng: Generator) -> Image:
    """Cloth of one colour, with lines, arcs and words printed on some."""
    base = np.array(_FELTS[int(rng.integers(len(_FELTS)))]) * rng.uniform(0.75, 1.25) + rng.normal(0, 10, 3)
    cloth = base * (0.8 + 0.4 * _clouds(rng, 1, float(rng.uniform(0.5, 1.0))))[..., None]
    image = np.asarray(np.clip(cloth + rng.normal(0, rng.uniform(1, 9), (_TILE, _TILE, 1)), 0, 255), np.uint8)
    ink = as_colour(rng.choice([(235, 235, 235), (60, 200, 235), (40, 40, 200), (30, 30, 30)]))
    for _ in range(int(rng.integers(0, 6))):
        a, b = rng.integers(0, _TILE, 2), rng.integers(0, _TILE, 2)
        thick, kind = int(rng.integers(1, 8)), int(rng.integers(4))
        if kind == 0:
            cv2.line(image, a.tolist(), b.tolist(), ink, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(image, a.tolist(), int(rng.integers(15, 200)), ink, thick, cv2.LINE_AA)
        elif kind == 2:
            cv2.rectangle(image, a.tolist(), b.tolist(), ink, thick, cv2.LINE_AA)
        else:
            word = str(rng.choice(["BLACKJACK", "PAYS 3 TO 2", "WAGER", "POKER", "17", "INSURANCE", "24"]))
            cv2.putText(image, word, a.tolist(), int(rng.integers(0, 5)), float(rng.uniform(0.5, 3)), ink, thick)
    return image


def _behind(size: int, rng: Generator, pieces: Sequence[Image]) -> Image:
    """Beyond the table's edge: a wall, another ground, a piece of a photo or lights out of focus."""
    kind = rng.random()
    if pieces and kind < 0.3:
        image = _piece(pieces[int(rng.integers(len(pieces)))], size, rng)
    else:
        image = np.asarray(cv2.resize(_tile(rng), (size, size)), np.uint8)
    if kind > 0.8:
        image = np.asarray(image * rng.uniform(0.1, 0.6), np.uint8)
        for _ in range(int(rng.integers(4, 40))):
            x, y, r = int(rng.integers(size)), int(rng.integers(size)), int(rng.integers(4, size // 10))
            cv2.circle(image, (x, y), r, as_colour(rng.uniform(60, 255, 3)), -1, cv2.LINE_AA)
    blur = float(rng.choice([0.0, 2.0, 6.0, 12.0]))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8) if blur else image
