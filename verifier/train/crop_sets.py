"""Crops for the readers with their labels, collected from pictures with known truth and kept as NumPy files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.observations import CardSeen, Observation
from verifier.train.crops import (
    HAND_INPUT,
    HAND_POINTS,
    Floats,
    Image,
    card_crop,
    chip_crop,
    hand_crop,
    hand_points,
    jittered_box,
    jittered_card,
)
from verifier.train.labels import rectangle, shows

UNREADABLE: Final = "unreadable"
RANK_CLASSES: Final = (*RANKS, UNREADABLE)
CARD_FACES: Final = ("up", "down", "none")
"""How a card lies; none: there is no card."""
COLOURS: Final = ("mustard", "white", "pink", "red", "green", "black", "other")
SIDES: Final = ("left", "right")
FACINGS: Final = ("back", "palm", "edge")
FINGERS: Final = (0, 1, 2, 3, 4, 5)
OWNERS: Final = ("dealer", "player")
BILL_VALUES: Final = ("100", "200", "500", "1000", "2000", "5000", "10000", UNREADABLE)
BILL_FACES: Final = ("up", "down")
HEADS: Final[dict[str, dict[str, tuple[str | int, ...]]]] = {
    "cards": {"rank": RANK_CLASSES, "suit": SUITS, "face": CARD_FACES},
    "chips": {"colour": COLOURS},
    "hands": {"side": SIDES, "facing": FACINGS, "fingers": FINGERS, "owner": OWNERS},
    "overlaps": {"cards": ("1", "2", "3", "4")},
    "bills": {"value": BILL_VALUES, "face": BILL_FACES},
}
"""Outputs of each reader and their classes, in order."""
READABLE_SHARE: Final = 0.22
"""A card of which less shows is unreadable by definition."""
READABLE_WIDTH: Final = 17.0
"""A card narrower than this (pixels) is unreadable by definition."""
UNLABELLED: Final = -1
CARDS_EACH: Final = 16
CHIPS_EACH: Final = 10

Labels = list[int]


class CropCollector:
    """Gathers crops from pictures; at most CARDS_EACH cards and CHIPS_EACH chips of each picture."""

    def __init__(self) -> None:
        self._crops: dict[str, list[Image]] = {name: [] for name in HEADS}
        self._labels: dict[str, list[Labels]] = {name: [] for name in HEADS}
        self._points: list[Floats] = []

    def add(self, image: Image, truth: Observation, rng: Generator) -> None:
        """Cuts everything whose middle lies in the picture."""
        size = (image.shape[1], image.shape[0])
        cards = [card for card in truth.cards if shows(card) and _inside(rectangle(card.quad)[0], size)]
        for index in rng.permutation(len(cards))[:CARDS_EACH]:
            self._put("cards", card_crop(image, jittered_card(cards[index].quad, rng)), card_labels(cards[index]))
        chips = [chip for chip in truth.chips if _inside(chip.center, size)]
        for index in rng.permutation(len(chips))[:CHIPS_EACH]:
            (x, y), r = chips[index].center, chips[index].radius
            at = (x + float(rng.normal(0, 0.08 * r)), y + float(rng.normal(0, 0.08 * r)))
            crop = chip_crop(image, at, r * float(np.exp(rng.normal(0, 0.06))))
            self._put("chips", crop, [COLOURS.index(chips[index].colour)])
        for hand in truth.hands:
            if _inside(((hand.box[0] + hand.box[2]) / 2, (hand.box[1] + hand.box[3]) / 2), size):
                labels = [
                    _index(SIDES, hand.side),
                    _index(FACINGS, hand.facing),
                    UNLABELLED if hand.fingers is None else hand.fingers,
                    _index(OWNERS, hand.owner),
                ]
                box = jittered_box(hand.box, rng)
                self._put("hands", hand_crop(image, box), labels)
                self._points.append(hand_points(hand.keypoints, box))
        if rng.random() < 0.12:
            labels = [RANK_CLASSES.index(UNREADABLE), UNLABELLED, CARD_FACES.index("none")]
            self._put("cards", elsewhere(image, truth, rng), labels)

    def _put(self, name: str, crop: Image, labels: Labels) -> None:
        self._crops[name].append(crop)
        self._labels[name].append(labels)

    def save(self, path: Path) -> None:
        """Write all crops (N, h, w, 3) BGR, labels (N, heads) and hands' points to one file; nothing without crops."""
        arrays: dict[str, NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.float16]] = {}
        for name, crops in self._crops.items():
            if crops:
                arrays[name] = np.stack(crops)
                arrays[name + "_labels"] = np.asarray(self._labels[name], dtype=np.int8)
        if self._points:
            arrays["hands_points"] = np.asarray(self._points, dtype=np.float16)
        if arrays:
            np.savez(path, **arrays)  # type: ignore[arg-type]


