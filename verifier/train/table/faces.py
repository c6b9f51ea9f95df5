"""Faces of the second world's cards: decks that share no drawing code with `simulate.render`.

Pictures are (CARD_PX[1], CARD_PX[0], 4) BGRA; the alpha is the card's outline with its round corners.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.splits import Split
from verifier.train.table.splits import drawn
from verifier.train.table.strokes import Mask, glyph, stamp, suit_mask

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Tone = tuple[int, int, int]
Area = Callable[[Sequence[tuple[float, float]], Tone], None]
"""Draws an area with these corners in a colour (BGR)."""
CARD_PX: Final = (252, 352)
PER_MM: Final = 4.0
INKS: Final = {
    "black": (30, 26, 24),
    "red": (36, 28, 190),
    "blue": (150, 60, 20),
    "green": (50, 110, 20),
    "orange": (20, 110, 230),
}
COURTS: Final = ("figure", "bust", "emblem", "outline", "letter")


class Deck(Struct, frozen=True, kw_only=True):
    """How a deck looks; the first fields are the choices by which decks are divided, the others are noise."""

    form: int
    """Number whose bits say how each rank is written."""
    weight: int
    width: int
    serif: bool
    contrast: int
    bulge: int
    layout: str
    """Where indexes stand: "corner", "four", "jumbo", "beside", "small", "centre"."""
    court: str
    four_colours: bool
    slant: float = 0.0
    paper: tuple[float, float, float] = (244.0, 246.0, 246.0)
    frame: bool = False
    round_mm: float = 3.0
    seed: int = 0


LAYOUTS: Final = ("corner", "four", "jumbo", "beside", "small", "centre")


def sample_deck(rng: Generator, split: Split) -> Deck:
    """Return a deck of `split`."""
    return drawn(
        rng,
        split,
        "deck",
        _any_deck,
        lambda d: (d.form % 4, d.weight, d.width, d.serif, d.contrast, d.bulge, d.layout, d.court),
    )


def _any_deck(rng: Generator) -> Deck:
    layout = str(rng.choice(LAYOUTS, p=(0.42, 0.12, 0.18, 0.1, 0.12, 0.06)))
    tone = rng.uniform(232, 252)
    warm = rng.uniform(-10, 3)
    return Deck(
        form=int(rng.integers(0, 1 << 13)),
        weight=int(rng.integers(0, 5)),
        width=int(rng.integers(0, 4)),
        serif=bool(rng.random() < 0.45),
        contrast=int(rng.integers(0, 3)),
        bulge=int(rng.integers(0, 4)),
        layout=layout,
        court=str(rng.choice(COURTS, p=(0.45, 0.15, 0.12, 0.18, 0.1))),
        four_colours=bool(rng.random() < 0.12),
        slant=float(rng.choice([0.0, rng.uniform(0.0, 0.18)], p=(0.75, 0.25))),
        paper=(float(tone + warm), float(tone), float(min(255, tone + 1))),
        frame=bool(rng.random() < 0.25),
        round_mm=float(rng.uniform(2.2, 4.5)),
        seed=int(rng.integers(1 << 30)),
    )


def outline(round_mm: float) -> Mask:
    """Return a card's outline with round corners, as an alpha."""
    w, h = CARD_PX
    mask = np.zeros((h, w), np.uint8)
    r = round(round_mm * PER_MM)
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), (255.0,), -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), (255.0,), -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, (255.0,), -1)
    return mask


def _ink(deck: Deck, suit: str) -> Floats:
    name = {"h": "red", "d": "red", "c": "black", "s": "black"}[suit]
    if deck.four_colours and suit in "dc":
        name = {"d": "blue", "c": "green"}[suit]
    rng = np.random.default_rng([deck.seed, ord(name[0])])
    return np.clip(np.array(INKS[name]) + rng.normal(0, 9, 3), 0, 255)


def _glyph(deck: Deck, rank: str) -> Mask:
    form = deck.form >> "A23456789TJQK".index(rank) & 1
    weight = (0.08, 0.11, 0.14, 0.17, 0.2)[deck.weight] * (0.75 if rank == "T" else 1.0)
    width = (0.46, 0.56, 0.66, 0.8)[deck.width] / 0.66
    serif = deck.serif and rank in ("A", "K", "4", "7") and deck.weight < 4
    return glyph(rank, form, weight, width, deck.slant, serif, (1.0, 0.8, 0.62)[deck.contrast])


@lru_cache(maxsize=600)
def face(deck: Deck, rank: str, suit: str) -> Image:
    """Return the face of a card."""
    w, h = CARD_PX
    image = np.full((h, w, 3), deck.paper, np.float32).astype(np.uint8)
    ink = _ink(deck, suit)
    size = {"corner": 13.0, "four": 12.0, "jumbo": 21.0, "beside": 12.0, "small": 8.5, "centre": 11.0}[deck.layout]
    size *= float(np.random.default_rng([deck.seed, 3]).uniform(0.88, 1.12))
    taken = size * (WIDEST + (0.75 if deck.layout == "beside" else 0.0)) + 3.5
    if rank in "JQK":
        _court(image, deck, rank, suit, ink, taken)
    else:
        _pips(image, deck, rank, suit, ink, taken)
    _indexes(image, deck, rank, suit, ink, size)
    return np.dstack([image, outline(deck.round_mm)])


