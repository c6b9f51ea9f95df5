"""Bank notes in the inner table area: a small network finds them in the area laid straight, another reads them.

Where they lie matters between rounds, when players buy chips; amid rounds it is looked at seldom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import cv2
import numpy as np
from msgspec import UNSET, UnsetType

from verifier.domain.layout import Layout
from verifier.domain.observations import BillSeen, Quad
from verifier.recording.decode import Picture
from verifier.vision.crops import bill_crop
from verifier.vision.detection import MIN_P, Detection
from verifier.vision.geometry import Bounds, Floats, corners, suppress
from verifier.vision.models import ModelFile
from verifier.vision.readers import Reader, Reading
from verifier.vision.runtime import Requests, compile_model, read_model, with_byte_pictures

BILL_MM: Final = (156.0, 66.0)
"""Length and width of a United States note."""
PIXELS_A_MM: Final = 0.5
"""Scale of the straight picture in which bills are found."""
RIM_MM: Final = 60.0
"""Room about the inner area's outline: bills reach over it."""
SOFTENED_FROM: Final = 1.3
"""If so many pixels of the recording make one pixel of the straight picture, the picture is blurred first."""
STEP: Final = 16
"""The straight picture's sides are multiples of this."""
CELL: Final = 4
"""Pixels of the straight picture for each cell of the map that the network gives."""
ALIKE: Final = (0.55, 0.75)
"""Probabilistic IoU from which two bills are one unless both are sure, and from which they always are.

Two that lie 26 mm apart have 0.54."""
EVERY: Final = 0.7
SELDOM: Final = 3.0
"""Seconds of media time between two searches, while no card lies before the dealer and while one does."""
SURE: Final = 0.5
FACE_SURE: Final = 0.9
"""Probabilities from which a bill is there and its value is told, and from which its side is told."""
PLAIN: Final = 0.8
"""A bill without a value needs this probability, so that it is no row of cards. In 55 recordings the bills had more;
other things, mostly rows of cards, had less."""
SPARSE_MM: Final = 8.0
"""Distance between the points of the picture that are compared to tell whether anything has changed."""
CHANGED: Final = 10
"""Levels by which the mean of nine such neighbours must differ at least."""
UNREADABLE: Final = "unreadable"
HEADS: Final = ("value", "face")
_TURNS: Final = {"bottom": 0.0, "top": 180.0, "left": -90.0, "right": 90.0}
"""Degrees by which a picture is turned so that the dealer sits at its bottom."""


