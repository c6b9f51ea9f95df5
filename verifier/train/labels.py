"""Truth as training labels: oriented boxes for the detector, clipped to the picture (pixels unless said otherwise)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.observations import Box, CardSeen, ChipSeen, Observation

CLASSES: Final = ("card_up", "card_down", "chip", "hand")
CARD_VISIBLE: Final = 0.15
"""A card of which less than this shows is no label."""
CHIP_SHARE_INSIDE: Final = 0.5
BOX_SHARE_INSIDE: Final = 0.3

Floats = NDArray[np.float32]


class Label(Struct, frozen=True, kw_only=True):
    """One oriented box: class number and four corners (4, 2) in pixels."""

    kind: int
    quad: tuple[tuple[float, float], ...]


def box_quad(box: Box) -> Floats:
    """Corners of (x0, y0, x1, y1), clockwise from the upper left."""
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float32)


def chip_quad(chip: ChipSeen) -> Floats:
    """Return the square round a chip's top face."""
    (x, y), r = chip.center, chip.radius
    return box_quad((x - r, y - r, x + r, y + r))


def rectangle(quad: Sequence[Sequence[float]] | Floats) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Return the least rectangle about a quad: centre, (short, long) sides, and the long side's angle from the y axis.

    This is what a detector of oriented boxes delivers. The angle is in degrees, clockwise, -90 to 90.
    """
    (x, y), (w, h), angle = cv2.minAreaRect(np.asarray(quad, dtype=np.float32))
    if w > h:
        w, h, angle = h, w, angle + 90.0
    return (float(x), float(y)), (float(w), float(h)), float((angle + 90.0) % 180.0 - 90.0)


def labels_of(truth: Observation, size: tuple[int, int]) -> list[Label]:
    """Labels of everything that shows enough inside a picture of `size` (w, h)."""
    return [label for label in _candidates(truth, size) if label is not None]


def _candidates(truth: Observation, size: tuple[int, int]) -> Iterable[Label | None]:
    for card in truth.cards:
        if shows(card):
            yield clipped(CLASSES.index("card_" + card.face), np.asarray(card.quad, np.float32), size, BOX_SHARE_INSIDE)
    for chip in truth.chips:
        yield clipped(CLASSES.index("chip"), chip_quad(chip), size, CHIP_SHARE_INSIDE)
    for hand in truth.hands:
        yield clipped(CLASSES.index("hand"), box_quad(hand.box), size, BOX_SHARE_INSIDE)


def shows(card: CardSeen) -> bool:
    """Tell whether enough of a card is to be seen for a label."""
    return card.visible is None or card.visible >= CARD_VISIBLE


def clipped(kind: int, quad: Floats, size: tuple[int, int], least: float) -> Label | None:
    """Return the label of `quad` cut at the picture's edge; None where less than `least` of its area lies inside."""
    w, h = size
    if quad.min() >= 0 and quad[:, 0].max() <= w - 1 and quad[:, 1].max() <= h - 1:
        return Label(kind=kind, quad=_points(quad))
    area, cut = cv2.intersectConvexConvex(_clockwise(quad), box_quad((0, 0, w - 1, h - 1)))
    whole = abs(float(cv2.contourArea(quad)))
    if cut is None or whole <= 0 or area / whole < least:
        return None
    corners = cv2.boxPoints(cv2.minAreaRect(cut))
    return Label(kind=kind, quad=_points(np.clip(corners, 0, [w - 1, h - 1])))


def _clockwise(quad: Floats) -> Floats:
    return quad if cv2.contourArea(quad, oriented=True) > 0 else np.ascontiguousarray(quad[::-1])


def _points(quad: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in quad)


def write_labels(path: Path, labels: Iterable[Label], size: tuple[int, int]) -> None:
    """Write Ultralytics' oriented-box lines: class x1 y1 .. x4 y4, as shares of `size`."""
    lines = []
    for label in labels:
        shares = np.clip(np.asarray(label.quad) / np.asarray(size), 0.0, 1.0).ravel()
        lines.append(f"{label.kind} " + " ".join(f"{value:.6f}" for value in shares))
    path.write_text("\n".join(lines) + ("\n" if lines else ""), encoding="utf-8")
