"""The trained readers: rank and suit of a card, colour of a chip; side, facing, fingers, owner, keypoints of a hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.errors import BadInput
from verifier.recording.decode import Picture
from verifier.vision.crops import CARD_MARGIN, card_corners, card_crop, chip_crop, hand_crop, hand_square, overlap_crop
from verifier.vision.detection import Detection
from verifier.vision.geometry import Floats
from verifier.vision.hand_points import POINTS, box_of, decoded
from verifier.vision.models import ModelFile
from verifier.vision.runtime import RESTORE, Requests, compile_model, read_model, with_byte_pictures

BATCH: Final = 16
COLOURS: Final = ("mustard", "white", "pink", "red", "green", "black", "other")
HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": ("rank", "suit"),
    "chips": ("colour",),
    "hands": ("side", "facing", "fingers", "owner"),
}
FACE: Final = "face"
"""Head of the card reader: face up, face down, or no card. A folder of older models may be without it."""
FACES: Final = ("up", "down", "none")

CORNERS: Final = "corners"
"""Output of the card reader: the card's corners in shares of its crop, clockwise from the upper left."""
ASKEW: Final = 0.05
"""A card is straightened anew where a corner lies farther off than this share of the crop's side."""
COUNT: Final = "cards"
"""Head of the counter of overlapping cards."""
SURE: Final = 0.9
"""A card whose likeliest rank or suit has less is read the other way up, too."""
PLAIN: Final = 0.1
"""A card that is unreadable with less, and whose likeliest rank has SURE, shows its face whatever it was found as."""
_EDGE: Final = CARD_MARGIN / (1 + 2 * CARD_MARGIN)
_STRAIGHT: Final = np.array([[_EDGE, _EDGE], [1 - _EDGE, _EDGE], [1 - _EDGE, 1 - _EDGE], [_EDGE, 1 - _EDGE]])

Reading = Mapping[str, Mapping[str, float]]
"""Probabilities of each head: {"rank": {"A": 0.97, ...}, ...}."""


class Reader:
    """Classifies batches of crops; each head's logits are divided by its temperature, so that p is calibrated.

    Any number of threads may share one.
    """

    def __init__(self, model: ModelFile, heads: Sequence[str], *, precision: str = "f32") -> None:
        classes = model.card.classes
        if not isinstance(classes, dict) or any(head not in classes for head in heads):
            raise BadInput(model.path, f"its card must list the classes of {', '.join(heads)}", RESTORE)
        heads = [*heads, *(head for head in (FACE,) if head in classes and head not in heads)]
        self._classes = {head: [str(name) for name in classes[head]] for head in heads}
        self._temperatures = model.card.temperatures
        network = self._opened(read_model(model.path))
        shape = network.inputs[0].get_partial_shape()
        self.size = (shape[3].get_length(), shape[2].get_length())
        self._outputs = _outputs(network, heads, model)
        self._span = model.card.points
        if self._span is not None:
            self._outputs |= _outputs(network, (POINTS,), model)
        elif any(CORNERS in output.get_names() for output in network.outputs):
            self._outputs |= _outputs(network, (CORNERS,), model)
        self._network = Requests(compile_model(with_byte_pictures(network), streams=1, threads=1, precision=precision))

    def read(self, crops: Sequence[Picture]) -> list[Reading]:
        """Return a reading for each crop (h, w, 3) BGR uint8 of the network's size."""
        return [reading for reading, _ in self.read_with_points(crops)]

    def read_with_points(self, crops: Sequence[Picture]) -> list[tuple[Reading, Floats | None]]:
        """Return a reading for each crop and its points in shares of the crop, where the model has them.

        Points are a hand's keypoints (21, 3) or a card's corners (4, 2).
        """
        readings: list[tuple[Reading, Floats | None]] = []
        for start in range(0, len(crops), BATCH):
            readings += self._batch(crops[start : start + BATCH])
        return readings

    def _batch(self, crops: Sequence[Picture]) -> list[tuple[Reading, Floats | None]]:
        outputs = self._network.run(np.stack(crops))
        logits = {head: outputs[number] for head, number in self._outputs.items()}
        tables = self._tables(logits, outputs)
        points = None
        if self._span is not None:
            points = decoded(logits[POINTS], self._span, self._temperatures.get(POINTS, 1.0))
        elif CORNERS in logits:
            points = logits[CORNERS].reshape(-1, 4, 2)
        readings = (
            {head: dict(zip(self._classes[head], map(float, table[i]), strict=True)) for head, table in tables.items()}
            for i in range(len(crops))
        )
        return [(reading, None if points is None else points[i]) for i, reading in enumerate(readings)]

    def _opened(self, network: Any) -> Any:
        """Return the network as it was read; a reader that needs more than the network's answers asks for that here."""
        return network

    def _tables(self, logits: Mapping[str, Floats], outputs: Sequence[Floats]) -> dict[str, Floats]:
        """(n, classes) probabilities of each head, given the logits and all outputs of the network."""
        return {head: softmax(logits[head], self._temperatures.get(head, 1.0)) for head in self._classes}


