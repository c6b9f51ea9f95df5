"""Layers that are laid over rendered pictures, with their shadows; what they cover is taken from the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.train.labels import CARD_VISIBLE, box_quad, rectangle
from verifier.train.pictures import HAND_VISIBLE
from verifier.train.real_pictures.windows import relit

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
CHIP_MM: Final = 39.0
"""Diameter of a chip."""
CHIP_VISIBLE: Final = 0.55


@dataclass(frozen=True)
class Layer:
    """Something to lay over a picture of its size: colours (BGR) and how opaque each pixel is, 0..1."""

    image: Image
    alpha: Floats


def scale_of(truth: Observation, rng: Generator) -> float:
    """Pixels for a millimetre of a rendered picture, by its cards or chips; drawn where it shows neither."""
    cards = [rectangle(card.quad)[1][0] / CARD_MM[0] for card in truth.cards]
    chips = [2 * chip.radius / CHIP_MM for chip in truth.chips]
    return float(np.median(cards or chips)) if cards or chips else float(rng.uniform(0.5, 1.7))


def layer_of(source: Image, alpha: Image, matrix: NDArray[np.float64], onto: Image, rng: Generator) -> Layer:
    """Return the source and its mask in the picture's frame, as sharp, bright and tinted as may be there."""
    size = onto.shape[1::-1]
    shrink = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    soft, inner = softened(source, alpha, shrink, rng)
    light = float(np.clip(np.percentile(onto, 98) / 215, 0.6, 1.1))
    image = relit(np.clip(soft.astype(np.float32) * light, 0, 255).astype(np.uint8), rng, 0.85)
    laid_out = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    opaque = cv2.warpAffine(inner, matrix, size, flags=cv2.INTER_LINEAR)
    return Layer(np.asarray(laid_out, np.uint8), np.asarray(opaque, np.float32) / np.float32(255))


def softened(source: Image, alpha: Image, shrink: float, rng: Generator) -> tuple[Image, Image]:
    """Return a source as sharp as pictures are at `shrink` times its size, and its mask without the edge, as soft."""
    blur = max(float(rng.uniform(0.0, 0.8)), 0.4 / shrink - 0.2)
    inner = cv2.GaussianBlur(cv2.erode(alpha, np.ones((3, 3), np.uint8)), (0, 0), 0.7 / min(1.0, shrink))
    image = cv2.GaussianBlur(source, (0, 0), blur) if blur > 0.3 else source
    return np.asarray(image, np.uint8), np.asarray(inner, np.uint8)


def laid(image: Image, layer: Layer, height: float, rng: Generator) -> Image:
    """Return the picture under the layer, with the soft shadow of something `height` pixels above it."""
    away = rng.normal(0, 0.7, 2) * height
    shift = np.array([[1, 0, away[0]], [0, 1, away[1]]], np.float64)
    dark = cv2.warpAffine(layer.alpha, shift, image.shape[1::-1])
    dark = cv2.GaussianBlur(dark, (0, 0), 0.4 + 0.5 * height) * float(rng.uniform(0.15, 0.5))
    under = image * (1 - dark[:, :, None])
    out = under + (layer.image - under) * layer.alpha[:, :, None]
    return np.asarray(np.clip(out + 0.5, 0, 255), np.uint8)


def uncovered(truth: Observation, alpha: Floats) -> Observation:
    """Return the truth after a layer was laid on it: less of each card shows, hidden chips and hands are gone."""
    cover = np.where(alpha > 0.5, 1, 0).astype(np.uint8)
    cards = [_dimmed(card, _share(cover, np.array(card.quad, np.float32))) for card in truth.cards]
    return structs.replace(
        truth,
        cards=[card for card in cards if card.visible is None or card.visible >= CARD_VISIBLE],
        chips=[chip for chip in truth.chips if _share(cover, _disc(chip)) < 1 - CHIP_VISIBLE],
        hands=[
            _unsure(hand, _share(cover, box_quad(hand.box)))
            for hand in truth.hands
            if _share(cover, box_quad(hand.box)) < 1 - HAND_VISIBLE
        ],
    )


def _dimmed(card: CardSeen, covered: float) -> CardSeen:
    if covered < 0.01:
        return card
    return structs.replace(card, visible=(1.0 if card.visible is None else card.visible) * (1 - covered))


def _unsure(hand: HandSeen, covered: float) -> HandSeen:
    return structs.replace(hand, fingers=None, keypoints=None) if covered > 0.08 else hand


def _disc(chip: ChipSeen) -> Floats:
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circle = chip.radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return np.asarray(np.array(chip.center) + circle, np.float32)


def _share(cover: Image, polygon: Floats) -> float:
    """Return the share of a polygon inside the picture that is covered."""
    area = np.zeros_like(cover)
    cv2.fillConvexPoly(area, np.round(polygon).astype(np.int32), 1)
    whole = int(np.count_nonzero(area))
    return float(np.count_nonzero(area & cover)) / whole if whole else 0.0
