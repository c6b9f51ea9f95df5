"""Windows of labelled real photos: shrunk or enlarged, turned, mirrored, in other light, alone or four together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.observations import Box, CardSeen, HandSeen, Observation, Quad, Side
from verifier.train.degrade import degrade
from verifier.train.labels import BOX_SHARE_INSIDE, clipped
from verifier.train.pictures import Shot
from verifier.train.real_pictures.cards import BoxedCard, seen_face_up
from verifier.train.real_pictures.hands import HandPhoto

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
COVERS: Final = (0.7, 1.7)
"""Scale of a photo of cards, in units of that at which its shorter side is as long as its place."""
HAND_FILLS: Final = (0.28, 0.95)
"""The longer side of a hand's box in units of its place's side."""
AS_TAKEN: Final = 0.5
"""Share of the hands known by a box alone that stand as they were taken; the others are turned by right angles."""
AWAY: Final = 0.08
"""Share of the pieces of photos of hands that are taken far from the hand: what else there is in rooms is no hand."""
GREY: Final = 0.05
"""Share of the pieces without colour."""
SQUEEZE: Final = (0.55, 0.92)
"""To what share of a side a window is pressed. Cards that lie across the view of a slanting camera are 1.8 times as
long as wide; a detector that never saw one takes it for two."""
ENLARGED: Final = 5.0
"""A photo is not enlarged more than this; small photos come to the detector as much enlarged."""
OTHER_SIDE: Final[dict[Side, Side]] = {"left": "right", "right": "left", "unknown": "unknown"}


@dataclass(frozen=True)
class Photo:
    """A photo (BGR) of which everything that a detector should find is known: free cards and at most one hand."""

    image: Image
    cards: Sequence[BoxedCard] = ()
    hand: HandPhoto | None = None

    def turns_freely(self) -> bool:
        """Tell whether labels stay true under any turn; a hand known by its box alone turns by right angles only."""
        return self.hand is None or self.hand.mask is not None


def window(photos: Sequence[Photo], size: int, rng: Generator) -> Shot:
    """Return a square of `size` pixels: one photo, or 4, 9 or 16 of them in as many places."""
    across = int(np.sqrt(len(photos)))
    side = size // across
    image = np.full((size, size, 3), 128, np.uint8)
    cards: list[CardSeen] = []
    hands: list[HandSeen] = []
    for index, photo in enumerate(photos[: across * across]):
        x, y = (index % across) * side, (index // across) * side
        part, truth = cell(photo, side, rng)
        image[y : y + side, x : x + side] = relit(_greyed(part) if rng.random() < GREY else part, rng)
        cards += [
            structs.replace(c, quad=_quad(np.array(c.quad, np.float32) + np.array([x, y], np.float32)))
            for c in truth.cards
        ]
        hands += [structs.replace(h, box=_shifted(h.box, x, y)) for h in truth.hands]
    return Shot(degrade(image, rng), Observation(t=0.0, frame=0, cards=cards, hands=hands))


def squeezed(shot: Shot, rng: Generator) -> Shot:
    """Return a picture of cards pressed together in one direction, with a rim of its median colour."""
    h, w = shot.image.shape[:2]
    share, across = float(rng.uniform(*SQUEEZE)), rng.random() < 0.5
    factors = np.array([share, 1.0] if across else [1.0, share])
    size = (round(w * float(factors[0])), round(h * float(factors[1])))
    small = cv2.resize(shot.image, size, interpolation=cv2.INTER_AREA)
    left, top = (w - size[0]) // 2, (h - size[1]) // 2
    rim = [float(v) for v in np.median(shot.image.reshape(-1, 3)[::97], axis=0)]
    image = cv2.copyMakeBorder(
        small, top, h - size[1] - top, left, w - size[0] - left, cv2.BORDER_CONSTANT, value=rim[:3]
    )
    cards = [
        structs.replace(card, quad=_quad(np.asarray(card.quad, np.float32) * factors + (left, top)))
        for card in shot.truth.cards
    ]
    return Shot(np.asarray(image, np.uint8), structs.replace(shot.truth, cards=cards))


def cell(photo: Photo, size: int, rng: Generator) -> tuple[Image, Observation]:
    """Return a square piece about something in the photo, and what it shows; what leaves the piece is cut off."""
    focus, scale = _focus(photo, rng), min(ENLARGED, size * _fill(photo, rng))
    mirrored = photo.hand is not None and rng.random() < 0.5
    turn = _turn(photo, rng)
    matrix = np.asarray(cv2.getRotationMatrix2D(focus, turn, scale), np.float64)
    if mirrored:
        matrix[0] = -matrix[0]
    matrix[:, 2] += rng.uniform(0.35, 0.65, 2) * size - matrix @ (*focus, 1.0)
    source = photo.image if scale > 0.6 else cv2.GaussianBlur(photo.image, (0, 0), 0.35 / scale)
    beyond = cv2.BORDER_REPLICATE if rng.random() < 0.3 else cv2.BORDER_CONSTANT
    tone = [float(v) for v in np.median(photo.image.reshape(-1, 3)[::17], axis=0) * rng.uniform(0.3, 1.2)]
    piece = cv2.warpAffine(
        source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=beyond, borderValue=tone[:3]
    )
    return np.asarray(piece, np.uint8), _truth(photo, matrix, size, mirrored)


def _turn(photo: Photo, rng: Generator) -> float:
    """Degrees by which a piece is turned."""
    if photo.turns_freely():
        return float(rng.uniform(-180, 180))
    return 0.0 if rng.random() < AS_TAKEN else 90.0 * int(rng.integers(4))


def _fill(photo: Photo, rng: Generator) -> float:
    """Return the scale for a place of one pixel: photos of cards cover it, a hand takes a share of it."""
    if photo.hand is None:
        return _drawn(COVERS, rng) / float(min(photo.image.shape[:2]))
    x0, y0, x1, y1 = photo.hand.box
    return _drawn(HAND_FILLS, rng) / max(x1 - x0, y1 - y0)


def _drawn(limits: tuple[float, float], rng: Generator) -> float:
    """Evenly on a logarithmic scale."""
    return float(np.exp(rng.uniform(np.log(limits[0]), np.log(limits[1]))))


def _focus(photo: Photo, rng: Generator) -> tuple[float, float]:
    """Return the middle of a card or of the hand, or a place in the quarter farthest from the hand."""
    if photo.hand is not None:
        x0, y0, x1, y1 = photo.hand.box
        middle, (h, w) = ((x0 + x1) / 2, (y0 + y1) / 2), photo.image.shape[:2]
        if rng.random() >= AWAY:
            return middle
        across, down = rng.uniform(0.1, 0.3, 2)
        return w * (1 - across if middle[0] < w / 2 else across), h * (1 - down if middle[1] < h / 2 else down)
    x, y = np.asarray(photo.cards[int(rng.integers(len(photo.cards)))].quad, np.float32).mean(0)
    return float(x), float(y)


def _truth(photo: Photo, matrix: NDArray[np.float64], size: int, mirrored: bool) -> Observation:
    """Cards cut at the edge have no rank, hands cut there no fingers: what shows may not tell."""
    cards = []
    for card in photo.cards:
        quad = moved(np.asarray(card.quad, np.float32), matrix)
        label = clipped(0, quad, (size, size), BOX_SHARE_INSIDE)
        if label is not None:
            rank = card.rank if _inside(quad, size) else None
            cards.append(seen_face_up(label.quad, rank))
    hands = []
    if photo.hand is not None:
        hand = hand_seen(photo.hand, moved(photo.hand.outline, matrix), mirrored)
        cut = _cut(hand.box, size)
        share = _area(cut) / max(1.0, _area(hand.box))
        if share >= BOX_SHARE_INSIDE:
            hands = [structs.replace(hand, box=cut, fingers=hand.fingers if share > 0.95 else None)]
    return Observation(t=0.0, frame=0, cards=cards, hands=hands)


def hand_seen(hand: HandPhoto, outline: Floats, mirrored: bool) -> HandSeen:
    """Return the hand as it lies now; its owner is unknown."""
    (x0, y0), (x1, y1) = outline.min(0), outline.max(0)
    side = OTHER_SIDE[hand.side] if mirrored else hand.side
    box = (float(x0), float(y0), float(x1), float(y1))
    return HandSeen(id=None, owner="unknown", side=side, facing=hand.facing, p=1.0, box=box, fingers=hand.fingers)


def _greyed(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def relit(image: Image, rng: Generator, darkest: float = 0.65) -> Image:
    """Another brightness (from `darkest` times on), contrast and tint."""
    gain = rng.uniform(darkest, 1.15) * rng.uniform(0.92, 1.08, 3)
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    curve = 255 * np.clip(levels ** rng.uniform(0.75, 1.3) * gain, 0, 1)
    return np.asarray(cv2.LUT(image, curve.astype(np.uint8).reshape(1, 256, 3)), np.uint8)


def moved(points: Floats, matrix: NDArray[np.float64]) -> Floats:
    """Points (N, 2) through an affine matrix (2, 3)."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)


def _inside(quad: Floats, size: int) -> bool:
    return bool(quad.min() >= 0 and quad.max() <= size - 1)


def _cut(box: Box, size: int) -> Box:
    x0, y0, x1, y1 = (min(max(v, 0.0), size - 1.0) for v in box)
    return x0, y0, x1, y1


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _shifted(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _quad(points: Floats) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
