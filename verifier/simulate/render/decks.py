"""The decks of each split: procedural styles (always there) and the system's card art (Debian's gnome-cards-data).

The art lies in SVG grids of 13 x 5 (clubs, diamonds, hearts, spades, extras); `rsvg-convert` of librsvg2-bin turns one
into pixels once, and the result is cached in the user's cache directory, never in the project.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from verifier.domain.errors import BadInput
from verifier.simulate.render.splits import Split

Image = NDArray[np.uint8]
SVG_FOLDER: Final = Path("/usr/share/aisleriot/cards")
KDE_FOLDER: Final = Path("/usr/share/carddecks")
SVG_DECKS: Final[dict[Split, tuple[str, ...]]] = {
    "train": ("anglo", "gnomangelo", "anglo_modern", "atlasnye", "neoclassical", "plastic", "tango", "tigullio"),
    "test": ("anglo_poker", "ornamental", "dondorf", "simplistic"),
}
MORE_DECKS: Final[dict[Split, tuple[str, ...]]] = {
    "train": (
        "anglo_modern_4_color", "neoclassical_4_color", "anglo_bitmap", "bellot", "paris", "orell", "tango_nuevo",
        "kde-nicu-white", "kde-standard",
    ),
    "test": (),
}  # fmt: skip
"""Art for unlike tables only: four colours, coarse pixels, foreign figures under English letters, one big pip, and two
decks of Debian's kdegames-card-data-kf5."""
STYLES: Final[dict[Split, int]] = {"train": 4000, "test": 500}
"""How many ordinary procedural styles each split has."""
WILD_STYLE: Final = 10_000
"""Procedural styles from this number on are of every kind, not only a card room's."""
_REMEDY: Final = "install gnome-cards-data and librsvg2-bin, or choose a deck style:train:N"
_SUIT_ROWS: Final = {"c": 0, "d": 1, "h": 2, "s": 3}
_KDE_SUITS: Final = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_KDE_RANKS: Final = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_RANK_COLUMNS: Final = {rank: i for i, rank in enumerate("A23456789TJQK")}


@lru_cache(maxsize=1)
def svg_available() -> bool:
    """Tell whether the system's card art and the program that turns it into pixels are installed."""
    return shutil.which("rsvg-convert") is not None and SVG_FOLDER.is_dir()


def sample_deck(rng: np.random.Generator, split: Split, *, svg: bool = True, wild: bool = False) -> str:
    """Return a deck of `split`: `style:SPLIT:N` or, in two cases of five where installed, `svg:NAME` (or
    `svg:NAME:SPLIT:N`, the art with the bigger index of a procedural style laid over). `wild` allows styles of
    every kind.
    """
    names = [name for name in SVG_DECKS[split] + (MORE_DECKS[split] if wild else ()) if _source(name) is not None]
    first, styles = (WILD_STYLE, 8 * STYLES[split]) if wild else (0, STYLES[split])
    if svg and names and svg_available() and rng.random() < 0.4:
        name = names[int(rng.integers(len(names)))]
        number = first + int(rng.integers(styles))
        return f"svg:{name}:{split}:{number}" if rng.random() < 0.5 else f"svg:{name}"
    return f"style:{split}:{first + int(rng.integers(styles))}"


@lru_cache(maxsize=64)
def _source(name: str) -> Path | None:
    """Return the file of an art deck; None where it is not installed."""
    if name.startswith("kde-"):
        return next((KDE_FOLDER / f"svg-{name[4:]}").glob("*.svgz"), None)
    path = SVG_FOLDER / f"{name}.svgz"
    return path if path.is_file() else None


def _pixels(*command: str) -> Image:
    """Return what rsvg-convert draws, as BGRA."""
    data = subprocess.run(["rsvg-convert", *command], check=True, capture_output=True).stdout
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)


def _rasterised(name: str, source: Path) -> Image:
    """Art as a grid of pixels, 252 a card wide; KDE's decks are drawn one card after the other."""
    if not name.startswith("kde-"):
        return _pixels("-w", str(13 * 252), str(source))
    grid = np.zeros((5 * 352, 13 * 252, 4), np.uint8)
    for suit, row in _SUIT_ROWS.items():
        for rank, column in _RANK_COLUMNS.items():
            part = f"{_KDE_RANKS.get(rank, rank)}_{_KDE_SUITS[suit]}"
            cell = _pixels("-w", "252", "-h", "352", f"--export-id={part}", str(source))[:352, :252]
            grid[row * 352 : row * 352 + cell.shape[0], column * 252 : column * 252 + cell.shape[1]] = cell
    return grid


@lru_cache(maxsize=32)
def _grid(name: str) -> Image:
    """Return the whole grid of deck `name` as BGRA, 252 pixels a card wide; keep it as a file to read pages from."""
    cache = user_cache_path("verifier") / "decks"
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = cache / f"{name}.npy"
    if not target.is_file():
        part = cache / f"{name}.{os.getpid()}.part.npy"
        source = _source(name) or SVG_FOLDER / f"{name}.svgz"
        try:
            np.save(part, _rasterised(name, source))
        except (OSError, subprocess.CalledProcessError, cv2.error) as error:
            raise BadInput(source, f"cannot be turned into pixels: {error}", _REMEDY) from None
        part.replace(target)
    try:
        return np.asarray(np.load(target, mmap_mode="r", allow_pickle=False), dtype=np.uint8)
    except ValueError as error:
        raise BadInput(target, f"is no grid of cards: {error}", "remove it and try again") from None


def svg_face(name: str, rank: str, suit: str, size: tuple[int, int]) -> Image:
    """BGR face of one card of the art deck `name`, `size` (width, height) pixels, white where the art is clear."""
    grid = _grid(name)
    height, width = grid.shape[0] / 5, grid.shape[1] / 13
    row, column = _SUIT_ROWS[suit], _RANK_COLUMNS[rank]
    cell = grid[round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)]
    cell = np.asarray(cv2.resize(cell, size, interpolation=cv2.INTER_AREA), np.uint8)
    share = cv2.extractChannel(cell, 3).astype(np.float32)
    share /= 255.0
    alpha = cv2.cvtColor(share, cv2.COLOR_GRAY2BGR)
    out = cv2.cvtColor(cell, cv2.COLOR_BGRA2BGR) * alpha
    out += 252.0 * (1.0 - alpha)
    return np.asarray(out.astype(np.uint8))
