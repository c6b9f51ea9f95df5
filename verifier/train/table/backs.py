"""Backs of the second world's cards: ornaments, round signs, brands. Pictures as those of `table.faces`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator

from verifier.simulate.render.splits import Split
from verifier.train.table.faces import CARD_PX, PER_MM, Image, outline
from verifier.train.table.splits import drawn
from verifier.train.table.strokes import glyph, stamp, suit_mask

BACKS: Final = ("rings", "seal", "lattice", "waves", "scrolls", "rays", "tiles", "name", "two seals", "plain")


class Back(Struct, frozen=True, kw_only=True):
    """How a deck's back looks; `kind`, `hue` and `border` divide backs, the rest is noise."""

    kind: str
    hue: int
    border: int
    """Millimetres of the white edge; 0 for none."""
    repeats: int = 5
    seed: int = 0


def sample_back(rng: Generator, split: Split) -> Back:
    """Return a back of `split`."""
    return drawn(rng, split, "back", _any_back, lambda b: (b.kind, b.hue, b.border))


def _any_back(rng: Generator) -> Back:
    return Back(
        kind=str(rng.choice(BACKS)),
        hue=int(rng.integers(0, 9)),
        border=int(rng.choice([0, 2, 3, 4, 6])),
        repeats=int(rng.integers(3, 9)),
        seed=int(rng.integers(1 << 30)),
    )


_HUES: Final = (
    (150, 50, 30),
    (45, 35, 165),
    (60, 100, 25),
    (40, 35, 35),
    (120, 40, 90),
    (30, 110, 215),
    (110, 110, 110),
    (170, 130, 40),
    (60, 60, 110),
)


@lru_cache(maxsize=64)
def back(style: Back, round_mm: float = 3.0) -> Image:
    """Return the back of a card: ornaments, round signs, brands."""
    w, h = CARD_PX
    rng = np.random.default_rng([style.seed, 9])
    colour = np.clip(np.array(_HUES[style.hue]) + rng.normal(0, 8, 3), 0, 255)
    pale = (235.0, 238.0, 240.0) if rng.random() < 0.75 else tuple(np.clip(colour * 0.4 + 140, 0, 255))
    image = np.full((h, w, 3), colour, np.float32).astype(np.uint8)
    _BACKS[style.kind](image, style, rng, pale)
    edge = round(style.border * PER_MM)
    if edge:
        framed = np.full_like(image, (240, 243, 243))
        framed[edge : h - edge, edge : w - edge] = image[edge : h - edge, edge : w - edge]
        cv2.rectangle(framed, (edge, edge), (w - edge, h - edge), colour.tolist(), 2)
        image = framed
    return np.dstack([image, outline(round_mm)])


