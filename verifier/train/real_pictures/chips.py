"""Top faces of chips in photos of stacks, straightened, and laid into rendered pictures: alone, fanned, stacked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.money import ChipColour
from verifier.domain.observations import ChipSeen
from verifier.simulate.render.truth import CHIP_SHOWS
from verifier.train.pictures import Shot
from verifier.train.real_pictures.layers import CHIP_MM, Layer, laid, scale_of, uncovered
from verifier.train.real_pictures.split import pictures, read_picture
from verifier.train.real_pictures.windows import relit

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
DEGEN: Final = "chips-degen101"
FACE: Final = 96
"""Pixels of a straightened top face, edge to edge."""
TOPS: Final = Path(__file__).with_name("chip_tops.json")
"""Ellipses of top faces by photo: centre, half axes (pixels, axis-aligned) and colour; fitted to the photos' edges
within the drawn boxes, then gone through by eye. Photos of the training part alone."""
KINDS: Final = ("alone", "fan", "stack", "spilled")
ODDS: Final = (0.25, 0.35, 0.25, 0.15)
SQUEEZED: Final = (0.72, 1.0)
"""Shorter axis of a top face as a camera sees it, in units of the longer."""


@dataclass(frozen=True)
class ChipTop:
    """A straightened top face (FACE, FACE, 3) BGR, filled to its corners, and its colour."""

    image: Image
    colour: ChipColour


def chip_tops(folder: Path, keep: Callable[[Path], bool] = lambda _: True) -> list[ChipTop]:
    """Return the top faces in the photos below `folder`; none where the set is not there."""
    told = json.loads(TOPS.read_text(encoding="utf-8"))
    out = []
    for path in pictures(folder, DEGEN, "train") if (folder / DEGEN).is_dir() else []:
        if path.name in told and keep(path):
            image = read_picture(path)
            out += [ChipTop(_straight(image, ellipse), colour) for *ellipse, colour in told[path.name]]
    return out


def _straight(image: Image, ellipse: Sequence[float]) -> Image:
    x, y, a, b = ellipse
    half = FACE / 2
    matrix = np.array([[half / a, 0, half - half * x / a], [0, half / b, half - half * y / b]])
    return np.asarray(cv2.warpAffine(image, matrix, (FACE, FACE), flags=cv2.INTER_AREA), np.uint8)


def with_chips(shot: Shot, tops: Sequence[ChipTop], rng: Generator) -> Shot:
    """Return the picture with one or several chips of one maker's colour on it; a chip under another shows in part."""
    size = shot.image.shape[0]
    radius = CHIP_MM / 2 * scale_of(shot.truth, rng) * float(rng.uniform(0.95, 1.08))
    places = list(_places(str(rng.choice(KINDS, p=ODDS)), rng))
    start = rng.uniform(0.08, 0.92, 2) * size
    look = np.diag([1.0, float(rng.uniform(*SQUEEZED))])
    tilt = float(rng.uniform(0, 2 * np.pi))
    turned = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    look = turned @ look @ turned.T
    same = tops[int(rng.integers(len(tops)))]
    owner = np.full(shot.image.shape[:2], -1, np.int16)
    image, chips, cover = shot.image, [], np.zeros(owner.shape, np.float32)
    for number, place in enumerate(places):
        top = same if rng.random() < 0.7 else tops[int(rng.integers(len(tops)))]
        middle = start + look @ (np.asarray(place) * 2 * radius)
        layer = _layer(top.image, middle, look, radius, image, rng)
        image = laid(image, layer, float(rng.uniform(0.5, 2.0)), rng)
        owner[layer.alpha > 0.5] = number
        cover = np.maximum(cover, layer.alpha)
        seen = float(np.sqrt(np.linalg.det(look))) * radius
        chips.append(
            ChipSeen(id=None, colour=top.colour, p=1.0, center=(float(middle[0]), float(middle[1])), radius=seen)
        )
    truth = uncovered(shot.truth, cover)
    shown = [chip for number, chip in enumerate(chips) if _share(owner, number, chip.radius) >= CHIP_SHOWS]
    return Shot(image, structs.replace(truth, chips=[*truth.chips, *(c for c in shown if _inside(c, size))]))


def _places(kind: str, rng: Generator) -> Iterator[tuple[float, float]]:
    """Middles in diameters, from the lowest chip to the highest."""
    way = float(rng.uniform(0, 2 * np.pi))
    along = np.array([np.cos(way), np.sin(way)])
    many = 1 if kind == "alone" else int(rng.integers(2, 6))
    step = {"fan": float(rng.uniform(0.3, 0.85)), "stack": float(rng.uniform(0.02, 0.07))}.get(kind, 0.0)
    for number in range(many):
        loose = rng.normal(0, 0.02, 2) if kind != "spilled" else rng.uniform(-1.4, 1.4, 2)
        x, y = number * step * along + loose
        yield float(x), float(y)


def _layer(face: Image, middle: Floats, look: Floats, radius: float, onto: Image, rng: Generator) -> Layer:
    turn = float(rng.uniform(0, 2 * np.pi))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = np.zeros((2, 3))
    matrix[:, :2] = look @ spin * (2 * radius / FACE)
    matrix[:, 2] = middle - matrix[:, :2] @ (FACE / 2, FACE / 2)
    shape = np.zeros((FACE, FACE), np.uint8)
    cv2.circle(shape, (FACE // 2, FACE // 2), FACE // 2 - 2, (255,), -1, cv2.LINE_AA)
    light = float(np.clip(np.percentile(onto, 98) / 215, 0.6, 1.1))
    source = relit(np.clip(face.astype(np.float32) * light, 0, 255).astype(np.uint8), rng, 0.85)
    blur = max(float(rng.uniform(0, 0.8)), 0.35 * FACE / (2 * radius) - 0.2)
    source = np.asarray(cv2.GaussianBlur(source, (0, 0), blur), np.uint8) if blur > 0.3 else source
    size = onto.shape[1::-1]
    image = cv2.warpAffine(source, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(shape, (0, 0), max(0.6, 0.3 * FACE / (2 * radius)))
    opaque = cv2.warpAffine(soft, matrix, size, flags=cv2.INTER_LINEAR)
    return Layer(np.asarray(image, np.uint8), np.asarray(opaque, np.float32) / np.float32(255))


def _share(owner: NDArray[np.int16], number: int, radius: float) -> float:
    return float(np.count_nonzero(owner == number)) / (np.pi * radius**2)


def _inside(chip: ChipSeen, size: int) -> bool:
    return 0 <= chip.center[0] < size and 0 <= chip.center[1] < size
