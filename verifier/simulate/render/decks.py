"""The decks of each split: procedural styles (always there) and the system's card art (Debian's gnome-cards-data).

The art lies in SVG grids of 13 x 5 (clubs, diamonds, hearts, spades, extras); `rsvg-convert` of librsvg2-bin turns one
into pixels once, and the result is cached in the user's temporary directory, never in the project.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.simulate.render.look import Split

Image = NDArray[np.uint8]
SVG_FOLDER: Final = Path("/usr/share/aisleriot/cards")
SVG_DECKS: Final[dict[Split, tuple[str, ...]]] = {
    "train": ("anglo", "gnomangelo", "anglo_modern", "atlasnye", "neoclassical", "plastic", "tango", "tigullio"),
    "test": ("anglo_poker", "ornamental", "dondorf", "simplistic"),
}
STYLES: Final[dict[Split, int]] = {"train": 4000, "test": 500}
"""How many procedural styles each split has."""
_REMEDY: Final = "install gnome-cards-data and librsvg2-bin, or choose a deck style:train:N"
_SUIT_ROWS: Final = {"c": 0, "d": 1, "h": 2, "s": 3}
_RANK_COLUMNS: Final = {rank: i for i, rank in enumerate("A23456789TJQK")}


@lru_cache(maxsize=1)
def svg_available() -> bool:
    """Whether the system's card art and the program that turns it into pixels are installed."""
    return shutil.which("rsvg-convert") is not None and SVG_FOLDER.is_dir()


def sample_deck(rng: np.random.Generator, split: Split, *, svg: bool = True) -> str:
    """A deck of `split`: `style:SPLIT:N` or, in two cases of five where installed, `svg:NAME` (or `svg:NAME:SPLIT:N`,
    the art with the bigger index of a procedural style laid over).
    """
    names = [name for name in SVG_DECKS[split] if (SVG_FOLDER / f"{name}.svgz").is_file()]
    if svg and names and svg_available() and rng.random() < 0.4:
        name = names[int(rng.integers(len(names)))]
        return f"svg:{name}:{split}:{int(rng.integers(STYLES[split]))}" if rng.random() < 0.5 else f"svg:{name}"
    return f"style:{split}:{int(rng.integers(STYLES[split]))}"


@lru_cache(maxsize=4)
def _grid(name: str) -> Image:
    """The whole grid of deck `name` as BGRA, 252 pixels a card wide."""
    cache = Path(tempfile.gettempdir()) / f"verifier-decks-{os.getuid() if hasattr(os, 'getuid') else 0}"
    cache.mkdir(exist_ok=True)
    target = cache / f"{name}.png"
    if not target.is_file():
        part = cache / f"{name}.{os.getpid()}.part.png"
        source = SVG_FOLDER / f"{name}.svgz"
        try:
            subprocess.run(["rsvg-convert", "-w", str(13 * 252), str(source), "-o", str(part)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise BadInput(source, f"cannot be turned into pixels: {error}", _REMEDY) from None
        part.replace(target)
    grid = cv2.imread(str(target), cv2.IMREAD_UNCHANGED)
    if grid is None:
        raise BadInput(target, "is no picture", "remove it and try again")
    return np.asarray(grid, dtype=np.uint8)


def svg_face(name: str, rank: str, suit: str, size: tuple[int, int]) -> Image:
    """BGR face of one card of the art deck `name`, `size` (width, height) pixels, white where the art is clear."""
    grid = _grid(name)
    height, width = grid.shape[0] / 5, grid.shape[1] / 13
    row, column = _SUIT_ROWS[suit], _RANK_COLUMNS[rank]
    cell = grid[round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)]
    cell = np.asarray(cv2.resize(cell, size, interpolation=cv2.INTER_AREA), np.uint8)
    alpha = cell[..., 3:].astype(np.float32) / 255.0
    out = cell[..., :3] * alpha + 252.0 * (1.0 - alpha)
    return np.asarray(out, dtype=np.uint8)
