"""Contact sheets of a model's worst errors, a sheet for each kind, to look at errors and not only count them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.train.flaws import Flaw, centre
from verifier.train.unseen import make

Image = NDArray[np.uint8]
TILE: Final = 200
CAPTION: Final = 30
COLUMNS: Final = 8
ROWS: Final = 5
LEAST_SIDE: Final = 90.0
AROUND: Final = 2.6
"""Sides of a thing that its tile shows."""
PER_PICTURE: Final = 3
EXAMPLES: Final = "examples.jpg"
"""A line of each kind's worst errors, to stand in a model's description."""
RED: Final = (60, 60, 255)


def write_gallery(flaws: Iterable[Flaw], folder: Path) -> dict[str, int]:
    """Write a PNG of the worst errors of each kind and EXAMPLES; return how many of each kind there were in all."""
    kinds: dict[str, list[Flaw]] = defaultdict(list)
    for flaw in flaws:
        kinds[flaw.kind].append(flaw)
    chosen = {kind: _worst(group) for kind, group in kinds.items()}
    tiles = _tiles([flaw for group in chosen.values() for flaw in group])
    folder.mkdir(parents=True, exist_ok=True)
    for kind, group in chosen.items():
        cv2.imwrite(str(folder / f"{kind.replace(' ', '-')}.png"), sheet([tiles[id(flaw)] for flaw in group]))
    if chosen:
        page = examples({kind: [tiles[id(flaw)] for flaw in group] for kind, group in sorted(chosen.items())})
        cv2.imwrite(str(folder / EXAMPLES), page, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return {kind: len(group) for kind, group in sorted(kinds.items())}


def _worst(group: Sequence[Flaw]) -> list[Flaw]:
    """Return the worst errors, at most PER_PICTURE of one picture."""
    taken: dict[int, int] = defaultdict(int)
    out = []
    for flaw in sorted(group, key=lambda one: -one.weight):
        taken[flaw.case.seed] += 1
        if taken[flaw.case.seed] <= PER_PICTURE:
            out.append(flaw)
    return out[: COLUMNS * ROWS]


def _tiles(flaws: Sequence[Flaw]) -> dict[int, Image]:
    """Return a tile for each error, by its id(); each picture is made once."""
    out = {}
    by_case: dict[bytes, list[Flaw]] = defaultdict(list)
    for flaw in flaws:
        by_case[repr(flaw.case).encode()].append(flaw)
    for group in by_case.values():
        image = make(group[0].case).image
        out.update({id(flaw): tile(image, flaw) for flaw in group})
    return out


def tile(image: Image, flaw: Flaw) -> Image:
    """Return the part of the picture about an error, with its outline and a caption: (TILE + CAPTION, TILE, 3)."""
    quad = np.asarray(flaw.quad, np.float64)
    side = max(LEAST_SIDE, AROUND * float(np.ptp(quad, axis=0).max()))
    x, y = centre(flaw)
    scale = TILE / side
    move = np.array([[scale, 0, TILE / 2 - x * scale], [0, scale, TILE / 2 - y * scale]])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = cv2.warpAffine(image, move, (TILE, TILE), flags=how)
    outline = np.round(quad * scale + move[:, 2]).astype(np.int32)
    cv2.polylines(part, [outline], True, RED, 1, cv2.LINE_AA)
    out = np.full((TILE + CAPTION, TILE, 3), 255, np.uint8)
    out[:TILE] = part
    for line, text in enumerate((flaw.what, f"{flaw.case.kind} {flaw.case.seed}")):
        at = (3, TILE + 12 + 14 * line)
        cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.38, (0, 0, 0), 1, cv2.LINE_AA)
    return out


def sheet(tiles: Sequence[Image]) -> Image:
    """Tiles side by side, COLUMNS in a row, white where there is none."""
    columns = min(COLUMNS, len(tiles))
    rows = -(-len(tiles) // columns)
    blank = np.full_like(tiles[0], 255)
    padded = [*tiles, *[blank] * (rows * columns - len(tiles))]
    lines = [np.hstack(padded[row * columns : (row + 1) * columns]) for row in range(rows)]
    return np.asarray(np.vstack(lines), np.uint8)


def examples(tiles: dict[str, Sequence[Image]]) -> Image:
    """Return a line of COLUMNS tiles at half size for each kind, under its name."""
    lines = []
    for kind, group in tiles.items():
        line = np.full((TILE + CAPTION, TILE * COLUMNS, 3), 255, np.uint8)
        shown = sheet(list(group[:COLUMNS]))
        line[:, : shown.shape[1]] = shown
        half = cv2.resize(line[:TILE], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        name = np.full((CAPTION // 2 + 3, half.shape[1], 3), 255, np.uint8)
        cv2.putText(name, kind, (3, 13), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 1, cv2.LINE_AA)
        lines += [name, half]
    return np.asarray(np.vstack(lines), np.uint8)
