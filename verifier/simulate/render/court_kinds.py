"""Court cards of many kinds: one or two heads, colour or line art, tinted grounds, patterned robes, beards, crowns."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.courts import shape
from verifier.simulate.render.glyphs import Mask, stamp

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
_INKS: Final[tuple[Colour, ...]] = (
    (40, 40, 200), (190, 90, 30), (40, 190, 235), (30, 30, 30), (60, 130, 50), (150, 60, 110), (205, 170, 90),
    (60, 110, 190), (235, 235, 235), (120, 40, 40), (30, 60, 120),
)  # fmt: skip
_HAIR: Final[tuple[Colour, ...]] = (
    (60, 170, 225),
    (40, 70, 120),
    (60, 60, 60),
    (215, 215, 215),
    (30, 30, 30),
    (40, 90, 190),
)
_SKIN: Final[tuple[Colour, ...]] = ((195, 215, 240), (235, 240, 245), (150, 185, 225), (120, 150, 200))


def any_court(
    image: Image, rank: str, suit: str, seed: int, pip: Mask, scale: float, left: float, frame: bool, ink: Colour
) -> None:
    """Draw a figure of `rank` in the deck's own manner of many into a card `image` of `scale` px/mm, in place."""
    deck = np.random.default_rng([seed, 4])
    rng = np.random.default_rng([seed, 5, "JQK".index(rank), "shdc".index(suit)])
    single, mono, tint = deck.random() < 0.25, deck.random() < 0.2, deck.random() < 0.3
    inks = [_INKS[i] for i in deck.permutation(len(_INKS))[:5]]
    if mono:
        inks = [ink, (245, 245, 245), ink, (225, 225, 225), ink]
    head = inks[:3]
    rng.shuffle(head)
    inks[:3] = head
    h, w = image.shape[:2]
    x0, x1, y0 = round(left * scale), w - round(left * scale), round(float(deck.uniform(4, 9)) * scale)
    ground = image[h // 2, w // 2].astype(float)
    if tint:
        ground = np.clip(ground * 0.75 + np.array(inks[1]) * 0.25, 0, 255)
    rows = h - 2 * y0 if single else h // 2 - y0
    half = np.full((rows, x1 - x0, 3), ground, np.uint8)
    _body(half, rng, inks)
    _face(half, rank, rng, inks, mono)
    size = float(deck.uniform(6.0, 11.0)) * scale
    if deck.random() < 0.75:
        stamp(half, pip, (size * 0.65, size * 0.7), (size * 0.9, size), ink)
    if rng.random() < 0.5 and rank != "Q":
        half = np.ascontiguousarray(half[:, ::-1])
    image[y0 : y0 + rows, x0:x1] = half
    if not single:
        image[h - y0 - rows : h - y0, x0:x1] = half[::-1, ::-1]
    if frame:
        line = inks[0] if deck.random() < 0.5 else (60.0, 60.0, 60.0)
        cv2.rectangle(
            image, (x0, y0), (x1, h - y0), line, max(1, round(float(deck.uniform(0.2, 0.7)) * scale)), cv2.LINE_AA
        )


def _body(half: Image, rng: Generator, inks: list[Colour]) -> None:
    wide, neck = float(rng.uniform(0.7, 1.0)), float(rng.uniform(0.48, 0.58))
    robe = [
        (-wide, 1.0),
        (-wide * 0.85, neck + 0.13),
        (-0.28, neck),
        (0.28, neck),
        (wide * 0.85, neck + 0.13),
        (wide, 1.0),
    ]
    shape(half, robe, inks[0])
    shape(half, [(-0.3, neck), (0.3, neck), (0.45, 1), (-0.45, 1)], inks[1])
    for index in range(int(rng.integers(2, 9))):
        x, y = float(rng.uniform(-0.75, 0.75)) * wide, float(rng.uniform(neck + 0.18, 0.97))
        r = float(rng.uniform(0.03, 0.1))
        shape(half, [(x - r, y), (x, y - r * 0.8), (x + r, y), (x, y + r * 0.8)], inks[2 + index % 3])
    for index in range(int(rng.integers(0, 7))):
        x = -0.8 + index * 0.26
        shape(half, [(x, 1.0), (x + 0.06, neck + 0.2), (x + 0.12, 1.0)], inks[(index + 3) % 5])
    if rng.random() < 0.7:
        x = float(rng.choice([-0.66, 0.66]))
        shape(half, [(x - 0.04, 0.06), (x + 0.04, 0.06), (x + 0.03, 0.95), (x - 0.03, 0.95)], inks[2])
        r = float(rng.uniform(0.08, 0.2))
        shape(half, [(x - r, 0.12), (x, 0.0), (x + r, 0.12), (x, 0.22)], inks[3])


def _face(half: Image, rank: str, rng: Generator, inks: list[Colour], mono: bool) -> None:
    h, w = half.shape[:2]
    hair = (245.0, 245.0, 245.0) if mono else _HAIR[int(rng.integers(len(_HAIR)))]
    skin = (250.0, 250.0, 250.0) if mono else _SKIN[int(rng.integers(len(_SKIN)))]
    wide, tall = float(rng.uniform(0.11, 0.17)), float(rng.uniform(0.12, 0.17))
    spread = float(rng.uniform(0.38, 0.55) if rank == "Q" else rng.uniform(0.24, 0.38))
    long = float(rng.uniform(0.5, 0.68) if rank == "Q" else rng.uniform(0.42, 0.56))
    shape(half, [(-spread, long), (-spread, 0.26), (0, 0.14), (spread, 0.26), (spread, long)], hair)
    centre = (w // 2 + round(float(rng.normal(0, 0.02)) * w), int(0.36 * h))
    cv2.ellipse(half, centre, (int(wide * w), int(tall * h)), 0, 0, 360, skin, -1, cv2.LINE_AA)
    cv2.ellipse(half, centre, (int(wide * w), int(tall * h)), 0, 0, 360, (30, 30, 30), 1, cv2.LINE_AA)
    for x in (-0.05, 0.05):
        cv2.circle(half, (centre[0] + int(x * w), int(0.34 * h)), max(1, w // 60), (40, 30, 30), -1, cv2.LINE_AA)
    cv2.line(
        half, (centre[0] - w // 30, int(0.43 * h)), (centre[0] + w // 30, int(0.43 * h)), (50, 50, 170), max(1, w // 60)
    )
    if rank == "K" and rng.random() < 0.9:
        end = float(rng.uniform(0.55, 0.75))
        shape(
            half,
            [
                (-0.24, 0.42),
                (-0.08, 0.44),
                (0.08, 0.44),
                (0.24, 0.42),
                (0.12, end - 0.04),
                (0, end),
                (-0.12, end - 0.04),
            ],
            hair,
        )
    if rank == "Q" and rng.random() < 0.6:
        for turn in np.arange(5) * 1.257:
            at = (int((0.72 + 0.04 * np.cos(turn)) * w), int(0.6 * h + 0.04 * w * np.sin(turn)))
            cv2.circle(half, at, max(1, w // 36), inks[0], -1, cv2.LINE_AA)
    _crown(half, rank, rng, inks)


def _crown(half: Image, rank: str, rng: Generator, inks: list[Colour]) -> None:
    gold: Colour = (40, 190, 235) if rng.random() < 0.6 else inks[2]
    if rank == "J":
        peak = float(rng.uniform(0.03, 0.12))
        shape(
            half,
            [(-0.4, 0.25), (-0.42, peak + 0.06), (-0.1, peak), (0.36, peak + 0.03), (0.46, 0.2), (0.36, 0.25)],
            inks[0],
        )
        if rng.random() < 0.6:
            shape(half, [(0.3, 0.2), (0.65, 0.02), (0.7, 0.08), (0.4, 0.24)], inks[3])
        return
    wide, tall = (0.28, 0.1) if rank == "Q" else (0.4, 0.05)
    points, count = [(-wide, 0.25)], 3 if rng.random() < 0.5 else 5
    for index in range(count):
        x = -wide * 1.2 + 2.4 * wide * index / (count - 1)
        points += [(x, tall + 0.04 * abs(index - count // 2) / 2), (x + 1.2 * wide / (count - 1), 0.17)]
    shape(half, [*points[:-1], (wide, 0.25)], gold)
