"""Chips in the prescribed colours and edge spots (N.D. Admin. Code 99-01.3-08-03(3)); makers differ in all the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.money import CHIP_COLOURS, ChipColour
from verifier.simulate.render.chip_prints import printed_face
from verifier.simulate.render.colours import as_colour, shaded
from verifier.simulate.render.glyphs import FONTS, stamp, text_mask
from verifier.simulate.render.look import SETS, WILD
from verifier.simulate.render.pips import pip_mask
from verifier.simulate.render.warp import Texture, one_colour, premultiply, shadow_texture
from verifier.simulate.table import CHIP_DIAMETER_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
RADIUS: Final = CHIP_DIAMETER_MM / 2
OTHER_CENTS: Final = (1000, 2000, 25, 50000, 100000)
"""Values of training chips that no rule prescribes: blue, purple, orange, grey, brown."""
_BODY: Final[dict[int, Colour]] = {
    50: (45, 165, 205), 100: (228, 230, 232), 200: (185, 150, 238), 500: (45, 38, 190), 2500: (62, 118, 32),
    10000: (36, 34, 34), 1000: (165, 85, 35), 2000: (135, 50, 105), 25: (40, 120, 235), 50000: (150, 150, 148),
    100000: (50, 75, 115),
}  # fmt: skip
_OTHERS: Final[tuple[Colour, ...]] = (
    (165, 85, 35), (200, 150, 60), (120, 60, 25), (135, 50, 105), (190, 120, 160), (95, 35, 70), (30, 115, 240),
    (225, 185, 130), (150, 150, 148), (105, 108, 110), (50, 75, 115), (30, 45, 75), (170, 160, 60),
)  # fmt: skip
"""Bodies that no rule prescribes: blues, purples, oranges, greys, browns, teal.

Yellow is near mustard, so nobody is told that it is none.
"""
_SPOT_COLOURS: Final[tuple[Colour, ...]] = (
    (235, 235, 235), (60, 190, 235), (170, 80, 30), (40, 40, 45), (70, 140, 50), (60, 50, 190), (140, 70, 130),
    (210, 180, 120),
)  # fmt: skip


@dataclass(frozen=True)
class ChipStyle:
    """One maker's chip of one value: body, `spots` of `pieces` stripes each, angular half width in degrees."""

    body: Colour
    spot: Colour
    spots: int
    pieces: int
    half: float
    inlay: float
    paper: Colour
    ring: Colour
    font: str
    rim: float
    stamped: bool = False
    """Marked in the body itself, without a paper inlay."""
    band: int = 0
    """What runs between rim and inlay: 0 and 1 nothing, 2 suits, 3 dashes, 4 a ring."""


def colour_of(cents: int) -> ChipColour:
    """Return the named body colour of a chip value; "other" where none is prescribed."""
    return CHIP_COLOURS.get(cents, "other")


def _spots(cents: int, rng: np.random.Generator) -> tuple[int, int]:
    if cents == 2500:
        return (8, 1) if rng.random() < 0.6 else (3, 1)
    fixed = {50: (0, 1), 100: (4, 1), 200: (4, 2), 500: (6, 1), 10000: (4, 3)}
    return fixed.get(cents, (int(rng.integers(3, 9)), int(rng.integers(1, 4))))


@lru_cache(maxsize=4096)
def chip_style(cents: int, maker: int) -> ChipStyle:
    """How maker number `maker` makes chips of `cents`; of a set's maker only the body tells how its chips look."""
    if maker >= SETS:
        return chip_style(cents, maker - SETS)
    rng = np.random.default_rng([maker, cents])
    base = _BODY.get(cents) or _OTHERS[cents % len(_OTHERS)]
    body = as_colour(np.clip(np.array(base) * rng.uniform(0.88, 1.1) + rng.normal(0, 5, 3), 12, 248))
    count, pieces = _spots(cents, rng)
    if maker >= WILD and rng.random() < 0.6:
        count, pieces = int(rng.choice([0, 2, 3, 4, 4, 5, 6, 6, 8, 8, 10, 12])), int(rng.integers(1, 4))
    white = cents == 10000 or (cents == 2500 and count == 3)
    far = [c for c in _SPOT_COLOURS if np.abs(np.array(c) - np.array(base)).max() > 70]
    spot = _SPOT_COLOURS[0] if white else far[int(rng.integers(len(far)))]
    plain = rng.random() < 0.7
    paper = (225.0, 235.0, 240.0) if plain else as_colour(np.clip(np.array(body) * 0.6 + 90, 0, 255))
    ring = as_colour(rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.array(body) * 0.55)
    fonts = FONTS["train" if maker % 2 == 0 else "test"]
    style = ChipStyle(
        body=body,
        spot=spot,
        spots=count,
        pieces=pieces,
        half=float(rng.uniform(0.2, 0.36) * 180 / max(count, 3)),
        inlay=float(rng.uniform(8.5, 13.0)),
        paper=paper,
        ring=ring,
        font=fonts[int(rng.integers(len(fonts)))],
        rim=float(rng.uniform(3.5, 6.5)),
    )
    if maker < WILD:
        return style
    return replace(
        style,
        rim=float(rng.uniform(2.0, 9.0)),
        inlay=float(rng.uniform(5.0, 15.0)),
        half=float(rng.uniform(0.12, 0.45) * 180 / max(count, 3)),
        stamped=bool(rng.random() < 0.25),
        band=int(rng.integers(0, 5)),
        paper=style.paper if rng.random() < 0.6 else as_colour(rng.uniform(20, 245, 3)),
    )