def _outputs(network: Any, heads: Sequence[str], model: ModelFile) -> dict[str, int]:
    names = [output.get_names() for output in network.outputs]
    found = {head: i for head in heads for i, own in enumerate(names) if head in own}
    if len(found) != len(heads):
        raise BadInput(model.path, f"has not the outputs {', '.join(heads)}", RESTORE)
    return found


def softmax(logits: Floats, temperature: float) -> Floats:
    """(n, classes) logits -> probabilities."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class CardReading:
    """`ranks` and `suits` given that the card is readable, and the probability that it is not.

    `face` has the probabilities of FACES, None if the model does not tell them.
    """

    ranks: Mapping[str, float]
    suits: Mapping[str, float]
    unreadable: float
    face: Mapping[str, float] | None = None

    @property
    def shows_face(self) -> bool:
        """Whether a rank is read so plainly that the card lies face up. Of 282 backs in 300 unseen pictures none was
        below 0.5 unreadable, of the faces that the detector took for backs most were below 0.01."""
        return self.unreadable < PLAIN and max(self.ranks.values()) >= SURE

    @property
    def shows_back(self) -> bool:
        """Whether what shows is so plainly a back that the card lies face down."""
        return self.face is not None and self.face["down"] >= SURE and self.unreadable >= SURE


@dataclass(frozen=True, slots=True)
class HandReading:
    """Probabilities of a hand's side, facing, fingers and owner; `points` (21, 3) are x, y in pixels of the picture, p.

    `box` (4,) is what a hand with these keypoints takes of the picture. Both are None if the model has none.
    """

    side: Mapping[str, float]
    facing: Mapping[str, float]
    fingers: Mapping[str, float]
    owner: Mapping[str, float]
    points: Floats | None = None
    box: Floats | None = None


class Reads(Protocol):
    """Anything that reads objects; tests put a stand-in here."""

    def cards(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]: ...

    def counts(self, picture: Picture, quads: Sequence[Floats]) -> list[Mapping[str, float]]: ...

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]: ...

    def hands(self, picture: Picture, found: Sequence[Detection]) -> list[HandReading]: ...


class Readers:
    """The readers of cards, chips and hands together, and the `counter` of overlapping cards, if there is one."""

    def __init__(
        self, find: Callable[[str], ModelFile], *, precision: str = "f32", counter: ModelFile | None = None
    ) -> None:
        self.files = tuple(find(name) for name in HEADS)
        self._counter = None if counter is None else Reader(counter, (COUNT,), precision=precision)
        self._card, self._chip, self._hand = (
            Reader(file, heads, precision=precision) for file, heads in zip(self.files, HEADS.values(), strict=True)
        )
        if counter is not None:
            self.files = (*self.files, counter)

    def cards(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]:
        """Return what each card of a picture says, given its corners (4, 2), the first two on a short side.

        A card that lies otherwise than its corners say is straightened anew and read once more; one whose reading is
        unsure is read with its other end up, too.
        """
        first = self._card.read_with_points([card_crop(picture, quad, self._card.size) for quad in quads])
        out = [card_reading(reading) for reading, _ in first]
        corners = {i: shares for i, (_, shares) in enumerate(first) if shares is not None and _is_askew(shares)}
        places = {i: card_corners(quads[i], shares) for i, shares in corners.items()}
        for i, reading in zip(places, self._cards_at(picture, list(places.values())), strict=True):
            out[i] = reading
        unsure = [i for i, reading in enumerate(out) if _is_unsure(reading)]
        turned = self._cards_at(picture, [np.roll(places.get(i, quads[i]), 2, axis=0) for i in unsure])
        for i, reading in zip(unsure, turned, strict=True):
            out[i] = _mean(out[i], reading)
        return out

    def _cards_at(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]:
        crops = [card_crop(picture, quad, self._card.size) for quad in quads]
        return [card_reading(reading) for reading in self._card.read(crops)]

    def counts(self, picture: Picture, quads: Sequence[Floats]) -> list[Mapping[str, float]]:
        """Return for each card's corners (4, 2) the probabilities that so many cards lie there ("1" .. "4" or more).

        They are empty if there is no counter.
        """
        if self._counter is None:
            return [{} for _ in quads]
        crops = [overlap_crop(picture, quad, self._counter.size) for quad in quads]
        return [reading[COUNT] for reading in self._counter.read(crops)]

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        """Colour probabilities of each chip."""
        crops = [chip_crop(picture, d.centre, chip_radius(d), self._chip.size) for d in found]
        return [reading["colour"] for reading in self._chip.read(crops)]

    def hands(self, picture: Picture, found: Sequence[Detection]) -> list[HandReading]:
        """Side, facing, fingers and owner probabilities of each hand, and its keypoints."""
        crops = [hand_crop(picture, d.upright, self._hand.size) for d in found]
        size = (picture.shape[1], picture.shape[0])
        return [
            _hand_reading(reading, _in_picture(points, d), size)
            for d, (reading, points) in zip(found, self._hand.read_with_points(crops), strict=True)
        ]


def _is_askew(shares: Floats) -> bool:
    """Tell whether a card's corners, in shares of its crop, show that it was cut badly."""
    return float(np.abs(shares - _STRAIGHT).max()) >= ASKEW


