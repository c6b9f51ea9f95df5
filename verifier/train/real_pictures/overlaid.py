"""Cards laid half over cards in a photo, edge along edge and in the same light: detectors take them for one card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.train.labels import BOX_SHARE_INSIDE, clipped, rectangle
from verifier.train.pictures import Shot
from verifier.train.real_pictures.cards import seen_face_up
from verifier.train.real_pictures.layers import Layer, laid, softened, uncovered
from verifier.train.real_pictures.paste import CARD_SIZE, card_shape
from verifier.train.real_pictures.windows import moved

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
ACROSS: Final = 0.75
"""Share of the cards that are shifted along the short side of the card below."""
SHIFT: Final = (0.22, 0.85)
"""By how much of that side."""
PAPER: Final = 85
"""Percentile of a card's pixels at which they show its bare paper."""
MOST: Final = 3
"""Cards laid one over the other, at most."""


def overlaid(shot: Shot, faces: Sequence[tuple[Image, str]], rng: Generator) -> Shot:
    """Return the picture with one to MOST straightened cards, each laid over the one before; the lowest is whole."""
    whole = [card for card in shot.truth.cards if card.rank is not None]
    if not whole:
        return shot
    below = np.asarray(whole[int(rng.integers(len(whole)))].quad, np.float32)
    step = _step(below, rng)
    for _ in range(int(rng.integers(1, MOST + 1))):
        face, rank = faces[int(rng.integers(len(faces)))]
        lies = _beside(below, step, rng)
        laid_on = _laid_on(shot, face, rank, (below, lies), rng)
        if laid_on is None:
            return shot
        shot, below = laid_on, lies
    return shot


def _laid_on(shot: Shot, face: Image, rank: str, places: tuple[Floats, Floats], rng: Generator) -> Shot | None:
    """Return the picture with one more card, or None beyond its edge; `places`: corners of the card below and of it."""
    below, lies = places
    size = shot.image.shape[0]
    label = clipped(0, lies, (size, size), BOX_SHARE_INSIDE)
    if label is None:
        return None
    layer = _layer(face, lies, below, shot.image, rng)
    truth = uncovered(shot.truth, layer.alpha)
    inside = lies.min() >= 0 and lies.max() <= size - 1
    card = seen_face_up(label.quad, rank if inside else None, visible=1.0)
    image = laid(shot.image, layer, float(rng.uniform(0.2, 2.0)), rng)
    return Shot(image, structs.replace(truth, cards=[*truth.cards, card]))


def _beside(quad: Floats, step: Floats, rng: Generator) -> Floats:
    """Return a card's corners one step on, turned and scaled a little."""
    x, y = quad.mean(0)
    matrix = cv2.getRotationMatrix2D((float(x), float(y)), float(rng.normal(0, 4)), float(rng.uniform(0.97, 1.03)))
    jitter = rng.normal(0, 0.01, 2) * np.abs(step).max()
    return np.asarray(moved(quad, np.asarray(matrix, np.float64)) + step + jitter, np.float32)


def _step(quad: Floats, rng: Generator) -> Floats:
    """From a card to the one that covers it, pixels: along one side mostly, a little along the other."""
    (_, _), (short, long), angle = rectangle(quad)
    way = np.radians(angle)
    across, down = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    main, other = (across * short, down * long) if rng.random() < ACROSS else (down * long, across * short)
    sign = float(rng.choice([-1.0, 1.0]))
    return np.asarray(sign * rng.uniform(*SHIFT) * main + rng.normal(0, 0.06) * other, np.float32)


def _layer(face: Image, lies: Floats, below: Floats, onto: Image, rng: Generator) -> Layer:
    """Return the straightened card where it lies, its paper as light and of the tint that the card below has."""
    w, h = CARD_SIZE
    corners = _from_short_side(lies)
    if rng.random() < 0.5:
        corners = np.roll(corners, 2, axis=0)
    frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(frame, corners.astype(np.float32))
    size = onto.shape[1::-1]
    shrink = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (w * h)))
    source, inner = softened(face, card_shape(), shrink, rng)
    coloured = np.clip(source * _tint(face, onto, below) * rng.uniform(0.96, 1.04), 0, 255).astype(np.uint8)
    image = cv2.warpPerspective(coloured, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(inner, matrix, size, flags=cv2.INTER_LINEAR)
    return Layer(np.asarray(image, np.uint8), np.asarray(alpha, np.float32) / np.float32(255))


def _tint(face: Image, onto: Image, below: Floats) -> NDArray[np.float64]:
    """(3,) by what a face's colours are multiplied to have the paper of the card at `below`."""
    area = np.zeros(onto.shape[:2], np.uint8)
    cv2.fillConvexPoly(area, np.round(below).astype(np.int32), (1,))
    shown = onto[area > 0]
    paper = np.percentile(shown, PAPER, axis=0) if len(shown) else np.full(3, 220.0)
    return np.asarray(paper / np.maximum(np.percentile(face.reshape(-1, 3), PAPER, axis=0), 60.0))


def _from_short_side(quad: Floats) -> Floats:
    """Return the corners clockwise, beginning so that the first side is a short one."""
    clockwise = quad if cv2.contourArea(quad, oriented=True) > 0 else quad[::-1]
    sides = np.hypot(*(np.roll(clockwise, -1, axis=0) - clockwise).T)
    return clockwise if sides[0] <= sides[1] else np.roll(clockwise, -1, axis=0)