def stripes(style: ChipStyle) -> list[tuple[float, float]]:
    """Return the edge stripes as (start, end) degrees."""
    out: list[tuple[float, float]] = []
    for index in range(style.spots):
        middle = index * 360.0 / style.spots
        width = 2 * style.half / (2 * style.pieces - 1)
        for piece in range(style.pieces):
            start = middle - style.half + piece * 2 * width
            out.append((start, start + width))
    return out


def _label(cents: int) -> str:
    return str(cents // 100) if cents >= 100 else str(cents)


def _band(image: Image, style: ChipStyle, middle: float, fine: float) -> None:
    """Draw the print between the rim and the inlay."""
    radius = (style.inlay + RADIUS - style.rim) / 2
    wide = RADIUS - style.rim - style.inlay
    if style.band < 2 or wide < 1.5:
        return
    if style.band == 4:
        cv2.circle(image, (round(middle),) * 2, round(radius * fine), style.spot, max(1, round(0.4 * wide * fine)), 16)
        return
    for index in range(8):
        turn = np.radians(index * 45.0 + 22.5)
        at = (middle + radius * fine * np.cos(turn), middle + radius * fine * np.sin(turn))
        if style.band == 2:
            stamp(image, pip_mask("shdc"[index % 4], 7), at, (wide * 0.8 * fine, wide * 0.8 * fine), style.spot)
        else:
            cv2.circle(
                image, (round(at[0]), round(at[1])), max(1, round(wide * 0.3 * fine)), style.spot, -1, cv2.LINE_AA
            )


def _draw(style: ChipStyle, cents: int, fine: float) -> tuple[Image, Image]:
    """BGR and coverage of the top face at `fine` px/mm."""
    side = 2 * round((RADIUS + 1.0) * fine)
    middle = (side - 1) / 2
    image = one_colour((side, side), style.body)
    at = (round(middle), round(middle))
    for start, end in stripes(style):
        turn = np.radians(np.linspace(start, end, 6))
        edge = np.stack([np.cos(turn), np.sin(turn)], 1)
        ring = np.vstack([edge * (RADIUS + 1.0), edge[::-1] * (RADIUS - style.rim)]) * fine + middle
        cv2.fillPoly(image, [np.round(ring * 16).astype(np.int32)], style.spot, cv2.LINE_AA, 4)
    groove = shaded(style.body, 0.75)
    _band(image, style, middle, fine)
    cv2.circle(image, at, round((style.inlay + 1.2) * fine), groove, max(1, round(0.5 * fine)), cv2.LINE_AA)
    if not style.stamped:
        cv2.circle(image, at, round(style.inlay * fine), style.paper, -1, cv2.LINE_AA)
        cv2.circle(image, at, round((style.inlay - 1.0) * fine), style.ring, max(1, round(0.6 * fine)), cv2.LINE_AA)
    mask = text_mask(_label(cents), style.font)
    height = style.inlay * 0.85
    width = min(height * mask.shape[1] / mask.shape[0], style.inlay * 1.35)
    ground = style.body if style.stamped else style.paper
    dark = (30.0, 30.0, 30.0) if sum(ground) > 330 else (235.0, 235.0, 235.0)
    stamp(image, mask, (middle, middle), (width * fine, height * fine), dark)
    cover = np.zeros((side, side), np.uint8)
    cv2.circle(cover, at, round(RADIUS * fine), 255, -1, cv2.LINE_AA)
    cv2.circle(image, at, round((RADIUS - 0.3) * fine), groove, max(1, round(0.4 * fine)), cv2.LINE_AA)
    return image, cover


@lru_cache(maxsize=1024)
def chip_texture(cents: int, maker: int, scale: float) -> Texture:
    """Return the top face of a chip at `scale` px/mm."""
    style = chip_style(cents, maker)
    if maker < SETS:
        return face_of(style, cents, scale)
    return printed_face(style.body, cents, scale, np.random.default_rng([maker]), "train" if maker % 2 == 0 else "test")


def face_of(style: ChipStyle, cents: int, scale: float) -> Texture:
    """Return the top face of a chip of `cents` in any style, at `scale` px/mm."""
    image, cover = _draw(style, cents, scale * 3)
    size = (image.shape[1] // 3, image.shape[0] // 3)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    return Texture.centred(
        premultiply(np.asarray(small, np.uint8), np.asarray(alpha, np.uint8)), size[0] / (image.shape[1] / (scale * 3))
    )


@lru_cache(maxsize=32)
def chip_shadow(scale: float, softness: float, radius: float = RADIUS) -> Texture:
    """Return the soft shadow of a chip, or of a coin of another radius in millimetres."""
    side = 2 * int(np.ceil(radius * scale)) + 1
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (side // 2, side // 2), round(radius * scale), 255, -1, cv2.LINE_AA)
    return shadow_texture(mask, scale, softness)
