"""Chips of the second world: the law's colours and edge spots on faces of own makers, and what is round but no chip."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.splits import Split
from verifier.train.table.bodies import AROUND
from verifier.train.table.splits import drawn
from verifier.train.table.strokes import glyph, stamp, suit_mask

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
DISC_PX: Final = 256
BODIES: Final = {
    50: (45, 160, 205), 100: (222, 230, 232), 200: (165, 130, 232), 500: (42, 38, 185), 2500: (62, 118, 34),
    10000: (36, 33, 33), 1: (165, 80, 30), 2: (150, 50, 110), 3: (30, 110, 230), 4: (45, 70, 110), 5: (140, 140, 140),
    6: (215, 185, 120),
}  # fmt: skip
"""Bodies by value in cents, BGR; 1 to 6 are colours that no rule prescribes."""
SPOTS: Final = {50: (0, 1), 100: (4, 1), 200: (4, 2), 500: (6, 1), 2500: (8, 1), 10000: (4, 3)}
"""Edge spots and the stripes of each (N.D. Admin. Code 99-01.3-08-03(3))."""
INLAYS: Final = ("disc", "ring", "star", "suit", "crest", "mould", "wide")


class Maker(Struct, frozen=True, kw_only=True):
    """How a maker's chips look; `inlay`, `band`, `edge` and `tone` divide makers, the rest is noise."""

    inlay: str
    band: int
    edge: int
    tone: int
    seed: int = 0


def sample_maker(rng: Generator, split: Split) -> Maker:
    """Return a maker of `split`."""
    return drawn(rng, split, "maker", _any_maker, lambda m: (m.inlay, m.band, m.edge, m.tone))


def _any_maker(rng: Generator) -> Maker:
    return Maker(
        inlay=str(rng.choice(INLAYS)),
        band=int(rng.integers(0, 4)),
        edge=int(rng.integers(0, 3)),
        tone=int(rng.integers(0, 4)),
        seed=int(rng.integers(1 << 30)),
    )


class Colours(Struct, frozen=True):
    """Body and spots of a chip (BGR 0..255), and the (start, end) degrees of its spots' stripes."""

    body: tuple[float, ...]
    spot: tuple[float, ...]
    stripes: tuple[tuple[float, float], ...]


@lru_cache(maxsize=512)
def colours(maker: Maker, cents: int) -> Colours:
    """How a maker colours a value."""
    rng = np.random.default_rng([maker.seed, cents])
    body = np.clip(np.array(BODIES[cents]) * rng.uniform(0.88, 1.1) + rng.normal(0, 5, 3), 12, 248)
    count, pieces = SPOTS.get(cents, (int(rng.integers(3, 9)), int(rng.integers(1, 3))))
    if cents == 2500 and rng.random() < 0.4:
        count = 3
    white = cents == 10000 or count == 3
    tones = [(232, 238, 240), (30, 160, 225), (170, 70, 30), (40, 40, 170), (60, 140, 50), (40, 38, 38), (160, 60, 140)]
    far = [tone for tone in tones if np.abs(np.array(tone) - body).max() > 75]
    spot = tones[0] if white else far[int(rng.integers(len(far)))]
    half = float(rng.uniform(0.2, 0.34)) * 180 / max(count, 3)
    step = 2 * half / (2 * pieces - 1)
    stripes = tuple(
        (i * 360 / count - half + 2 * k * step, i * 360 / count - half + (2 * k + 1) * step)
        for i in range(count)
        for k in range(pieces)
    )
    return Colours(tuple(body), tuple(map(float, spot)), stripes)


def side_of(told: Colours, spin: float) -> Floats:
    """(AROUND, 3) colours, BGR 0..1, of the segments of a chip's side; the chip is turned by `spin` degrees."""
    degrees = (np.arange(AROUND) + 0.5) * 360 / AROUND + spin
    side = np.tile(np.array(told.body) / 255, (AROUND, 1))
    for start, end in told.stripes:
        side[((degrees - start) % 360) < (end - start)] = np.array(told.spot) / 255
    return np.asarray(side * 0.96)


