"""The felt and what is printed on it, found in the clear table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.recording.decode import Picture

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Contour = cv2.typing.MatLike

FELT_LEAST: Final = 0.15
"""Least share of the picture that a felt covers."""
HUE: Final = 14.0
"""Distance in the a and b of CIELAB (8 bits) up to which a pixel has the felt's colour, whatever the light on it."""
LINE_MM: Final = 9.0
"""Print is made of strokes narrower than this; broader things do not stand out from their own median."""
CONTRAST: Final = 5.0
"""Print differs from the cloth round it by so many times the cloth's own spread."""
HALF: Final = 0.4
"""A pixel below this share of the strongest contrast near it is the blur of a line, or left beside it by the codec. A
line ends where its contrast has fallen to about half."""
LEAST_CONTRAST: Final = 7.0
"""And by so many grey levels at least."""
BROKEN_MM: Final = 12.0
"""Gaps up to this length in a line are closed: a worn line has several, each shorter than a chip's radius."""
NECK_MM: Final = 45.0
"""Strokes that join an outline to print beside it are narrower than this: the smallest spot (60 mm) less a quarter."""
GAP: Final = 0.1
"""A ring and a box are convex: up to so much of the hull may lie outside an outline that is drawn badly."""


@dataclass(frozen=True, slots=True)
class Felt:
    """`cloth` (h, w) is the felt's largest stretch, `surface` (h, w) the whole playing surface, its holes filled.

    `coloured` (h, w) is wherever the picture has the felt's colour, inside closed print, too.
    """

    cloth: Mask
    surface: Mask
    coloured: Mask

    def share(self, outline: Floats, hidden: Mask) -> float:
        """Share of what an outline (n, 2) encloses and is not `hidden` (h, w) that has the felt's colour, 0..1."""
        inside = np.zeros_like(self.coloured)
        cv2.fillPoly(inside, [outline.round().astype(np.int32)], (1.0,))
        inside[hidden > 0] = 0
        return float(self.coloured[inside > 0].mean()) if inside.any() else 0.0


@dataclass(frozen=True, slots=True)
class Printed:
    """A closed outline printed on the felt: its middle and size in pixels.

    `sides` are the longer and the shorter side of the narrowest rectangle about it, `fill` the share of it inside the
    outline: 0.785 for a circle, 1 for a box. `cloth` is the share of what it encloses that has the felt's colour.
    """

    middle: tuple[float, float]
    sides: tuple[float, float]
    fill: float
    outline: Floats
    cloth: float = 1.0
    hidden: float = 0.0
    """Share of the enclosed area that the outline leaves out because chips lie there: its middle is off by as much."""
    patch: bool = False
    """Whether it is printed as a filled patch: no cloth is seen in it."""
    gaps: bool = False
    """Whether its line has gaps, which were closed or left out: its middle is less exact."""

    @property
    def aspect(self) -> float:
        return self.sides[0] / max(1e-6, self.sides[1])

    @property
    def box(self) -> bool:
        """Whether it is rather a box than a circle or an ellipse."""
        return self.fill > 0.89


def find_felt(clear: Picture) -> Felt | None:
    """Return the largest stretch of the commonest colour of the picture's middle; None if it is too small for a
    felt.
    """
    height, width = clear.shape[:2]
    lab = cv2.cvtColor(cv2.GaussianBlur(clear, (0, 0), 3), cv2.COLOR_BGR2LAB).astype(np.float32)
    middle = lab[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4].reshape(-1, 3)
    commonest = np.median(middle[:, 1:], axis=0)
    near = np.hypot(*np.moveaxis(lab[..., 1:] - commonest, -1, 0)) < HUE
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near.astype(np.uint8))
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest, cv2.CC_STAT_AREA] < FELT_LEAST * height * width:
        return None
    cloth = np.asarray(labels == largest, np.uint8)
    outlines, _ = cv2.findContours(cloth, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    surface = np.zeros_like(cloth)
    cv2.fillConvexPoly(surface, cv2.convexHull(max(outlines, key=cv2.contourArea)), (1.0,))
    return Felt(cloth, surface, near.astype(np.uint8))


def print_mask(clear: Picture, surface: Mask, scale: float) -> Mask:
    """Return a mask (h, w, 0 or 1) of thin strokes that stand out from the cloth; `scale` is pixels a millimetre."""
    off, least = _contrast(clear, surface, scale)
    return np.asarray((off > least) & (surface > 0), np.uint8)


def sharp_mask(clear: Picture, surface: Mask, scale: float) -> Mask:
    """Return `print_mask` without strokes that are faint beside the strongest print near them, such as its blur."""
    off, least = _contrast(clear, surface, scale)
    strongest = cv2.dilate(off, np.ones((_window(scale), _window(scale)), np.uint8))
    return np.asarray((off > least) & (off > HALF * strongest) & (surface > 0), np.uint8)


def _window(scale: float) -> int:
    return 2 * round(LINE_MM * scale) + 1


def _contrast(clear: Picture, surface: Mask, scale: float) -> tuple[NDArray[np.float32], float]:
    """Return by how many grey levels each pixel (h, w) stands out from its surroundings, and the limit of print."""
    soft = cv2.GaussianBlur(clear, (0, 0), 0.7)
    ground = np.stack([cv2.medianBlur(np.ascontiguousarray(soft[..., i]), _window(scale)) for i in range(3)], axis=-1)
    off = np.abs(soft.astype(np.int16) - ground).max(axis=-1).astype(np.float32)
    usual = float(np.median(off[surface > 0])) if surface.any() else 1.0
    return off, max(LEAST_CONTRAST, CONTRAST * usual)


def printed_shapes(
    strokes: Mask, felt: Felt, scale: float, span: tuple[float, float], covered: Mask | None = None
) -> list[Printed]:
    """Return closed outlines on the playing surface whose longer side is `span` millimetres (least, most).

    What is `covered` (h, w), by chips that lie there, may be inside of an outline or not: it is not seen.
    """
    hidden = np.zeros_like(strokes) if covered is None else covered
    open_cloth = ((felt.surface > 0) & (strokes == 0)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(open_cloth, connectivity=4)
    low, high = span[0] * scale, span[1] * scale
    found: list[Printed] = []
    for index in range(1, count):
        left, top, wide, high_, area = (int(value) for value in stats[index])
        if max(wide, high_) > 1.5 * high or max(wide, high_) < 0.6 * low or area < 0.15 * low * low:
            continue
        part = (labels[top : top + high_, left : left + wide] == index).astype(np.uint8)
        share = float(felt.coloured[top : top + high_, left : left + wide][part > 0].mean())
        shape = _outlined(part, hidden[top : top + high_, left : left + wide], left, top, share)
        if shape is not None and low <= shape.sides[0] <= high:
            found.append(shape)
    return found


def closed(strokes: Mask, scale: float) -> Mask:
    """Return the strokes (h, w, 0 or 1) with short gaps in their lines drawn on, as in worn or dotted print."""
    size = round(BROKEN_MM * scale)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size | 1, size | 1))
    return np.asarray(cv2.morphologyEx(strokes, cv2.MORPH_CLOSE, kernel), np.uint8)


