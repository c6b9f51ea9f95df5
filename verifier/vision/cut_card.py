"""Finds the indicator card beside the shoe: a card of one colour, whatever that colour is.

No network knows it. Cut cards are plain plastic of a strong colour. So a thing beside the shoe counts as one if it has
a card's size and shape, no texture, another colour than the felt near it, and no card was found there. White and grey
ones are left out, because paper is white.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from msgspec import UNSET, UnsetType

from verifier.domain.layout import CARD_MM, Layout
from verifier.domain.observations import CutCardSeen, Quad
from verifier.recording.decode import Picture
from verifier.vision.detection import Detection
from verifier.vision.geometry import Bounds, Floats

EVERY: Final = 2.0
"""Seconds of media time between two searches."""
WIDTH: Final = 40.0
"""The picture is searched at a scale at which a card is at most so many pixels wide."""
ABOUT_MM: Final = 220.0
"""How far from the shoe the card is laid at most."""
SMOOTH: Final = 12
"""Grey levels by which neighbouring pixels of one surface differ at most."""
AREAS: Final = (0.5, 1.35)
"""Area without its rim, in areas of a card in the middle of the table: the camera may be tilted."""
LENGTHS: Final = (1.05, 1.9)
"""Length divided by width; 1.4 for a card if nothing is tilted."""
LIKE_SIDES: Final = 0.8
"""Least length of a side, divided by that of the opposite side."""
FULL: Final = (0.92, 1.2)
"""Its area divided by that of the quadrilateral through its corners: 1.06 to 1.10 for a cut card, 1.44 for a glass."""
CORNER: Final = 0.05
"""How far a side bulges at most, by the length of all of them."""
COLOURED: Final = 16.0
"""Least distance from grey (CIELAB)."""
UNLIKE: Final = 20.0
"""Least distance (CIELAB) from what surrounds it."""
RIM: Final = 2
"""Pixels by which a rim's change of colour makes the plain part smaller at each side."""
MARGIN: Final = 6 * RIM
LONGEST: Final = 2.5
"""Longest side of the upright box around one, in card widths."""
P: Final = 0.9


class CutCardFinder:
    """Searches the pictures of one recording, every other second; without a layout, or a shoe in it, never."""

    def __init__(self, layout: Layout | None = None) -> None:
        self._layout = layout if layout is not None and layout.zones.shoe is not None else None
        self._searched = -1e9

    def look(self, t: float, picture: Picture, found: Sequence[Detection]) -> list[CutCardSeen] | UnsetType:
        """Cut cards by the shoe in the picture (h, w, 3) at media time `t`; unset if it was not searched."""
        if self._layout is None or self._layout.zones.shoe is None or t - self._searched < EVERY - 1e-6:
            return UNSET
        self._searched = t
        scale = self._layout.scale
        x0, y0, x1, y1 = _window(self._layout.zones.shoe, ABOUT_MM * scale, picture)
        part, share = picture[y0:y1, x0:x1], min(1.0, WIDTH / (scale * CARD_MM[0]))
        if share < 1.0:
            part = np.asarray(cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        quads = plain_cards(part, share * scale * CARD_MM[0])
        moved = [np.asarray(quad / share + (x0, y0), np.float32) for quad in quads]
        return [CutCardSeen(p=P, quad=_rounded(quad)) for quad in moved if not _known(quad, found)]


def plain_cards(picture: Picture, width: float) -> list[Floats]:
    """Corners (4, 2), clockwise, of the things of one colour with the shape of a card, about `width` pixels wide."""
    lab = np.asarray(cv2.cvtColor(cv2.medianBlur(picture, 5), cv2.COLOR_BGR2LAB), np.uint8)
    light, a, b = cv2.split(cv2.morphologyEx(lab, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    plain = cv2.inRange(cv2.max(light, cv2.max(a, b)), 0, SMOOTH)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(plain, connectivity=4)
    least, most = (share * width * width * CARD_MM[1] / CARD_MM[0] for share in AREAS)
    quads: list[Floats] = []
    for i in range(1, number):
        x, y, w, h, area = stats[i].tolist()
        if least <= area <= most and max(w, h) <= LONGEST * width:
            x0, y0 = max(0, x - MARGIN), max(0, y - MARGIN)
            part = slice(y0, y + h + MARGIN), slice(x0, x + w + MARGIN)
            quad = _card_of(np.asarray(labels[part] == i, np.uint8), lab[part])
            quads += [quad + np.array((x0, y0), np.float32)] if quad is not None else []
    return quads


def _card_of(mask: Picture, lab: Picture) -> Floats | None:
    """Return the corners of what a mask covers, if it is shaped and coloured like a cut card."""
    outline = max(cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    corners = np.asarray(cv2.approxPolyDP(hull, CORNER * cv2.arcLength(hull, True), True)[:, 0], np.float32)
    if len(corners) != 4 or not FULL[0] <= cv2.contourArea(outline) / cv2.contourArea(corners) <= FULL[1]:
        return None
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) + 2 * RIM
    across, down = sides[::2], sides[1::2]
    long, short = sorted((across.mean(), down.mean()), reverse=True)
    like = min(across.min() / across.max(), down.min() / down.max()) >= LIKE_SIDES
    if not like or not LENGTHS[0] <= long / short <= LENGTHS[1] or not _stands_out(mask, lab):
        return None
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * (1 + 2 * RIM / short), np.float32)


def _stands_out(mask: Picture, lab: Picture) -> bool:
    """Tell whether the masked thing has a strong colour that differs from its surroundings."""
    own = np.median(lab[mask > 0], axis=0) - (0, 128, 128)
    near, far = (cv2.dilate(mask, np.ones((2 * n + 1, 2 * n + 1), np.uint8)) for n in (3 * RIM, 5 * RIM))
    about = np.median(lab[(far > 0) & (near == 0)], axis=0) - (0, 128, 128)
    return bool(np.hypot(*own[1:]) >= COLOURED and np.linalg.norm(own - about) >= UNLIKE)


def _window(zone: Sequence[tuple[float, float]], rim: float, picture: Picture) -> Bounds:
    points = np.asarray(zone, np.float32)
    low, high = np.maximum(points.min(axis=0) - rim, 0), points.max(axis=0) + rim
    return int(low[0]), int(low[1]), min(picture.shape[1], int(high[0])), min(picture.shape[0], int(high[1]))


def _known(quad: Floats, found: Sequence[Detection]) -> bool:
    """Tell whether a thing was found there: a card, or a hand that covers a part."""
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    extents = (thing.extent for thing in found)
    return any(x0 < right and left < x1 and y0 < low and high < y1 for left, high, right, low in extents)


def _rounded(quad: Floats) -> Quad:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in quad)
    return a, b, c, d
