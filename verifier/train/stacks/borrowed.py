"""What the training parts of the public sets lend to rendered stacks: straightened faces of chips, empty grounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Box
from verifier.train.real_pictures.cards import EDJE, boxed_cards
from verifier.train.real_pictures.chips import DEGEN, chip_tops
from verifier.train.real_pictures.split import pictures, read_picture
from verifier.train.stacks.windows import Sources

Image = NDArray[np.uint8]
LEAST: Final = 0.3
"""Shorter side of a piece of ground in units of the photo's shorter side."""
APART: Final = 0.1
"""Room left about what a photo shows, in units of the boxes' sizes: shadows and badly drawn boxes."""


def borrowed(folder: Path, keep: Callable[[Path], bool] = lambda _: True) -> Sources:
    """Faces and grounds from the sets below `folder`; empty for those that are not there."""
    faces = [top.image for top in chip_tops(folder, keep)]
    pieces: list[Image] = []
    for name, boxes_of in ((DEGEN, _stacks), (EDJE, _cards)):
        for path in filter(keep, pictures(folder, name, "train") if (folder / name).is_dir() else []):
            image = read_picture(path)
            pieces += empty_pieces(image, boxes_of(path, image))
    return Sources(faces, pieces)


def empty_pieces(image: Image, boxes: Sequence[Box]) -> Iterator[Image]:
    """Yield the parts of a photo (h, w, 3) above, below, left and right of everything in it that are large enough."""
    h, w = image.shape[:2]
    if not boxes:
        return
    wide = [(APART * (x1 - x0), APART * (y1 - y0)) for x0, y0, x1, y1 in boxes]
    edges = [(x0 - a, y0 - b, x1 + a, y1 + b) for (x0, y0, x1, y1), (a, b) in zip(boxes, wide, strict=True)]
    x0, y0 = (max(0, int(min(edge[i] for edge in edges))) for i in (0, 1))
    x1, y1 = (int(max(edge[i] for edge in edges)) for i in (2, 3))
    for part in (image[:y0], image[y1:], image[:, :x0], image[:, x1:]):
        if min(part.shape[:2]) >= LEAST * min(h, w):
            yield part.copy()


def _stacks(path: Path, image: Image) -> list[Box]:
    labels = path.parent.parent / "labels" / (path.stem + ".txt")
    h, w = image.shape[:2]
    out: list[Box] = []
    for line in labels.read_text(encoding="utf-8").splitlines():
        if line.strip():
            x, y, bw, bh = (float(value) for value in line.split()[1:5])
            out.append(((x - bw / 2) * w, (y - bh / 2) * h, (x + bw / 2) * w, (y + bh / 2) * h))
    return out


def _cards(path: Path, image: Image) -> list[Box]:
    return [box for _, box in boxed_cards(path)]