def _indexes(image: Image, deck: Deck, rank: str, suit: str, ink: Floats, size: float) -> None:
    w, h = CARD_PX
    letter, sign = _glyph(deck, rank), suit_mask(suit, deck.bulge / 3, 0.85)
    fat = size * PER_MM
    wide = min(fat * letter.shape[1] / letter.shape[0], WIDEST * fat)
    letter = np.asarray(cv2.resize(letter, (max(4, round(letter.shape[0] * wide / fat)), letter.shape[0])), np.uint8)
    x = 3.0 * PER_MM + wide / 2
    y = 3.2 * PER_MM + fat / 2
    small = fat * (0.7 if deck.layout != "jumbo" else 0.5)
    beside = deck.layout == "beside"
    below = (x + wide / 2 + small * 0.6, y) if beside else (x, y + fat / 2 + small * 0.68)
    spots = [(False, False), (True, True)]
    if deck.layout == "four":
        spots += [(True, False), (False, True)]
    for right, low in spots:
        for mask, (mx, my), tall in ((letter, (x, y), fat), (sign, below, small)):
            at = (w - mx if right else mx, h - my if low else my)
            stamp(image, mask, at, tall, ink, turned=low)


WIDEST: Final = 0.72
"""Width of an index at most, in its height: what is wider would run into the pips."""
_COLUMNS: Final = {"l": 0.3, "m": 0.5, "r": 0.7}
_PLACES: Final = {
    "2": "m0 m1", "3": "m0 m.5 m1", "4": "l0 r0 l1 r1", "5": "l0 r0 m.5 l1 r1", "6": "l0 r0 l.5 r.5 l1 r1",
    "7": "l0 r0 m.25 l.5 r.5 l1 r1", "8": "l0 r0 m.25 l.5 r.5 m.75 l1 r1",
    "9": "l0 r0 l.333 r.333 m.5 l.667 r.667 l1 r1", "T": "l0 r0 m.167 l.333 r.333 l.667 r.667 m.833 l1 r1",
}  # fmt: skip