@lru_cache(maxsize=256)
def top(maker: Maker, cents: int) -> Image:
    """Return the face of a chip, (DISC_PX, DISC_PX, 4) BGRA; its alpha is the disc."""
    told = colours(maker, cents)
    rng = np.random.default_rng([maker.seed, cents, 1])
    fixed = np.random.default_rng([maker.seed, 2])
    image = np.full((DISC_PX, DISC_PX, 3), told.body, np.float32).astype(np.uint8)
    middle, r = (DISC_PX // 2, DISC_PX // 2), DISC_PX // 2
    deep = (0.62, 0.7, 0.78)[maker.edge]
    for start, end in told.stripes:
        cv2.ellipse(image, middle, (r, r), 0, start, end, told.spot, -1, cv2.LINE_AA)
    cv2.circle(image, middle, round(r * deep), told.body, -1, cv2.LINE_AA)
    dark = tuple(v * 0.6 for v in told.body)
    _band(image, maker, deep, dark, told.spot)
    inner = round(r * float(fixed.uniform(0.42, 0.55)) * (1.28 if maker.inlay == "wide" else 1.0))
    paper = _paper(maker, told)
    cv2.circle(image, middle, inner, tuple(map(float, paper)), -1, cv2.LINE_AA)
    ink = np.array((35.0, 30, 30) if np.mean(paper) > 110 else (235.0, 235, 235))
    if maker.inlay == "mould":
        ink = np.array(dark)
    if maker.inlay in ("ring", "crest", "wide"):
        cv2.circle(image, middle, round(inner * 0.9), ink.tolist(), 2, cv2.LINE_AA)
    if maker.inlay in ("star", "suit", "crest"):
        sign, lone = suit_mask("cdhs"[maker.seed % 4], 0.5, 0.85), maker.inlay == "suit"
        at, tall = (middle[0], middle[1] - (0 if lone else 0.3 * inner)), inner * (1.5 if lone else 0.6)
        stamp(image, sign, at, tall, np.array(told.spot if lone else ink))
    _value(image, cents, middle, inner * (1.0 if maker.inlay in ("disc", "wide", "mould", "ring") else 0.7), ink, maker)
    noise = rng.normal(0, 3, (DISC_PX, DISC_PX, 1))
    image = np.clip(image + noise, 0, 255).astype(np.uint8)
    alpha = np.zeros((DISC_PX, DISC_PX), np.uint8)
    cv2.circle(alpha, middle, r - 1, (255.0,), -1)
    return np.dstack([image, alpha])


def _band(image: Image, maker: Maker, deep: float, dark: tuple[float, ...], spot: tuple[float, ...]) -> None:
    """Draw the ring or the strokes inside of a chip's edge, which is `deep` from the middle, in radii."""
    middle, r = (DISC_PX // 2, DISC_PX // 2), DISC_PX // 2
    if maker.band == 1:
        cv2.circle(image, middle, round(r * deep), dark, 3, cv2.LINE_AA)
    elif maker.band:
        for i in range(12 * maker.band):
            a = 2 * np.pi * i / (12 * maker.band)
            near, far = (
                (round(middle[0] + r * f * np.cos(a)), round(middle[1] + r * f * np.sin(a)))
                for f in (deep - 0.03, deep - 0.12)
            )
            cv2.line(image, near, far, spot if maker.band == 2 else dark, 4, cv2.LINE_AA)


def _paper(maker: Maker, told: Colours) -> tuple[float, ...]:
    """Return the colour of a chip's inlay; a moulded one is of the body."""
    if maker.inlay == "mould":
        return told.body
    return (
        (225.0, 234.0, 238.0),
        tuple(np.clip(np.array(told.body) * 0.55 + 105, 0, 255)),
        tuple(v * 0.8 for v in told.body),
        told.spot,
    )[maker.tone]


def _value(image: Image, cents: int, middle: tuple[int, int], tall: float, ink: Floats, maker: Maker) -> None:
    text = {50: "50", 100: "A", 200: "2", 500: "5", 2500: "25", 10000: "T"}.get(cents, "J")
    if text == "A":
        cv2.line(
            image,
            (middle[0], round(middle[1] - tall / 2)),
            (middle[0], round(middle[1] + tall / 2)),
            ink.tolist(),
            max(4, round(tall / 6)),
            cv2.LINE_AA,
        )
        return
    if text == "50":
        cv2.putText(
            image, "50", (middle[0] - 40, middle[1] + 22), cv2.FONT_HERSHEY_DUPLEX, 2.0, ink.tolist(), 5, cv2.LINE_AA
        )
        return
    if text == "25":
        for x, one in ((-0.36, "2"), (0.36, "5")):
            stamp(
                image,
                glyph(one, maker.seed % 2, 0.16, 0.9, 0.0, False, 0.9),
                (middle[0] + x * tall, middle[1]),
                tall,
                ink,
            )
        return
    if text == "J":
        return
    stamp(
        image,
        glyph(text, maker.seed % 2, 0.15, 1.0, 0.0, bool(maker.seed & 4), 0.8),
        (float(middle[0]), float(middle[1])),
        tall,
        ink,
    )


WORDS: Final = (
    *("TABLE", "MINIMUM 5", "MAXIMUM 100", "INVOICE", "DEALER", "SEAT 4", "NO SMOKING"),
    *("21", "7 UP", "KEEP", "OPEN", "A-K", "2026"),
)
"""What may be printed on a label."""


def _line(image: Image, rng: Generator, kind: float, y: int, tall: float, ink: tuple[float, float, float]) -> None:
    """Print one line of a label at height `y`: by `kind` (0..1) words, a bar, a disc, a bar code or nothing."""
    w = image.shape[1]
    if kind < 0.5:
        word, at = str(rng.choice(WORDS)), (int(rng.integers(4, 40)), y + round(22 * tall))
        cv2.putText(image, word, at, int(rng.integers(0, 6)), tall, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    elif kind < 0.65:
        colour = tuple(map(float, rng.uniform(0, 255, 3)))
        cv2.rectangle(image, (0, y), (w, y + round(30 * tall)), colour, -1)
    elif kind < 0.8:
        colour = tuple(map(float, rng.uniform(0, 255, 3)))
        at, thick = (int(rng.integers(20, w - 20)), y + 30), -1 if rng.random() < 0.5 else 4
        cv2.circle(image, at, round(26 * tall), colour, thick, cv2.LINE_AA)
    elif kind < 0.9:
        for x in range(10, w - 10, 6):
            cv2.line(image, (x, y), (x, y + round(30 * tall)), ink, int(rng.integers(1, 4)))


def label(rng: Generator, size: tuple[int, int] = (252, 352), *, round_one: bool = False) -> Image:
    """Return a paper, label, brand or screen: anything printed that is no card, BGRA of `size` (w, h)."""
    w, h = size
    paper = (
        rng.uniform(150, 250) * np.clip(rng.normal(1, 0.06, 3), 0.7, 1.05)
        if rng.random() < 0.6
        else rng.uniform(10, 245, 3)
    )
    image = np.full((h, w, 3), np.clip(paper, 0, 255), np.float32).astype(np.uint8)
    ink = (30.0, 30.0, 30.0) if np.mean(paper) > 120 else (235.0, 235.0, 235.0)
    y = 10
    while y < h - 14:
        kind = rng.random()
        tall = float(rng.uniform(0.4, 1.7))
        _line(image, rng, kind, y, tall, ink)
        y += round(38 * tall)
    alpha = np.full((h, w), 255, np.uint8)
    if round_one:
        alpha[:] = 0
        cv2.ellipse(alpha, (w // 2, h // 2), (w // 2 - 1, h // 2 - 1), 0, 0, 360, (255.0,), -1)
    return np.dstack([image, alpha])
