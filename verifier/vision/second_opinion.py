"""Asks another detector where a card lies that cannot be read in the box of the first one.

The detector for recordings learnt cards as cameras above a table show them. Of a card that lies across the view of a
slanting camera it may box a half. The detector for photos learnt other pictures, so it rarely errs at the same card. A
face that is read plainly tells which of the two boxes is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.card_size import KnownCards
from verifier.vision.detection import ALIKE, CARD_UP, Detection, Finder
from verifier.vision.geometry import Floats, area, likeness, share_inside
from verifier.vision.readers import CardReading, Reads

REACH: Final = 4.0
"""Longer sides of the box from its middle to the edge of the window that is searched: as many as show the cards of the
same hand and some of its neighbours', which tell how large a card is."""
CARD_WIDTH: Final = 40.0
"""Width in pixels at which the window shows the card: the lower of the two that the detector for photos knows best
(`vision.still.CARD_WIDTHS`)."""
LEAST_P: Final = 0.7
"""Least probability of a card that the other detector finds, for an opinion. Of real cards that it boxed rightly none
had less than 0.83; of the cards of tight fans that it told of, half had 0.5 to 0.6."""
LONGEST: Final = 2.0
"""Longer side over shorter side of a whole card at most: seen from 45 degrees, lying across the view, it has 1.96. Of a
strip the longer side tells how large the card is, so no window is shown larger than 640 pixels."""
LEAST_INSIDE: Final = 0.75
"""Least share of a box, in which a card is read surely, within the other one: both boxes are of one card. Of 20 cards
of real pictures that were boxed wrongly the least was 0.92."""
LEAST_SHARED: Final = 0.5
"""The same where no card is read: a box between two cards that lie edge to edge is of the one that it shows more of."""
MOST_OF_WHOLE: Final = 0.83
"""A part has at most this share of the area of the other detector's box. Seen from 45 degrees, parts of real cards
had 0.46 to 0.78, cards that both detectors boxed whole 0.89 to 1."""
DOUBLED: Final = 0.4
"""Share of a box within that of a card of the same rank from which both may be boxes of one card: halves of it, each
too long, share 0.46 to 0.67. Cards of a pair lie so, too; that detector then finds both."""
MOST_SHARED: Final = 0.25
"""Most that a card's box shares with another's while it tells how large a card is. Cards laid as they are dealt share
a fifth."""
COVERED: Final = 0.9
"""Share of a box from which other cards cover it: all but the edges of detectors' boxes. Halves of real cards lay
within the whole with 0.92 and more; a card that looks out below another by a sixth of its width has 0.83."""
MOST_TIMES: Final = 3
ASKED_AGAIN: Final = 1.0
"""So many questions are asked about a card while its box stays, so many seconds apart: a hand may have hidden it."""
UNCHANGED: Final = 0.8
"""Least probabilistic IoU of a box with that of an earlier look, to be of the same card lying still. One moved by a
twentieth of its width has 0.95, one moved by a sixth 0.8."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """Where the other detector sees the card, and what is read there; whether the first one boxed a part of a card
    that it has boxed whole as well."""

    found: Detection
    reading: CardReading
    part: bool = False


@dataclass(slots=True)
class Asked:
    """What was asked about one card: how often and when, the box that it was about, and what was told."""

    times: int = 0
    at: float = -math.inf
    box: Floats | None = None
    told: Opinion | None = None

    def wanted(self, t: float, card: Detection) -> bool:
        """Tell whether to ask about a card at time `t` (seconds); rarely while its box stays as it is."""
        if t - self.at < ASKED_AGAIN:
            return False
        return not self._same(card) or (self.told is None and self.times < MOST_TIMES)

    def take(self, t: float, card: Detection, told: Opinion | None) -> None:
        """Keep what was told about a card at time `t`; None: nothing better."""
        self.times = self.times + 1 if self._same(card) else 1
        self.at, self.box, self.told = t, card.box, told

    def boxed(self, card: Detection) -> Detection:
        """Return a detection with the box that was told, while the first detector's own stays as it was."""
        if self.told is None or self.told.part or not self._same(card):
            return card
        return replace(card, box=self.told.found.box, p=max(card.p, self.told.found.p))

    def part(self, card: Detection) -> bool:
        """Tell whether a detection is a part of another card, as far as was told."""
        return self.told is not None and self.told.part and self._same(card)

    def _same(self, card: Detection) -> bool:
        if self.box is None:
            return False
        return float(likeness(card.box[None], self.box[None])[0, 0]) >= UNCHANGED