def card_labels(card: CardSeen) -> Labels:
    """Rank, suit and face of a card; its rank is unreadable where too little shows, it is too small or face down."""
    _, (width, _), _ = rectangle(card.quad)
    hidden = card.visible is not None and card.visible < READABLE_SHARE
    face = CARD_FACES.index(card.face)
    if card.face == "down" or card.rank is None or hidden or width < READABLE_WIDTH:
        return [RANK_CLASSES.index(UNREADABLE), UNLABELLED, face]
    return [RANK_CLASSES.index(card.rank), UNLABELLED if card.suit is None else SUITS.index(card.suit), face]


def elsewhere(image: Image, truth: Observation, rng: Generator) -> Image:
    """Return a card-shaped piece of the picture where no card lies upright in it (mostly felt, chips and hands)."""
    h, w = image.shape[:2]
    side = float(rng.uniform(25, 80))
    at = (float(rng.uniform(0, w)), float(rng.uniform(0, h)))
    middles = [rectangle(card.quad)[0] for card in truth.cards]
    if any(np.hypot(at[0] - x, at[1] - y) < 1.5 * side for x, y in middles):
        at = (float(w), float(h))
    return card_crop(image, (at, (side, side * 1.4), float(rng.uniform(-90, 90))))


def load_crops(files: Iterable[Path], name: str) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All crops of reader `name` and their labels; raises ValueError where the files hold none.

    Cards of files without faces, as older programs wrote them, lie face up where they can be read.
    """
    crops, labels = [], []
    for path in files:
        with np.load(path) as data:
            if name in data:
                crops.append(data[name])
                labels.append(_faced(data[name + "_labels"].astype(np.int64), len(HEADS[name])))
    if not crops:
        raise ValueError(f"no crops of {name} in the files given")
    return np.concatenate(crops), np.concatenate(labels)


def _faced(labels: NDArray[np.int64], heads: int) -> NDArray[np.int64]:
    """Labels (N, heads), where a last column is wanting with that of cards' faces."""
    if labels.shape[1] == heads:
        return labels
    readable = labels[:, 0] != RANK_CLASSES.index(UNREADABLE)
    return np.column_stack([labels, np.where(readable, CARD_FACES.index("up"), UNLABELLED)])


def load_corners(files: Iterable[Path]) -> Floats:
    """Corners (N, 4, 2) of all cards in shares of their crops, in the order of `load_crops`; NaN where unknown."""
    corners = []
    for path in files:
        with np.load(path) as data:
            if "cards" in data:
                unknown = np.full((len(data["cards_labels"]), 4, 2), np.nan, np.float32)
                corners.append(data["cards_corners"].astype(np.float32) if "cards_corners" in data else unknown)
    return np.concatenate(corners)


def load_hands(files: Iterable[Path]) -> tuple[NDArray[np.uint8], NDArray[np.int64], Floats]:
    """Crops of hands, their labels and keypoints (N, 21, 3): shares of the crop's side and p, NaN where unknown.

    Files without points and crops of another size, as older programs wrote them, are taken too.
    """
    crops, labels, points = [], [], []
    for path in files:
        with np.load(path) as data:
            if "hands" in data:
                crops.append(_resized(data["hands"], HAND_INPUT))
                labels.append(data["hands_labels"].astype(np.int64))
                unknown = np.full((len(labels[-1]), HAND_POINTS, 3), np.nan, np.float32)
                points.append(data["hands_points"].astype(np.float32) if "hands_points" in data else unknown)
    if not crops:
        raise ValueError("no crops of hands in the files given")
    return np.concatenate(crops), np.concatenate(labels), np.concatenate(points)


def _resized(crops: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """(N, h, w, 3) at `size` (w, h)."""
    if crops.shape[2:0:-1] == size:
        return crops
    return np.stack([np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_CUBIC), np.uint8) for crop in crops])


def _inside(xy: tuple[float, float], size: tuple[int, int]) -> bool:
    return 0 <= xy[0] < size[0] and 0 <= xy[1] < size[1]


def _index(values: tuple[str, ...], value: str) -> int:
    return values.index(value) if value in values else UNLABELLED
