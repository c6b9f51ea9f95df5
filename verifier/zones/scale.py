"""The picture's scale, from the sizes of cards; chips or the felt tell it roughly where no card is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.zones.areas import CHIP_MM
from verifier.zones.felt import Felt
from verifier.zones.proposal import Part
from verifier.zones.watch import PictureLook

Floats = NDArray[np.float64]

CARDS_ENOUGH: Final = 6
"""Looks at whole cards from which they tell the scale."""
WHOLE_P: Final = 0.6
ASPECTS: Final = (1.2, 1.62)
"""Length by width of a whole card, which is 1.40, seen from up to 25 degrees aside."""
SLANT_CARDS: Final = 20
"""Looks at whole cards from which they tell how the scale changes over the picture: three numbers are fitted."""
SLANT_OFF: Final = 0.1
"""Logarithm of a card's size by its fitted one above which it is left out: it is covered in part, or a wrong box."""
FELT_MM: Final = 1800.0
"""Width of a common twenty-one table's felt."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Pixels a millimetre, and how sure."""

    pixels_per_mm: float
    part: Part


def find_scale(picture_looks: Sequence[PictureLook], felt: Felt | None, size: tuple[int, int]) -> Scale:
    """Return the scale from the surest of cards, chips and felt that was seen."""
    cards = whole_cards(picture_looks)
    if len(cards) >= CARDS_ENOUGH:
        sizes = np.sqrt(cards[:, 2] * cards[:, 3] / (CARD_MM[0] * CARD_MM[1]))
        spread = float(np.median(np.abs(sizes / np.median(sizes) - 1)))
        sure = 0.95 if spread < 0.08 else 0.7
        return Scale(float(np.median(sizes)), Part(confidence=sure, reason=f"the size of cards in {len(cards)} looks"))
    chips = [
        max(d.box[2:4])
        for picture_look in picture_looks
        for d in picture_look.things
        if d.kind == "chip" and d.p >= WHOLE_P
    ]
    if len(chips) >= CARDS_ENOUGH:
        reason = "no cards were seen: the size of chips tells it roughly"
        return Scale(float(np.median(chips)) / CHIP_MM, Part(confidence=0.6, reason=reason))
    wide = float(np.ptp(np.nonzero(felt.surface.any(axis=0))[0])) if felt is not None else 0.9 * size[0]
    reason = "neither cards nor chips were seen: guessed from the felt's width"
    return Scale(max(wide, 1.0) / FELT_MM, Part(confidence=0.2, reason=reason))


def whole_cards(picture_looks: Sequence[PictureLook]) -> Floats:
    """(n, 5) Boxes of cards that are seen whole: centre x, y, width, height, angle, in pixels."""
    boxes = [d.box for picture_look in picture_looks for d in picture_look.things if d.card and d.p >= WHOLE_P]
    array = np.array(boxes, np.float64).reshape(-1, 5)
    sides = np.sort(array[:, 2:4], axis=1)
    aspect = sides[:, 1] / np.maximum(1e-6, sides[:, 0])
    return array[(aspect > ASPECTS[0]) & (aspect < ASPECTS[1])]


def scales_at(cards: Floats, places: Floats) -> Floats:
    """(n,) The scale at (n, 2) `places` by that of the middle of `cards` (m, 5): a camera that looks aslant shows near
    things larger. Ones where too few cards tell.
    """
    if len(cards) < SLANT_CARDS:
        return np.ones(len(places))
    middle = np.median(cards[:, :2], axis=0)
    spread = max(1.0, float(np.abs(cards[:, :2] - middle).max()))
    rows = np.column_stack([np.ones(len(cards)), (cards[:, :2] - middle) / spread])
    sizes = np.log(np.sqrt(cards[:, 2] * cards[:, 3]))
    keep = np.abs(sizes - np.median(sizes)) < 2 * SLANT_OFF
    fitted = np.zeros(3)
    for _ in range(3):
        fitted, *_ = np.linalg.lstsq(rows[keep], sizes[keep], rcond=None)
        keep = np.abs(rows @ fitted - sizes) < SLANT_OFF
        if keep.sum() < SLANT_CARDS:
            return np.ones(len(places))
    return np.asarray(np.exp((places - middle) / spread @ fitted[1:]))