def outer_outlines(
    strokes: Mask, felt: Felt, scale: float, span: tuple[float, float], covered: Mask | None = None
) -> list[Printed]:
    """Return closed outlines as they are seen from outside, whatever is printed or lies in them; else as
    `printed_shapes`.

    Double lines and chips inside of a ring break up the cloth that it encloses; its outer edge stays whole.
    """
    hidden = np.zeros_like(strokes) if covered is None else covered
    lines, _ = cv2.findContours(closed(strokes, scale), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    full = np.zeros_like(strokes)
    cv2.drawContours(full, lines, -1, (1.0,), cv2.FILLED)
    found = _broad_parts(full, hidden, NECK_MM * scale, scale, span)
    return [
        replace(shape, cloth=max(felt.share(shape.outline, off) for off in (hidden, hidden | strokes)))
        for shape in found
    ]


def beside(shapes: Sequence[Printed], others: Sequence[Printed]) -> list[Printed]:
    """Return the shapes, and those of the others that lie nowhere near one of them."""
    away = [
        other
        for other in others
        if all(math.dist(other.middle, shape.middle) > 0.5 * other.sides[0] for shape in shapes)
    ]
    return [*shapes, *away]


def patches(
    bare: Mask, felt: Felt, scale: float, span: tuple[float, float], covered: Mask | None = None
) -> list[Printed]:
    """Return filled patches of convex shape whose longer side is `span` millimetres, where the mask `bare` (h, w) is
    set.

    `covered` (h, w) is where chips lie, which may reach over a patch's edge.
    """
    hidden = np.zeros_like(bare) if covered is None else covered
    return [replace(shape, patch=True) for shape in _broad_parts(bare, hidden, LINE_MM * scale, scale, span)]


def _broad_parts(mask: Mask, hidden: Mask, least: float, scale: float, span: tuple[float, float]) -> list[Printed]:
    """Return the convex parts of a mask that are broader than `least` pixels and whose longer side is `span`
    millimetres.
    """
    size = round(least) | 1
    broad = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(broad, connectivity=4)
    found: list[Printed] = []
    for index in range(1, count):
        left, top, wide, high, _ = (int(value) for value in stats[index])
        if not span[0] * scale * 0.7 <= max(wide, high) <= span[1] * scale * 1.5:
            continue
        part = (labels[top : top + high, left : left + wide] == index).astype(np.uint8)
        shape = _outlined(part, hidden[top : top + high, left : left + wide], left, top, 0.0)
        if shape is not None and span[0] * scale <= shape.sides[0] <= span[1] * scale:
            found.append(shape)
    return found


def _outlined(part: Mask, hidden: Mask, left: int, top: int, cloth: float) -> Printed | None:
    padded = cv2.copyMakeBorder(part, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    outlines, _ = cv2.findContours(padded, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    around = float(cv2.contourArea(hull))
    (x, y), (a, b), _ = cv2.minAreaRect(hull)
    if around < 1 or min(a, b) < 4:
        return None
    seen, unseen = _left_out(padded, hidden, outline, hull)
    if seen > GAP:
        return None
    longer, shorter = max(a, b) + 1, min(a, b) + 1
    points = hull.reshape(-1, 2).astype(np.float64) + np.array([left - 2, top - 2])
    return Printed((x + left - 2, y + top - 2), (longer, shorter), around / (a * b), points, cloth, unseen)


def _left_out(padded: Contour, hidden: Mask, outline: Contour, hull: Contour) -> tuple[float, float]:
    """Shares of the hull that lie outside the outline: what is seen of it, and what is hidden."""
    inside, within = np.zeros(padded.shape, np.uint8), np.zeros(padded.shape, np.uint8)
    cv2.drawContours(inside, [outline], -1, (1.0,), cv2.FILLED)
    cv2.drawContours(within, [hull], -1, (1.0,), cv2.FILLED)
    under = cv2.copyMakeBorder(hidden, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0) > 0
    out = (within > 0) & (inside == 0)
    return float((out & ~under).sum() / within.sum()), float((out & under).sum() / within.sum())
