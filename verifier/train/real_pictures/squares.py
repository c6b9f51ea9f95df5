"""Photos of cards-faruk as the camera took them: stretched again, flipped back where the source had mirrored them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.train.real_pictures.cards import SQUARE, BoxedCard, classed_cards, squeeze, told_cards
from verifier.train.real_pictures.split import FARUK, pictures, read_picture, told_scenes

Image = NDArray[np.uint8]


def squared_photos(folder: Path, keep: Callable[[Path], bool]) -> Iterator[tuple[Image, list[BoxedCard]]]:
    """Yield the training photos of cards-faruk below `folder`, (h, w, 3) BGR, with the corners of every card.

    Left out are photos of which not every card's corners are listed, and those of which nobody could tell whether they
    are mirrored: a mirrored 2 would be learnt as a 2.
    """
    paths = [path for path in pictures(folder, FARUK, "train") if keep(path)]
    mirrored = {row["picture"]: row["mirrored"] for row in told_scenes(folder)} if paths else {}
    for path in paths:
        cards = told_cards(path, [BoxedCard(rank, box, None) for rank, box in classed_cards(path)])
        way = mirrored.get(path.stem, "unknown")
        if way != "unknown" and cards and all(card.quad is not None for card in cards):
            yield as_taken(read_picture(path), cards, way == "yes")


def as_taken(image: Image, cards: list[BoxedCard], mirrored: bool) -> tuple[Image, list[BoxedCard]]:
    """Return a square photo (SQUARE pixels a side) and its cards as the camera took them."""
    factors = np.array(squeeze(cards), np.float32)
    size = (round(SQUARE * float(factors[0])), round(SQUARE * float(factors[1])))
    taken = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    quads = [np.asarray(card.quad, np.float32) * factors for card in cards]
    if mirrored:
        taken = np.ascontiguousarray(taken[:, ::-1])
        quads = [np.asarray([[size[0] - 1 - x, y] for x, y in quad[::-1].tolist()], np.float32) for quad in quads]
    return taken, [replace(card, box=_about(quad), quad=quad) for card, quad in zip(cards, quads, strict=True)]


def _about(quad: NDArray[np.float32]) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = quad.min(0).tolist(), quad.max(0).tolist()
    return x0, y0, x1, y1