def _rings(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    for r in range(8, h, round(rng.uniform(10, 26))):
        cv2.circle(image, (w // 2, h // 2), r, pale, int(rng.integers(2, 6)), cv2.LINE_AA)


def _sign(image: Image, at: tuple[int, int], r: int, rng: Generator, pale: tuple[float, ...]) -> None:
    """Draw a round sign, about as large as a chip: ring, star or suit, letters."""
    ink = tuple(float(v) for v in rng.uniform(10, 120, 3))
    cv2.circle(image, at, r, pale, -1, cv2.LINE_AA)
    cv2.circle(image, at, round(r * 0.9), ink, max(2, r // 14), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(image, at, round(r * 0.66), ink, max(2, r // 20), cv2.LINE_AA)
        for i in range(int(rng.integers(8, 28))):
            a = i * 0.4
            dot = (at[0] + round(0.78 * r * np.cos(a)), at[1] + round(0.78 * r * np.sin(a)))
            cv2.circle(image, dot, max(1, r // 18), ink, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        stamp(image, suit_mask(str(rng.choice(list("cdhs"))), 0.5, 0.85), at, r * 0.9, np.array(ink))
    else:
        letters = "AKQJ"
        stamp(image, glyph(letters[int(rng.integers(4))], 0, 0.14, 1.0, 0.0, True, 0.8), at, r * 0.8, np.array(ink))


def _seal(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    if rng.random() < 0.5:
        _lattice(image, style, rng, tuple(v * 0.7 for v in pale))
    _sign(image, (w // 2, h // 2), round(rng.uniform(36, 100)), rng, pale)


def _two_seals(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    r, away = round(rng.uniform(30, 62)), round(h * rng.uniform(0.18, 0.26))
    for y in (h // 2 - away, h // 2 + away):
        _sign(image, (w // 2, y), r, rng, pale)


def _lattice(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    step, thick = round(rng.uniform(12, 34)), int(rng.integers(1, 5))
    for x in range(-h, w + h, step):
        cv2.line(image, (x, 0), (x + h, h), pale, thick, cv2.LINE_AA)
        cv2.line(image, (x, h), (x + h, 0), pale, thick, cv2.LINE_AA)


def _waves(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    x = np.arange(0, w + 6, 6)
    size, turns = rng.uniform(4, 16), rng.uniform(0.02, 0.09)
    for y in range(-20, h + 20, round(rng.uniform(10, 22))):
        line = np.stack([x, y + size * np.sin(x * turns * 2 + y * 0.05)], 1)
        cv2.polylines(image, [np.round(line).astype(np.int32)], False, pale, int(rng.integers(2, 6)), cv2.LINE_AA)


def _scrolls(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    t = np.linspace(0, 4.5 * np.pi, 60)
    for _ in range(int(rng.integers(14, 40))):
        at, way, size = rng.uniform(0, 1, 2) * (w, h / 2), float(rng.choice([-1, 1])), rng.uniform(0.8, 3.0)
        spiral = np.stack([np.cos(t * way), np.sin(t * way)], 1) * t[:, None] * size + at
        for points in (spiral, np.array([w, h]) - spiral):
            cv2.polylines(image, [np.round(points).astype(np.int32)], False, pale, 2, cv2.LINE_AA)


def _rays(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    count = 6 * style.repeats
    for i in range(0, 2 * count, 2):
        a, b = (np.pi * k / count for k in (i, i + 1))
        far = [(w / 2 + 400 * np.cos(v), h / 2 + 400 * np.sin(v)) for v in (a, b)]
        cv2.fillPoly(image, [np.array([(w / 2, h / 2), *far], np.int32)], pale, cv2.LINE_AA)
    if rng.random() < 0.6:
        _sign(image, (w // 2, h // 2), round(rng.uniform(30, 70)), rng, pale)


def _tiles(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h, w = image.shape[:2]
    step = w / style.repeats
    suit = str(rng.choice(list("cdhs")))
    for row in range(int(h / step) + 1):
        for column in range(style.repeats + 1):
            at = ((column + 0.5 * (row % 2)) * step, row * step)
            if style.repeats % 2:
                stamp(image, suit_mask(suit, 0.4, 0.85), at, step * 0.6, np.array(pale))
            else:
                cv2.circle(image, (round(at[0]), round(at[1])), round(step * 0.3), pale, 3, cv2.LINE_AA)


def _name(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    h = image.shape[0]
    word = str(rng.choice(["ROYAL", "DAKOTA", "PRAIRIE CLUB", "CASINO", "LUCKY", "NORTHERN", "SILVER", "ACES"]))
    for y in range(30, h + 30, round(rng.uniform(34, 120))):
        cv2.putText(image, word, (12, y), cv2.FONT_HERSHEY_COMPLEX, float(rng.uniform(0.8, 1.5)), pale, 2, cv2.LINE_AA)


def _plain(image: Image, style: Back, rng: Generator, pale: tuple[float, ...]) -> None:
    if rng.random() < 0.4:
        cv2.rectangle(image, (24, 24), (image.shape[1] - 24, image.shape[0] - 24), pale, 3, cv2.LINE_AA)


_BACKS: Final = {
    "rings": _rings, "seal": _seal, "lattice": _lattice, "waves": _waves, "scrolls": _scrolls, "rays": _rays,
    "tiles": _tiles, "name": _name, "two seals": _two_seals, "plain": _plain,
}  # fmt: skip
