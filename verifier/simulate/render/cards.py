"""Faces of playing cards in procedural styles or from the system's art."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.courts import court
from verifier.simulate.render.decks import svg_face
from verifier.simulate.render.glyphs import FONTS, pip_mask, stamp, text_mask
from verifier.simulate.render.look import as_colour
from verifier.simulate.render.stock import finish_card
from verifier.simulate.render.warp import Texture
from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": ((0, 0),),
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "7": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "8": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    "9": ((-1, -1), (1, -1), (-1, -1 / 3), (1, -1 / 3), (0, 0), (-1, 1 / 3), (1, 1 / 3), (-1, 1), (1, 1)),
    "T": (
        (-1, -1),
        (1, -1),
        (0, -2 / 3),
        (-1, -1 / 3),
        (1, -1 / 3),
        (-1, 1 / 3),
        (1, 1 / 3),
        (0, 2 / 3),
        (-1, 1),
        (1, 1),
    ),
}
"""Where the pips stand, in units of the layout's half width and half height from the middle."""


@dataclass(frozen=True)
class Style:
    """How a procedural deck is drawn; lengths in millimetres."""

    font: str
    pip: int
    index: float
    squeeze: float
    margin: tuple[float, float]
    four: bool
    pip_size: float
    small_pip: float
    beside: bool
    red: Colour
    black: Colour
    paper: Colour
    court: int
    frame: bool


def _paper(rng: np.random.Generator) -> Colour:
    yellowed = (rng.random() < 0.15) * np.array((18.0, 6.0, 2.0))
    return as_colour(np.clip(rng.normal(247, 4) + rng.normal(0, 1.5, 3) - yellowed, 215, 255))


@lru_cache(maxsize=4096)
def style_of(name: str) -> Style:
    """The style behind a deck name `style:SPLIT:N`."""
    _, split, number = name.split(":")
    rng = np.random.default_rng([int(number), 1 if split == "train" else 2])
    jumbo = rng.random() < 0.5
    index = float(rng.uniform(15, 23) if jumbo else rng.uniform(8.5, 12))
    fonts = FONTS[split]
    return Style(
        font=fonts[int(rng.integers(len(fonts)))],
        pip=int(rng.integers(1000)) * 2 + (split == "test"),
        index=index,
        squeeze=float(rng.uniform(0.75, 1.0)),
        margin=(float(rng.uniform(2.0, 4.0)), float(rng.uniform(2.5, 5.0))),
        four=bool(rng.random() < 0.35),
        pip_size=float(rng.uniform(9, 12) if jumbo else rng.uniform(12, 16)),
        small_pip=float(rng.uniform(0.5, 0.85)),
        beside=bool(jumbo and rng.random() < 0.15),
        red=(float(rng.uniform(10, 55)), float(rng.uniform(10, 45)), float(rng.uniform(170, 225))),
        black=as_colour(rng.uniform(10, 45, 3)),
        paper=_paper(rng),
        court=int(rng.integers(1 << 20)),
        frame=bool(rng.random() < 0.7),
    )


def _indices(image: Image, rank: str, suit: str, style: Style, scale: float, ink: Colour) -> float:
    """Prints the corner indices; the width in millimetres that they take from the edge."""
    glyph, pip = text_mask("10" if rank == "T" else rank, style.font), pip_mask(suit, style.pip)
    height = style.index
    width = min(height * style.squeeze * glyph.shape[1] / glyph.shape[0], height * 0.95, 19.0)
    small = height * style.small_pip if not style.beside else height * 0.6
    w, h = CARD_MM
    column = style.margin[0] + max(width, small * 0.9) / 2
    marks = [(glyph, column, style.margin[1] + height / 2, width, height)]
    if style.beside:
        marks.append((pip, column + width / 2 + small * 0.65, style.margin[1] + small / 2, small * 0.95, small))
    else:
        marks.append((pip, column, style.margin[1] + height * 1.1 + small / 2, small * 0.92, small))
    for mask, x, y, mark_w, mark_h in marks:
        size = (mark_w * scale, mark_h * scale)
        stamp(image, mask, (x * scale, y * scale), size, ink)
        stamp(image, mask, ((w - x) * scale, (h - y) * scale), size, ink, flip=True)
        if style.four:
            stamp(image, mask, ((w - x) * scale, y * scale), size, ink)
            stamp(image, mask, (x * scale, (h - y) * scale), size, ink, flip=True)
    return float(column * 2 - style.margin[0])


def _pips(image: Image, rank: str, suit: str, style: Style, scale: float, ink: Colour, taken: float) -> None:
    w, h = CARD_MM
    pip = pip_mask(suit, style.pip)
    size = style.pip_size * (2.2 if rank == "A" else 1.0)
    room = w / 2 - taken - size / 2
    half_w = min(14.5, max(room, size * 0.55))
    half_h = h / 2 - (13.0 if style.index < 13 else 16.0)
    if style.index >= 13 and rank in "6789T":
        size = min(size, 10.5)
    for x, y in PIPS[rank]:
        centre = ((w / 2 + x * half_w) * scale, (h / 2 + y * half_h) * scale)
        stamp(image, pip, centre, (size * 0.92 * scale, size * scale), ink, flip=y > 0.01)


def _procedural(name: str, rank: str, suit: str, scale: float) -> Image:
    style = style_of(name)
    w, h = round(CARD_MM[0] * scale), round(CARD_MM[1] * scale)
    image = np.full((h, w, 3), style.paper, np.uint8)
    ink = style.red if suit in "hd" else style.black
    if rank in "JQK":
        left = min(style.margin[0] + style.index * 0.75 + 0.5, 17.0)
        court(image, rank, suit, style.court, pip_mask(suit, style.pip), scale, left, style.frame, ink)
        _indices(image, rank, suit, style, scale, ink)
        return image
    taken = _indices(image, rank, suit, style, scale, ink)
    _pips(image, rank, suit, style, scale, ink, taken)
    return image


def _art(name: str, rank: str, suit: str, scale: float) -> Image:
    """The system's art; a name that goes on with a style gets that style's index laid over, as casino decks have."""
    _, art, *over = name.split(":")
    image = np.ascontiguousarray(svg_face(art, rank, suit, (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))))
    if over:
        style = replace(style_of(":".join(("style", *over))), four=False, beside=False)
        width = min(style.index * 0.95, 19.0) + style.margin[0] + 1.0
        height = style.margin[1] + style.index * (1.15 + style.small_pip) + 1.0
        block = (slice(0, round(height * scale)), slice(0, round(width * scale)))
        image[block] = (250, 251, 251)
        image[::-1, ::-1][block] = (250, 251, 251)
        _indices(image, rank, suit, style, scale, style.red if suit in "hd" else style.black)
    return image


@lru_cache(maxsize=768)
def face_texture(deck: str, rank: str, suit: str, scale: float) -> Texture:
    """The face of a card of `deck` at `scale` px/mm."""
    if deck.startswith("svg:"):
        return finish_card(_art(deck, rank, suit, scale), scale)
    drawn = _procedural(deck, rank, suit, scale * 2)
    size = (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))
    return finish_card(np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale)
