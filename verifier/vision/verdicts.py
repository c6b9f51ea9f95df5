"""Weighs what the detector says of a card against what the reader of cards sees in it: up, down, or none at all.

Two networks that look differently at the same place: the detector at a scale at which a card is some thirty pixels
wide, the reader at the card alone, straightened, at its own size. A multinomial logistic regression joins them
(stacked generalisation, Wolpert 1992); its weights stand in the card reader's JSON (`verifier train tune`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.recording.decode import Picture
from verifier.vision.detection import CARD_DOWN, CARD_UP, Detection
from verifier.vision.readers import FACES, CardReading, Reads
from verifier.vision.unchanged import ReadThing

CARDS: Final = (CARD_UP, CARD_DOWN)
LEAST: Final = 0.01
"""Each probability of the reader counts at least this much: it has seen some hundred thousand cards, not all."""
TOLD: Final = 0.4
"""A detection is a card from this probability on."""
PLAIN: Final = 0.9
"""A reading of face up, face down or none may be kept for later looks if it has this probability."""

Values = NDArray[np.float64]
Weights = tuple[float, float, float, float, float]
"""What a detection's log-odds count for `up`, what is added; the same for `down`; what the reader's logs count."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The objects of a picture without false cards, and the readings of the new ones."""

    found: list[Detection]
    readings: dict[Detection, CardReading] = field(default_factory=dict)


class Judge:
    """Judges each card that a detector found; without `weights` they stay as they are.

    A card found anew where one was read plainly is not read again for its verdict while its pixels are unchanged.
    No card becomes surer than its detector is: what shows of a card beside a hand, found a second time, reads as well
    as the card.
    """

    def __init__(self, readers: Reads, weights: Mapping[str, Weights]) -> None:
        self._readers = readers
        self._weights = weights
        self._known: dict[Detection, _Known] = {}

    def look(self, picture: Picture, found: Sequence[Detection]) -> Judged:
        """Return what a picture (h, w, 3) shows, given its detections; only cards that were read in it have
        readings.
        """
        if not self._weights:
            return Judged(list(found))
        fresh = [d for d in found if d.kind in CARDS and d not in self._known]
        lasting = {d: same for d in fresh if (same := self._lasting(d, picture)) is not None}
        unread = [d for d in fresh if d not in lasting]
        readings = dict(zip(unread, self._readers.cards(picture, [d.quad for d in unread]), strict=True))
        known = self._known | {d: self._weighed(d, before.reading, before.thing) for d, before in lasting.items()}
        known |= {d: self._weighed(d, reading, ReadThing.of(d, picture)) for d, reading in readings.items()}
        self._known = {d: known[d] for d in found if d.kind in CARDS}
        told = {d: self.weighed(d) for d in found}
        kept = [d for d in told.values() if not (d.kind in CARDS and d.p < TOLD)]
        return Judged(kept, {told[d]: reading for d, reading in readings.items()})

    def weighed(self, d: Detection) -> Detection:
        """Return a detection of the last picture as both together see it, however unlikely."""
        return self._known[d].weighed if d in self._known else d

    def _lasting(self, d: Detection, picture: Picture) -> _Known | None:
        """Return the card of the look before that lies there unchanged, if it was read plainly."""
        return next((known for known in self._known.values() if known.plain and known.thing.lasts(d, picture)), None)

    def _weighed(self, d: Detection, reading: CardReading, thing: ReadThing) -> _Known:
        kind, p = max(verdict(d, reading, self._weights[d.kind]).items(), key=lambda item: item[1])
        return _Known(reading, thing, replace(d, kind=kind, p=min(d.p, p)))


@dataclass(frozen=True, slots=True)
class _Known:
    """A card's reading, what was seen when it was read, and the card as both networks together see it now."""

    reading: CardReading
    thing: ReadThing
    weighed: Detection

    @property
    def plain(self) -> bool:
        """Whether the reading is so sure that noise alone would not change it."""
        return self.reading.face is not None and max(self.reading.face.values()) >= PLAIN


def verdict(d: Detection, reading: CardReading, weights: Weights) -> dict[str, float]:
    """Probabilities that a detection is a card face up and that it is one face down; the rest is that it is none."""
    face = reading.face or dict.fromkeys(FACES, 1.0)
    up, down, _ = shares(np.array([d.p]), np.array([[face[name] for name in FACES]]), weights)[0].tolist()
    return {CARD_UP: up, CARD_DOWN: down}


def shares(found: Values, read: Values, weights: Weights) -> Values:
    """(n, 3) probabilities of FACES, by what the detector says of each thing (n,) and what the reader says (n, 3)."""
    up, up_bias, down, down_bias, by_reader = weights
    p = np.clip(found, LEAST, 1 - LEAST)
    odds = np.log(p / (1 - p))
    scores = np.column_stack([up * odds + up_bias, down * odds + down_bias, np.zeros_like(odds)])
    scores += by_reader * np.log(np.maximum(read, LEAST))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