@dataclass(frozen=True, slots=True)
class InnerView:
    """Where the straight picture of the inner area lies in the recording's: `to_view` (2, 3) maps pixels to pixels."""

    to_view: Floats
    size: tuple[int, int]

    @classmethod
    def of(cls, layout: Layout, size: tuple[int, int] | None = None) -> InnerView:
        """Return the inner area of `layout` with its rim, or so much about its middle as `size` (w, h) holds."""
        zone = np.asarray(layout.zones.inner, np.float32)
        scale = PIXELS_A_MM / layout.scale
        turn = cv2.getRotationMatrix2D((0.0, 0.0), -_TURNS[layout.dealer_side], scale)[:, :2]
        straight = zone @ turn.T
        low, high = straight.min(axis=0), straight.max(axis=0)
        if size is None:
            wide, tall = (float(v) + 2 * RIM_MM * PIXELS_A_MM for v in high - low)
            size = (STEP * round(wide / STEP + 0.5), STEP * round(tall / STEP + 0.5))
        shift = np.asarray(size) / 2 - (low + high) / 2
        return cls(np.column_stack([turn, shift]).astype(np.float32), size)

    def cut(self, picture: Picture) -> Picture:
        """(h, w, 3) the straight picture."""
        shrink = 1 / float(np.hypot(*self.to_view[:, 0]))
        to_view = self.to_view.astype(np.float64)
        if shrink > SOFTENED_FROM:
            x0, y0, x1, y1 = self.part_of(picture, 2 * shrink)
            picture = np.asarray(cv2.GaussianBlur(picture[y0:y1, x0:x1], (0, 0), 0.4 * shrink), np.uint8)
            to_view[:, 2] += to_view[:, :2] @ (x0, y0)
        return np.asarray(cv2.warpAffine(picture, to_view, self.size, flags=cv2.INTER_LINEAR), np.uint8)

    def part_of(self, picture: Picture, room: float = 0.0) -> Bounds:
        """Return the part of the picture (h, w, 3) that the straight one shows, with so many pixels about it."""
        (w, h), (height, width) = self.size, picture.shape[:2]
        shown = self.back(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32))
        low = np.clip(np.floor(shown.min(axis=0) - room), 0, (width - 1, height - 1)).astype(int)
        high = np.clip(np.ceil(shown.max(axis=0) + room), low + 1, (width, height)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def back(self, points: Floats) -> Floats:
        """(n, 2) of the straight picture as pixels of the recording's."""
        turn, shift = self.to_view[:, :2], self.to_view[:, 2]
        return np.asarray((points - shift) @ np.linalg.inv(turn).T, np.float32)


class BillFinder:
    """Searches the pictures of recordings in float32; built once for each size of the straight picture.

    Any number of threads may share one.
    """

    def __init__(self, finder: ModelFile, reader: ModelFile) -> None:
        self.files = (finder, reader)
        self._finder = finder
        self._reader = Reader(reader, HEADS)
        self._built: dict[tuple[int, int], Requests] = {}

    def find(self, picture: Picture, view: InnerView) -> list[BillSeen]:
        """Return the bills in a picture (h, w, 3), surest first."""
        maps, *_ = self._for_size(view.size).run(view.cut(picture)[None])
        boxes, scores = boxes_of(maps[0], MIN_P)
        quads = [view.back(_from_long_side(corners(*box.tolist()))) for box in boxes]
        readings = self._reader.read([bill_crop(picture, quad, self._reader.size) for quad in quads])
        return [_seen(quad, float(p), reading) for quad, p, reading in zip(quads, scores, readings, strict=True)]

    def _for_size(self, size: tuple[int, int]) -> Requests:
        if size not in self._built:
            network = read_model(self._finder.path)
            network.reshape([1, 3, size[1], size[0]])
            self._built[size] = Requests(compile_model(with_byte_pictures(network), streams=1, threads=1))
        return self._built[size]


class BillWatch:
    """Looks for bills in one recording from time to time; without a finder or a layout, never."""

    def __init__(self, finder: BillFinder | None, layout: Layout | None) -> None:
        self._finder = finder
        self._view = InnerView.of(layout) if layout is not None else None
        self._dealer = np.asarray(layout.zones.dealer, np.float32) if layout is not None else None
        self._searched = -1e9
        self._shown: Picture | None = None
        self._seen: list[BillSeen] = []

    def look(self, t: float, picture: Picture, found: Sequence[Detection]) -> list[BillSeen] | UnsetType:
        """Return the bills in the picture (h, w, 3) at media time `t`; UNSET if the picture was not searched.

        If nothing has changed since the last search, its bills still lie there.
        """
        if self._finder is None or self._view is None:
            return UNSET
        wait = SELDOM if not self._seen and any(self._before_dealer(d) for d in found) else EVERY
        if t - self._searched < wait - 1e-6:
            return UNSET
        self._searched = t
        if self._changed(picture, self._view):
            self._seen = self._finder.find(picture, self._view)
        return self._seen

    def _changed(self, picture: Picture, view: InnerView) -> bool:
        x0, y0, x1, y1 = view.part_of(picture)
        step = max(1, round(SPARSE_MM * PIXELS_A_MM / float(np.hypot(*view.to_view[:, 0]))))
        shown = np.asarray(cv2.blur(picture[y0:y1:step, x0:x1:step], (3, 3)), np.uint8)
        changed = self._shown is None or int(cv2.absdiff(shown, self._shown).max()) >= CHANGED
        self._shown = shown if changed else self._shown
        return changed

    def without_bills(self, found: Sequence[Detection]) -> list[Detection]:
        """Return what was found, less the cards that are bills: those whose middle lies in one seen in the last
        search.
        """
        return [d for d in found if not d.card or not self._on_bill(d)]

    def _on_bill(self, card: Detection) -> bool:
        bills = (bill for bill in self._seen if bill.p >= (PLAIN if bill.cents is None else SURE))
        quads = (np.asarray(bill.quad, np.float32) for bill in bills)
        return any(card.within(quad) for quad in quads)

    def _before_dealer(self, found: Detection) -> bool:
        return found.card and found.within(self._dealer) and not self._on_bill(found)


def boxes_of(output: Floats, least: float) -> tuple[Floats, Floats]:
    """Boxes (n, 5) in pixels of the straight picture and probabilities (n,), each bill once, surest first.

    `output` (7, rows, columns): logit of a bill's middle near the cell, its offset from the cell's middle in cells, the
    logarithms of length and width by a bill's, cosine and sine of twice the angle.
    """
    p = 1 / (1 + np.exp(-output[0]))
    rows, columns = np.nonzero(p >= least)
    scores = np.asarray(p[rows, columns], np.float32)
    dx, dy, long, wide, cosine, sine = (output[i, rows, columns] for i in range(1, 7))
    x, y = (columns + 0.5 + dx) * CELL, (rows + 0.5 + dy) * CELL
    length, width = (np.exp(v) * mm * PIXELS_A_MM for v, mm in zip((long, wide), BILL_MM, strict=True))
    boxes = np.stack([x, y, length, width, np.arctan2(sine, cosine) / 2], axis=1).astype(np.float32)
    if not len(boxes):
        return boxes, scores
    kept = suppress(boxes, scores, *ALIKE)
    return boxes[kept], scores[kept]


def _from_long_side(quad: Floats) -> Floats:
    """Return the same corners (4, 2), clockwise, the first two on a long side."""
    return np.asarray(np.roll(quad, -1, axis=0), np.float32)


def _seen(quad: Floats, p: float, reading: Reading) -> BillSeen:
    values = {name: round(share, 3) for name, share in reading["value"].items() if name != UNREADABLE and share >= 0.01}
    best = max(reading["value"], key=lambda name: reading["value"][name])
    face = max(reading["face"], key=lambda name: reading["face"][name])
    known = best != UNREADABLE and reading["value"][best] >= SURE
    told = reading["face"][face] >= FACE_SURE and reading["value"].get(UNREADABLE, 0.0) < SURE
    return BillSeen(
        p=round(min(p, 1.0), 3),
        quad=cast(Quad, tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)),
        face=cast(Any, face) if told else None,
        cents=int(best) if known else None,
        values=values or None,
    )