def _pips(image: Image, deck: Deck, rank: str, suit: str, ink: Floats, taken: float) -> None:
    w, h = CARD_PX
    sign = suit_mask(suit, deck.bulge / 3, 0.85)
    rng = np.random.default_rng([deck.seed, 5])
    if deck.frame:
        edge = round(taken * PER_MM)
        cv2.rectangle(image, (edge, 22), (w - edge, h - 22), (ink * 0.5 + 100).tolist(), 2, cv2.LINE_AA)
    if deck.layout == "centre":
        stamp(image, _glyph(deck, rank), (w / 2, h / 2), h * 0.36, ink)
        return
    if rank == "A":
        tall = h * float(rng.uniform(0.2, 0.45))
        if rng.random() < 0.4:
            cv2.circle(image, (w // 2, h // 2), round(tall * 0.8), (ink * 0.6 + 60).tolist(), 2, cv2.LINE_AA)
        stamp(image, sign, (w / 2, h / 2), tall, ink)
        return
    tall, top = h * float(rng.uniform(0.11, 0.17)), float(rng.uniform(0.14, 0.2))
    inset = min(1.0, max(0.55, (w / 2 - taken * PER_MM - tall * 0.45) / (0.2 * w)))
    tall *= min(1.0, 0.5 + 0.5 * inset)
    for place in _PLACES[rank].split():
        down = float(place[1:])
        aside = _COLUMNS[place[0]] - 0.5
        at = (w * (0.5 + aside * inset), h * (top + (1 - 2 * top) * down))
        stamp(image, sign, at, tall, ink, turned=down > 0.5)


def _court(image: Image, deck: Deck, rank: str, suit: str, ink: Floats, taken: float) -> None:
    w, h = CARD_PX
    if deck.court == "letter":
        stamp(image, _glyph(deck, rank), (w / 2, h / 2), h * 0.4, ink)
        return
    x0, y0 = round(min(taken, 17.0) * PER_MM), round(5 * PER_MM)
    half = _emblem(deck, rank, suit, ink) if deck.court == "emblem" else _figure(deck, rank, suit, ink)
    room = (w - 2 * x0, (h - 2 * y0) // 2)
    if deck.court == "bust":
        inner = cv2.resize(half, (room[0], 2 * room[1]), interpolation=cv2.INTER_AREA)
    else:
        top = cv2.resize(half, room, interpolation=cv2.INTER_AREA)
        inner = np.vstack([top, top[::-1, ::-1]])
    image[y0 : y0 + inner.shape[0], x0 : x0 + inner.shape[1]] = inner
    if deck.frame or deck.court in ("figure", "outline"):
        cv2.rectangle(image, (x0, y0), (w - x0, h - y0), (ink * 0.5 + 40).tolist(), 2, cv2.LINE_AA)


def _emblem(deck: Deck, rank: str, suit: str, ink: Floats) -> Image:
    image = np.full((240, 260, 3), deck.paper, np.float32).astype(np.uint8)
    stamp(image, suit_mask(suit, deck.bulge / 3, 0.85), (130, 170), 120, ink)
    points = {"K": 5, "Q": 7, "J": 1}[rank]
    xs = np.linspace(60, 200, 2 * points + 1)
    line = [(x, 90 if i % 2 == 0 else 30) for i, x in enumerate(xs)]
    cv2.fillPoly(image, [np.array([(60, 105), *line, (200, 105)], np.int32)], (40, 170, 220), cv2.LINE_AA)
    return image


def _robe(area: Area, pick: Sequence[Tone]) -> None:
    """Draw what a figure wears."""
    area([(10, 240), (45, 150), (100, 125), (160, 125), (215, 150), (250, 240)], pick[0])
    area([(90, 240), (110, 130), (150, 130), (170, 240)], pick[1])
    for i in range(5):
        y = 150 + 18 * i
        area([(112 - i, y), (130, y + 8), (148 + i, y), (130, y + 3)], pick[2])
    for side in (-1, 1):
        for i in range(3):
            x = 130 + side * (55 + 22 * i)
            area([(x, 175 + 8 * i), (x + 12, 190 + 8 * i), (x, 206 + 8 * i), (x - 12, 190 + 8 * i)], pick[3])


def _hair(area: Area, rank: str, x: int, tone: Tone) -> None:
    """Draw a queen's or a jack's hair, or a king's beard, about `x`."""
    if rank == "Q":
        area([(x - 48, 140), (x - 46, 60), (x, 30), (x + 46, 60), (x + 48, 140)], tone)
    elif rank == "K":
        area([(x - 36, 100), (x - 20, 150), (x, 160), (x + 20, 150), (x + 36, 100)], tone)
    else:
        area([(x - 44, 115), (x - 40, 55), (x + 40, 55), (x + 44, 115)], tone)


def _head(image: Image, at: tuple[int, int]) -> None:
    """Draw a face with its middle at `at`."""
    cv2.ellipse(image, at, (30, 38), 0, 0, 360, (205, 220, 240), -1, cv2.LINE_AA)
    cv2.ellipse(image, at, (30, 38), 0, 0, 360, (35, 30, 30), 2, cv2.LINE_AA)
    for side in (-11, 11):
        cv2.circle(image, (at[0] + side, 80), 4, (35, 30, 30), -1, cv2.LINE_AA)
    cv2.ellipse(image, (at[0], 104), (9, 4), 0, 0, 180, (40, 40, 170), 2, cv2.LINE_AA)


def _crown(area: Area, rank: str, x: int, pick: Sequence[Tone]) -> None:
    """Draw a jack's hat or a crown, about `x`."""
    top = 50
    if rank == "J":
        area([(x - 46, top), (x - 30, top - 34), (x + 38, top - 28), (x + 46, top)], pick[5])
        area([(x + 30, top - 20), (x + 62, top - 46), (x + 52, top - 8)], pick[1])
        return
    xs = np.linspace(x - 42, x + 42, 2 * (3 if rank == "Q" else 5) + 1)
    points = [(float(one), top - (8 if i % 2 == 0 else 40)) for i, one in enumerate(xs)]
    area([(x - 42, top + 6), *points, (x + 42, top + 6)], (40, 190, 235))


def _figure(deck: Deck, rank: str, suit: str, ink: Floats) -> Image:
    """Return the upper half of a king, queen or jack, 260 x 240."""
    rng = np.random.default_rng([deck.seed, ord(rank), ord(suit)])
    image = np.full((240, 260, 3), deck.paper, np.float32).astype(np.uint8)
    colours = [(40, 40, 200), (40, 190, 235), (150, 70, 30), (40, 36, 34), (60, 130, 40), (225, 225, 230)]
    pick = [colours[int(i)] for i in rng.permutation(6)]
    flat = deck.court == "outline"

    def area(points: Sequence[tuple[float, float]], colour: Tone) -> None:
        polygon = np.round(np.array(points)).astype(np.int32)
        if not flat:
            cv2.fillPoly(image, [polygon], colour, cv2.LINE_AA)
        cv2.polylines(image, [polygon], True, (ink if flat else np.array([35, 30, 30])).tolist(), 2, cv2.LINE_AA)

    at = (130 + round(float(rng.normal(0, 10))), 85)
    _robe(area, pick)
    _hair(area, rank, at[0], (40, 60, 110) if flat else pick[4])
    _head(image, at)
    _crown(area, rank, at[0], pick)
    stamp(image, suit_mask(suit, deck.bulge / 3, 0.85), (38, 42), 58, ink)
    if rank != "Q":
        cv2.line(image, (226, 30), (212, 230), (90, 90, 90) if not flat else ink.tolist(), 7, cv2.LINE_AA)
        cv2.line(image, (205, 70), (240, 76), (60, 150, 190), 7, cv2.LINE_AA)
    else:
        for i in range(6):
            a = i * np.pi / 3
            cv2.circle(image, (222 + round(11 * np.cos(a)), 70 + round(11 * np.sin(a))), 8, pick[1], -1, cv2.LINE_AA)
    return image