def _is_unsure(reading: CardReading) -> bool:
    return min(max(reading.ranks.values()), max(reading.suits.values())) < SURE


def _mean(one: CardReading, other: CardReading) -> CardReading:
    """Return the geometric mean of two readings of a card."""
    unreadable = math.sqrt(one.unreadable * other.unreadable)
    face = one.face if one.face is None or other.face is None else _mixed(one.face, other.face)
    return CardReading(_mixed(one.ranks, other.ranks), _mixed(one.suits, other.suits), unreadable, face)


def _mixed(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    means = {name: math.sqrt(p * other[name]) for name, p in one.items()}
    total = sum(means.values())
    return {name: p / total for name, p in means.items()} if total > 0 else dict(one)


def _hand_reading(reading: Reading, points: Floats | None, size: tuple[int, int]) -> HandReading:
    return HandReading(**reading, points=points, box=None if points is None else box_of(points, size))


def _in_picture(points: Floats | None, found: Detection) -> Floats | None:
    """Keypoints in shares of a hand's crop, in pixels of the picture."""
    if points is None:
        return None
    centre, side = hand_square(found.upright)
    return np.column_stack([(points[:, :2] - 0.5) * side + np.array(centre, np.float32), points[:, 2]])


def chip_radius(chip: Detection) -> float:
    """Radius in pixels of a detected chip's top face."""
    return max(0.5, float(chip.box[2] + chip.box[3]) / 4)


def card_reading(reading: Reading) -> CardReading:
    """Return the reading that a card's probabilities give."""
    ranks = {name: p for name, p in reading["rank"].items() if name in RANKS}
    total = sum(ranks.values())
    ranks = {name: p / total for name, p in ranks.items()} if total > 0 else {name: 1 / len(RANKS) for name in RANKS}
    suits = {name: p for name, p in reading["suit"].items() if name in SUITS}
    return CardReading(ranks, suits, max(0.0, 1.0 - total), reading.get(FACE))
