"""Removes detections that cannot be chips or whole cards, by the sizes of cards and hands in the same picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import CardSeen
from verifier.vision.detection import CARD_DOWN, CARD_UP, CHIP, HAND, Detection
from verifier.vision.geometry import area, proportions, share_inside

MOST_OF_HAND: Final = 0.45
"""A chip's diameter is at most this share of the longer side of the largest hand's box.

A chip measures 39 mm, and the shortest hand seen whole, a fist, some 90 mm. Of 386 chips found in 60 unseen simulated
pictures none had more than 0.34."""
MOST_OF_CARD: Final = 0.75
"""A chip's diameter is at most this share of the longest card's longer side, 89 mm.

That is 0.44 for one that lies beside it; one on a high stack is nearer to the camera. Of 389 such chips none had more
than 0.59."""
SURE: Final = 0.5
"""Least probability of a hand or card that others are measured by: more likely one than not."""
RIM: Final = 2.0
"""Pixels from the picture's edge from which on a box may go on outside of it."""
LEAST_INSIDE: Final = 0.8
"""Least share of a part's box within the card's box. Boxes of near cards fall short by up to a tenth of a side; of what
looks out below another card less than half is within."""
MOST_OF_WHOLE: Final = 0.75
"""Most that a part's area is of the card's. Halves have 0.5; a card that lies exactly on another has 1."""
PROPORTIONS: Final = (1.25, 1.55)
"""Longer side over shorter side of a box that is one card: 1.4 from above. Two cards a fifth apart have 1.17 or 1.6."""


def without_oversized_chips(found: Sequence[Detection], size: tuple[int, int]) -> list[Detection]:
    """Leave out chips that are too large beside the picture's hands or cards; `size` is its width and height (pixels).

    Only hands and cards that lie whole in the picture measure others. The largest of them does, which is the nearest
    to the camera: a chip that is larger still would have to be nearer than a hand's length or a high stack explains.
    """
    hand = _longest(found, (HAND,), size)
    card = _longest(found, (CARD_UP, CARD_DOWN), size)
    most = min(hand * MOST_OF_HAND, card * MOST_OF_CARD)
    return [d for d in found if d.kind != CHIP or float(d.box[2:4].mean()) <= most]


def _longest(found: Sequence[Detection], kinds: Sequence[str], size: tuple[int, int]) -> float:
    """Return the longer side (pixels) of the largest such object; infinite if none tells."""
    sides = [
        float(d.box[2:4].max()) for d in found if d.kind in kinds and d.p >= SURE and not d.faint and _whole(d, size)
    ]
    return max(sides, default=float("inf"))


def _whole(d: Detection, size: tuple[int, int]) -> bool:
    x0, y0, x1, y1 = d.extent
    return min(x0, y0) > RIM and x1 < size[0] - RIM and y1 < size[1] - RIM


def without_parts_of_cards(cards: Sequence[CardSeen]) -> list[CardSeen]:
    """Leave out boxes without a rank that are a part of one card whose rank is read; quads in pixels of the picture.

    The cards of a table are of one size. What lies within a card's box and is clearly smaller is no other card: below
    that card it would not show, and on it it would be as large. Detectors tell halves of a near card so.
    """
    read = [(np.array(card.quad, np.float32), card) for card in cards if card.rank is not None]
    whole = [(quad, card) for quad, card in read if PROPORTIONS[0] <= proportions(quad) <= PROPORTIONS[1]]
    return [card for card in cards if card.rank is not None or not any(_part(card, *one) for one in whole)]


def _part(card: CardSeen, quad: NDArray[np.float32], whole: CardSeen) -> bool:
    own = np.array(card.quad, np.float32)
    smaller = area(own) <= MOST_OF_WHOLE * area(quad)
    return card.p <= whole.p and smaller and share_inside(own, quad) >= LEAST_INSIDE
