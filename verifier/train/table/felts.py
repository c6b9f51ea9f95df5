"""Felts of the second world with their print: arcs with text, rings, boxes, signs; a pixel is a millimetre."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.splits import Split
from verifier.simulate.table import TablePlan
from verifier.train.table.splits import drawn
from verifier.train.table.strokes import glyph, stamp, suit_mask

Image = NDArray[np.uint8]
FELT_MM: Final = (2400.0, 1500.0)
"""Size of the printed picture, its middle over the table's origin."""
_TONES: Final = (
    (70, 105, 25),
    (50, 85, 20),
    (120, 75, 20),
    (40, 30, 120),
    (95, 95, 95),
    (105, 45, 85),
    (90, 120, 60),
    (150, 110, 30),
    (30, 60, 90),
)
SPOTS: Final = ("ring", "double", "disc", "box", "card", "sign", "none")
_LINES: Final = (
    "BLACKJACK PAYS 3 TO 2",
    "TWENTY-ONE",
    "DEALER MUST STAND ON ALL 17s",
    "INSURANCE PAYS 2 TO 1",
    "DEALER MUST DRAW TO 16",
    "PLAYERS CLUB",
    "NATURAL PAYS 3 TO 2",
)


class Felt(Struct, frozen=True, kw_only=True):
    """How a felt looks; `tone`, `spot`, `arcs` and `face` divide felts, the rest is noise."""

    tone: int
    spot: str
    arcs: int
    face: int
    seed: int = 0


def sample_felt(rng: Generator, split: Split) -> Felt:
    """Return a felt of `split`."""
    return drawn(rng, split, "felt", _any_felt, lambda f: (f.tone, f.spot, f.arcs, f.face))


def _any_felt(rng: Generator) -> Felt:
    return Felt(
        tone=int(rng.choice(len(_TONES), p=(0.24, 0.16, 0.14, 0.14, 0.08, 0.06, 0.06, 0.06, 0.06))),
        spot=str(rng.choice(SPOTS)),
        arcs=int(rng.integers(0, 4)),
        face=int(rng.integers(0, 5)),
        seed=int(rng.integers(1 << 30)),
    )


