"""Real photos with labels, for measuring only: the two public sets of cards that docs/models.md names."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.cards import RANKS
from verifier.domain.observations import CardSeen, Observation
from verifier.train.labels import box_quad
from verifier.train.scoring import Floats, as_quad, matched

Image = NDArray[np.uint8]
EDJE: Final = "cards-edje"
MARTINABELEDA: Final = "cards-martinabeleda"
_NAMES: Final = {"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
_SURFACE: Final = ["Qs", "3c", "4c", "As", "7h", "5s", "9c", "9h", "6d", "Tc", "Jd", "2h", "Jh", "Ks", "Kc", "8d"]
_SCATTERED: Final = ["5", "4", "3", "2", "A", "8", "7", "6", "K", "Q", "J", "T", "9"]


def voc_pictures(folder: Path) -> Iterator[tuple[Image, list[tuple[str, Floats]]]]:
    """Photos with Pascal VOC boxes: the picture (BGR) and (rank, corner quad) of each card."""
    for path in sorted(folder.glob("*.xml")):
        picture = next((p for p in folder.glob(path.stem + ".*") if p.suffix.lower() in (".jpg", ".png")), None)
        image = None if picture is None else cv2.imread(str(picture))
        if image is None:
            continue
        cards = []
        for item in ElementTree.parse(path).iter("object"):
            edges = [float(item.findtext(f"bndbox/{name}") or 0) for name in ("xmin", "ymin", "xmax", "ymax")]
            cards.append((_NAMES[item.findtext("name") or ""], box_quad((edges[0], edges[1], edges[2], edges[3]))))
        yield np.asarray(image, dtype=np.uint8), cards


def frame_cards(name: str) -> list[str]:
    """The cards (`Qs`) of a frame of the webcam set by its file name, as the set's description lists them."""
    stem = name.lower()
    if stem.startswith("surface"):
        return list(_SURFACE)
    ranks = RANKS if stem.endswith("1") else _SCATTERED
    return [rank + stem[0] for rank in ranks]


def webcam_frames(folder: Path) -> Iterator[tuple[Image, list[str]]]:
    """The webcam frames: picture (BGR) and the cards that lie there, without places."""
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in (".jpg", ".jpeg", ".png"):
            image = cv2.imread(str(path))
            if image is not None:
                yield np.asarray(image, dtype=np.uint8), frame_cards(path.stem)


def score_voc(seen: Observation, cards: list[tuple[str, Floats]]) -> tuple[int, int, int, int]:
    """(right ranks, ranks said, cards, cards found) of a photo; boxes match from IoU 0.5 up."""
    up = [card for card in seen.cards if card.face == "up"]
    boxes = [_bounds(card) for card in up]
    pairs = matched(boxes, [quad for _, quad in cards])
    right = sum(up[j].rank == cards[i][0] for i, j in pairs.items())
    return right, sum(card.rank is not None for card in up), len(cards), len(pairs)


def score_bag(seen: Observation, cards: list[str]) -> tuple[int, int, int, int]:
    """(right ranks, ranks said, cards, right cards) of a frame, compared as bags: places are not labelled."""
    said = [card.rank for card in seen.cards if card.rank is not None]
    full = [card.rank + card.suit for card in seen.cards if card.rank is not None and card.suit is not None]
    right = _shared(said, [card[0] for card in cards])
    return right, len(said), len(cards), _shared(full, cards)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(min(one.count(value), other.count(value)) for value in set(one))


def _bounds(card: CardSeen) -> Floats:
    quad = as_quad(card.quad)
    (x0, y0), (x1, y1) = quad.min(0), quad.max(0)
    return box_quad((float(x0), float(y0), float(x1), float(y1)))
