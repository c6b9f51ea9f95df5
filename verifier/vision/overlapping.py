"""How many cards lie at a found box: a network sees more than the box, and its count is held against what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from verifier.domain.observations import CardSeen
from verifier.recording.decode import Picture
from verifier.vision.geometry import Floats

AnyFloats = NDArray[np.floating]
MOST: Final = 4
"""The highest count that the network tells: so many cards or more."""
FOUND: Final = 0.03
"""Another found card counts if it shares as much with a box, as a share of the smaller of both.

The network was taught cards that share a tenth. Less is asked for here: a box that is a little off still counts.
"""

KEEP_MORE: Final = 0.01
"""Least probability that more cards lie there than were found, to be told."""


class Counts(Protocol):
    """Anything that counts cards; tests put a stand-in here."""

    def counts(self, picture: Picture, quads: Sequence[Floats]) -> list[Mapping[str, float]]: ...


def shared(one: AnyFloats, other: AnyFloats) -> float:
    """Return what two boxes (4, 2) have in common, as a share of the smaller of both."""
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    common = float(cv2.intersectConvexConvex(a, b)[0])
    return common / max(1e-6, min(float(cv2.contourArea(a)), float(cv2.contourArea(b))))


def found_at(quad: Floats, quads: Sequence[Floats]) -> int:
    """Return how many of the boxes of cards found face up lie at one of them, itself included."""
    return sum(shared(quad, other) >= FOUND for other in quads)


def more_than(counts: Mapping[str, float], found: int) -> float:
    """Return the probability that more cards lie there than were found, of the probabilities of 1 .. MOST."""
    return sum(p for number, p in counts.items() if int(number) > found)


def with_counts(picture: Picture, cards: Sequence[CardSeen], readers: Counts) -> list[CardSeen]:
    """Return the cards of a single picture (h, w, 3), those that lie face up with the probability that more lie there.

    In recordings the looks at a card are joined (`vision.looker`).
    """
    up = [np.asarray(card.quad, np.float32) for card in cards if card.face == "up"]
    more = iter(
        more_than(counts, found_at(quad, up)) for quad, counts in zip(up, readers.counts(picture, up), strict=True)
    )
    return [structs.replace(card, more=told(next(more))) if card.face == "up" else card for card in cards]


def told(more: float) -> float | None:
    """Return a probability that more cards lie there as observations carry it; None where it is hardly likely."""
    return round(more, 3) if more >= KEEP_MORE else None
