"""Crops of solid hands for their reader, kept as `train pictures` keeps its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render import Camera, Look, Renderer
from verifier.train.crop_sets import CropCollector
from verifier.train.degrade import degrade
from verifier.train.pictures import random_scenes
from verifier.train.real_pictures.cards import EDJE
from verifier.train.real_pictures.split import pictures, read_picture
from verifier.train.solid.draw import Drawer
from verifier.train.solid.hands import hand_picture

Image = NDArray[np.uint8]
FRAME: Final = (960, 640)
"""Size of the pictures of tables that grounds are cut from."""
PIECE: Final = (160, 520)
"""Pixels of a side of a piece that becomes a ground."""
TABLE_EACH: Final = 16
"""Hands over pieces of one table."""
ONE_COLOUR: Final = 0.2
"""Share of grounds of one colour, with a grain."""


def photos_of(real: Path) -> list[Image]:
    """Photos of tables without hands to lay below: every fourth of cards-edje's training part."""
    return [read_picture(path) for path in pictures(real, EDJE, "train")[::4]]


def write_solid_hands(path: Path, count: int, seed: int, photos: Sequence[Image] = ()) -> int:
    """Write `count` crops to `path` (.npz); `photos` serve as grounds for a third of them."""
    rng = np.random.default_rng([seed, 51])
    drawer, collector = Drawer(), CropCollector()
    for start in range(0, count, TABLE_EACH):
        ground = _grounds(rng, photos)
        for _ in range(min(TABLE_EACH, count - start)):
            shot = hand_picture(drawer, ground, rng)
            collector.add(degrade(shot.image, rng), shot.truth, rng)
    path.parent.mkdir(parents=True, exist_ok=True)
    collector.save(path)
    return count


def _grounds(rng: Generator, photos: Sequence[Image]) -> Callable[[Generator], Image]:
    """Return a function that gives grounds: pieces of one table without hands, of a photo, or one colour."""
    table, scenes = random_scenes(rng, wild=bool(rng.random() < 0.5))
    look = Look.sample(rng, "train", wild=float(rng.random() < 0.5))
    scene = structs.replace(next(scenes), hands=())
    sources = [Renderer(table, look, Camera.sample(rng, FRAME, "normal")).render(scene)]
    if photos and rng.random() < 1 / 3:
        sources = [photos[int(rng.integers(len(photos)))]]

    def ground(own: Generator) -> Image:
        if own.random() < ONE_COLOUR:
            tone = own.uniform(15, 230) * own.uniform(0.6, 1.3, 3)
            grain = own.normal(0, own.uniform(1, 8), (256, 256, 1))
            return np.clip(tone + grain, 0, 255).astype(np.uint8)
        image = sources[0]
        side = min(int(own.uniform(*PIECE)), *image.shape[:2])
        y, x = (int(own.integers(0, length - side + 1)) for length in image.shape[:2])
        return np.asarray(cv2.resize(image[y : y + side, x : x + side], (384, 384)), np.uint8)

    return ground
