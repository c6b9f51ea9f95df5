"""Faces of playing cards in procedural styles or from the system's art."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.colours import as_colour
from verifier.simulate.render.court_kinds import any_court
from verifier.simulate.render.court_plain import big_letter, painted, plain_court
from verifier.simulate.render.courts import court
from verifier.simulate.render.decks import WILD_STYLE, svg_face
from verifier.simulate.render.glyphs import FONTS, MORE_FONTS, stamps, text_mask
from verifier.simulate.render.ornaments import ornament
from verifier.simulate.render.pips import PIPS, WILD_PIP, pip_mask
from verifier.simulate.render.stock import finish_card
from verifier.simulate.render.warp import Texture, one_colour
from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]


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
    any_court: bool = False
    """Whether the figures are drawn in one of many manners (`court_kinds`)."""
    blue_green: bool = False
    """Four colours: diamonds blue, clubs green."""
    border: float = 0.0
    """Inset of a line round the face; 0 is none."""
    bare: bool = False
    """One big pip in the middle instead of as many as the rank."""
    spread: tuple[float, float] = (1.0, 1.0)
    """How far apart the pips stand, across and along, as a share of what is usual."""
    ornament: int | None = None
    """What draws the lines and curls about the pips; None for none."""

    def ink(self, suit: str) -> Colour:
        """Return the colour that `suit` is printed in."""
        if self.blue_green and suit in "dc":
            return (175.0, 75.0, 25.0) if suit == "d" else (50.0, 120.0, 20.0)
        return self.red if suit in "hd" else self.black


def _paper(rng: np.random.Generator) -> Colour:
    yellowed = (rng.random() < 0.15) * np.array((18.0, 6.0, 2.0))
    return as_colour(np.clip(rng.normal(247, 4) + rng.normal(0, 1.5, 3) - yellowed, 215, 255))


@lru_cache(maxsize=4096)
def style_of(name: str) -> Style:
    """Return the style behind a deck name `style:SPLIT:N`."""
    _, split, number = name.split(":")
    rng = np.random.default_rng([int(number), 1 if split == "train" else 2])
    jumbo = rng.random() < 0.5
    index = float(rng.uniform(15, 23) if jumbo else rng.uniform(8.5, 12))
    fonts = FONTS[split]
    style = Style(
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
    return style if int(number) < WILD_STYLE else _any_style(rng, split, style)


def _any_style(rng: np.random.Generator, split: str, style: Style) -> Style:
    """`style` taken further than card rooms go: other fonts, sizes, margins, papers, figures, colours."""
    own = np.random.default_rng([style.court, 91])
    fonts, size = MORE_FONTS[split], float(rng.choice([rng.uniform(6.5, 11), rng.uniform(11, 16), rng.uniform(16, 26)]))
    tint = np.clip(rng.uniform(200, 252) + rng.normal(0, 9, 3), 160, 255)
    return replace(
        style,
        font=fonts[int(rng.integers(len(fonts)))],
        index=size,
        squeeze=float(rng.uniform(0.5, 1.05)),
        margin=(float(rng.uniform(1.2, 5.5)), float(rng.uniform(1.5, 6.5))),
        pip_size=float(rng.uniform(8, 16)) * (float(own.uniform(0.5, 0.8)) if own.random() < 0.3 else 1.0),
        small_pip=min(float(rng.uniform(0.35, 0.95)), 11.0 / size),
        beside=bool(rng.random() < (0.3 if size < 18 else 0.08)),
        paper=as_colour(tint) if rng.random() < 0.25 else style.paper,
        red=(float(rng.uniform(5, 90)), float(rng.uniform(5, 70)), float(rng.uniform(140, 245))),
        any_court=bool(rng.random() < 0.75),
        blue_green=bool(rng.random() < 0.08),
        border=float(rng.uniform(1.5, 5.0)) if rng.random() < 0.12 else 0.0,
        bare=bool(rng.random() < 0.1),
        pip=WILD_PIP + style.pip if rng.random() < 0.6 else style.pip,
        spread=(float(own.uniform(0.6, 1.05)), float(own.uniform(0.55, 1.0))) if own.random() < 0.4 else (1.0, 1.0),
        ornament=int(own.integers(1 << 20)) if own.random() < 0.3 else None,
    )


def _indices(image: Image, rank: str, suit: str, style: Style, scale: float, ink: Colour) -> float:
    """Print the corner indices; return the width in millimetres that they take from the edge."""
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
        places = [((x * scale, y * scale), False), (((w - x) * scale, (h - y) * scale), True)]
        if style.four:
            places += [(((w - x) * scale, y * scale), False), ((x * scale, (h - y) * scale), True)]
        stamps(image, mask, places, size, ink)
    return float(column * 2 - style.margin[0])


def _pips(image: Image, rank: str, suit: str, style: Style, scale: float, ink: Colour, taken: float) -> None:
    w, h = CARD_MM
    pip = pip_mask(suit, style.pip)
    size = style.pip_size * (2.2 if rank == "A" else 1.0)
    room = w / 2 - taken - size / 2
    half_w = min(14.5, max(room, size * 0.55))
    half_w *= style.spread[0]
    half_h = (h / 2 - (13.0 if style.index < 13 else 16.0)) * style.spread[1]
    if style.index >= 13 and rank in "6789T":
        size = min(size, 10.5)
    if style.bare and rank != "A":
        rank, size, half_w = "A", size * 2.4, 0.0
    places = [(((w / 2 + x * half_w) * scale, (h / 2 + y * half_h) * scale), y > 0.01) for x, y in PIPS[rank]]
    stamps(image, pip, places, (size * 0.92 * scale, size * scale), ink)


def _procedural(name: str, rank: str, suit: str, scale: float) -> Image:
    style = style_of(name)
    w, h = round(CARD_MM[0] * scale), round(CARD_MM[1] * scale)
    image = one_colour((w, h), style.paper)
    ink = style.ink(suit)
    if style.border:
        inset = round(style.border * scale)
        cv2.rectangle(image, (inset, inset), (w - 1 - inset, h - 1 - inset), ink, max(1, round(0.35 * scale)))
    if style.ornament is not None:
        ornament(image, style.ornament, scale, ink)
    if rank in "JQK":
        left = min(style.margin[0] + style.index * 0.75 + 0.5, 17.0)
        plain = _plain(style)
        if plain == "letter":
            big_letter(image, rank, style.court, text_mask(rank, style.font), pip_mask(suit, style.pip), scale, ink)
        elif plain == "painted":
            painted(image, rank, suit, style.court, scale, left)
        else:
            draw = any_court if style.any_court else court
            draw(image, rank, suit, style.court, pip_mask(suit, style.pip), scale, left, style.frame, ink)
        _indices(image, rank, suit, style, scale, ink)
        return image
    taken = _indices(image, rank, suit, style, scale, ink)
    _pips(image, rank, suit, style, scale, ink, taken)
    return image


def _plain(style: Style) -> Literal["letter", "painted"] | None:
    return plain_court(style.court) if style.any_court else None


def has_plain_courts(deck: str) -> bool:
    """Tell whether the court cards of a drawn deck are big letters or small paintings."""
    return deck.startswith("style:") and _plain(style_of(deck)) is not None


def _art(name: str, rank: str, suit: str, scale: float) -> Image:
    """Return the system's art; a style at the name's end has its index laid over it, as casino decks have."""
    _, art, *over = name.split(":")
    image = np.ascontiguousarray(svg_face(art, rank, suit, (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))))
    if over:
        style = replace(style_of(":".join(("style", *over))), four=False, beside=False)
        width = min(style.index * 0.95, 19.0) + style.margin[0] + 1.0
        height = style.margin[1] + style.index * (1.15 + style.small_pip) + 1.0
        block = (slice(0, round(height * scale)), slice(0, round(width * scale)))
        image[block] = (250, 251, 251)
        image[::-1, ::-1][block] = (250, 251, 251)
        _indices(image, rank, suit, style, scale, style.ink(suit))
        if rank in "JQK" and int(over[-1]) >= WILD_STYLE:
            _recolour(image, int(over[-1]))
    return image


def _recolour(image: Image, seed: int) -> None:
    """Turn the hues of a figure, and sometimes take most of the colour away, in place; leave the corners."""
    rng = np.random.default_rng([seed, 12])
    if rng.random() < 0.4:
        return
    h, w = image.shape[:2]
    part = image[h // 8 : h - h // 8, w * 3 // 10 : w - w * 3 // 10]
    hsv = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
    hsv[..., 1] = cv2.convertScaleAbs(hsv[..., 1], alpha=float(rng.uniform(0.1, 1.2)))
    part[...] = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)


@lru_cache(maxsize=768)
def face_texture(deck: str, rank: str, suit: str, scale: float) -> Texture:
    """Return the face of a card of `deck` at `scale` px/mm."""
    if deck.startswith("svg:"):
        return finish_card(_art(deck, rank, suit, scale), scale)
    drawn = _procedural(deck, rank, suit, scale * 2)
    size = (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))
    return finish_card(np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale)
