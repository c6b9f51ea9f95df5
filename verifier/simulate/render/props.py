"""Things that are neither cards, chips, hands nor bank notes: cups, phones, the tip receptacle, piles of cards ..."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.backs import back_texture
from verifier.simulate.render.colours import as_colour, jittered, shaded
from verifier.simulate.render.glyphs import stamp, text_mask
from verifier.simulate.render.warp import Texture, one_colour, premultiply
from verifier.simulate.table import CARD_MM

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]
HEIGHTS: Final = {
    "cup": 95.0, "glass": 110.0, "phone": 9.0, "ashtray": 25.0, "cut_card": 0.8, "button": 6.0, "tip_receptacle": 70.0,
    "pile": 30.0, "cloth": 3.0, "keys": 6.0, "pen": 8.0, "paper": 0.3, "napkin": 1.0, "coin": 2.0, "wallet": 20.0,
    "plate": 20.0, "hair": 160.0, "label": 0.5, "lighter": 12.0, "remote": 18.0,
    "card_reader": 18.0,
}  # fmt: skip
"""Heights in millimetres; other kinds 15."""
_READERS: Final = ((32, 30, 30), (70, 72, 76), (120, 122, 126), (40, 60, 95), (60, 40, 30))
"""Bodies of hole-card readers (BGR): black and grey plastic, metal, wood, blue."""
ROUND: Final = ("cup", "glass", "ashtray", "button", "coin", "plate", "hair")
"""Kinds that are round; all others are boxes."""


def kind_of(kind: str) -> str:
    """Return the plain kind: `card pile` and `pile` are one, as are `cut card` and `cut_card`."""
    name = kind.replace(" ", "_").replace("-", "_")
    return {"card_pile": "pile", "dealer_button": "button", "cards": "pile", "toke_box": "tip_receptacle"}.get(
        name, name
    )


def prop_height(kind: str) -> float:
    """How high a prop of `kind` stands, millimetres."""
    return HEIGHTS.get(kind_of(kind), 15.0)


def prop_colour(kind: str, seed: int) -> Colour:
    """Return the main colour of a prop."""
    rng = np.random.default_rng([zlib.crc32(kind_of(kind).encode()), seed])
    base = {
        "phone": (30, 28, 28),
        "tip_receptacle": (120, 110, 90),
        "cut_card": (40, 170, 230),
        "button": (235, 235, 235),
        "pile": (225, 228, 230),
        "paper": (240, 240, 240),
        "napkin": (235, 235, 240),
        "coin": (150, 165, 175),
        "ashtray": (60, 60, 65),
        "keys": (150, 165, 170),
        "label": (232, 234, 236),
        "card_reader": _READERS[seed % len(_READERS)],
    }.get(kind_of(kind))
    if base is None:
        base = tuple(rng.uniform(30, 230, 3))
    return jittered(rng, as_colour(base), 12)


def _blank(size: tuple[float, float], colour: Colour, scale: float) -> tuple[Image, Image]:
    w, h = max(4, round(size[0] * scale)), max(4, round(size[1] * scale))
    return one_colour((w, h), colour), np.full((h, w), 255, np.uint8)


def _round(image: Image, cover: Image, kind: str, colour: Colour, rng: np.random.Generator) -> None:
    h, w = cover.shape
    centre, axes = (w // 2, h // 2), (max(1, w // 2 - 1), max(1, h // 2 - 1))
    cover[...] = 0
    cv2.ellipse(cover, centre, axes, 0, 0, 360, (255.0,), -1, cv2.LINE_AA)
    if kind in ("cup", "glass", "ashtray"):
        rim = shaded(colour, 1.25, 20)
        drink: Colour = ((25, 35, 60), (30, 140, 190), (70, 70, 75), (220, 225, 225))[int(rng.integers(4))]
        cv2.ellipse(image, centre, axes, 0, 0, 360, rim, -1, cv2.LINE_AA)
        cv2.ellipse(image, centre, (int(axes[0] * 0.86), int(axes[1] * 0.86)), 0, 0, 360, drink, -1, cv2.LINE_AA)
    elif kind == "plate":
        for share, shade in ((0.95, 1.06), (0.68, 0.9), (0.64, 1.0)):
            size = (int(axes[0] * share), int(axes[1] * share))
            cv2.ellipse(image, centre, size, 0, 0, 360, shaded(colour, shade), -1, cv2.LINE_AA)
    elif kind == "hair":
        dark: Colour = ((25, 28, 35), (40, 60, 90), (60, 110, 160), (150, 150, 155))[int(rng.integers(4))]
        image[...] = dark
        for _ in range(160):
            turn, near = float(rng.uniform(0, 6.28)), float(rng.uniform(0.0, 0.5))
            start = (int(w / 2 + w * near / 2 * np.cos(turn)), int(h / 2 + h * near / 2 * np.sin(turn)))
            turn += float(rng.normal(0, 0.15))
            end = (int(w / 2 * (1 + np.cos(turn))), int(h / 2 * (1 + np.sin(turn))))
            cv2.line(image, start, end, shaded(dark, float(rng.uniform(0.6, 1.7))), max(1, w // 90), cv2.LINE_AA)
    elif kind == "button":
        cv2.ellipse(
            image,
            centre,
            (int(axes[0] * 0.85), int(axes[1] * 0.85)),
            0,
            0,
            360,
            (40, 40, 40),
            max(1, w // 40),
            cv2.LINE_AA,
        )
        mask = text_mask("DEALER" if rng.random() < 0.7 else "D", "sans:700")
        stamp(image, mask, (w / 2, h / 2), (w * 0.6, w * 0.6 * mask.shape[0] / mask.shape[1]), (30, 30, 30))


def _flat(image: Image, kind: str, colour: Colour, rng: np.random.Generator) -> None:
    h, w = image.shape[:2]
    dark = shaded(colour, 0.55)
    if kind == "phone":
        cv2.rectangle(
            image, (w // 14, h // 22), (w - w // 14, h - h // 22), tuple(map(float, rng.uniform(10, 90, 3))), -1
        )
    elif kind == "tip_receptacle":
        cv2.rectangle(image, (0, 0), (w - 1, h - 1), dark, max(1, w // 14))
        cv2.rectangle(image, (w // 4, h // 2 - h // 16), (w - w // 4, h // 2 + h // 16), (15, 15, 15), -1)
        stamp(image, text_mask("TIPS", "sans:700"), (w / 2, h * 0.25), (w * 0.55, h * 0.16), (240, 240, 240))
    elif kind == "cloth":
        for _ in range(5):
            a, b = rng.integers(0, (w, h)), rng.integers(0, (w, h))
            cv2.line(
                image,
                (int(a[0]), int(a[1])),
                (int(b[0]), int(b[1])),
                shaded(colour, 0.85),
                max(1, w // 30),
                cv2.LINE_AA,
            )
    elif kind == "label":
        text = ("A", "K", "10", "8", "J", "SALE", "No 5", "2026", "QR", "7 UP")[int(rng.integers(10))]
        mask = text_mask(text, "sans:700")
        wide = min(w * 0.7, h * 0.5 * mask.shape[1] / mask.shape[0])
        at = (w / 2, h * float(rng.uniform(0.3, 0.6)))
        stamp(image, mask, at, (wide, wide * mask.shape[0] / mask.shape[1]), shaded((60, 50, 190), 1.0))
    elif kind == "card_reader":
        _reader(image, dark, rng)
    elif kind == "paper":
        for row in range(h // 8, h - h // 10, max(2, h // 12)):
            cv2.line(image, (w // 8, row), (int(w * rng.uniform(0.5, 0.9)), row), (130, 120, 120), 1)
    else:
        cv2.rectangle(image, (0, 0), (w - 1, h - 1), dark, max(1, w // 30))


def _reader(image: Image, dark: Colour, rng: np.random.Generator) -> None:
    """Draw the top of a hole-card reader: a bevelled body, the bed for a card's corner, the mirror that shows it."""
    h, w = image.shape[:2]
    edge, glass = max(1, w // 14), float(rng.uniform(90, 190))
    cv2.rectangle(image, (0, 0), (w - 1, h - 1), dark, edge)
    cv2.rectangle(image, (w // 5, h // 9), (w - w // 5, h // 2), shaded(dark, 0.5), -1)
    mirror = [(w * 0.3, h * 0.86), (w * 0.7, h * 0.86), (w * 0.62, h * 0.6), (w * 0.38, h * 0.6)]
    cv2.fillPoly(image, [np.array(mirror).astype(np.int32)], (glass * 1.1, glass, glass * 0.9), cv2.LINE_AA)
    for x in (w // 8, w - w // 8):
        for y in (h // 11, h - h // 11):
            cv2.circle(image, (x, y), max(1, w // 30), shaded(dark, 1.6, 30), -1, cv2.LINE_AA)


def _keys(cover: Image, rng: np.random.Generator) -> None:
    """Draw the outline of a few keys on a ring."""
    h, w = cover.shape
    cover[...] = 0
    hub = (w // 2, h // 5)
    cv2.circle(cover, hub, max(2, w // 5), 255, max(1, w // 14), cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 5))):
        turn = float(rng.normal(0, 0.5))
        end = (int(hub[0] + h * 0.68 * np.sin(turn)), int(hub[1] + h * 0.68 * np.cos(turn)))
        cv2.line(cover, hub, end, 255, max(1, w // 7), cv2.LINE_AA)
        head = (int(hub[0] + h * 0.22 * np.sin(turn)), int(hub[1] + h * 0.22 * np.cos(turn)))
        cv2.circle(cover, head, max(2, w // 6), 255, -1, cv2.LINE_AA)


@lru_cache(maxsize=512)
def prop_texture(kind: str, size: tuple[float, float], seed: int, back: int, scale: float) -> Texture:
    """Return the top of a prop at `scale` px/mm; a pile of cards shows the deck's back."""
    kind = kind_of(kind)
    if kind == "pile":
        texture = back_texture(back, scale)
        grow = np.diag([size[0] / CARD_MM[0], size[1] / CARD_MM[1], 1.0])
        return Texture(texture.pixels, grow @ texture.to_mm)
    rng = np.random.default_rng([seed, 9])
    colour = prop_colour(kind, seed)
    image, cover = _blank(size, colour, scale)
    if kind in ROUND:
        _round(image, cover, kind, colour, rng)
    else:
        _flat(image, kind, colour, rng)
        if kind == "keys":
            _keys(cover, rng)
        if kind in ("cloth", "napkin"):
            h, w = cover.shape
            corners = np.array([(0, 0), (w, 0), (w, h), (0, h)]) + rng.uniform(-0.08, 0.08, (4, 2)) * (w, h)
            cover[...] = 0
            cv2.fillPoly(cover, [corners.astype(np.int32)], (255.0,), cv2.LINE_AA)
    return Texture.centred(premultiply(image, cover), scale)