class SecondOpinion:
    """Asks `finder` about single cards of one recording; `readers` read what it finds.

    What it finds beside those cards tells how large a card is on this table.
    """

    def __init__(self, finder: Finder, readers: Reads) -> None:
        self._finder = finder
        self._readers = readers
        self._known = KnownCards()

    def about(
        self, picture: Picture, card: Detection, others: Sequence[Detection], *, known: bool = False
    ) -> Opinion | None:
        """Return where the card lies that `card` boxes badly, in pixels of `picture` (h, w, 3).

        `known` tells that it is read surely. `others` are the other cards of the picture; where the box is that of one
        of them and larger, `card` is a part.
        None if the other detector finds nothing of a card's size there, or where no face is read plainly in its box:
        it may box two cards as one. A box that is covered by cards that both detectors see is a part of these.
        """
        around = self._around(picture, card)
        plain = self._read(picture, around)
        for opinion in plain:
            d = opinion.found
            if _lies_alone(d, [card, *(other for other in around if other is not d)]):
                self._known.add(self.corners(d))
        agreed = [opinion for opinion in plain if _is_one_of(opinion.found, others)]
        if not known and len(agreed) > 1 and _covered(card, [one.found for one in agreed]) >= COVERED:
            return replace(agreed[0], part=True)
        least = LEAST_INSIDE if known else LEAST_SHARED
        there = [d for d in around if self._is_card(d) and share_inside(card.quad, d.quad) >= least]
        whole = self._read(picture, there)
        free = [opinion for opinion in whole if not _is_one_of(opinion.found, others)]
        best = max(free or whole, key=lambda one: share_inside(card.quad, one.found.quad), default=None)
        if best is None or free:
            return best
        within = share_inside(card.quad, best.found.quad) >= COVERED
        return replace(best, part=True) if within and _is_part(card, best.found) else None

    def _read(self, picture: Picture, cards: Sequence[Detection]) -> list[Opinion]:
        """Return those of the cards whose faces are read plainly."""
        readings = self._readers.cards(picture, [self.corners(d) for d in cards])
        return [Opinion(d, reading) for d, reading in zip(cards, readings, strict=True) if reading.shows_face]

    def _is_card(self, card: Detection) -> bool:
        """Tell whether a box is of a card's size; False while that is not known."""
        return self._known.scale is not None and self._known.scale.is_card(card.quad)

    def corners(self, card: Detection) -> Floats:
        """(4, 2) corners of a card's box in pixels, the first two on its shorter side as far as the scale tells."""
        return card.quad if self._known.scale is None else self._known.scale.from_short_side(card.quad)

    def odd(self, card: Detection) -> bool:
        """Tell whether a box is not of a card's size, as far as that is known."""
        return self._known.scale is not None and not self._known.scale.is_card(card.quad)

    def _around(self, picture: Picture, card: Detection) -> list[Detection]:
        """Return the cards face up that the other detector finds in a window about `card`, in pixels of the picture."""
        height, width = picture.shape[:2]
        short, long = sorted(float(side) for side in card.box[2:4])
        card_width = max(short, long / LONGEST, 1.0)
        low = np.maximum(0, np.floor(np.array(card.centre) - REACH * long)).astype(int)
        high = np.minimum((width, height), np.ceil(np.array(card.centre) + REACH * long)).astype(int)
        window = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
        if not window.size:
            return []
        side = round(max(window.shape[:2]) * CARD_WIDTH / card_width)
        shift = np.array([*low, 0, 0, 0], np.float32)
        found = self._finder.detect(window, side)
        return [Detection(d.kind, d.p, d.box + shift) for d in found if d.kind == CARD_UP and d.p >= LEAST_P]


def doubled(card: Detection, others: Sequence[Detection]) -> bool:
    """Tell whether a card's box overlaps one of `others` so far that both may be of one card."""
    reach = float(card.box[2:4].max())
    near = (d for d in others if math.dist(d.centre, card.centre) <= reach)
    return any(share_inside(card.quad, d.quad) >= DOUBLED for d in near)


def _lies_alone(card: Detection, others: Sequence[Detection]) -> bool:
    """Tell whether a box shares little with others, as cards do that lie as they are dealt."""
    return all(share_inside(card.quad, d.quad) <= MOST_SHARED for d in others)


def _covered(card: Detection, others: Sequence[Detection]) -> float:
    """Return the share of a card's box that lies within others."""
    low = card.quad.min(axis=0)
    size = np.ceil(np.ptp(card.quad, axis=0)).astype(int) + 1
    own, theirs = np.zeros(size[::-1], np.uint8), np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(own, np.round(card.quad - low).astype(np.int32), 1)
    for d in others:
        cv2.fillConvexPoly(theirs, np.round(d.quad - low).astype(np.int32), 1)
    return float((own & theirs).sum()) / max(1.0, float(own.sum()))


def _is_part(card: Detection, whole: Detection) -> bool:
    """Tell whether a box is too small for a card that another box holds whole."""
    return area(card.quad) <= MOST_OF_WHOLE * area(whole.quad)


def _is_one_of(found: Detection, others: Sequence[Detection]) -> bool:
    """Tell whether a box is that of another card already, which is boxed whole."""
    whole = [d.box for d in others if not _is_part(d, found)]
    return bool(whole) and bool((likeness(found.box[None], np.stack(whole)) >= ALIKE["card"][0]).any())