def print_felt(felt: Felt, table: TablePlan) -> Image:
    """Return the felt's picture, BGR, (FELT_MM[1], FELT_MM[0], 3)."""
    rng = np.random.default_rng([felt.seed, 4])
    w, h = (round(v) for v in FELT_MM)
    colour = np.clip(np.array(_TONES[felt.tone]) * rng.uniform(0.75, 1.35) + rng.normal(0, 6, 3), 5, 235)
    image = np.full((h, w, 3), colour, np.float32).astype(np.uint8)
    pale = tuple(
        map(
            float,
            np.clip(
                colour * 0.35
                + np.array(((190, 200, 205), (40, 180, 225), (225, 225, 225), (30, 30, 30))[int(rng.integers(4))])
                * 0.72,
                0,
                255,
            ),
        )
    )
    middle = (w // 2, h // 2 + 300)
    for i in range(felt.arcs):
        r = round(rng.uniform(330, 420) + 95 * i)
        _on_arc(image, _LINES[int(rng.integers(len(_LINES)))], middle, r, pale, felt.face, rng)
        if rng.random() < 0.6:
            for off in (30, 44):
                cv2.ellipse(image, middle, (r + off, r + off), 0, 200, 340, pale, 3, cv2.LINE_AA)
    for spots in table.spaces.values():
        at = (round(spots.wager[0] + w / 2), round(spots.wager[1] + h / 2))
        _spot(image, felt, at, pale, rng)
        if felt.spot == "card" or rng.random() < 0.15:
            _box(image, (round(spots.cards[0] + w / 2), round(spots.cards[1] + h / 2)), spots.outward, pale)
    if rng.random() < 0.5:
        _logo(image, (w // 2 + round(rng.normal(0, 60)), h // 2 + round(rng.uniform(-60, 200))), rng, pale)
    light = cv2.resize(rng.normal(0, 4.0, (9, 14)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(image + light[..., None], 0, 255), np.uint8)


def _on_arc(
    image: Image, text: str, middle: tuple[int, int], r: int, colour: tuple[float, ...], face: int, rng: Generator
) -> None:
    tall = float(rng.uniform(24, 52))
    turn = -90.0 - np.degrees(len(text) * tall * 0.72 / r) / 2
    for letter in text:
        turn += np.degrees(tall * 0.72 / r)
        cell = np.zeros((64, 64), np.uint8)
        cv2.putText(cell, letter, (14, 48), (0, 2, 3, 4, 5)[face], 1.7, (255.0,), 3 + face % 3, cv2.LINE_AA)
        way = np.radians(turn)
        at = (middle[0] + r * np.cos(way), middle[1] + r * np.sin(way))
        matrix = cv2.getRotationMatrix2D((32, 32), -(turn + 90), tall / 40)
        matrix[:, 2] += np.array([64, 64]) - 32
        big = np.asarray(cv2.warpAffine(cell, matrix, (128, 128)), np.uint8)
        _lay(image, big, (round(at[0]) - 64, round(at[1]) - 64), colour)


def _lay(image: Image, mask: Image, corner: tuple[int, int], colour: tuple[float, ...]) -> None:
    x, y = corner
    h, w = mask.shape
    if x < 0 or y < 0 or x + w > image.shape[1] or y + h > image.shape[0]:
        return
    part = image[y : y + h, x : x + w].astype(np.float32)
    cover = mask[..., None].astype(np.float32) / 255
    image[y : y + h, x : x + w] = np.round(part + cover * (np.array(colour, np.float32) - part)).astype(np.uint8)


def _spot(image: Image, felt: Felt, at: tuple[int, int], pale: tuple[float, ...], rng: Generator) -> None:
    r = round(rng.uniform(30, 62))
    if felt.spot in ("ring", "double", "sign", "card"):
        cv2.circle(image, at, r, pale, int(rng.integers(3, 9)), cv2.LINE_AA)
    if felt.spot == "double":
        cv2.circle(image, at, round(r * 0.75), pale, 3, cv2.LINE_AA)
        cv2.circle(image, (at[0] + 20, at[1] + 95), round(r * 0.42), pale, 3, cv2.LINE_AA)
    if felt.spot == "disc":
        cv2.circle(image, at, round(r * 0.6), pale, -1, cv2.LINE_AA)
        cv2.circle(image, at, round(r * 0.45), tuple(v * 0.6 for v in pale), 4, cv2.LINE_AA)
    if felt.spot == "box":
        cv2.rectangle(image, (at[0] - r, at[1] - r), (at[0] + r, at[1] + r), pale, 5, cv2.LINE_AA)
    if felt.spot == "sign":
        stamp(image, suit_mask(str(rng.choice(list("cdhs"))), 0.5, 0.85), at, r, np.array(pale))


def _box(image: Image, at: tuple[int, int], outward: tuple[float, float], pale: tuple[float, ...]) -> None:
    """Draw a printed place for a card."""
    turn = np.degrees(np.arctan2(outward[0], -outward[1]))
    corners = cv2.boxPoints(((float(at[0]), float(at[1])), (72.0, 98.0), float(turn)))
    cv2.polylines(image, [np.round(corners).astype(np.int32)], True, pale, 3, cv2.LINE_AA)


def _logo(image: Image, at: tuple[int, int], rng: Generator, pale: tuple[float, ...]) -> None:
    """Draw a large round sign in the middle, or cards and letters printed on the felt."""
    r = round(rng.uniform(40, 120))
    ink = np.array(pale)
    if rng.random() < 0.7:
        cv2.circle(image, at, r, pale, int(rng.integers(3, 10)) if rng.random() < 0.7 else -1, cv2.LINE_AA)
        ink = ink if rng.random() < 0.4 else rng.uniform(0, 255, 3)
    if rng.random() < 0.5:
        stamp(image, suit_mask(str(rng.choice(list("cdhs"))), 0.5, 0.85), at, r * 1.1, ink)
    else:
        stamp(image, glyph(str(rng.choice(list("AKQJ"))), 0, 0.14, 1.0, 0.0, True, 0.8), at, r * 1.1, ink)
