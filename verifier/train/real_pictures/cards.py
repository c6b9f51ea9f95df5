"""Photos with Pascal VOC boxes of cards: their ranks, and the true corners of those that lie free and flat."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, cast

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Box, CardSeen, Point, Rank
from verifier.train.labels import box_quad, rectangle
from verifier.train.matching import overlap

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
EDJE: Final = "cards-edje"
SQUEEZES: Final = ((1.0, 1.0), (0.75, 1.0), (1.0, 0.75))
"""What a square photo of cards-faruk is multiplied by (across, down) to be as the camera took it: 1:1, 3:4 or 4:3."""
RANK_NAMES: Final = {"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
SQUARE: Final = 640
"""Pixels of the sides of each photo of cards-faruk."""
ASPECTS: Final = (1.22, 1.58)
"""Long over short side of a card as photos show it; 1.4 seen from above."""
UPRIGHT: Final = (1.36, 1.46)
"""A free box of these proportions holds a card that lies straight: turned by 5 degrees it would be 1.32."""
FIT: Final = 0.86
"""How well (IoU) the box about a card's derived corners must fit the box that a person drew."""
FILLED: Final = 0.93
"""How much of its rectangle a card's outline must fill."""


@dataclass(frozen=True)
class BoxedCard:
    """A card in a photo: `box` as drawn, `quad` its corners (4, 2) where they could be derived surely, else None."""

    rank: str
    box: Box
    quad: Floats | None


def seen_face_up(quad: Sequence[Point], rank: str | None, visible: float | None = None) -> CardSeen:
    """Return a card that is surely seen face up: `quad` its corners (4, 2), pixels; `rank` None where it is cut off."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return CardSeen(id=None, face="up", p=1.0, quad=(a, b, c, d), rank=cast("Rank | None", rank), visible=visible)


def boxed_cards(path: Path) -> list[tuple[str, Box]]:
    """Rank and box of each card of a photo, from the XML file beside it; raises FileNotFoundError without one."""
    cards = []
    for item in ElementTree.parse(path.with_suffix(".xml")).iter("object"):
        x0, y0, x1, y1 = (float(item.findtext(f"bndbox/{name}") or 0) for name in ("xmin", "ymin", "xmax", "ymax"))
        cards.append((RANK_NAMES[item.findtext("name") or ""], (x0, y0, x1, y1)))
    return cards


def classed_cards(path: Path) -> list[tuple[str, Box]]:
    """Rank and box of each card of a photo of 640 pixels a side, from the YOLO file in `labels` beside its folder.

    The class's name is rank and suit, in `classes.txt` there. Raises FileNotFoundError without these files.
    """
    names = (path.parent.parent / "classes.txt").read_text(encoding="utf-8").split()
    rows = (path.parent.parent / "labels" / (path.stem + ".txt")).read_text(encoding="utf-8").splitlines()
    cards: list[tuple[str, Box]] = []
    for number, *shares in (row.split() for row in rows if row.strip()):
        x, y, w, h = (SQUARE * float(value) for value in shares)
        cards.append((names[int(number)][0], (x - w / 2, y - h / 2, x + w / 2, y + h / 2)))
    return cards


def cornered_cards(image: Image, boxed: list[tuple[str, Box]]) -> list[BoxedCard]:
    """Return the cards with their corners, without those of cards whose boxes meet: one hides a part of the other."""
    lie_free = free([box for _, box in boxed])
    return [
        BoxedCard(rank, box, corners(image, box) if alone else None)
        for (rank, box), alone in zip(boxed, lie_free, strict=True)
    ]


def free(boxes: Sequence[Box]) -> list[bool]:
    """Tell of each box whether it meets no other: where boxes meet, one card may hide a part of the other."""
    quads = [box_quad(box) for box in boxes]
    return [
        all(overlap(quad, other) < 0.01 for at, other in enumerate(quads) if at != index)
        for index, quad in enumerate(quads)
    ]


def told_cards(path: Path, found: list[BoxedCard]) -> list[BoxedCard]:
    """Return the cards `found` by their outlines; corners that no outline gives may be listed in `card_corners.json`.

    These an earlier detector found. They are listed where as many cards were found face up as a person had boxed, each
    about a box (nine tenths of it) and of the rank that the person wrote, and where they were gone through by eye.
    """
    listed = _listed().get(path.name)
    if listed is None:
        return found
    return [replace(card, quad=np.array(quad, np.float32)) for card, quad in zip(found, listed, strict=True)]


def squeeze(cards: list[BoxedCard]) -> tuple[float, float]:
    """Return which of SQUEEZES makes a photo's cards, whose corners must be known, most like cards from above."""

    def off(factors: tuple[float, float]) -> float:
        ratios = []
        for card in cards:
            sides = np.linalg.norm(np.diff(np.asarray(card.quad)[:3] * factors, axis=0), axis=1)
            ratios.append(sides.max() / max(1.0, sides.min()))
        return float(abs(np.log(np.median(ratios) * CARD_MM[0] / CARD_MM[1])))

    return min(SQUEEZES, key=off)


@cache
def _listed() -> dict[str, list[list[tuple[float, float]]]]:
    text = files(__package__).joinpath("card_corners.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, list[list[tuple[float, float]]]])


def corners(image: Image, box: Box) -> Floats | None:
    """Return the corners of the light card in a box, clockwise; None where its outline is unsure."""
    h, w = image.shape[:2]
    x0, y0, x1, y1 = box
    if min(x0, y0) < 2 or x1 > w - 3 or y1 > h - 3:
        return None
    pad = 0.05 * max(x1 - x0, y1 - y0)
    a, b = max(0, int(x0 - pad)), max(0, int(y0 - pad))
    part = image[b : int(y1 + pad), a : int(x1 + pad)]
    found = [
        quad + np.array([a, b], np.float32) for quad in (_outline(plane) for plane in _planes(part)) if quad is not None
    ]
    best = max(found, key=lambda quad: overlap(_bounds(quad), box_quad(box)), default=None)
    if best is not None and overlap(_bounds(best), box_quad(box)) >= FIT:
        return best
    short, long = sorted((x1 - x0, y1 - y0))
    return box_quad(box) if UPRIGHT[0] <= long / short <= UPRIGHT[1] else None


def _planes(part: Image) -> list[Image]:
    """Pictures in which a card is light: grey, the least channel, and lightness less colour."""
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    spread = part.max(2).astype(np.int16) - part.min(2)
    return [grey, np.asarray(part.min(2), np.uint8), np.clip(grey - 0.7 * spread, 0, 255).astype(np.uint8)]


def _outline(plane: Image) -> Floats | None:
    plane = np.asarray(cv2.GaussianBlur(plane, (0, 0), 1.0), np.uint8)
    _, light = cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(light, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    area = cv2.contourArea(hull)
    quad = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float32)
    _, (short, long), _ = rectangle(quad)
    if area < 0.3 * plane.size or short < 12 or not ASPECTS[0] <= long / short <= ASPECTS[1]:
        return None
    return quad if area >= FILLED * short * long else None


def _bounds(quad: Floats) -> Floats:
    (x0, y0), (x1, y1) = quad.min(0), quad.max(0)
    return box_quad((float(x0), float(y0), float(x1), float(y1)))
