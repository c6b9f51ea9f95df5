"""What a detector finds in a picture, whatever network it is: cards, chips and hands, each object once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.geometry import Bounds, Floats, corners, extent, likeness, suppress, upright

CARD_UP, CARD_DOWN, CHIP, HAND = "card_up", "card_down", "chip", "hand"
CLASSES: Final = (CARD_UP, CARD_DOWN, CHIP, HAND)
MIN_P: Final = 0.3
"""docs/formats.md: writers leave out objects below this."""
ALIKE: Final = {"card": (0.45, 0.7), CHIP: (0.45, 0.7), HAND: (0.45, 0.45)}
"""Probabilistic IoU from which two detections are one object unless both are sure, and from which they always are.

A card of which a strip shows beside another has 0.7 with it, chips of which a third shows 0.65."""
WATCHING: Final = {**ALIKE, CHIP: (0.45, 0.45)}
"""The same while a recording is watched: rims of chips in a fan may pass for chips, and a wrong count may accuse."""

LEAST_BOXES: Final = 3
"""With fewer boxes, `apart` is not known."""

K = TypeVar("K")


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """An object: `kind` one of CLASSES, probability `p`, and `box` (5,) centre x, y, width, height, angle.

    Pixels of the original picture; the angle in radians, clockwise on screen, from the x axis to the width. A `faint`
    one is too unsure to count alone; following a hand through motion blur makes use of it. `apart` tells how far the
    boxes of a card that were taken for this one lie apart: the standard deviation of their centres along the line on
    which they differ most, in its shorter sides. Those of a card that lies alone differ by a hundredth.
    """

    kind: str
    p: float
    box: Floats
    faint: bool = False
    apart: float = 0.0

    @property
    def quad(self) -> Floats:
        """(4, 2) corners, clockwise; the first two span a short side."""
        return corners(*self.box.tolist())

    @property
    def upright(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of an object that is labelled axis-aligned."""
        return upright(*self.box.tolist())

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 that hold the whole object."""
        return self.upright if self.kind == HAND else extent(*self.box.tolist())

    @property
    def centre(self) -> tuple[float, float]:
        return float(self.box[0]), float(self.box[1])

    @property
    def card(self) -> bool:
        return self.kind in (CARD_UP, CARD_DOWN)

    def within(self, zone: Floats | None) -> bool:
        """Tell whether its middle lies in a zone (n, 2) of the original picture, in pixels; in none, if that is
        None.
        """
        return zone is not None and cv2.pointPolygonTest(zone, self.centre, False) >= 0


class Finder(Protocol):
    """Anything that finds objects in pictures; tests put a stand-in here."""

    def stream(
        self, pictures: Iterable[tuple[K, Picture, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[K, list[Detection]]]: ...

    def detect(self, picture: Picture, long_side: int | None = None) -> list[Detection]: ...


def without_doubles(found: list[Detection], alike: Mapping[str, tuple[float, float]] = ALIKE) -> list[Detection]:
    """Keep the best of the detections that are one object; a card is face up or face down, never both. Best first."""
    kept: list[Detection] = []
    for family, kinds in (("card", (CARD_UP, CARD_DOWN)), (CHIP, (CHIP,)), (HAND, (HAND,))):
        group = [d for d in found if d.kind in kinds]
        if group:
            boxes = np.stack([d.box for d in group])
            scores = np.array([d.p for d in group], np.float32)
            kept += [group[i] for i in suppress(boxes, scores, *alike[family])]
    return sorted(kept, key=lambda d: -d.p)


def with_apart(kept: Sequence[Detection], found: Sequence[Detection]) -> list[Detection]:
    """Return the objects kept, each card with how far apart the boxes lie that pass for it among all that were found.

    A box passes for the kept card that it is most like.
    """
    cards = [d for d in kept if d.card]
    boxes = np.array([d.box for d in found if d.card and d.p >= MIN_P], np.float32).reshape(-1, 5)
    if not cards or len(boxes) < LEAST_BOXES:
        return list(kept)
    alike = likeness(np.stack([d.box for d in cards]), boxes)
    own = (alike >= ALIKE["card"][0]) & (alike.argmax(axis=0) == np.arange(len(cards))[:, None])
    apart = {id(d): _apart(d, boxes[mine]) for d, mine in zip(cards, own, strict=True)}
    return [replace(d, apart=apart[id(d)]) if d.card else d for d in kept]


def _apart(card: Detection, own: Floats) -> float:
    """Return the standard deviation of the middles along the line on which they differ most, in the card's shorter
    sides.
    """
    if len(own) < LEAST_BOXES:
        return 0.0
    spread = float(np.linalg.eigvalsh(np.cov(own[:, :2].T))[-1])
    return math.sqrt(max(0.0, spread)) / max(1.0, float(min(card.box[2:4])))
