"""Real hands with their arms, and real cards, laid into rendered pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.train.labels import BOX_SHARE_INSIDE, box_quad, clipped, rectangle
from verifier.train.pictures import Shot
from verifier.train.real_pictures.cards import BoxedCard, seen_face_up
from verifier.train.real_pictures.hands import HandPhoto
from verifier.train.real_pictures.layers import Layer, laid, layer_of, scale_of, uncovered
from verifier.train.real_pictures.windows import hand_seen, moved

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
PALM_MM: Final = (32.0, 46.0)
"""Radius of the largest circle in a hand seen from above."""
ACROSS: Final = 0.12
"""Share of the cards of a hand that lie at a right angle to the first, as a doubled one does."""
CARD_SIZE: Final = (200, 280)
"""Pixels of a straightened card that is kept for pasting."""


@dataclass(frozen=True)
class Lies:
    """How a card lies: its middle in pixels, its turn in degrees counterclockwise, pixels for a millimetre."""

    at: tuple[float, float]
    turn: float
    scale: float


def with_card(shot: Shot, source: Image, rank: str, rng: Generator, lies: Lies | None = None) -> Shot:
    """Return the picture with a straightened card (CARD_SIZE) laid anywhere unless told; the card has no suit."""
    size = shot.image.shape[0]
    lies = lies or anywhere(shot, rng)
    w, h = np.array(CARD_MM) * lies.scale
    middle = (CARD_SIZE[0] / 2, CARD_SIZE[1] / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, lies.turn, w / CARD_SIZE[0]), np.float64)
    matrix[:, :2] *= (1.0, h / w * CARD_SIZE[0] / CARD_SIZE[1])
    matrix[:, 2] = np.array(lies.at) - matrix[:, :2] @ middle
    layer = layer_of(source, card_shape(), matrix, shot.image, rng)
    quad = moved(box_quad((2, 2, CARD_SIZE[0] - 3, CARD_SIZE[1] - 3)), matrix)
    truth = uncovered(shot.truth, layer.alpha)
    label = clipped(0, quad, (size, size), BOX_SHARE_INSIDE)
    if label is not None:
        whole = quad.min() >= 0 and quad.max() <= size - 1
        card = seen_face_up(label.quad, rank if whole else None, visible=1.0)
        truth = structs.replace(truth, cards=[*truth.cards, card])
    return Shot(laid(shot.image, layer, float(rng.uniform(0.5, 3.0)), rng), truth)


def with_cards(shot: Shot, faces: Sequence[tuple[Image, str]], rng: Generator) -> Shot:
    """Return the picture with straightened cards (and their ranks) laid partly over each other, as a hand grows."""
    first = anywhere(shot, rng)
    step = np.array(CARD_MM) * first.scale * rng.uniform(0.15, 0.75, 2) * rng.choice([-1.0, 1.0], 2)
    turn = np.radians(-first.turn)
    along = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ step
    for number, (face, rank) in enumerate(faces):
        at = np.array(first.at) + number * along + rng.normal(0, 2.0, 2) * first.scale
        across = 90.0 if rng.random() < ACROSS else float(rng.choice([0.0, 180.0]))
        turned = first.turn + across + float(rng.normal(0, 6))
        shot = with_card(shot, face, rank, rng, Lies((float(at[0]), float(at[1])), turned, first.scale))
    return shot


def anywhere(shot: Shot, rng: Generator) -> Lies:
    """Any place and turn in a picture, at its own scale."""
    x, y = rng.uniform(0.1, 0.9, 2) * shot.image.shape[0]
    scale = scale_of(shot.truth, rng) * float(rng.uniform(0.95, 1.05))
    return Lies((float(x), float(y)), float(rng.uniform(-180, 180)), scale)


def card_shape() -> Image:
    """CARD_SIZE: 255 on a card with round corners."""
    (w, h), out = CARD_SIZE, np.zeros((CARD_SIZE[1], CARD_SIZE[0]), np.uint8)
    cv2.rectangle(out, (9, 2), (w - 10, h - 3), (255,), -1)
    cv2.rectangle(out, (2, 9), (w - 3, h - 10), (255,), -1)
    for x in (10, w - 11):
        for y in (10, h - 11):
            cv2.circle(out, (x, y), 8, (255,), -1)
    return out


def with_hand(shot: Shot, hand: HandPhoto, rng: Generator) -> Shot:
    """Return the picture with a cut-out hand and arm laid on it; a sleeve leads from the arm out of the picture."""
    mask = hand.mask
    if mask is None:
        return shot
    size = shot.image.shape[0]
    scale = min(1.5, scale_of(shot.truth, rng) * float(rng.uniform(*PALM_MM)) / mask.radius)
    matrix = _placed(rng.uniform(0.12, 0.88, 2) * size, mask.palm, scale, rng)
    mirrored = rng.random() < 0.5
    if mirrored:
        matrix[:, 0] *= -1
        matrix[:, 2] += -2 * matrix[:, 0] * mask.palm[0]
    layer = layer_of(hand.image, mask.arm, matrix, shot.image, rng)
    layer = _sleeved(layer, hand, matrix, rng)
    seen = hand_seen(hand, moved(hand.outline, matrix), mirrored)
    truth = uncovered(shot.truth, layer.alpha)
    label = clipped(0, box_quad(seen.box), (size, size), 0.45)
    if label is not None:
        inside = np.asarray(label.quad)
        (x0, y0), (x1, y1) = inside.min(0), inside.max(0)
        whole = (x1 - x0) * (y1 - y0) > 0.95 * (seen.box[2] - seen.box[0]) * (seen.box[3] - seen.box[1])
        box = (float(x0), float(y0), float(x1), float(y1))
        kept = structs.replace(seen, box=box, fingers=seen.fingers if whole else None)
        truth = structs.replace(truth, hands=[*truth.hands, kept])
    return Shot(laid(shot.image, layer, float(rng.uniform(2, 9)), rng), truth)


def _placed(at: NDArray[np.float64], middle: tuple[float, float], scale: float, rng: Generator) -> NDArray[np.float64]:
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, float(rng.uniform(-180, 180)), scale), np.float64)
    matrix[:, 2] += at - middle
    return matrix


def _sleeved(layer: Layer, hand: HandPhoto, matrix: NDArray[np.float64], rng: Generator) -> Layer:
    mask = hand.mask
    assert mask is not None
    ys, xs = np.nonzero(mask.arm)
    way = np.array(mask.toward)
    along = (xs - mask.palm[0]) * way[0] + (ys - mask.palm[1]) * way[1]
    end = float(np.percentile(along, 99.5))
    across = (xs - mask.palm[0]) * -way[1] + (ys - mask.palm[1]) * way[0]
    last = across[along > end - max(3.0, 0.1 * mask.radius)]
    low, high = float(np.percentile(last, 3)), float(np.percentile(last, 97))
    start = end - rng.uniform(0.12, 0.35) * mask.radius
    loose = rng.uniform(1.05, 1.4)
    middle, half = (low + high) / 2, (high - low) / 2 * loose
    side = np.array([-way[1], way[0]])
    far = start + 40 * mask.radius
    ends = ((start, -half), (start, half), (far, 4 * half), (far, -4 * half))
    corners = np.array([np.array(mask.palm) + way * d + side * (middle + h) for d, h in ends], np.float32)
    cloth = np.zeros(layer.alpha.shape, np.uint8)
    cv2.fillConvexPoly(cloth, np.round(moved(corners, matrix) * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    tone = rng.uniform(10, 230) * rng.uniform(0.75, 1.25, 3)
    depth = cv2.distanceTransform(cloth, cv2.DIST_L2, 3)
    shade = 0.65 + 0.35 * np.minimum(1.0, depth / max(4.0, 0.35 * float(depth.max())))
    coarse = rng.normal(1.0, 0.12, (12, 12)).astype(np.float32)
    shade = shade * cv2.resize(coarse, cloth.shape[::-1], interpolation=cv2.INTER_CUBIC)
    image = layer.image.copy()
    opaque = np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.8), np.float32) / np.float32(255)
    fabric = np.clip(shade[:, :, None] * tone, 0, 255)
    mixed = image + (fabric - image) * opaque[:, :, None]
    return Layer(mixed.astype(np.uint8), np.maximum(layer.alpha, opaque))


def straightened(image: Image, card: BoxedCard) -> Image | None:
    """Return the card as CARD_SIZE pixels, upright or upside down; None where it is small or has unknown corners."""
    if card.quad is None:
        return None
    (x, y), (w, h), angle = rectangle(card.quad)
    if w < 55:
        return None
    corners = cv2.boxPoints(((x, y), (w, h), angle)).astype(np.float32)
    to = np.array([[0, CARD_SIZE[1]], [0, 0], [CARD_SIZE[0], 0], CARD_SIZE], np.float32)
    warp = cv2.getPerspectiveTransform(corners, to)
    face = cv2.warpPerspective(image, warp, CARD_SIZE, flags=cv2.INTER_LINEAR)
    return np.asarray(np.clip(face * (235.0 / max(60.0, float(np.percentile(face, 90)))), 0, 255), np.uint8)
